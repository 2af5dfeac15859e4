import { digestId } from '../../db/ids.ts';

/** Identifies the request that an answer was made for, without its presentation. */
export interface AnswerIdentity {
  /** The path of the route. */
  path: string;
  /** The parameters of the collector: the identifier (handle, ID or URL) and the filters. */
  params: Record<string, unknown>;
  /** Rows of a list; null for one record. */
  limit: number | null;
  /** The position in the list; null at its start and for one record. */
  position: object | null;
}

/** Returns the key under which an answer is cached for all workspaces. */
export function answerKey({ path, params, limit, position }: AnswerIdentity): string {
  return digestId(JSON.stringify([path, params, limit, position]));
}
