import { digestId } from '../../db/ids.ts';

/** Identifies the request of a cached answer. Options that only change how the answer is shown, such as the format, are not part of it. */
export interface AnswerIdentity {
  /** The path of the API route, such as `/v1/photo/profile`. */
  path: string;
  /** The parameters of the collector: the identifier (handle, ID or URL) and the filters. */
  params: Record<string, unknown>;
  /** Number of requested rows; null for one record. */
  limit: number | null;
  /** The position where the requested part of the list begins; null at the start of the list and for one record. */
  position: object | null;
}

/** Returns the cache key of an answer. All workspaces share the cached answers. */
export function answerKey({ path, params, limit, position }: AnswerIdentity): string {
  return digestId(JSON.stringify([path, params, limit, position]));
}
