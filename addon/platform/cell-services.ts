import type { CellServices } from './client.ts';
import { neighbourTexts } from './neighbours.ts';

const lockWaitMs = 2_000;

/**
 * Returns the cache, the lock and the neighboring cells of the spreadsheet for the client of the API. None of the
 * functions throws: an error of an Apps Script service is logged, and the formula continues without that service.
 */
export function cellServices(log: (message: string) => void): CellServices {
  /** Returns the result of `work`. When a service of Apps Script fails, logs the error and returns null. */
  const quietly = <T>(work: () => T): T | null => {
    try {
      return work();
    } catch (error) {
      log(`The cache, the lock or the cells of this spreadsheet could not be used: ${String(error)}`);
      return null;
    }
  };
  return {
    read: (names) => quietly(() => CacheService.getDocumentCache()?.getAll(names)) ?? {},
    write: (texts, seconds) => quietly(() => CacheService.getDocumentCache()?.putAll(texts, seconds)),
    hold(work) {
      const lock = quietly(() => LockService.getDocumentLock());
      const held = quietly(() => lock?.tryLock(lockWaitMs)) === true;
      try {
        return work();
      } finally {
        if (held) quietly(() => lock?.releaseLock());
      }
    },
    neighbours: (name, own) => quietly(() => neighbourTexts(name, own)) ?? [],
  };
}
