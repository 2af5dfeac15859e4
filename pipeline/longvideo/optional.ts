import { SourceError } from '../errors.ts';

/** Returns a SourceError as a value, so that `.catch(asRefusal)` gives a result. Throws any other error again. */
export function asRefusal(error: unknown): SourceError {
  if (error instanceof SourceError) return error;
  throw error;
}

/** Returns the value of an optional request; null when it fails with a SourceError. */
export async function orNull<T>(request: Promise<T>): Promise<T | null> {
  const value = await request.catch(asRefusal);
  return value instanceof SourceError ? null : value;
}
