import { AsyncLocalStorage } from 'node:async_hooks';
import { isUnavailable } from '../../../db/unavailable.ts';

export interface SessionReads {
  /**
   * Returns true when a read failed because the database is unavailable, and keeps the database error, which `run` then
   * throws. The sign-in library only logs this error.
   */
  keepCause(error: unknown): boolean;
  /** Reads a session. When the database is unavailable, throws the database error. */
  run<T>(read: () => Promise<T>): Promise<T>;
}

/**
 * Creates functions that read a session and keep the cause of a failure. Without them, an unavailable database would
 * look like a bug in this server, because the sign-in library throws the same error for every failure.
 */
export function createSessionReads(): SessionReads {
  const current = new AsyncLocalStorage<{ cause: unknown }>();
  return {
    keepCause(error) {
      const read = current.getStore();
      if (!read || !isUnavailable(error)) return false;
      // Keeps only the database error, because the error that wraps it contains the SQL statement and its parameters.
      read.cause = error instanceof Error ? (error.cause ?? error) : error;
      return true;
    },
    async run(work) {
      const read = { cause: null as unknown };
      try {
        return await current.run(read, work);
      } catch (error) {
        throw read.cause ?? error;
      }
    },
  };
}
