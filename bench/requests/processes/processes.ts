import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type BenchOptions, interleaved, median, pairedRatios, ratioText, table } from '../../benchmark.ts';
import { nextMessage } from '../../child.ts';
import { cpuSeconds } from '../../cpu-time.ts';
import { type BenchServer, startBenchServer } from '../../database.ts';
import { type LoadResult, startLoadGenerator } from '../load/load.ts';
import { cachedHandles, newHandles } from '../paths.ts';
import { sendRequests, warmUpFactor } from '../requests.ts';
import { type Listening, productionFlags } from '../servers.ts';

interface Variant {
  servers: number;
  label: string;
  paths: (length: number) => string[];
}

/** A measurement with the CPU time that each answer took, in microseconds. */
interface Result extends LoadResult {
  servers_us: number;
  database_us: number;
  generator_us: number;
}

const kinds = [
  { label: 'cache hit', paths: cachedHandles },
  { label: 'charged', paths: newHandles },
];
const variants: readonly Variant[] = kinds.flatMap((kind) => [1, 2].map((servers) => ({ ...kind, servers })));
/**
 * Number of connections to each server. Two servers together get twice as many connections, so that the latency stays
 * the same if they are twice as fast.
 */
const connectionsEach = 32;
const goal = 1.6;
const defaultRounds = 9;
const defaultSeconds = 1;

/**
 * Compares two servers, which share a port and a database, with one server. Also shows the CPU time of the
 * servers, PostgreSQL and the load generator. All of them share the cores of this machine, which limits the ratio.
 */
export async function processes(options: BenchOptions): Promise<void> {
  const { rounds = defaultRounds, seconds = defaultSeconds, signal, print } = options;
  await using database = await startBenchServer();
  using load = startLoadGenerator();
  await using stack = new AsyncDisposableStack();
  const served = new Map<number, Served>();
  for (const servers of [1, 2]) served.set(servers, stack.use(await serveCluster(servers, database)));
  const measure =
    (length: number) =>
    async (variant: Variant): Promise<Result> => {
      const own = served.get(variant.servers) as Served;
      const before = [own.pid, database.pid].map(secondsOf);
      const result = await sendRequests(load, own, variant, variant.servers * connectionsEach, length);
      const after = [own.pid, database.pid].map(secondsOf);
      const answers = result.statuses[200] ?? 0;
      const each = (index: number) => (((after[index] ?? 0) - (before[index] ?? 0)) / answers) * 1e6;
      const generatorUs = (result.generator_cores / result.answers_per_second) * 1e6;
      return { ...result, servers_us: each(0), database_us: each(1), generator_us: generatorUs };
    };
  await interleaved(variants, 1, signal, measure(2 * warmUpFactor * seconds));
  const measured = await interleaved(variants, rounds, signal, measure(seconds));
  const cores = availableParallelism();
  const heading = [
    '',
    'servers',
    'connections',
    'per second',
    'p50',
    'servers',
    'PostgreSQL',
    'generator',
    'cores used',
  ];
  print(`medians of ${rounds} rounds; CPU time of each answer in µs`);
  print(table([heading, ...[...measured].map(([variant, results]) => resultRow(variant, results))]));
  print(`\ntwo servers compared with one, median of ${rounds} paired ratios (lowest-highest)`);
  print(table([['', 'throughput', 'p50', 'goal', `most that ${cores} cores allow`], ...ratioRows(measured, cores)]));
}

const secondsOf = (pid: number | null) => (pid === null ? null : cpuSeconds(pid));
type Field = 'answers_per_second' | 'p50_ms' | 'servers_us' | 'database_us' | 'generator_us';
const valuesOf = (results: readonly Result[], field: Field) => results.map((result) => result[field]);
/** The number of cores that servers, PostgreSQL and the generator kept busy. */
const coresUsed = ({ servers_us, database_us, generator_us, answers_per_second }: Result) =>
  ((servers_us + database_us + generator_us) * answers_per_second) / 1e6;

function resultRow({ label, servers }: Variant, results: readonly Result[]): string[] {
  const middle = (field: Field, digits = 0) => median(valuesOf(results, field)).toFixed(digits);
  const times = [middle('servers_us'), middle('database_us'), middle('generator_us')];
  const rate = [middle('answers_per_second'), `${middle('p50_ms', 1)} ms`];
  return [
    label,
    String(servers),
    String(servers * connectionsEach),
    ...rate,
    ...times,
    median(results.map(coresUsed)).toFixed(2),
  ];
}

function ratioRows(measured: Map<Variant, Result[]>, cores: number): string[][] {
  return kinds.map(({ label }) => {
    const [one = [], two = []] = [1, 2].map((servers) => {
      const variant = variants.find((candidate) => candidate.label === label && candidate.servers === servers);
      return (variant && measured.get(variant)) ?? [];
    });
    const ratios = (field: Field) => pairedRatios(valuesOf(two, field), valuesOf(one, field));
    const most = median(one.map((result) => cores / coresUsed(result)));
    const shown = [ratioText(ratios('answers_per_second')), ratioText(ratios('p50_ms'))];
    return [label, ...shown, `>= ${goal}`, most.toFixed(2)];
  });
}

interface Served extends Listening, AsyncDisposable {
  pid: number;
}

async function serveCluster(servers: number, database: BenchServer): Promise<Served> {
  const url = await database.createDatabase(`servers_${servers}`);
  const child = fork(join(import.meta.dirname, 'cluster-process.ts'), [String(servers), url], {
    execArgv: [...productionFlags],
  });
  const listening = (await nextMessage(child)) as Listening;
  return {
    ...listening,
    pid: child.pid ?? 0,
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
