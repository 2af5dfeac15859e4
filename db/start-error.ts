/**
 * An error that prevents Tidemark from starting. Its message is one sentence for the operator, without a password, and
 * should be printed without the stack.
 */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** Returns the message of an error; the text of any other thrown value. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join(', ');
  return error instanceof Error ? error.message : String(error);
}

/**
 * Returns the code of a system error (such as `ENOENT`) or a PostgreSQL error (such as `57P03`); null when the error
 * has no code.
 */
export function systemErrorCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}
