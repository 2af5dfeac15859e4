import { fileURLToPath } from 'node:url';
import { parseJson } from '../../../pipeline/parse/json.ts';

/** Number of characters of a hostile body, which is nearly the largest body that the fetcher accepts (5 MiB). */
const characters = 4 * 1024 * 1024;

/** Returns a text of 4 MB that repeats `part`. */
export function filled(part: string, length: number = characters): string {
  return part.repeat(Math.ceil(length / part.length)).slice(0, length);
}

const counted = (count: number, part: (index: number) => string) => Array.from({ length: count }, (_, i) => part(i));

/** Bodies that cost an unprotected JSON.parse up to 985 MB of memory or several seconds. */
export const hostileJson: Readonly<Record<string, () => string>> = {
  'two million nested lists': () => filled('[', 2_000_000),
  'nested objects': () => filled('{"a":'),
  'closed nested lists': () => `${filled('[', 1_000_000)}${filled(']', 1_000_000)}`,
  'one number of 4 MB': () => `[${filled('1')}]`,
  'minus signs': () => `[${filled('-')}]`,
  'long integers': () => `[${filled('1234567890123456789,')}1]`,
  'empty objects': () => `[${filled('{},')}1]`,
  'empty texts': () => `[${filled('"",')}1]`,
  'members with different names': () => `{${counted(350_000, (i) => `"k${i}":0`).join(',')}}`,
  'objects with different names': () => `[${counted(250_000, (i) => `{"k${i}":1}`).join(',')}]`,
};

/** Bodies within the limits of `parseJson`. Parsing them must cost little memory and time. */
export const heavyJson: Readonly<Record<string, () => string>> = {
  'small numbers': () => `[${filled('0,')}1]`,
  fractions: () => `[${filled('1.5,')}1]`,
  spaces: () => `[${filled(' ')}]`,
  'NUL characters': () => `["${filled('\\u0000a', 7 * 599_186)}"]`,
  backslashes: () => `["${filled('\\\\')}"]`,
  quotes: () => `["${filled('\\"')}"]`,
};

/**
 * Parses one body and prints its cost. Runs in a separate process, because the peak memory of a process never falls.
 */
function measure(name: string): void {
  const body = Buffer.from((hostileJson[name] ?? heavyJson[name])?.() ?? '');
  const { maxRSS } = process.resourceUsage();
  const before = process.threadCpuUsage();
  let reason: string | null = null;
  try {
    parseJson(body);
  } catch (error) {
    reason = (error as { reason: string }).reason;
  }
  // Measures the CPU time of this thread, which excludes other work on the machine.
  const { user, system } = process.threadCpuUsage(before);
  const ms = (user + system) / 1_000;
  process.stdout.write(JSON.stringify({ ms, megabytes: (process.resourceUsage().maxRSS - maxRSS) / 1024, reason }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) measure(process.argv[2] ?? '');
