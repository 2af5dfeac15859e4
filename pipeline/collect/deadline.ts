export interface Deadline {
  /** Aborts when the parent signal aborts, or with a TimeoutError when the time is over. */
  signal: AbortSignal;
  /** Clears the timer and removes the listener. Without this call, every answer would stay in memory until its deadline. */
  release(): void;
}

/** Starts a deadline that also ends when `parent` aborts. Unlike `AbortSignal.timeout`, it can be released as soon as the work is done. */
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
