import type { Sql } from 'postgres';
import { createWorkspace } from '../../db/accounts/workspaces.ts';
import { connectClients, type Database, parseDatabaseUrl } from '../../db/connect.ts';
import { dayMs } from '../../db/durations.ts';
import { newId } from '../../db/ids.ts';
import { migrate } from '../../db/migrate.ts';
import { foldPastMonths } from '../../db/observations/fold-months.ts';
import { ensureMonths } from '../../db/observations/months.ts';
import { inTransaction } from '../../db/transaction.ts';
import { createCampaign } from '../../pipeline/campaigns/campaigns.ts';
import { loadReport } from '../../pipeline/report/load.ts';
import { weekStart } from '../../pipeline/report/period.ts';
import { type BenchOptions, median, table } from '../benchmark.ts';
import { startBenchServer } from '../database.ts';
import { insertObservations, insertTrackedItems } from '../tracked-data.ts';
import { pagesTouched, tableSize, vacuumObservations } from './report-pages.ts';

interface ReportRequest {
  workspace_id: string;
  campaign_id: string;
  now: Date;
}

const items = 200;
const days = 365;
const sizes = [100_000, 10_000_000];
const defaultRounds = 9;

/**
 * Measures a weekly report of 200 items over a year, in a table of 100 thousand observations and in a table of 10
 * million.
 */
export async function report({ rounds = defaultRounds, signal, print }: BenchOptions): Promise<void> {
  const rows = [['observations', 'report, ms (median)', 'pages touched', 'bytes per observation']];
  const pages: number[] = [];
  for (const size of sizes) {
    const server = await startBenchServer();
    const db = connectClients(parseDatabaseUrl(await server.createDatabase('report')), 'bench');
    try {
      await migrate(db.sql);
      const request = await fillTables(db, size, signal);
      const times: number[] = [];
      for (let round = 0; round < rounds; round += 1) times.push(await timed(() => read(db.sql, request)));
      const touched = await pagesTouched(db.sql, (sql) => read(sql, request));
      const { observations, bytes } = await tableSize(db.sql);
      pages.push(touched);
      rows.push([`${observations}`, median(times).toFixed(1), `${touched}`, (bytes / observations).toFixed(0)]);
    } finally {
      await db.close();
      await server.stop();
    }
  }
  print(table(rows));
  const ratio = (pages[1] as number) / (pages[0] as number);
  print(
    `\n  pages touched in 10 million / in 100 thousand: ${ratio.toFixed(2)} (goal <= 1.2: ${ratio <= 1.2 ? 'yes' : 'no'})`,
  );
}

/**
 * Fills workspaces of 200 items each. Rows are inserted day by day, so that the rows of one item are far apart on disk
 * as in production.
 */
async function fillTables(db: Database, size: number, signal: AbortSignal): Promise<ReportRequest> {
  const now = new Date();
  const first = now.getTime() - days * dayMs;
  for (let month = first; month < now.getTime() + dayMs; month += 28 * dayMs)
    await ensureMonths(db.sql, new Date(month));
  const count = Math.max(1, Math.round(size / (items * days)));
  const made = [];
  for (let n = 0; n < count; n += 1) made.push(await workspaceOf(db));
  for (let day = 0; day < days; day += 1) {
    signal.throwIfAborted();
    const moment = new Date(first + day * dayMs);
    for (const { workspace_id, item_ids } of made) await insertObservations(db.sql, workspace_id, item_ids, [moment]);
  }
  await db.sql`set statement_timeout = 0`;
  await foldPastMonths(db.sql, now, signal);
  await vacuumObservations(db.sql);
  const { workspace_id, item_ids } = made[Math.floor(count / 2)] as (typeof made)[number];
  const startsOn = new Date(first).toISOString().slice(0, 10);
  const owner = { workspace_id, tier: 'ultra' as const, now };
  const campaignId = await createCampaign(db.sql, owner, {
    name: 'year',
    starts_on: startsOn,
    ends_on: null,
    item_ids,
  });
  return { workspace_id, campaign_id: campaignId, now };
}

async function workspaceOf(db: Database): Promise<{ workspace_id: string; item_ids: string[] }> {
  const workspace = { name: 'bench', credits: 1, tier: 'ultra' as const };
  const { workspace_id } = await inTransaction(db.sql, (tx) => createWorkspace(tx, workspace));
  const itemIds = Array.from({ length: items }, () => newId());
  await insertTrackedItems(db.sql, workspace_id, itemIds);
  return { workspace_id, item_ids: itemIds };
}

/** Reads the report of the current week, as the dashboard does. */
function read(sql: Sql, { workspace_id, campaign_id, now }: ReportRequest): Promise<unknown> {
  const question = { workspace_id, campaign_id, tier: 'ultra' as const, now };
  return loadReport(sql, question, { report_id: null, final: false, period_start: weekStart(now.getTime()) });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
