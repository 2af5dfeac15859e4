import type { Sql } from 'postgres';
import { freezeReport } from '../../db/campaigns/reports.ts';
import { weekMs } from '../../db/durations.ts';
import { newId } from '../../db/ids.ts';
import { loadReport } from '../../pipeline/report/load.ts';
import { weekStart } from '../../pipeline/report/period.ts';
import { insertObservations } from '../tracked-data.ts';

export interface FilledTables {
  workspace_id: string;
  /** Id of one tracked item of the workspace. */
  item_id: string;
  /** Id of a campaign that contains all tracked items of the workspace. */
  campaign_id: string;
}

/** Inserts a successful tracking check of one item, and its observation. */
export async function insertCheck(sql: Sql, { workspace_id, item_id }: FilledTables, now: Date): Promise<void> {
  await insertObservations(sql, workspace_id, [item_id], [now]);
  const attempt = { attempt_id: newId(now), attempted_at: now, trigger: 'manual', outcome: 'OK', credits: 1 };
  await sql`insert into check_attempts ${sql({ workspace_id, item_id, ...attempt })}`;
}

/** Stores the report of the last finished week and returns its id. */
export async function freezeLastWeek(
  sql: Sql,
  { workspace_id, campaign_id }: FilledTables,
  now: Date,
): Promise<string> {
  const period = { report_id: newId(now), final: true, period_start: weekStart(now.getTime()) - weekMs };
  const report = await loadReport(sql, { workspace_id, campaign_id, tier: 'ultra', now }, period);
  if (report === null) throw new Error(`The campaign ${campaign_id} has no report.`);
  const [periodStart, periodEnd] = [new Date(report.period_start), new Date(report.period_end)];
  const body = JSON.stringify(report);
  await freezeReport(sql, {
    workspace_id,
    campaign_id,
    report_id: period.report_id,
    period_start: periodStart,
    period_end: periodEnd,
    body,
  });
  return period.report_id;
}

/**
 * Inserts one tracking check of each item at each time. All checks are successful, except every tenth check at the last
 * time.
 */
export async function insertAttempts(sql: Sql, workspaceId: string, moments: readonly Date[]): Promise<void> {
  for (const [index, moment] of moments.entries()) {
    const last = index === moments.length - 1;
    await sql`
      insert into check_attempts (workspace_id, item_id, attempt_id, attempted_at, trigger, outcome, credits, duration_ms)
      select workspace_id, item_id,
        (lpad(to_hex((extract(epoch from ${moment}::timestamptz) * 1000)::bigint), 12, '0') || right(md5(item_id::text), 20))::uuid,
        ${moment}, 'scheduled', case when failed then 'SOURCE_TIMEOUT' else 'OK' end, case when failed then 0 else 1 end, 900
      from (
        select *, ${last}::boolean and row_number() over (order by item_id) % 10 = 0 as failed
        from tracked_items where workspace_id = ${workspaceId}
      ) i`;
  }
}

/** Inserts usage counters of thirty routes with three outcomes, for each key and day. */
export async function insertUsage(
  sql: Sql,
  workspaceId: string,
  keyIds: readonly string[],
  days: readonly Date[],
): Promise<void> {
  await sql`
    insert into usage (workspace_id, day, key_id, route, outcome, requests, credits)
    select ${workspaceId}::uuid, day, key_id, '/v1/invented/route-' || n, outcome, 10 * n, case outcome when 'OK' then 10 * n else 0 end
    from unnest(${days.map((day) => day.toISOString().slice(0, 10))}::date[]) as d (day),
      unnest(${[...keyIds]}::uuid[]) as k (key_id), generate_series(1, 30) as n,
      unnest(array['OK', 'HIT', 'SOURCE_TIMEOUT']) as o (outcome)`;
}

/** Runs ANALYZE, so that the query planner has statistics immediately. Autovacuum would update them later. */
export async function analyze(sql: Sql): Promise<void> {
  await sql.unsafe('analyze');
}
