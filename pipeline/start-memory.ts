import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Milliseconds to wait after startup before garbage is collected. The background work of the startup has ended by then.
 */
const delayMs = 2_000;

/**
 * Collects garbage once after startup and returns the freed memory to the operating system. Startup creates a lot of
 * garbage, and an idle process would not collect it (docs/adr/0137).
 */
export function releaseStartMemory(): void {
  setTimeout(() => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as (options: object) => void;
    setFlagsFromString('--no-expose-gc');
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  }, delayMs).unref();
}
