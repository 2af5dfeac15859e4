import { z } from 'zod';
import { visibleText } from '../../pipeline/parse/addresses.ts';
import type { IdentifierFormat } from '../../pipeline/parse/identifiers.ts';
import type { UrlResult } from '../../pipeline/parse/urls.ts';

/**
 * A query parameter: its schema and its documentation. An identifier (id, handle or URL) is parsed into an object for
 * the collector, which is the module that fetches the data of the route.
 */
export interface Parameter {
  schema: z.ZodType;
  description: string;
  example: string;
  /** Maximum number of times that the parameter can be sent. When this is set, the parsed value is a list. */
  repeated?: number;
  /**
   * Reason why the parameter does not change the answer. A sent value is validated and causes a warning, but does not
   * become part of the cache key.
   */
  no_effect?: string;
  /**
   * True when the parameter can make an answer free, such as `estimate`. A request with this parameter counts toward
   * the limit of requests that fetch data only when its answer is not free.
   */
  makes_free?: true;
}

export const maxUrlLength = 2_048;
export const maxTextLength = 200;

/**
 * Returns the schema of an id or a handle. Invisible characters, which often come with copied text, are removed first.
 * `rule` completes the sentence "must be …" in the error message.
 */
export function identifierText(pattern: RegExp, rule: string) {
  return z.preprocess(
    (value) => (typeof value === 'string' ? visibleText(value) : value),
    z.string().regex(pattern, `must be ${rule}`),
  );
}

/** Returns a parameter that takes an id or a handle. `rule` describes its format. */
export function identifier(
  name: string,
  { pattern, normalize }: IdentifierFormat,
  rule: string,
  example: string,
): Parameter {
  const schema = identifierText(pattern, rule).transform((value) => ({ [name]: normalize(value) }));
  return { schema, description: rule, example };
}

/**
 * Returns a parameter that takes a URL. The URL is never fetched, because `parse` only reads the identifier in the URL.
 * `pick` returns null when the URL leads to a different kind of page.
 */
export function address<T extends { kind: string }>(
  parse: (url: string) => UrlResult<T>,
  pick: (target: T) => Record<string, unknown> | null,
  kind: string,
  example: string,
): Parameter {
  const schema = z
    .string()
    .max(maxUrlLength, `must be at most ${maxUrlLength} characters`)
    .transform((url, context) => {
      const parsed = parse(url);
      const picked = parsed.ok ? pick(parsed.target) : null;
      if (picked) return picked;
      const other = (target: T) => `must be the URL of ${kind}: this is the URL of a ${target.kind}`;
      context.addIssue(parsed.ok ? other(parsed.target) : refusalIssue(parsed));
      return z.NEVER;
    });
  return { schema, description: `URL of ${kind}`, example };
}

/**
 * Returns a validation issue that keeps the error code of the URL parser. For example, a private share code is reported
 * as restricted, not as malformed.
 */
export function refusalIssue({ code, message }: Extract<UrlResult<never>, { ok: false }>) {
  return { code: 'custom' as const, message, params: { code } };
}

/**
 * Returns a parameter that accepts only the given values. Without a fallback, the parameter has no default, and its
 * example is the first value.
 */
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

/**
 * Returns a parameter whose value matches a pattern. `rule` completes the sentence "must be …" in the error message.
 */
export function matching(pattern: RegExp, rule: string, example: string): Parameter {
  return { schema: z.string().regex(pattern, `must be ${rule}`), description: rule, example };
}

/** Returns a pattern for a comma-separated list of texts that match `item`. Spaces around each of them are allowed. */
export function listPattern(item: string): RegExp {
  const spaced = `\\s*(?:${item})\\s*`;
  return new RegExp(`^${spaced}(?:,${spaced})*$`);
}

/** Returns a parameter that takes a whole number from `min` to `max`. `fallback` is the default value. */
export function integer(min: number, max: number, fallback: number, description: string): Parameter {
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

const booleans: Readonly<Record<string, boolean>> = { true: true, 1: true, false: false, 0: false };

/**
 * Returns a parameter that takes a boolean: 1, 0, `true` or `false` in any letter case, because spreadsheets write
 * TRUE.
 */
export function flag(description: string): Parameter {
  const schema = z
    .preprocess(
      (value) => (typeof value === 'string' ? booleans[value.toLowerCase()] : value),
      z.boolean({ error: 'must be true or false' }),
    )
    .default(false)
    .meta({ default: false });
  return { schema, description, example: 'true' };
}
