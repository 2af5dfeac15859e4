import type { StoredAnswer } from '../../db/requests/responses.ts';
import type { Collected } from './collect.ts';

/** The fields of `meta` that are stored with an answer. The other fields, such as the credits charged, belong to one request. */
export type AnswerMeta = Pick<Collected<unknown>, 'source' | 'retrieved_at' | 'partial' | 'quality' | 'warnings'>;

/** Returns an answer in the form in which it is stored in the database. `body` is the JSON text of the response's `data`. */
export function storedAnswer(body: string, meta: AnswerMeta): StoredAnswer {
  const { source, retrieved_at, partial, quality, warnings } = meta;
  return {
    body,
    meta: JSON.stringify({ source, retrieved_at, partial, quality, warnings }),
    retrieved_at: new Date(retrieved_at),
  };
}
