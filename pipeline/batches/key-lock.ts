/** The rows of all batches of a process that are being fetched, by workspace and request. */
const rowsInProgress = new WeakMap<object, Map<string, Promise<unknown>>>();

/**
 * Runs `work` when no other work of this owner with this key is running in the process. Rows with the same request thus
 * wait for the first of them, whose answer they then find in the cache.
 */
export async function withKeyLock<T>(owner: object, key: string, work: () => Promise<T>): Promise<T> {
  const running = rowsInProgress.get(owner) ?? new Map<string, Promise<unknown>>();
  rowsInProgress.set(owner, running);
  for (let other = running.get(key); other; other = running.get(key)) await other.catch(() => undefined);
  const own = work();
  running.set(key, own);
  return own.finally(() => running.delete(key));
}
