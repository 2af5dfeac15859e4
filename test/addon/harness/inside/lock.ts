import { type Execution, modelled, requireMode } from './execution.ts';

/** Waiting for a lock takes virtual time; the end of the execution gives it back. */
export function lockService(execution: Execution) {
  return modelled('LockService', {
    getDocumentLock: () => {
      requireMode(execution, 'LockService.getDocumentLock', ['LIMITED', 'CUSTOM_FUNCTION', 'FULL']);
      return documentLock(execution);
    },
  });
}

function documentLock(execution: Execution) {
  const { world } = execution;
  const tryLock = (waitMs: number): boolean => {
    if (execution.has_lock) return true;
    const freeInMs = Math.max(0, world.lock_held_until_ms - world.now_ms);
    world.now_ms += Math.min(freeInMs, waitMs);
    execution.has_lock = freeInMs <= waitMs;
    return execution.has_lock;
  };
  return modelled('Lock', {
    tryLock,
    waitLock: (waitMs: number) => {
      if (!tryLock(waitMs)) throw new Error('Lock timeout: another process was holding the lock for too long.');
    },
    hasLock: () => execution.has_lock,
    releaseLock: () => {
      execution.has_lock = false;
    },
  });
}
