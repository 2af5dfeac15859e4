import { readdirSync, readFileSync } from 'node:fs';

/** Number of units per second in which Linux counts the CPU time of a process. */
const ticksPerSecond = 100;

interface ProcessTimes {
  parent: number;
  seconds: number;
  /** CPU seconds of the child processes that have ended. */
  ended_seconds: number;
}

/**
 * Returns the CPU seconds that a process and its children have used, including children that have ended. Null
 * where `/proc` does not exist.
 */
export function cpuSeconds(pid: number): number | null {
  const own = readTimes(String(pid));
  if (own === null) return null;
  let seconds = own.seconds + own.ended_seconds;
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const times = readTimes(name);
    if (times?.parent === pid) seconds += times.seconds;
  }
  return seconds;
}

/** Returns the process id of the parent process. Null where `/proc` does not exist. */
export function parentOf(pid: number): number | null {
  return readTimes(String(pid))?.parent ?? null;
}

function readTimes(pid: string): ProcessTimes | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program is in parentheses and can contain spaces.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const parent = Number(fields[1]);
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15).map(Number);
    const seconds = (user + system) / ticksPerSecond;
    return { parent, seconds, ended_seconds: (endedUser + endedSystem) / ticksPerSecond };
  } catch {
    return null;
  }
}
