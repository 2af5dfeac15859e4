const tickMs = 250;

/**
 * Waits the given number of seconds. Calls `show` with the remaining seconds while it waits. Stops waiting immediately
 * when the signal is aborted.
 */
export function countDown(seconds: number, signal: AbortSignal, show: (leftS: number) => void): Promise<void> {
  const endsMs = Date.now() + seconds * 1000;
  return new Promise((resolve) => {
    const end = (): void => {
      window.clearInterval(timer);
      signal.removeEventListener('abort', end);
      show(0);
      resolve();
    };
    const tick = (): void => {
      const leftMs = endsMs - Date.now();
      if (leftMs <= 0) end();
      else show(Math.ceil(leftMs / 1000));
    };
    const timer = window.setInterval(tick, tickMs);
    signal.addEventListener('abort', end);
    tick();
  });
}
