const tickMs = 250;

/** Waits and says every second how many are left; ends at once when it is aborted. */
export function countDown(seconds: number, signal: AbortSignal, say: (leftS: number) => void): Promise<void> {
  const endsMs = Date.now() + seconds * 1000;
  return new Promise((resolve) => {
    const end = (): void => {
      window.clearInterval(timer);
      signal.removeEventListener('abort', end);
      say(0);
      resolve();
    };
    const tick = (): void => {
      const leftMs = endsMs - Date.now();
      if (leftMs <= 0) end();
      else say(Math.ceil(leftMs / 1000));
    };
    const timer = window.setInterval(tick, tickMs);
    signal.addEventListener('abort', end);
    tick();
  });
}
