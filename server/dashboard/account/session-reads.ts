import { AsyncLocalStorage } from 'node:async_hooks';
import { isUnavailable } from '../../../db/unavailable.ts';

interface SessionReads {
  /**
   * Notes the cause of a failed read, which the sign-in library only logs. Returns true when the cause is an unavailable
   * database; the read then throws it.
   */
  keepCause(error: unknown): boolean;
  /** Reads a session. While the database is away, throws the error of the database. */
  run<T>(read: () => Promise<T>): Promise<T>;
}

/**
 * Creates reads of sessions that say why they failed. The sign-in library throws the same error for each failure, so a
 * database that is away would look like an error of this server.
 */
export function createSessionReads(): SessionReads {
  const current = new AsyncLocalStorage<{ cause: unknown }>();
  return {
    keepCause(error) {
      const read = current.getStore();
      if (!read || !isUnavailable(error)) return false;
      // The error of the database, without the statement and its parameters around it.
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
