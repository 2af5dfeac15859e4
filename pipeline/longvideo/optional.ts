import { SourceError } from '../errors.ts';

/** Returns a SourceError instead of throwing it, for use as `promise.catch(asRefusal)`. Rethrows any other error. */
export function asRefusal(error: unknown): SourceError {
  if (error instanceof SourceError) return error;
  throw error;
}

/** Returns the result of an optional request; null when the request fails with a SourceError. */
export async function orNull<T>(request: Promise<T>): Promise<T | null> {
  const value = await request.catch(asRefusal);
  return value instanceof SourceError ? null : value;
}
