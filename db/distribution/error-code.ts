import { codeOf } from '../start-error.ts';

/** PostgreSQL error code: internal error. */
const internalError = 'XX000';
/** Error messages of a node, with their codes. When Citus copies new rows to a node, it passes on only the message of an error. */
const messages: readonly (readonly [pattern: RegExp, code: string])[] = [
  [/^duplicate key value violates unique constraint/, '23505'],
  [/violates foreign key constraint/, '23503'],
  [/violates check constraint/, '23514'],
  [/violates not-null constraint/, '23502'],
];

/**
 * Returns the SQLSTATE of an error of PostgreSQL, also when it came from another node of a distributed database; null
 * when the error has no code.
 */
export function sqlStateOf(error: unknown): string | null {
  const code = codeOf(error);
  if (code !== internalError) return code;
  const { message } = error as Error;
  return messages.find(([pattern]) => pattern.test(message))?.[1] ?? code;
}
