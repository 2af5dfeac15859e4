import { PlainError } from './page-call.ts';

const lockWaitMs = 20_000;

/**
 * Calls a function while it holds the lock of the spreadsheet.
 *
 * @throws PlainError when another window or trigger holds the lock for more than 20 seconds.
 */
export function holdLock<T>(work: () => T): T {
  const lock = LockService.getDocumentLock();
  if (lock === null || !lock.tryLock(lockWaitMs)) {
    throw new PlainError('Another user or window is writing to this file. Try again in a minute.');
  }
  try {
    return work();
  } finally {
    lock.releaseLock();
  }
}
