import { findWorkspace } from '../../db/accounts/workspaces.ts';
import {
  campaignSpreadsheets,
  dueTargets,
  listedItems,
  type PushResult,
  recordPush,
  reportsToWrite,
  type SheetTarget,
  type Spreadsheet,
} from '../../db/deliveries/sheet-targets.ts';
import { quantity } from '../quantity.ts';
import type { Job, JobContext, JobItem } from '../queue/job.ts';
import { waitForAll } from '../queue/wait-for-all.ts';
import { dayStart, historyStart } from '../report/period.ts';
import type { Report } from '../report/report.ts';
import { PushError, requireClient, type SheetsClient } from '../sheets/client.ts';
import { pushTable } from '../sheets/push-table.ts';
import { listTable, reportTable, type SheetTable } from '../sheets/tables.ts';
import { pushItem } from '../sheets/targets.ts';
import { tiers } from '../tiers.ts';

/**
 * Maximum milliseconds for writing into one spreadsheet. The limit is shorter than `expireSeconds`, so that two
 * processes never write into the same spreadsheet at the same time.
 */
const pushTimeoutMs = 60_000;
const expireSeconds = 180;

/**
 * Creates the job that writes into users' spreadsheets: each weekly report when it is final, and each list of tracked
 * items once a day. An entry of the job queue is either a final report or a spreadsheet.
 * Every hour the job queues all spreadsheets that are due, so that a missed write happens within the hour. The queue
 * retries temporary errors after longer and longer pauses. Other errors, such as a missing GOOGLE_SERVICE_ACCOUNT, are
 * stored for the user to see.
 */
export function createPushSheets(client: SheetsClient | null): Job {
  return {
    name: 'push-sheets',
    schedule: '11 * * * *',
    items_per_run: 5,
    expire_seconds: expireSeconds,
    retries: 7,
    async run(items, context) {
      await waitForAll(items.map((item) => runItem(item, context, client)));
    },
  };
}

async function runItem({ data }: JobItem, context: JobContext, client: SheetsClient | null): Promise<void> {
  const { workspace_id, spreadsheet_id, campaign_id } = data;
  if (typeof spreadsheet_id === 'string') {
    return writeSpreadsheet({ workspace_id: String(workspace_id), spreadsheet_id }, context, client);
  }
  const { sql } = context.db;
  const spreadsheets =
    typeof campaign_id === 'string'
      ? await campaignSpreadsheets(sql, String(workspace_id), campaign_id)
      : await dueTargets(sql, today(context));
  const items = new Map(spreadsheets.map(pushItem).map((item) => [item.key, item]));
  await context.queue.send('push-sheets', [...items.values()]);
}

function today({ now }: JobContext): Date {
  return new Date(dayStart(now().getTime()));
}

/**
 * Writes all due reports and lists into one spreadsheet, including those that become due meanwhile. Writes them one
 * after another, because two reports or lists may use the same tab.
 */
async function writeSpreadsheet(
  spreadsheet: Spreadsheet,
  context: JobContext,
  client: SheetsClient | null,
): Promise<void> {
  const signal = AbortSignal.timeout(pushTimeoutMs);
  const tried = new Set<string>();
  const failures: unknown[] = [];
  for (;;) {
    const due = await dueTargets(context.db.sql, today(context), spreadsheet);
    const target = due.find(({ target_id }) => !tried.has(target_id));
    if (!target) break;
    tried.add(target.target_id);
    await writeTarget(target, context, client, signal).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

/**
 * Writes a report or a list of tracked items (`target`) to its tab of a spreadsheet and records the result. Throws
 * temporary and internal errors, so that the queue retries the write.
 */
async function writeTarget(
  target: SheetTarget,
  context: JobContext,
  client: SheetsClient | null,
  signal: AbortSignal,
): Promise<void> {
  const { workspace_id, target_id } = target;
  const { sql } = context.db;
  const at = context.now();
  try {
    const rows = await writeTables(target, await dueTables(target, at, context), client, signal);
    const message = rows === 0 ? 'Nothing new to write.' : `${quantity(rows, 'row')} written.`;
    await recordPush(sql, workspace_id, target_id, { outcome: 'OK', message, pushed_at: at });
  } catch (error) {
    await recordPush(sql, workspace_id, target_id, failureOf(error));
    if (!(error instanceof PushError) || error.problem === 'TRY_AGAIN') throw error;
    context.log.warn(
      { target_id, problem: error.problem },
      'a push to a spreadsheet failed; the user must fix its cause',
    );
  }
}

function failureOf(error: unknown): PushResult {
  if (error instanceof PushError) return { outcome: error.problem, message: error.message, pushed_at: null };
  return {
    outcome: 'INTERNAL',
    message: 'The push failed on our side: the error is logged and the push is tried again.',
    pushed_at: null,
  };
}

async function writeTables(
  target: SheetTarget,
  tables: SheetTable[],
  client: SheetsClient | null,
  signal: AbortSignal,
): Promise<number> {
  const google = requireClient(client);
  let rows = 0;
  for (const table of tables) rows += await pushTable(google, target, table, signal);
  return rows;
}

async function dueTables(target: SheetTarget, now: Date, { db }: JobContext): Promise<SheetTable[]> {
  const { workspace_id, list_id } = target;
  if (list_id === null) {
    return (await reportsToWrite(db.sql, target)).map((body) => reportTable(JSON.parse(body) as Report));
  }
  const workspace = await findWorkspace(db.sql, workspace_id);
  if (!workspace) return [];
  const since = new Date(historyStart(now.getTime(), tiers[workspace.tier].history_days));
  return [listTable(list_id, await listedItems(db.sql, workspace_id, list_id, since), now)];
}
