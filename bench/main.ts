import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import type { Benchmark } from './benchmark.ts';

const benchmarks: Record<string, () => Promise<Benchmark>> = {
  requests: async () =>
    values.generator
      ? (await import('./requests/outside-generator.ts')).compareGenerators
      : (await import('./requests/requests.ts')).requests,
  peers: async () => (await import('./requests/peers/peers.ts')).comparePeers,
  ratios: async () => (await import('./requests/ratios.ts')).ratios,
  processes: async () => (await import('./requests/processes/processes.ts')).processes,
  pgbench: async () => (await import('./pgbench.ts')).pgbench,
  cluster: async () => (await import('./cluster.ts')).cluster,
  pages: async () => (await import('./pages/pages.ts')).pages,
  start: async () => (await import('./start.ts')).start,
  memory: async () => (await import('./memory.ts')).memory,
  pipeline: async () => (await import('./pipeline.ts')).pipeline,
  report: async () => (await import('./reports/report.ts')).report,
  observations: async () => (await import('./observations.ts')).observations,
  dashboard: async () => (await import('./dashboard/dashboard-pages.ts')).dashboardPages,
  soak: async () => (await import('./requests/soak.ts')).soak,
};
/** Benchmarks that run only when the command line names them, because they take an hour. */
const onlyNamed: readonly string[] = ['soak'];
const usage = `npm run bench -- [${Object.keys(benchmarks).join(' | ')} …] [--rounds N] [--seconds S] [--minutes M] [--generator autocannon]`;

const stopping = new AbortController();
process.once('SIGINT', () => stopping.abort());
process.once('SIGTERM', () => stopping.abort());

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    minutes: { type: 'string' },
    generator: { type: 'string' },
  },
});
const unknown = positionals.filter((name) => !Object.hasOwn(benchmarks, name));
const rounds = readPositive(values.rounds);
const seconds = readPositive(values.seconds);
const minutes = readPositive(values.minutes);
const numbers = [rounds, seconds, minutes];
const generatorIsKnown = values.generator === undefined || values.generator === 'autocannon';
if (!generatorIsKnown || unknown.length > 0 || numbers.some(Number.isNaN) || !Number.isInteger(rounds ?? 1)) {
  console.error(`usage: ${usage}`);
  process.exit(2);
}

const names =
  positionals.length > 0 ? positionals : Object.keys(benchmarks).filter((name) => !onlyNamed.includes(name));
console.log(
  `${cpus().length} cores, Node ${process.version}, ${process.platform} ${process.arch}, load ${loadavg()[0]?.toFixed(1)}`,
);
for (const name of names) {
  const run = await benchmarks[name]?.();
  console.log(`\n${name}`);
  await run?.({
    ...(rounds !== undefined && { rounds }),
    ...(seconds !== undefined && { seconds }),
    ...(minutes !== undefined && { minutes }),
    signal: stopping.signal,
    print: (line) => console.log(line),
  });
}

/**
 * Returns the number in an option of the command line. Returns NaN when it is not positive, and undefined when the
 * option is missing.
 */
function readPositive(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  return Number(text) > 0 ? Number(text) : Number.NaN;
}
