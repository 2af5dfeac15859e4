/** The running work by owner and key. For batches, the key identifies the request of a row. */
const rowsInProgress = new WeakMap<object, Map<string, Promise<unknown>>>();

/**
 * Runs `work` after all running work of the same owner and key in this process has ended. When several rows have the
 * same request, only the first row is thus fetched, and the others find its answer in the cache.
 */
export async function withKeyLock<T>(owner: object, key: string, work: () => Promise<T>): Promise<T> {
  const running = rowsInProgress.get(owner) ?? new Map<string, Promise<unknown>>();
  rowsInProgress.set(owner, running);
  for (let other = running.get(key); other; other = running.get(key)) await other.catch(() => undefined);
  const own = work();
  running.set(key, own);
  return own.finally(() => running.delete(key));
}
