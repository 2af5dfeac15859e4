import type { Log } from '../db/log.ts';
import { reasonOf, StartError } from '../db/start-error.ts';
import { isUnavailable } from '../db/unavailable.ts';
import { ConfigError } from './config.ts';

/**
 * Calls `run`, the main function of a process. When the start fails because of the configuration or the database,
 * prints one sentence and exits with code 1. Throws all other errors with their stack, because they are bugs.
 */
export async function runProcess(run: () => Promise<void>, log: Log): Promise<void> {
  // Logs an error of an SQL statement as a warning. A statement can fail when no code waits for it any more, such as a
  // rollback on a broken connection. Any other unhandled rejection ends the process.
  process.on('unhandledRejection', (error) => {
    if (isUnavailable(error)) log.warn({ err: error }, 'an SQL statement failed in the background');
    else throw error;
  });
  try {
    await run();
  } catch (error) {
    const sentence = startFailure(error);
    if (sentence === null) throw error;
    console.error(sentence);
    process.exit(1);
  }
}

function startFailure(error: unknown): string | null {
  if (error instanceof StartError || error instanceof ConfigError) return error.message;
  if (!isUnavailable(error)) return null;
  return `The database stopped answering: ${reasonOf(error)}. Start Tidemark again when the database is available.`;
}
