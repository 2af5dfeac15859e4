/**
 * Waits until all tasks of a job have ended, even when one fails, then throws the first error. With `Promise.all`, a
 * task could still be running when the queue retries the failed job. Returns the results in the order of the tasks.
 */
export async function waitForAll<T>(tasks: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(tasks);
  return Promise.all(tasks);
}
