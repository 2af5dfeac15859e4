import {
  type BenchOptions,
  type Goal,
  goalColumns,
  interleaved,
  median,
  pairedRatios,
  ratioText,
  table,
} from '../benchmark.ts';
import { type BenchServer, startBenchServer } from '../database.ts';
import { type ConnectionPlan, type LoadGenerator, type LoadResult, startLoadGenerator } from './load/load.ts';
import { cpuColumns, type Measured, withCpuTime } from './measured.ts';
import { cachedHandles, newHandles } from './paths.ts';
import { type ServedContestant, serveContestant } from './servers.ts';

interface Entrant {
  server: string;
  label: string;
  expected_status?: number;
  /** Returns the paths that a connection requests. Default: `/`. */
  paths?: (length: number) => string[];
  /**
   * Name of the server to compare with. `goals` are for the ratio between the two servers, with 32 and with 128
   * connections.
   */
  against?: string;
  goals?: readonly [Goal, Goal];
  /** The goal for the median response time (p50) with one connection. */
  alone?: Goal;
}

/** A number of requests per second that none of these servers can answer, so that no new handle is requested twice. */
const maxPerSecond = 8_000;

const least = (ratio: number): Goal => ({ at: 'least', ratio });
const most = (ratio: number): Goal => ({ at: 'most', ratio });

const entrants: readonly Entrant[] = [
  { server: 'static', label: 'static' },
  { server: 'limit-read', label: 'LIMIT-read', against: 'static' },
  { server: 'limit-charge', label: 'LIMIT-charge', against: 'static' },
  { server: 'limit-read-published', label: 'LIMIT-read, published driver', against: 'static' },
  { server: 'limit-charge-published', label: 'LIMIT-charge, published driver', against: 'static' },
  // The next four servers do only what the service cannot avoid: they send its SQL statements, and one of them also
  // makes the answer from the page of a source. The service cannot be faster than they are.
  { server: 'admitted', label: 'key and limit only', against: 'limit-read', alone: most(1.3) },
  { server: 'admitted-and-charged', label: 'key, limit and charge only', against: 'limit-charge', alone: most(2.2) },
  {
    server: 'collected-and-charged',
    label: 'key, limit, source and charge only',
    against: 'limit-charge',
    goals: [least(0.8), least(1.1)],
    alone: most(2.2),
  },
  {
    server: 'admitted-and-cached',
    label: 'key, limit and cached answer only',
    against: 'limit-read',
    goals: [least(0.9), least(1.2)],
  },
  {
    server: 'cached',
    label: 'cache hit',
    paths: cachedHandles,
    against: 'limit-read',
    goals: [least(1.1), least(1.4)],
    alone: most(1.3),
  },
  {
    server: 'cached-in-database',
    label: 'cache hit, body from Postgres',
    paths: cachedHandles,
    against: 'limit-read',
    goals: [least(0.9), least(1.2)],
  },
  {
    server: 'charged',
    label: 'charged',
    paths: newHandles,
    against: 'limit-charge',
    goals: [least(0.8), least(1.1)],
    alone: most(2.2),
  },
  {
    server: 'charged-large-page',
    label: 'charged, page of 230 kB',
    paths: newHandles,
    against: 'limit-charge',
    goals: [least(0.2), least(0.2)],
  },
  {
    server: 'refused',
    label: 'refused over the rate limit',
    expected_status: 429,
    paths: cachedHandles,
    against: 'static',
    goals: [least(0.6), least(0.6)],
  },
];

/**
 * Servers that are measured with a single connection: those with a goal for this case, and the servers that they are
 * compared with.
 */
const measuredAlone = entrants.filter(
  ({ alone, server }) => alone || entrants.some((one) => one.alone && one.against === server),
);

/** Length of each of the two warm-up loads, as a multiple of the length of a measurement. */
export const warmUpFactor = 5;
const defaultRounds = 9;
const defaultSeconds = 1;
const connectionCounts = [32, 128] as const;

/** Compares the requests per second of the service with those of minimal servers, with 32 and 128 connections. */
export async function requests(options: BenchOptions): Promise<void> {
  const { rounds = defaultRounds, seconds = defaultSeconds, signal, print } = options;
  await using database = await startBenchServer();
  using load = startLoadGenerator();
  await using processes = new AsyncDisposableStack();
  const served = new Map<Entrant, ServedContestant>();
  for (const entrant of entrants) served.set(entrant, processes.use(await startEntrant(entrant, database)));
  const measure = (connections: number, length: number) => (entrant: Entrant) => {
    const server = served.get(entrant) as ServedContestant;
    return withCpuTime(server, database, () => sendRequests(load, server, entrant, connections, length));
  };

  await warmUp(entrants, signal, (connections) => measure(connections, warmUpFactor * seconds));
  for (const [index, connections] of connectionCounts.entries()) {
    const measured = await interleaved(entrants, rounds, signal, measure(connections, seconds));
    print(`\n${connections} connections, requests per second, median of ${rounds} paired ratios (lowest-highest)`);
    print(table(ratesTable(measured, index)));
  }
  const measured = await interleaved(measuredAlone, rounds, signal, measure(1, seconds));
  print(`\none connection, median response time, median of ${rounds} paired ratios (lowest-highest)`);
  print(table(timesTable(measured)));
}

/**
 * Loads each server before it is measured. The optimizer of V8 needs longer for a large program than for a small one:
 * in the first two seconds, the service answers a fifth less than later. A server runs for days, so the speed of its
 * first seconds would mislead.
 */
export async function warmUp<T>(
  servers: readonly T[],
  signal: AbortSignal,
  measure: (connections: number) => (server: T) => Promise<unknown>,
): Promise<void> {
  for (const connections of connectionCounts) await interleaved(servers, 1, signal, measure(connections));
}

function startEntrant({ server }: Entrant, database: BenchServer): Promise<ServedContestant> {
  return database.createDatabase(server.replaceAll('-', '_')).then((url) => serveContestant(server, url));
}

/**
 * Sends requests to a server on several connections for `seconds`. Each connection gets its own paths and headers.
 * Rejects when the status of an answer is not `expected_status`.
 */
export function sendRequests(
  load: LoadGenerator,
  { origin, headers }: Pick<ServedContestant, 'origin' | 'headers'>,
  { paths, expected_status = 200 }: Pick<Entrant, 'paths' | 'expected_status'>,
  connections: number,
  seconds: number,
): Promise<LoadResult> {
  const length = Math.ceil((maxPerSecond * seconds) / connections);
  const plans: ConnectionPlan[] = Array.from({ length: connections }, (_, index) => ({
    headers: headers[index % headers.length] ?? {},
    paths: paths?.(length) ?? ['/'],
  }));
  return load.run({ origin, seconds, plans }, expected_status);
}

type Results = Map<Entrant, Measured[]>;

function ratesTable(measured: Results, index: number): string[][] {
  const rates = new Map(
    [...measured].map(([{ server }, results]) => [server, results.map((one) => one.answers_per_second)]),
  );
  const rows = [...measured].map(([{ server, label, against, goals }, results]) => {
    const goal = goals?.[index];
    const own = rates.get(server) ?? [];
    const ofStatic = pairedRatios(own, rates.get('static') ?? []);
    const ratios = against === undefined ? null : pairedRatios(own, rates.get(against) ?? []);
    const columns = ratios && goal ? goalColumns(median(ratios), goal) : ['', ''];
    const shown = ratios && against !== 'static' ? `${ratioText(ratios)} x ${against}` : '';
    const times = cpuColumns(results);
    const published = publishedColumns(own, rates.get(`${against}-published`), goal);
    return [label, median(own).toFixed(0), median(ofStatic).toFixed(2), shown, ...columns, ...published, ...times];
  });
  const heading = ['ratio', 'goal', 'reached', 'x published driver', 'reached', 'server', 'PostgreSQL'];
  return [['', 'per second', 'of static', ...heading], ...rows];
}

/**
 * Returns two table cells: the ratio to the same minimal server with the driver as published (without Tidemark's
 * patch), and whether it reaches the goal.
 */
function publishedColumns(own: readonly number[], others: readonly number[] | undefined, goal?: Goal): string[] {
  if (others === undefined) return ['', ''];
  const ratios = pairedRatios(own, others);
  return [ratioText(ratios), goalColumns(median(ratios), goal)[1]];
}

function timesTable(measured: Results): string[][] {
  const times = new Map([...measured].map(([{ server }, results]) => [server, results.map((one) => one.p50_ms)]));
  const rows = [...measured.keys()].map(({ server, label, against, alone }) => {
    const own = times.get(server) ?? [];
    const ratios = alone === undefined ? null : pairedRatios(own, times.get(against ?? '') ?? []);
    const columns = ratios ? goalColumns(median(ratios), alone) : ['', ''];
    return [label, `${median(own).toFixed(3)} ms`, ratios ? `${ratioText(ratios)} x ${against}` : '', ...columns];
  });
  return [['', 'p50', 'ratio', 'goal', 'reached'], ...rows];
}
