import type { StoredAnswer } from '../../db/requests/responses.ts';
import type { Collected } from './collect.ts';

/**
 * Fields of the response's `meta` that are stored with a cached answer. The other `meta` fields, such as the charged
 * credits, differ for each request.
 */
type AnswerMeta = Pick<Collected<unknown>, 'source' | 'retrieved_at' | 'partial' | 'quality' | 'warnings'>;

/** The parts of an answer as objects: `data`, and the stored part of `meta`. */
interface AnswerContent {
  data: Record<string, unknown>;
  meta: AnswerMeta;
}

/**
 * An answer in two forms: `answer` is text for the database and for HTTP, and `content` has the same data as objects.
 */
export interface CollectedAnswer {
  answer: StoredAnswer;
  content: AnswerContent;
}

/** An answer whose `content` may be missing, because answers from the database or the cache are only text. */
export interface ReadAnswer {
  answer: StoredAnswer;
  content?: AnswerContent | null;
}

/**
 * Returns `data` of an answer as an object. Parses the text only when the answer was read from the database or the
 * cache.
 */
export function dataIn({ answer, content }: ReadAnswer): Record<string, unknown> {
  return content?.data ?? (JSON.parse(answer.body) as Record<string, unknown>);
}

/**
 * Returns the stored part of `meta` as an object. Parses the text only when the answer was read from the database or
 * the cache.
 */
export function metaIn({ answer, content }: ReadAnswer): AnswerMeta {
  return content?.meta ?? (JSON.parse(answer.meta) as AnswerMeta);
}

/** Returns a new answer as text and as objects. */
export function collectedAnswer(data: Record<string, unknown>, meta: AnswerMeta): CollectedAnswer {
  const { source, retrieved_at, partial, quality, warnings } = meta;
  const content = { data, meta: { source, retrieved_at, partial, quality, warnings } };
  return { answer: storedAnswer(JSON.stringify(data), meta), content };
}

/**
 * Converts an answer to the format in which the database stores it. `body` is the JSON text of the response's `data`.
 */
export function storedAnswer(body: string, meta: AnswerMeta): StoredAnswer {
  const { source, retrieved_at, partial, quality, warnings } = meta;
  return {
    body,
    meta: JSON.stringify({ source, retrieved_at, partial, quality, warnings }),
    retrieved_at: new Date(retrieved_at),
  };
}
