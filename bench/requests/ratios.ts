import { readFileSync } from 'node:fs';
import { type BenchOptions, interleaved, median, pairedRatios, ratioText, table } from '../benchmark.ts';
import { startBenchServer } from '../database.ts';
import { manyCached, newHandles } from './paths.ts';
import { type ServedContestant, serveContestant } from './servers.ts';

interface Entrant {
  server: string;
  /** Number of requests in each round. Cheap requests need a larger number for a steady figure. */
  requests: number;
  paths?: (length: number) => string[];
  expected_status?: number;
}

const bases = {
  static: { server: 'static', requests: 6_000 },
  'limit-read': { server: 'limit-read', requests: 1_000 },
  'limit-charge': { server: 'limit-charge', requests: 700 },
} satisfies Record<string, Entrant>;
const compared = {
  cached: { server: 'cached', requests: 1_000, paths: manyCached, of: bases['limit-read'] },
  charged: { server: 'charged', requests: 700, paths: newHandles, of: bases['limit-charge'] },
  refused: { server: 'refused', requests: 6_000, paths: manyCached, expected_status: 429, of: bases.static },
} satisfies Record<string, Entrant & { of: Entrant }>;
type Name = keyof typeof compared;
const names = Object.keys(compared) as Name[];

const requestsAtOnce = 32;
const checkRounds = 15;
const warmUpRounds = 5;
/** Fraction of the agreed ratio. A ratio below this fraction is too low in its round. */
const tolerated = 0.9;
/**
 * A check fails when a ratio is too low in at least this fraction of its rounds, which is 14 of 15 rounds. A ratio that
 * is too low in every second round by chance then fails only one check in two thousand.
 */
const failingPart = 14 / 15;

export interface CheckedRatio {
  name: Name;
  agreed: number;
  /** In each round, the CPU time per answer of the minimal server divided by that of the service. Higher is better. */
  ratios: number[];
  failed: boolean;
}

/** Returns the ratios in agreed-ratios.json, by the kind of request. The measured ratios are compared with them. */
export function agreedRatios(): Record<Name, number> {
  return JSON.parse(readFileSync(new URL('agreed-ratios.json', import.meta.url), 'utf8'));
}

/**
 * Measures the CPU time that the service and minimal servers need for a fixed number of requests, and compares the
 * ratios with the agreed ones. The handlers are called without HTTP. Neither the speed of the machine nor other
 * programs change these ratios much.
 */
export async function checkRatios({
  rounds = checkRounds,
  signal,
}: Pick<BenchOptions, 'rounds' | 'signal'>): Promise<CheckedRatio[]> {
  await using database = await startBenchServer();
  await using processes = new AsyncDisposableStack();
  const entrants: Entrant[] = [...Object.values(bases), ...Object.values(compared)];
  const served = new Map<Entrant, ServedContestant>();
  for (const entrant of entrants) {
    const url = await database.createDatabase(entrant.server.replaceAll('-', '_'));
    served.set(entrant, processes.use(await serveContestant(entrant.server, url)));
  }
  const measure = async (entrant: Entrant) => {
    const { requests, paths = rootPaths, expected_status = 200 } = entrant;
    const work = { paths: paths(requests), at_once: requestsAtOnce, status: expected_status };
    return (await (served.get(entrant) as ServedContestant).work(work)).cpu_us;
  };
  await interleaved(entrants, warmUpRounds, signal, measure);
  const measured = await interleaved(entrants, rounds, signal, measure);
  const agreed = agreedRatios();
  const times = (entrant: Entrant) => measured.get(entrant) ?? [];
  return names.map((name) => {
    const own = pairedRatios(times(compared[name].of), times(compared[name]));
    return compareWithAgreed(name, agreed[name], own);
  });
}

const rootPaths = (length: number) => Array<string>(length).fill('/');

/**
 * Compares the measured ratios, one for each round, with the agreed ratio. `failed` is true when at least `failingPart`
 * of the rounds have a ratio below `tolerated` times the agreed one.
 */
export function compareWithAgreed(name: Name, agreed: number, ratios: number[]): CheckedRatio {
  const tooLow = ratios.filter((ratio) => ratio < tolerated * agreed).length;
  return { name, agreed, ratios, failed: tooLow >= failingPart * ratios.length };
}

/** Prints the ratios that `npm run bench:check` compares with the agreed ones. */
export async function ratios(options: BenchOptions): Promise<void> {
  const checked = await checkRatios(options);
  const rows = checked.map(({ name, agreed, ratios: own, failed }) => {
    const low = own.filter((ratio) => ratio < tolerated * agreed).length;
    return [
      name,
      `${ratioText(own)} x ${compared[name].of.server}`,
      String(agreed),
      `${low} of ${own.length}`,
      failed ? 'failed' : 'ok',
      median(own).toFixed(3),
    ];
  });
  options.print(table([['', 'minimal server / service, CPU time', 'agreed', 'rounds too low', '', 'median'], ...rows]));
}
