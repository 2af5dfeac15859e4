/**
 * Returns a function that creates a value when it is first called, and returns the same value after that. Use it for
 * `Intl` formatters in modules that every server loads, because all formatters together need several megabytes of
 * memory, and a server that shows no pages never uses them.
 */
export function lazy<T extends object>(create: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= create();
    return value;
  };
}

/**
 * Returns a function that starts to create a value (for example loads a module) when it is first called, and returns
 * the same promise after that. When the creation failed, the next call tries again.
 */
export function loadOnce<T>(create: () => Promise<T>): () => Promise<T> {
  let created: Promise<T> | null = null;
  return () => {
    created ??= create().catch((error: unknown) => {
      created = null;
      throw error;
    });
    return created;
  };
}
