import { type Clients, connectClients, parseDatabaseUrl } from '../../db/connect.ts';
import { dayMs } from '../../db/durations.ts';
import { queueSchema } from '../../db/queue.ts';
import { removeOld } from '../../pipeline/jobs/cleanup.ts';
import { type BenchOptions, table } from '../benchmark.ts';
import { startBenchServer } from '../database.ts';
import { type ConnectionPlan, startLoadGenerator } from './load/load.ts';
import { cachedHandles, newHandles } from './paths.ts';
import { serveContestant } from './servers.ts';
import { workspaces } from './sizes.ts';

const defaultMinutes = 60;
const maxPartMinutes = 5;
const connections = { cached: 32, charged: 24, refused: 8 };
/** Requests per second over all connections: one request per second for each connection. */
const rate = connections.cached + connections.charged + connections.refused;
const megabyte = 1024 * 1024;
/** Number of days after which the cleanup deletes a cached answer, because cached answers are kept for 30 days. */
const daysUntilExpired = 31;

/** Tables that grow with use, by the heading of their column in the output. The sizes of partitions are added up. */
const watched = {
  cached: 'responses',
  ledger: 'ledger_entries',
  attempts: 'check_attempts',
  observed: 'observations',
  usage: 'usage',
  windows: 'rate_windows',
  queue: `${queueSchema}.job`,
};

/**
 * Sends cached, charged and refused requests at a modest rate while all jobs run, and prints memory, latency and sizes
 * of tables every five minutes. After each part, deletes the rows that the hourly cleanup would delete 31 days later.
 * Tables that the cleanup keeps small must therefore stop growing.
 */
export async function soak({ minutes = defaultMinutes, signal, print }: BenchOptions): Promise<void> {
  await using database = await startBenchServer();
  using load = startLoadGenerator();
  const url = await database.createDatabase('soak');
  await using served = await serveContestant('mixed', url);
  const db = connectClients(parseDatabaseUrl(url), 'bench');
  const partMinutes = Math.min(maxPartMinutes, minutes / 2);
  print(`${rate} requests per second and 2 checks per second; sizes in MB, latency in ms`);
  print(
    row([
      'minute',
      '200',
      '429',
      '503',
      'broken',
      'p50',
      'p99',
      'p99.9',
      'longest',
      'memory',
      ...Object.keys(watched),
      'database',
    ]),
  );
  try {
    for (let part = 1; part * partMinutes <= minutes + 0.01; part += 1) {
      signal.throwIfAborted();
      const seconds = partMinutes * 60;
      const result = await load.run(
        { origin: served.origin, seconds, rate, may_break: true, plans: plansOf(served.headers, seconds) },
        [200, 429, 503],
      );
      const latencies = [result.p50_ms, result.p99_ms, result.p999_ms, result.longest_ms].map((ms) => ms.toFixed(1));
      const memory = ((await served.usage()).memory / megabyte).toFixed(0);
      const statuses = [200, 429, 503].map((status) => String(result.statuses[status] ?? 0));
      const sizes = await sizesOf(db);
      print(row([(part * partMinutes).toFixed(1), ...statuses, String(result.errors), ...latencies, memory, ...sizes]));
      await removeOld(db.sql, new Date(Date.now() + daysUntilExpired * dayMs));
    }
    print(table([['balances that differ from their ledger', String(await wrongBalances(db))]]));
  } finally {
    await db.close();
  }
}

/**
 * Returns the requests of each connection. A connection uses one workspace. The connections whose requests are refused
 * share the last workspace, which is over its rate limit.
 */
function plansOf(headers: Record<string, string>[], seconds: number): ConnectionPlan[] {
  const own = (index: number) => headers[index % (workspaces - 1)] ?? {};
  const needed = Math.ceil(seconds * 2) + 1;
  const plans = (count: number, plan: (index: number) => ConnectionPlan) =>
    Array.from({ length: count }, (_, n) => plan(n));
  return [
    ...plans(connections.cached, (n) => ({ headers: own(n), paths: cachedHandles() })),
    ...plans(connections.charged, (n) => ({ headers: own(connections.cached + n), paths: newHandles(needed) })),
    ...plans(connections.refused, () => ({ headers: headers[workspaces - 1] ?? {}, paths: newHandles(needed) })),
  ];
}

async function sizesOf({ sql }: Clients): Promise<string[]> {
  const sizes = await sql<{ bytes: number }[]>`
    select coalesce((select sum(pg_total_relation_size(relid)) from pg_partition_tree(name::regclass)),
      pg_total_relation_size(name::regclass))::float8 as bytes
    from unnest(${Object.values(watched)}::text[]) with ordinality as watched (name, n) order by n`;
  const [whole] = await sql<{ bytes: number }[]>`select pg_database_size(current_database())::float8 as bytes`;
  return [...sizes, ...(whole ? [whole] : [])].map(({ bytes }) => (bytes / megabyte).toFixed(1));
}

async function wrongBalances({ sql }: Clients): Promise<number> {
  const wrong = await sql`
    select from credit_balances b
    where b.balance <> (select sum(credits) from ledger_entries e where e.workspace_id = b.workspace_id)`;
  return wrong.length;
}

const columnWidth = 9;

function row(cells: readonly string[]): string {
  return cells.map((cell) => cell.padStart(columnWidth)).join('');
}
