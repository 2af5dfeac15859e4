import { digestId } from '../../db/ids.ts';

/**
 * Values that identify a cached API answer: two requests with the same values share it. Options that only change the
 * presentation, such as the format, are not included.
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
 * Returns the key under which the answer to a request is cached. It contains no workspace, because all workspaces share
 * the cached answers.
 */
export function answerKey({ path, params, limit, position }: AnswerIdentity): string {
  return digestId(JSON.stringify([path, params, limit, position]));
}
