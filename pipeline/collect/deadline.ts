export interface Deadline {
  /** Aborts with the parent signal, or with a TimeoutError when the time is over. */
  signal: AbortSignal;
  /** Clears the timer and the listener. Without this call, each answer would stay in memory until its deadline. */
  release(): void;
}

/** Starts a deadline below another signal. It can be released when the work is done, unlike `AbortSignal.timeout`. */
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
