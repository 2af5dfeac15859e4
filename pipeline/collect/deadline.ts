interface Deadline {
  /** Aborts when the signal of the caller aborts, or with a TimeoutError when the time limit is over. */
  signal: AbortSignal;
  /**
   * Clears the timer and removes the abort listener. Without this call, data of the finished work would stay in memory
   * until the deadline.
   */
  release(): void;
}

/**
 * Starts a time limit for one piece of work. The signal aborts after `limitMs` milliseconds, or earlier when `parent`
 * aborts. Unlike `AbortSignal.timeout`, the timer can be cleared as soon as the work is done.
 */
export function startDeadline(parent: AbortSignal, limitMs: number): Deadline {
  const controller = new AbortController();
  const follow = () => controller.abort(parent.reason);
  const timer = setTimeout(() => controller.abort(new DOMException('The time is over.', 'TimeoutError')), limitMs);
  if (parent.aborted) follow();
  else parent.addEventListener('abort', follow, { once: true });
  return {
    signal: controller.signal,
    release() {
      clearTimeout(timer);
      parent.removeEventListener('abort', follow);
    },
  };
}
