import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import postgres from 'postgres';
import { connectClients, parseDatabaseUrl } from '../db/connect.ts';
import { type BenchOptions, interleaved, median, pairedRatios, ratioText, table } from './benchmark.ts';
import { startBenchServer } from './database.ts';
import { chargeStatements } from './requests/charge-statements.ts';
import { startLoadGenerator } from './requests/load/load.ts';
import { newHandles } from './requests/paths.ts';
import { sendRequests } from './requests/requests.ts';
import { serveContestant } from './requests/servers.ts';
import { workspaces } from './requests/sizes.ts';

const run = promisify(execFile);
const defaultRounds = 9;
const defaultSeconds = 2;
const pgbenchThreads = 2;
/** Maximum length of a measurement. A measurement in which no charge was made is repeated with twice the length. */
const maxSeconds = 16;
/** Maximum number of connections of pgbench. The built-in server allows 60 in all. */
const pgbenchClients = 32;
const pipelinedConnections = 2;

interface Rival extends AsyncDisposable {
  label: string;
  rate(connections: number, seconds: number): Promise<number>;
}

/**
 * Compares the charged requests per second of the service with the same SQL statements sent by pgbench, one charge at a
 * time.
 */
export async function pgbench(options: BenchOptions): Promise<void> {
  const { rounds = defaultRounds, seconds = defaultSeconds, signal, print } = options;
  await using database = await startBenchServer();
  using load = startLoadGenerator();
  await using contestant = await serveContestant('charged', await database.createDatabase('charged'));
  await using statements = await createRival(await database.createDatabase('statements'));
  const requests = async (connections: number, length: number) =>
    (await sendRequests(load, contestant, { paths: newHandles }, connections, length)).answers_per_second;

  await interleaved([statements.rate, requests], 1, signal, (rate) => rate(pgbenchClients, seconds));
  const rows = [['connections', statements.label, 'charged requests', 'ratio']];
  for (const connections of [32, 128]) {
    const rates = await interleaved([statements.rate, requests], rounds, signal, (rate) => rate(connections, seconds));
    const [theirs, ours] = [rates.get(statements.rate) ?? [], rates.get(requests) ?? []];
    const shown = [median(theirs).toFixed(0), median(ours).toFixed(0), ratioText(pairedRatios(ours, theirs))];
    rows.push([String(connections), ...shown]);
  }
  print(`per second, median of ${rounds} paired ratios (lowest-highest)`);
  print(table(rows));
}

async function createRival(url: string): Promise<Rival> {
  const statements = await chargeStatements(url);
  const found = await run('pgbench', ['--version']).then(
    () => true,
    () => false,
  );
  return found ? pgbenchRival(url, statements) : pipelinedRival(url, statements);
}

/** Returns the PostgreSQL settings that the service uses for these statements. */
function settingsOf(url: string) {
  const { plan_cache_mode, enable_seqscan } = connectClients(parseDatabaseUrl(url), 'bench').pipelined.options
    .connection;
  return { plan_cache_mode, enable_seqscan };
}

async function pgbenchRival(url: string, statements: string[]): Promise<Rival> {
  const folder = await mkdtemp(join(tmpdir(), 'tidemark-pgbench-'));
  const script = join(folder, 'charge.sql');
  await writeFile(
    script,
    [`\\set workspace random(1, ${workspaces})`, ...statements.map((one) => `${one};`)].join('\n'),
  );
  const settings = Object.entries(settingsOf(url)).map(([name, value]) => `-c ${name}=${value}`);
  const env = { ...process.env, PGOPTIONS: settings.join(' ') };
  const measure = async (connections: number, seconds: number): Promise<number> => {
    const clients = String(Math.min(connections, pgbenchClients));
    const amount = ['-c', clients, '-j', String(pgbenchThreads), '-T', String(seconds)];
    const sent = ['-n', '-M', 'prepared', ...amount, '-f', script, url];
    const { stdout, stderr } = await run('pgbench', sent, { env }).catch(
      (error: { stdout: string; stderr: string }) => error,
    );
    const rate = Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1] ?? 0);
    if (stderr.includes('ERROR')) throw new Error(`pgbench failed: ${stderr.slice(0, 500)}`);
    if (rate > 0) return rate;
    // On a slow machine, a second can end before all connections are open.
    if (seconds < maxSeconds) return measure(connections, seconds * 2);
    throw new Error(`pgbench made no charge in ${seconds} seconds: ${stdout.slice(0, 500)} ${stderr.slice(0, 500)}`);
  };
  return {
    label: 'pgbench',
    rate: (connections, seconds) => measure(connections, Math.ceil(seconds)),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/**
 * Sends the same statements with the PostgreSQL driver, pipelined on two connections. Used when pgbench is not
 * installed.
 */
async function pipelinedRival(url: string, statements: string[]): Promise<Rival> {
  const target = parseDatabaseUrl(url);
  const sql = postgres(target.url, { ...target.options, max: pipelinedConnections, connection: settingsOf(url) });
  const numbered = statements.map((statement) => statement.replaceAll(':workspace', '$1'));
  return {
    label: 'pipelined driver (no pgbench found)',
    async rate(connections, seconds) {
      const endsAt = performance.now() + seconds * 1000;
      let charges = 0;
      const client = async (index: number) => {
        for (let turn = index; performance.now() < endsAt; turn += 1, charges += 1) {
          const workspace = 1 + (turn % workspaces);
          for (const statement of numbered) await sql.unsafe(statement, [workspace], { prepare: true });
        }
      };
      await Promise.all(Array.from({ length: connections }, (_, index) => client(index)));
      return charges / seconds;
    },
    [Symbol.asyncDispose]: () => sql.end(),
  };
}
