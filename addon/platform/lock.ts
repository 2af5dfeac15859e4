import { PlainError } from './page-call.ts';

const lockWaitMs = 20_000;

/** Runs while no other execution writes into this file. @throws PlainError when another one does for too long. */
export function holdLock<T>(work: () => T): T {
  const lock = LockService.getDocumentLock();
  if (lock === null || !lock.tryLock(lockWaitMs)) {
    throw new PlainError('Somebody else is writing into this file. Try again in a minute.');
  }
  try {
    return work();
  } finally {
    lock.releaseLock();
  }
}
