import { z } from 'zod';
import { type ErrorDetail, RequestError } from '../http/errors.ts';
import { nearest } from '../http/nearest.ts';
import type { Query } from '../http/query.ts';
import type { Parameter } from './parameter.ts';

/** The parsed parameters of one query, and the errors that were found in them. */
export interface ReadParameters {
  values: Record<string, unknown>;
  details: ErrorDetail[];
  /**
   * The error SOURCE_RESTRICTED when a parameter has the right form, but names something private, else null. This error
   * is thrown only when `details` is empty, so that it does not hide wrong parameters.
   */
  restricted: RequestError | null;
}

/** Parses the parameters of one query. Returns the parsed values and one detail for each problem. */
export function readParameters(query: Query, parameters: Record<string, Parameter>): ReadParameters {
  const read = parameterReader(parameters)(query);
  if (read.restricted && read.details.length === 0) throw read.restricted;
  return read;
}

/**
 * Returns a function that parses each parameter and adds an error detail for each wrong value, unknown name and
 * repeated parameter.
 */
export function parameterReader(parameters: Record<string, Parameter>): (query: Query) => ReadParameters {
  const named = Object.entries(parameters);
  const defaults: Record<string, unknown> = Object.fromEntries(
    named.map(([name, parameter]) => [name, defaultOf(parameter)]),
  );
  return (query) => {
    const details = unknownProblems(query, parameters);
    let restricted: RequestError | null = null;
    const values = { ...defaults };
    for (const [name, parameter] of named) {
      if (!Object.hasOwn(query, name)) continue;
      const texts = query[name] as string[];
      if (texts.length === 0) continue;
      if (parameter.repeated !== undefined) {
        values[name] = readList(name, texts, parameter, details);
        continue;
      }
      if (texts.length > 1) details.push({ parameter: name, message: 'must not be sent more than once' });
      const parsed = parameter.schema.safeParse(texts[0]);
      if (parsed.success) {
        values[name] = parsed.data;
        continue;
      }
      const restriction = restrictionOf(parsed.error);
      if (restriction) restricted ??= restriction;
      else details.push(problemOf(name, parsed.error));
    }
    return { values, details, restricted };
  };
}

function unknownProblems(query: Query, parameters: Record<string, Parameter>): ErrorDetail[] {
  const unknown = Object.keys(query).filter((name) => !Object.hasOwn(parameters, name));
  return unknown.map((name) => {
    if (name === '') return { parameter: name, message: 'a parameter has no name: remove the "=" before its value' };
    const near = nearest(name, Object.keys(parameters));
    const advice = near ? `did you mean ${near}?` : 'leave it out';
    return { parameter: name, message: `is not a parameter of this route: ${advice}` };
  });
}

/** Parses a parameter that can be sent several times. Only its first bad value is reported. */
function readList(
  name: string,
  texts: string[],
  { schema, repeated = 1 }: Parameter,
  details: ErrorDetail[],
): unknown[] {
  if (texts.length > repeated) details.push({ parameter: name, message: `must be sent at most ${repeated} times` });
  const parsed = texts.slice(0, repeated).map((text) => schema.safeParse(text));
  const wrong = parsed.find((result) => !result.success);
  if (wrong) details.push(problemOf(name, wrong.error));
  return parsed.map((result) => result.data);
}

/**
 * Returns the default value of a parameter, or undefined. Most parameters are not sent, and reading the default is
 * faster than parsing a missing value.
 */
function defaultOf({ schema }: Parameter): unknown {
  return schema instanceof z.ZodDefault ? schema.def.defaultValue : undefined;
}

function problemOf(parameter: string, error: z.ZodError): ErrorDetail {
  return { parameter, message: error.issues[0]?.message ?? 'is not valid' };
}

/** Returns the error SOURCE_RESTRICTED when the value has the right form, but names something private, else null. */
function restrictionOf(error: z.ZodError): RequestError | null {
  const issue = error.issues[0];
  const restricted = issue?.code === 'custom' && issue.params?.code === 'SOURCE_RESTRICTED';
  return restricted ? new RequestError('SOURCE_RESTRICTED', { message: issue.message }) : null;
}
