import type { Log } from '../db/log.ts';
import { reasonOf, StartError } from '../db/start-error.ts';
import { isUnavailable } from '../db/unavailable.ts';
import { ConfigError } from './config.ts';

/**
 * Runs a process until `run` resolves. A start that fails because of the configuration or the database prints one sentence and
 * exits with code 1. Other errors keep their stack, because they are defects.
 */
export async function runProcess(run: () => Promise<void>, log: Log): Promise<void> {
  // A statement that failed after its caller had gone, such as the rollback on a broken connection, concerns no one.
  process.on('unhandledRejection', (error) => {
    if (isUnavailable(error)) log.warn({ err: error }, 'a statement failed that nothing waited for');
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
