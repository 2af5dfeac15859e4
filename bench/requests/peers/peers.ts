import {
  type BenchOptions,
  type Goal,
  goalColumns,
  interleaved,
  median,
  pairedRatios,
  ratioText,
  table,
} from '../../benchmark.ts';
import { startBenchServer } from '../../database.ts';
import { startLoadGenerator } from '../load/load.ts';
import { cpuColumns, type Measured, withCpuTime } from '../measured.ts';
import { cachedHandles, newHandles } from '../paths.ts';
import { sendRequests, warmUp, warmUpFactor } from '../requests.ts';
import { type ServedContestant, serveContestant } from '../servers.ts';

interface Peer {
  server: string;
  label: string;
  /** Returns the paths that a connection requests. Default: `/`. */
  paths?: (length: number) => string[];
}

const hit: Peer = { server: 'cached', label: 'Tidemark, cache hit', paths: cachedHandles };
const charged: Peer = { server: 'charged', label: 'Tidemark, charged', paths: newHandles };
const betterAuth: Peer = { server: 'better-auth', label: 'better-auth api-key, remaining' };
const betterAuthLimited: Peer = { server: 'better-auth-limited', label: 'the same with its rate limit' };
const limiter: Peer = { server: 'rate-limiter-flexible', label: 'rate-limiter-flexible' };
const gateway: Peer = { server: 'gateway', label: 'Express and pg, charged' };
// The next three servers do only what the service cannot avoid: they send its SQL statements, and the last one also
// makes the answer from the page of a source. The service cannot be faster than they are.
const admitted: Peer = { server: 'admitted', label: 'key and limit only' };
const admittedAndCharged: Peer = { server: 'admitted-and-charged', label: 'key, limit and charge only' };
const collectedAndCharged: Peer = { server: 'collected-and-charged', label: 'key, limit, source and charge only' };
const smallest = [admitted, admittedAndCharged, collectedAndCharged];
const peers = [hit, charged, betterAuth, betterAuthLimited, limiter, gateway, ...smallest];

const comparisons: readonly { own: Peer; of: Peer; goal?: Goal }[] = [
  { own: charged, of: betterAuth, goal: { at: 'least', ratio: 10 } },
  { own: charged, of: betterAuthLimited },
  { own: charged, of: gateway },
  { own: hit, of: limiter, goal: { at: 'least', ratio: 2 } },
  { own: admittedAndCharged, of: betterAuth },
  { own: collectedAndCharged, of: betterAuth, goal: { at: 'least', ratio: 10 } },
  { own: admitted, of: limiter },
];

const defaultRounds = 9;
const defaultSeconds = 1;

/**
 * Compares the requests per second of the service with those of other software that checks keys, limits or credits in
 * PostgreSQL.
 */
export async function comparePeers({
  rounds = defaultRounds,
  seconds = defaultSeconds,
  signal,
  print,
}: BenchOptions): Promise<void> {
  await using database = await startBenchServer();
  using load = startLoadGenerator();
  await using processes = new AsyncDisposableStack();
  const served = new Map<Peer, ServedContestant>();
  for (const peer of peers) {
    const url = await database.createDatabase(peer.server.replaceAll('-', '_'));
    served.set(peer, processes.use(await serveContestant(peer.server, url)));
  }
  const measure = (connections: number, length: number) => (peer: Peer) => {
    const server = served.get(peer) as ServedContestant;
    return withCpuTime(server, database, () => sendRequests(load, server, peer, connections, length));
  };

  await warmUp(peers, signal, (connections) => measure(connections, warmUpFactor * seconds));
  for (const connections of [32, 128]) {
    const measured = await interleaved(peers, rounds, signal, measure(connections, seconds));
    print(`\n${connections} connections, median of ${rounds} rounds`);
    print(
      table([
        ['', 'per second', 'p50', 'server', 'PostgreSQL'],
        ...peers.map((peer) => rateRow(peer, measured.get(peer) ?? [])),
      ]),
    );
    print(`\n${connections} connections, median of ${rounds} paired ratios (lowest-highest)`);
    print(table([['', 'of', 'ratio', 'goal', 'reached', 'CPU time'], ...ratioRows(measured)]));
  }
}

function rateRow({ label }: Peer, results: readonly Measured[]): string[] {
  const middle = (field: 'answers_per_second' | 'p50_ms') => median(results.map((result) => result[field]));
  return [label, middle('answers_per_second').toFixed(0), `${middle('p50_ms').toFixed(1)} ms`, ...cpuColumns(results)];
}

function ratioRows(measured: Map<Peer, Measured[]>): string[][] {
  const rates = (peer: Peer) => (measured.get(peer) ?? []).map((result) => result.answers_per_second);
  const times = (peer: Peer) => (measured.get(peer) ?? []).map((one) => one.server_us + (one.database_us ?? 0));
  return comparisons.map(({ own, of, goal }) => {
    const ratios = pairedRatios(rates(own), rates(of));
    const time = ratioText(pairedRatios(times(of), times(own)));
    return [own.label, of.label, ratioText(ratios), ...goalColumns(median(ratios), goal), `1 / ${time}`];
  });
}
