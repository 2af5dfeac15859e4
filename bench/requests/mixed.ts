import type { Database } from '../../db/connect.ts';
import { newId } from '../../db/ids.ts';
import { ensureMonths } from '../../db/observations/months.ts';
import { startPipeline } from '../../pipeline/start.ts';
import { insertTrackedItems } from '../tracked-data.ts';
import type { Contestant } from './contestant.ts';
import { metered } from './metered.ts';

/** Maximum number of requests per minute of each workspace. */
export const mixedRequestsPerMinute = 120;
const checksPerTick = 10;
const tickMs = 5_000;
const silent = { info() {}, warn() {}, error: (...problem: unknown[]) => console.error(...problem) };

/**
 * Creates the real service in a process that also runs all background jobs. Two new tracked items per second are added
 * and checked.
 */
export async function mixed(url: string): Promise<Contestant> {
  const { answer, headers, db, sources } = await metered(url, {
    requests_per_minute: mixedRequestsPerMinute,
    cached: true,
  });
  await ensureMonths(db.sql, new Date());
  const { queue } = await startPipeline({
    db: { ...db, sql: db.background },
    sources,
    now: () => new Date(),
    base_url: 'http://127.0.0.1',
    log: silent,
    work: true,
    google_service_account: null,
    smtp_url: null,
    mail_from: 'bench@localhost',
    canary: null,
  });
  setInterval(() => addChecks(db, queue).catch((error: unknown) => console.error(error)), tickMs);
  return { answer, headers };
}

/** Creates tracked items and enqueues the first tracking check of each. */
async function addChecks({ sql }: Database, queue: Awaited<ReturnType<typeof startPipeline>>['queue']): Promise<void> {
  const [workspace] = await sql<
    { workspace_id: string }[]
  >`select workspace_id from workspaces order by workspace_id limit 1`;
  const workspaceId = workspace?.workspace_id ?? '';
  const itemIds = Array.from({ length: checksPerTick }, () => newId());
  await insertTrackedItems(sql, workspaceId, itemIds);
  const data = (itemId: string) => ({ workspace_id: workspaceId, item_id: itemId, attempt_id: newId() });
  await queue.send(
    'track-check',
    itemIds.map((itemId) => ({ key: itemId, data: data(itemId) })),
  );
}
