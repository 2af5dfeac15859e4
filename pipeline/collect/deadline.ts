export interface Deadline {
  /** Ends with the parent signal, or with a TimeoutError when the time is over. */
  signal: AbortSignal;
  /** Lets go of timer and parent. Without it each answer would stay in memory until its deadline, long after it was sent. */
  release(): void;
}

/** A deadline below another signal that can be given back when the work is done, as `AbortSignal.timeout` cannot. */
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
