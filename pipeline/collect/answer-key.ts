import { digestId } from '../../db/ids.ts';

/** Everything that the source of an answer was asked, nothing of how the answer is shown. */
export interface AskedSource {
  /** The route that sells the answer. */
  path: string;
  /** Identifier and filters as the collector takes them. */
  asked: Record<string, unknown>;
  /** Rows of a list; null for one record. */
  limit: number | null;
  /** Where a list goes on; null at its beginning and for one record. */
  place: object | null;
}

/** The identity of an answer, under which it is kept for everyone. */
export function answerKey({ path, asked, limit, place }: AskedSource): string {
  return digestId(JSON.stringify([path, asked, limit, place]));
}
