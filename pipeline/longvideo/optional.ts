import { SourceError } from '../errors.ts';

/** A refusal as a value; anything else is an error of ours and stays one. */
export function asRefusal(error: unknown): SourceError {
  if (error instanceof SourceError) return error;
  throw error;
}

/** The value of a question that the answer can do without, null when it was refused. */
export async function orNull<T>(question: Promise<T>): Promise<T | null> {
  const value = await question.catch(asRefusal);
  return value instanceof SourceError ? null : value;
}
