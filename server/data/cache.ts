import { LRUCache } from 'lru-cache';
import type { StoredAnswer } from '../../db/requests/responses.ts';

const defaultBytes = 32 * 1024 * 1024;
/** Larger answers are cached in the database only. */
const maxAnswerBytes = 256 * 1024;
/** Size of an entry beside its texts. */
const entryBytes = 200;

export interface AnswerCache {
  /** Puts an answer into the memory of this process. */
  remember(cacheKey: string, answer: StoredAnswer): void;
  /** Returns the cached answer that is at most `maxAgeSeconds` old, or null. */
  cached(cacheKey: string, maxAgeSeconds: number): Promise<StoredAnswer | null>;
}

/** Creates a cache that keeps recent answers in memory, in front of the one in the database. */
export function createCache(
  read: (cacheKey: string) => Promise<StoredAnswer | null>,
  now: () => Date,
  maxBytes = defaultBytes,
): AnswerCache {
  const memory = new LRUCache<string, StoredAnswer>({
    maxSize: maxBytes,
    maxEntrySize: Math.min(maxAnswerBytes, maxBytes),
    sizeCalculation: (answer) => 2 * (answer.body.length + answer.meta.length) + entryBytes,
  });
  const isYoung = (answer: StoredAnswer, maxAgeSeconds: number) =>
    now().getTime() - answer.retrieved_at.getTime() <= maxAgeSeconds * 1000;

  return {
    remember(cacheKey, { body, meta, retrieved_at }) {
      memory.set(cacheKey, { body, meta, retrieved_at });
    },
    async cached(cacheKey, maxAgeSeconds) {
      const known = memory.get(cacheKey);
      if (known && isYoung(known, maxAgeSeconds)) return known;
      const stored = await read(cacheKey);
      if (!stored || !isYoung(stored, maxAgeSeconds)) return null;
      memory.set(cacheKey, stored);
      return stored;
    },
  };
}
