/**
 * Returns a function that runs asynchronous tasks one after the other. A task begins after all earlier ones have ended,
 * so that the answer to an older call never replaces the answer to a newer one. No task may reject.
 */
export function createQueue(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const next = last.then(task);
    last = next;
    return next;
  };
}

/**
 * Returns a function that is called when a task begins and returns a check for this task. The check returns false after
 * a newer task has begun. The caller then ignores the answer to the older task, because it is outdated.
 */
export function createNewest(): () => () => boolean {
  let newest = 0;
  return () => {
    newest += 1;
    const own = newest;
    return () => own === newest;
  };
}
