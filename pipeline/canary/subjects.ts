import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { AnyCollector } from '../collect/collect.ts';
import * as longvideo from '../longvideo/collectors.ts';
import * as photo from '../photo/collectors.ts';
import * as shortvideo from '../shortvideo/collectors.ts';
import defaults from './subjects.json' with { type: 'json' };

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const range = z
  .strictObject({ min: z.number().optional(), max: z.number().optional() })
  .refine(({ min, max }) => min !== undefined || max !== undefined, 'it needs min or max');

/** The allowed values of a field in an answer: exactly one value, or a number within a range. */
export type Expectation = z.infer<typeof scalar> | z.infer<typeof range>;

const subjectSchema = z.strictObject({
  collector: z.string(),
  params: z.record(z.string(), scalar),
  /**
   * Maps the path of a field in the answer to its expected value. Examples of paths: `followers`, `0.author` (first row
   * of a list), `*.id` (any row) and `length` (number of rows).
   */
  expect: z
    .record(z.string().min(1), z.union([scalar, range]))
    .refine((all) => Object.keys(all).length > 0, 'it is empty'),
});

/**
 * A public profile, post or list that hardly ever changes, with the expected values of its fields. The canary job
 * requests these subjects regularly to notice when a platform changes its answers.
 */
export interface Subject extends z.infer<typeof subjectSchema> {
  /** The parameters of the request as text, such as `handle=nasa`. */
  name: string;
}

const maxSubjects = 500;
const subjectsSchema = z.array(subjectSchema).min(1).max(maxSubjects);

/** Returns the collector (fetcher of one kind of record) with this name; undefined when it does not exist. */
export function canaryCollector(name: string): AnyCollector | undefined {
  const all: Record<string, unknown> = { ...photo, ...shortvideo, ...longvideo };
  return Object.hasOwn(all, name) ? (all[name] as AnyCollector) : undefined;
}

/**
 * Reads the accounts, posts and lists that the canary job requests from a JSON file. Null reads the built-in list.
 * Throws an Error with one sentence when the file is invalid.
 */
export function readSubjects(path: string | null): Subject[] {
  const parsed = subjectsSchema.safeParse(path === null ? defaults : readJson(path));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const at = issue?.path.join('.');
    throw new Error(`${at ? `The value at ${at}` : 'The list'} is not valid: ${issue?.message}.`);
  }
  const subjects = parsed.data.map((subject) => ({ ...subject, name: nameOf(subject.params) }));
  for (const { collector, params, name } of subjects) {
    const known = canaryCollector(collector);
    if (!known) throw new Error(`There is no collector ${collector}.`);
    const checked = known.params.safeParse(params);
    if (!checked.success)
      throw new Error(`The parameters of ${collector} ${name} are not valid: ${checked.error.issues[0]?.message}.`);
  }
  const keys = subjects.map(({ collector, name }) => `${collector} ${name}`);
  const twice = keys.find((key, index) => keys.indexOf(key) !== index);
  if (twice) throw new Error(`The list has ${twice} twice.`);
  return subjects;
}

const nameOf = (params: Subject['params']) =>
  Object.entries(params)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(
      error instanceof SyntaxError
        ? 'It is not JSON.'
        : `It cannot be read (${(error as NodeJS.ErrnoException).code}).`,
    );
  }
}
