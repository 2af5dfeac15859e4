import { systemErrorCode } from '../start-error.ts';

/** The SQLSTATE code of an internal PostgreSQL error. Citus also uses this code for errors of other nodes. */
const internalError = 'XX000';
/**
 * Maps error messages of PostgreSQL to SQLSTATE codes. This is needed because Citus passes on only the message of an
 * error when it copies new rows to a node.
 */
const messages: readonly (readonly [pattern: RegExp, code: string])[] = [
  [/^duplicate key value violates unique constraint/, '23505'],
  [/violates foreign key constraint/, '23503'],
  [/violates check constraint/, '23514'],
  [/violates not-null constraint/, '23502'],
];

/**
 * Returns the SQLSTATE code of a PostgreSQL error, including an error on another node of a Citus cluster. Returns null
 * when the error has no code.
 */
export function sqlStateOf(error: unknown): string | null {
  const code = systemErrorCode(error);
  if (code !== internalError) return code;
  const { message } = error as Error;
  return messages.find(([pattern]) => pattern.test(message))?.[1] ?? code;
}
