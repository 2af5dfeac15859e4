import { PlainError } from './page-call.ts';

const lockWaitMs = 20_000;

/**
 * True while this execution holds the lock. Without it, an inner {@link holdLock} would release the lock of the outer
 * one, because Apps Script does not count how often an execution took a lock.
 */
let isHeld = false;

/**
 * Calls a function while it holds the lock of the spreadsheet.
 *
 * @param notDone a sentence that the error contains and that says what was not done.
 * @throws PlainError when another window or trigger holds the lock for more than 20 seconds.
 */
export function holdLock<T>(work: () => T, notDone = ''): T {
  if (isHeld) return work();
  const lock = LockService.getDocumentLock();
  if (lock === null || !lock.tryLock(lockWaitMs)) {
    const sentences = ['Another user or window is writing to this file.', notDone, 'Try again in a minute.'];
    throw new PlainError(sentences.filter((sentence) => sentence !== '').join(' '));
  }
  isHeld = true;
  try {
    return work();
  } finally {
    isHeld = false;
    lock.releaseLock();
  }
}
