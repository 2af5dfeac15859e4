import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Milliseconds after the start, when its last steps in the background have ended. */
const delayMs = 2_000;

/**
 * Collects garbage once after the start and gives the freed memory back to the operating system. A start leaves much garbage, and a process
 * without load would keep that memory (docs/adr/0137).
 */
export function releaseStartMemory(): void {
  setTimeout(() => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as (options: object) => void;
    setFlagsFromString('--no-expose-gc');
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  }, delayMs).unref();
}
