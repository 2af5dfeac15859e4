import { z } from 'zod';
import type { Identifier } from '../../pipeline/parse/identifiers.ts';
import type { UrlResult } from '../../pipeline/parse/urls.ts';

/** A query parameter: how its text is read, and how the docs show it. An identifier's value is an object of collector parameters. */
export interface Parameter {
  schema: z.ZodType;
  description: string;
  example: string;
  /** May be sent up to this often; its value is the list of what was sent. */
  repeated?: number;
  /** Why it does not change the answer. It is checked, a warning says so, and it is no part of the answer's identity. */
  no_effect?: string;
}

export const maxUrlLength = 2_048;
export const maxTextLength = 200;

export function identifier(name: string, { pattern, normalize }: Identifier, rule: string, example: string): Parameter {
  const schema = z
    .string()
    .regex(pattern, `must be ${rule}`)
    .transform((value) => ({ [name]: normalize(value) }));
  return { schema, description: rule, example };
}

/** A URL is parsed for the identifier in it and never fetched; `pick` says which of its targets the route takes. */
export function address<T>(
  parse: (url: string) => UrlResult<T>,
  pick: (target: T) => Record<string, unknown> | null,
  wanted: string,
  example: string,
): Parameter {
  const schema = z
    .string()
    .max(maxUrlLength, `must be at most ${maxUrlLength} characters`)
    .transform((url, context) => {
      const parsed = parse(url);
      const picked = parsed.ok ? pick(parsed.target) : null;
      if (picked) return picked;
      context.addIssue(parsed.ok ? `must be the address of ${wanted}` : refusalIssue(parsed));
      return z.NEVER;
    });
  return { schema, description: `address of ${wanted}`, example };
}

/** The code of a refusal travels with its message: a private share code is restricted, not malformed. */
export function refusalIssue({ code, message }: Extract<UrlResult<never>, { ok: false }>) {
  return { code: 'custom' as const, message, params: { code } };
}

export function choice(
  values: readonly [string, ...string[]],
  fallback: string | null,
  description: string,
): Parameter {
  const schema = z.enum(values, { error: `must be one of ${values.join(', ')}` });
  return {
    schema: fallback === null ? schema : schema.default(fallback),
    description,
    example: fallback ?? values[0],
  };
}

export function matching(pattern: RegExp, rule: string, example: string): Parameter {
  return { schema: z.string().regex(pattern, `must be ${rule}`), description: rule, example };
}

export function whole(min: number, max: number, fallback: number, description: string): Parameter {
  const schema = z
    .preprocess(
      (value) => (typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value),
      z
        .int({ error: `must be a whole number from ${min} to ${max}` })
        .min(min)
        .max(max),
    )
    .default(fallback)
    .meta({ default: fallback });
  return { schema, description, example: String(fallback) };
}

const truths: Readonly<Record<string, boolean>> = { true: true, 1: true, false: false, 0: false };

/** A boolean. Takes `true` and `false` in any case, as spreadsheets and languages write them, and 1 and 0. */
export function truth(description: string): Parameter {
  const schema = z
    .preprocess(
      (value) => (typeof value === 'string' ? truths[value.toLowerCase()] : value),
      z.boolean({ error: 'must be true or false' }),
    )
    .default(false)
    .meta({ default: false });
  return { schema, description, example: 'true' };
}
