import { digestId } from '../../db/ids.ts';

/**
 * Values that identify a cached API answer: requests with the same values share one cached answer. Options that change
 * only the presentation, such as the format, are not included.
 */
interface AnswerIdentity {
  /** The path of the API route, such as `/v1/photo/profile`. */
  path: string;
  /** The parameters of the request: the identifier (handle, ID or URL) and the filters. */
  params: Record<string, unknown>;
  /** Number of requested list rows; null when the request is for one record, such as a profile. */
  limit: number | null;
  /**
   * Position at which the requested page of a list begins. Null for the first page, and when the request is for one
   * record.
   */
  position: object | null;
}

/**
 * Parameters that help a source to find a record but do not change the answer, such as the author in the URL of an
 * Instagram post. A request with a hint may succeed where the same request without it fails.
 */
const hints = ['author'] as const;

/**
 * Returns the cache key for the answer to a request. The key contains no workspace, because all workspaces share the
 * cached answers.
 */
export function answerKey({ path, params, limit, position }: AnswerIdentity): string {
  return digestId(JSON.stringify([path, withoutHints(params), limit, position]));
}

/** Returns the parameters that identify the answer to a request, with all {@link hints} set to null. */
export function withoutHints(params: Record<string, unknown>): Record<string, unknown> {
  const sent = hints.filter((name) => (params[name] ?? null) !== null);
  return sent.length === 0 ? params : { ...params, ...Object.fromEntries(sent.map((name) => [name, null])) };
}

/**
 * Returns true when a request has a hint (see {@link hints}) that a failed request for the same answer lacks or has
 * with a different value. The request may then succeed.
 */
export function hasOtherHints(params: Record<string, unknown>, other: Record<string, unknown>): boolean {
  return hints.some((name) => (params[name] ?? null) !== null && params[name] !== other[name]);
}

/** Returns true when a request has a hint (see {@link hints}) that another request for the same answer lacks. */
export function hasMoreHints(params: Record<string, unknown>, other: Record<string, unknown>): boolean {
  return hints.some((name) => (params[name] ?? null) !== null && (other[name] ?? null) === null);
}
