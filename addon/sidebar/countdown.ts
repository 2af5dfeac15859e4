const tick_ms = 250;

/** Waits and says every second how many are left; ends at once when it is aborted. */
export function countDown(seconds: number, signal: AbortSignal, say: (left_s: number) => void): Promise<void> {
  const ends_ms = Date.now() + seconds * 1000;
  return new Promise((resolve) => {
    const end = (): void => {
      window.clearInterval(timer);
      signal.removeEventListener('abort', end);
      say(0);
      resolve();
    };
    const tick = (): void => {
      const left_ms = ends_ms - Date.now();
      if (left_ms <= 0) end();
      else say(Math.ceil(left_ms / 1000));
    };
    const timer = window.setInterval(tick, tick_ms);
    signal.addEventListener('abort', end);
    tick();
  });
}
