import { type Execution, modelled, requireMode } from './execution.ts';

/** Returns LockService. Waiting for a lock takes virtual time, and a lock is released when its execution ends. */
export function lockService(execution: Execution) {
  return modelled('LockService', {
    getDocumentLock: () => {
      requireMode(execution, 'LockService.getDocumentLock', ['LIMITED', 'CUSTOM_FUNCTION', 'FULL']);
      return documentLock(execution);
    },
  });
}

function documentLock(execution: Execution) {
  const tryLock = (waitMs: number): boolean => {
    if (execution.has_lock) return true;
    execution.pause('Lock.tryLock');
    execution.has_lock = execution.shared({ need: 'lock', wait_ms: waitMs }).held === true;
    return execution.has_lock;
  };
  return modelled('Lock', {
    tryLock,
    waitLock: (waitMs: number) => {
      if (!tryLock(waitMs)) throw new Error('Lock timeout: another process was holding the lock for too long.');
    },
    hasLock: () => execution.has_lock,
    releaseLock: () => {
      // According to Google's documentation, a script must call flush before it releases the lock. Otherwise, another
      // script could get the lock and read the old cells.
      if (execution.has_lock && execution.has_unflushed) {
        throw new Error('The script releases the lock before it has called SpreadsheetApp.flush');
      }
      if (execution.has_lock) execution.shared({ need: 'unlock' });
      execution.has_lock = false;
    },
  });
}
