/** A map of values that are needed only for a short time, such as answers that are being fetched. */
interface InFlight<V> {
  /** Returns the newest value with this key, or undefined. */
  get(key: string): V | undefined;
  /** Adds a value. Returns the function that removes it. */
  add(key: string, value: V): () => void;
}

/**
 * Creates a map for values that are needed only for a short time. When a `Map` is resized, V8 can keep the old table
 * until the next full garbage collection. Until then, each minor collection copies the values in that table. Therefore
 * this map stores each value in an entry object, which is emptied when the value is removed.
 */
export function createInFlight<V>(): InFlight<V> {
  const entries = new Map<string, { value: V | undefined }>();
  return {
    get: (key) => entries.get(key)?.value,
    add(key, value) {
      const entry: { value: V | undefined } = { value };
      entries.set(key, entry);
      return () => {
        entry.value = undefined;
        if (entries.get(key) === entry) entries.delete(key);
      };
    },
  };
}
