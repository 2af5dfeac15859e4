/** The reason why Tidemark cannot start, as one sentence for the operator: print `message` without a stack. It never contains a password. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** Returns the message of anything thrown. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join(', ');
  return error instanceof Error ? error.message : String(error);
}

/** Returns the code of a system error (`ENOENT`) or a PostgreSQL error (`57P03`); null when it has none. */
export function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}
