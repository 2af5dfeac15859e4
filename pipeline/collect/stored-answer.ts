import type { StoredAnswer } from '../../db/requests/responses.ts';
import type { Collected } from './collect.ts';

/** The members of `meta` that belong to an answer, not to one request. */
export type AnswerMeta = Pick<Collected<unknown>, 'source' | 'retrieved_at' | 'partial' | 'quality' | 'warnings'>;

/** Returns an answer in the form in which it is stored. `body` is the JSON text of `data`. */
export function storedAnswer(body: string, meta: AnswerMeta): StoredAnswer {
  const { source, retrieved_at, partial, quality, warnings } = meta;
  return {
    body,
    meta: JSON.stringify({ source, retrieved_at, partial, quality, warnings }),
    retrieved_at: new Date(retrieved_at),
  };
}
