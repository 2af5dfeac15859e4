/**
 * Returns a function that creates a value when it is first called, and returns the same value after that. Use it for formatters of
 * `Intl` in modules that every server loads: together they need several megabytes, which a server without pages never uses.
 */
export function lazy<T extends object>(create: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= create();
    return value;
  };
}
