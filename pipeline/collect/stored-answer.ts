import type { StoredAnswer } from '../../db/requests/responses.ts';
import type { Collected } from './collect.ts';

/**
 * Fields of the response's `meta` that are stored with a cached answer. The other `meta` fields, such as the charged
 * credits, differ for each request.
 */
export type AnswerMeta = Pick<Collected<unknown>, 'source' | 'retrieved_at' | 'partial' | 'quality' | 'warnings'>;

/** Converts an answer to the form in which the database stores it. `body` is the JSON text of the response's `data`. */
export function storedAnswer(body: string, meta: AnswerMeta): StoredAnswer {
  const { source, retrieved_at, partial, quality, warnings } = meta;
  return {
    body,
    meta: JSON.stringify({ source, retrieved_at, partial, quality, warnings }),
    retrieved_at: new Date(retrieved_at),
  };
}
