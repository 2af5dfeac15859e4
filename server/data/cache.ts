import { LRUCache } from 'lru-cache';
import { isFromFuture, type StoredAnswer } from '../../db/requests/responses.ts';

const defaultBytes = 16 * 1024 * 1024;
/** Maximum number of bytes of one answer in the memory cache. A larger answer is cached only in the database. */
const maxAnswerBytes = 256 * 1024;
/** Estimated number of bytes of a cache entry without its texts. */
const entryBytes = 200;

interface AnswerCache {
  /** Stores an answer in the memory of this process. */
  remember(cacheKey: string, answer: StoredAnswer): void;
  /** Returns the cached answer if it is at most `maxAgeSeconds` old, else null. */
  cached(cacheKey: string, maxAgeSeconds: number): Promise<StoredAnswer | null>;
}

/**
 * Creates a cache that keeps recent answers in memory. `read` reads an answer from the database when it is not in
 * memory.
 */
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
    now().getTime() - answer.retrieved_at.getTime() <= maxAgeSeconds * 1000 && !isFromFuture(answer, now());

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
