import { AsyncLocalStorage } from 'node:async_hooks';
import { isUnavailable } from '../../../db/unavailable.ts';

export interface SessionReads {
  /**
   * Stores the cause of a failed read when it is an unavailable database, and returns true. `run` then throws this
   * cause. The sign-in library itself only logs it.
   */
  keepCause(error: unknown): boolean;
  /** Reads a session. When the database is unavailable, throws the error of the database. */
  run<T>(read: () => Promise<T>): Promise<T>;
}

/**
 * Creates functions that read a session and keep the cause of a failure. The sign-in library throws the same error for
 * every failure, so an unavailable database would look like a bug in this server.
 */
export function createSessionReads(): SessionReads {
  const current = new AsyncLocalStorage<{ cause: unknown }>();
  return {
    keepCause(error) {
      const read = current.getStore();
      if (!read || !isUnavailable(error)) return false;
      // Keeps only the error of the database. The error around it contains the SQL statement and its parameters.
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
