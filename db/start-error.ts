/** Why Tidemark cannot start, in one sentence for the person who started it: print `message` without a stack. Never holds a password. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** What an error says, whatever was thrown. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join(', ');
  return error instanceof Error ? error.message : String(error);
}

/** The system's code of an error (`ENOENT`), or PostgreSQL's (`57P03`); null when it has none. */
export function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}
