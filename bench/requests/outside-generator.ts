import { execFile, execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { type BenchOptions, interleaved, median, pairedRatios, ratioText, table } from '../benchmark.ts';
import { startBenchServer } from '../database.ts';
import { startLoadGenerator } from './load/load.ts';
import { profilePath } from './paths.ts';
import { type ServedContestant, serveContestant } from './servers.ts';

interface Generated {
  answers_per_second: number;
  p50_ms: number;
  /** Number of CPU cores that the load generator used. Null for a generator that does not measure it. */
  cores: number | null;
}

interface Measurement {
  server: string;
  generator: 'own' | 'outside';
}

const program = createRequire(import.meta.url).resolve('autocannon/autocannon.js');
const run = promisify(execFile);
const connections = 128;
const defaultRounds = 5;
const defaultSeconds = 2;
const servers: Record<string, string> = {
  static: '/',
  'limit-read': '/',
  cached: `${profilePath('cached1')}&cache_max_age=30d`,
};

/**
 * Measures the same servers with two load generators: the generator that the other benchmarks use, and the command-line
 * program autocannon, which is pinned to the last CPU core when `taskset` exists. Both repeat one request, because the
 * program cannot send different ones.
 */
export async function compareGenerators(options: BenchOptions): Promise<void> {
  const { rounds = defaultRounds, seconds = defaultSeconds, signal, print } = options;
  await using database = await startBenchServer();
  using load = startLoadGenerator();
  await using processes = new AsyncDisposableStack();
  const served = new Map<string, ServedContestant>();
  for (const name of Object.keys(servers)) {
    const url = await database.createDatabase(name.replaceAll('-', '_'));
    served.set(name, processes.use(await serveContestant(name, url)));
  }
  const measure = async ({ server, generator }: Measurement): Promise<Generated> => {
    const { origin, headers } = served.get(server) as ServedContestant;
    const [path = '/', own = {}] = [servers[server], headers[0]];
    if (generator === 'outside') return runProgram(`${origin}${path}`, own, Math.max(1, Math.round(seconds)));
    const plans = Array.from({ length: connections }, () => ({ headers: own, paths: [path] }));
    const result = await load.run({ origin, seconds, plans }, 200);
    return { ...result, cores: result.generator_cores };
  };
  const measurements = Object.keys(servers).flatMap((server): Measurement[] => [
    { server, generator: 'own' },
    { server, generator: 'outside' },
  ]);
  await interleaved(measurements, 1, signal, measure);
  const measured = await interleaved(measurements, rounds, signal, measure);
  print(
    `${connections} connections, medians of ${rounds} rounds; the program runs ${pinned() ? 'on the last core' : 'on any core'}`,
  );
  print(table([['', 'generator', 'per second', 'p50', 'cores of the generator', 'of static'], ...rowsOf(measured)]));
}

function rowsOf(measured: Map<Measurement, Generated[]>): string[][] {
  const rates = (results: Generated[] = []) => results.map((result) => result.answers_per_second);
  return [...measured].map(([{ server, generator }, results]) => {
    const base = [...measured].find(([other]) => other.server === 'static' && other.generator === generator)?.[1];
    const cores = results.map((result) => result.cores).filter((value) => value !== null);
    return [
      server,
      generator,
      median(rates(results)).toFixed(0),
      `${median(results.map((result) => result.p50_ms)).toFixed(1)} ms`,
      cores.length > 0 ? median(cores).toFixed(2) : '',
      ratioText(pairedRatios(rates(results), rates(base))),
    ];
  });
}

/** Returns the command and its first arguments that run a program on the last core, or null without `taskset`. */
function pinned(): [string, string[]] | null {
  try {
    execFileSync('taskset', ['--version'], { stdio: 'ignore' });
    return ['taskset', ['-c', String(availableParallelism() - 1)]];
  } catch {
    return null;
  }
}

async function runProgram(url: string, headers: Record<string, string>, seconds: number): Promise<Generated> {
  const named = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const [command, first] = pinned() ?? ['env', []];
  const args = [process.execPath, program, '-j', '-n', '-c', String(connections), '-d', String(seconds), ...named, url];
  const { stdout } = await run(command, [...first, ...args]);
  const { requests, latency, errors, non2xx, duration } = JSON.parse(stdout);
  if (errors > 0 || non2xx > 0)
    throw new Error(`${url}: ${errors} requests got no answer, and ${non2xx} got a status other than 2xx.`);
  return { answers_per_second: requests.total / duration, p50_ms: latency.p50, cores: null };
}
