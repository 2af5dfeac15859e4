/** Values that are used for a short time, such as the answers that are being fetched now, each with a key. */
interface InFlight<V> {
  /** Returns the newest value with this key, or undefined. */
  get(key: string): V | undefined;
  /** Adds a value. Returns the function that removes it. */
  add(key: string, value: V): () => void;
}

/**
 * Creates a map for values that are used for a short time. When a `Map` gets a larger table, or one without its deleted
 * entries, V8 can keep the former table, with its values, until the next full garbage collection. It copied such values
 * in each minor collection. So this map keeps a value in an entry, which is emptied when the value is removed.
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
