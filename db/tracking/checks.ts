import type { Fragment, Sql } from 'postgres';
import { creditsUsed } from '../calendar.ts';
import { deleteOld } from '../delete-old.ts';
import { combineByWorkspace } from '../distribution/combine-by-workspace.ts';
import { inWorkspace, tableOf, workspaceIdOf } from '../distribution/one-workspace.ts';
import { applyMovements } from '../money/movements.ts';
import { metricColumns } from '../observations/metric-columns.ts';
import { type Metric, metrics } from '../schema/metrics.ts';

/** A tracked item whose check was reserved, with the data that the check needs. */
export interface ClaimedItem {
  workspace_id: string;
  item_id: string;
  platform: string;
  kind: string;
  identifier: string;
  platform_id: string | null;
  /** When the item was last checked before; if the check continues, 24 hours before its reservation. */
  previous_attempt_at: Date | null;
  /** When the check was reserved. This is the time of the last check until the reservation is ended without a check. */
  reserved_at: Date;
  /** True when the check continues an interrupted one, so that pause, cap and balance were not read again. */
  continues: boolean;
}

/**
 * Why a tracking check was not reserved. A refusal does not use up the one check that the item may have in 24 hours.
 */
export type NotClaimed = 'too_early' | 'paused' | 'workspace_paused' | 'cap_reached' | 'no_credits' | 'unknown';

export type Claim = { claimed: ClaimedItem } | { claimed: null; reason: NotClaimed; next_attempt_at: Date | null };

export interface ClaimRequest {
  workspace_id: string;
  item_id: string;
  /** The id of the check. Requests with the same id continue that check until its result is stored. */
  attempt_id: string;
  now: Date;
}

type ClaimRow = ClaimedItem & { reason: NotClaimed | null; next_attempt_at: Date | null; position: number };

/**
 * Returns a function that reserves the one check that a tracked item may have in 24 hours. A refusal contains the time
 * of the next possible check. Concurrent calls share one statement, which reserves no more checks than the workspace
 * can pay for. If a row is locked, only the calls of its workspace wait longer, on the connections `apart`.
 */
export function createClaims(sql: Sql, apart: Sql = sql): (request: ClaimRequest) => Promise<Claim> {
  return combineByWorkspace({ sql, apart }, claimAll, { slots: 2, max_calls: 500 });
}

async function claimAll(sql: Sql, requests: ClaimRequest[], workspace: string | null): Promise<Claim[]> {
  const now = requests[0]?.now ?? new Date(0);
  const rows = await sql<ClaimRow[]>`
    with requested as materialized (${requestRows(sql, requests)}
    ), items as materialized (
      select i.* from tracked_items i
      where ${isRequested(sql, requests, workspace)}
      order by i.workspace_id, i.item_id for no key update
    ), judged as materialized (
      select r.position, r.now, r.attempt_id as requested_attempt, r.workspace_id as owner, i.*, b.balance,
        s.monthly_cap - ${creditsUsed(sql, 's', now)} as left_over,
        coalesce(i.attempt_id = r.attempt_id, false) as continues,
        case
          when i.item_id is null then 'unknown'
          when i.attempt_id = r.attempt_id then null
          when i.last_attempt_at > r.now - interval '24 hours'
            or row_number() over (partition by r.workspace_id, r.item_id order by r.position) > 1 then 'too_early'
          when i.status = 'paused' then 'paused'
          when s.paused then 'workspace_paused'
        end as obstacle
      from requested r
      left join items i on i.workspace_id = r.workspace_id and i.item_id = r.item_id
      left join ${tableOf(sql, 'work_settings', workspace)} s on s.workspace_id = r.workspace_id
      left join ${tableOf(sql, 'credit_balances', workspace)} b on b.workspace_id = r.workspace_id
    ), decided as materialized (
      select *, case when obstacle is not null or continues then obstacle
          when checks > left_over then 'cap_reached' when checks > balance then 'no_credits' end as reason
      from (
        select *, count(*) filter (where obstacle is null and not continues) over (partition by owner order by position) as checks
        from judged
      ) counted
    ), claimed as (
      update tracked_items i set last_attempt_at = d.now, attempt_id = d.requested_attempt, retry_at = null from decided d
      where d.reason is null and i.workspace_id = d.workspace_id and i.item_id = d.item_id${inWorkspace(sql, 'i', workspace)}
    )
    select position, reason, workspace_id, item_id, platform, kind, identifier, platform_id, continues,
      last_attempt_at + interval '24 hours' as next_attempt_at,
      case when continues then last_attempt_at - interval '24 hours' else last_attempt_at end as previous_attempt_at,
      case when continues then last_attempt_at else now end as reserved_at
    from decided order by position`;
  return rows.map(({ position: _, reason, next_attempt_at, ...claimed }) =>
    reason === null ? { claimed } : { claimed: null, reason, next_attempt_at },
  );
}

/** Returns the SQL query whose rows are these requests, one for each. */
export function requestRows(sql: Sql, requests: ClaimRequest[]): Fragment {
  return sql`
      select * from unnest(${requests.map((request) => request.workspace_id)}::uuid[],
        ${requests.map((request) => request.item_id)}::uuid[],
        ${requests.map((request) => request.attempt_id)}::uuid[],
        ${requests.map((request) => request.now.toISOString())}::timestamptz[])
        with ordinality as a (workspace_id, item_id, attempt_id, now, position)`;
}

/**
 * Returns the SQL condition that selects the items of these requests. With `workspace` (Citus), uses constants, because
 * Citus cannot lock rows of a join.
 */
function isRequested(sql: Sql, requests: ClaimRequest[], workspace: string | null): Fragment {
  if (workspace === null) return sql`(i.workspace_id, i.item_id) in (select workspace_id, item_id from requested)`;
  return sql`i.workspace_id = ${workspace}::uuid and i.item_id = any(${requests.map(({ item_id }) => item_id)}::uuid[])`;
}

/**
 * Returns the SQL condition that selects the items that these checks have reserved. With `workspace` (Citus), uses
 * constants, because Citus cannot lock rows of a join.
 */
function isReserved(sql: Sql, results: CheckResult[], workspace: string | null): Fragment {
  if (workspace === null) {
    return sql`(i.workspace_id, i.item_id, i.attempt_id) in (select workspace_id, item_id, attempt_id from results)`;
  }
  return sql`i.workspace_id = ${workspace}::uuid and i.item_id = any(${results.map(({ item_id }) => item_id)}::uuid[])
    and i.attempt_id = any(${results.map(({ attempt_id }) => attempt_id)}::uuid[])`;
}

/**
 * The result of a tracking check. A check that found numbers (an observation) costs 1 credit. All other results are
 * free.
 */
export interface CheckResult {
  charge_id: string;
  attempt_id: string;
  workspace_id: string;
  item_id: string;
  attempted_at: Date;
  trigger: 'scheduled' | 'manual';
  /** The result of the check: `OK`, an error code, or `SKIPPED_` and the cause. */
  outcome: string;
  duration_ms: number | null;
  message: string | null;
  observation: Observation | null;
}

export interface Observation {
  platform_id: string | null;
  name: string | null;
  values: Record<Metric, number | null>;
  /** Two bits for each metric: 0 exact, 1 rounded, 2 hidden by the platform, 3 not exposed. */
  quality: number;
  source: string;
  /** URL of the item's avatar or thumbnail, which expires. The job `keep-pictures` downloads the picture. */
  picture_url?: string | null;
}

/**
 * The stored result of a tracking check. If the credits or the monthly cap were not enough, `outcome` says so, nothing
 * was charged, the numbers were not stored, and the item can be checked again at any time.
 */
export interface Recorded {
  outcome: string;
  credits: number;
  balance: number | null;
}

type RecordedRow = Recorded & { attempt_id: string };

export const creditsPerCheck = 1;

/**
 * Returns a function that charges and stores the result of a tracking check. Concurrent calls share one statement,
 * which succeeds completely or changes nothing. If a row is locked, only the calls of its workspace wait longer, on the
 * connections `apart`.
 */
export function createCheckRecorder(sql: Sql, apart: Sql = sql): (result: CheckResult) => Promise<Recorded> {
  return combineByWorkspace({ sql, apart }, recordAll, { slots: 2, max_calls: 500 });
}

/** Returned when nothing was stored, because the item was removed or another process has already stored this check. */
const nothingRecorded: Recorded = { outcome: 'NOT_RECORDED', credits: 0, balance: null };

async function recordAll(sql: Sql, results: CheckResult[], workspace: string | null): Promise<Recorded[]> {
  const rows = await record(sql, results, workspace);
  const byAttempt = new Map(rows.map((row) => [row.attempt_id, row]));
  return results.map(({ attempt_id }) => byAttempt.get(attempt_id) ?? nothingRecorded);
}

/**
 * Returns the SQL query with one row per result. The column `observed` is 1 when the check found numbers, otherwise 0.
 */
function resultRows(sql: Sql, results: CheckResult[]): Fragment {
  const column = <T>(pick: (result: CheckResult) => T) => results.map(pick);
  const values = metrics.map((metric) => sql`${column((r) => r.observation?.values[metric] ?? null)}::bigint[],`);
  return sql`
    select * from unnest(
      ${column((r) => r.charge_id)}::uuid[], ${column((r) => r.attempt_id)}::uuid[],
      ${column((r) => r.workspace_id)}::uuid[], ${column((r) => r.item_id)}::uuid[],
      ${column((r) => r.attempted_at.toISOString())}::timestamptz[], ${column((r) => r.trigger)}::text[],
      ${column((r) => r.outcome)}::text[], ${column((r) => r.duration_ms)}::int[],
      ${column((r) => r.message)}::text[], ${column((r) => (r.observation === null ? 0 : 1))}::int[],
      ${column((r) => r.observation?.platform_id ?? null)}::text[], ${column((r) => r.observation?.name ?? null)}::text[],
      ${values} ${column((r) => r.observation?.quality ?? 0)}::int[], ${column((r) => r.observation?.source ?? null)}::text[],
      ${column((r) => r.observation?.picture_url ?? null)}::text[]
    ) with ordinality as a (charge_id, attempt_id, workspace_id, item_id, attempted_at, trigger, outcome, duration_ms,
      message, observed, platform_id, name, ${metricColumns(sql)}, quality, source, picture_url, position)`;
}

// Stores the results of tracking checks and ends their reservations. If two processes store the same check, the second
// waits for the row lock, finds no reservation, and stores nothing. Times are converted to UTC and back, because Citus
// refuses a CASE with functions whose result depends on the time zone.
function record(sql: Sql, results: CheckResult[], workspace: string | null): Promise<RecordedRow[]> {
  const names = metricColumns(sql);
  const now = results[0]?.attempted_at ?? new Date(0);
  const owner = workspaceIdOf(sql, workspace);
  const attempted = sql`workspace_id, item_id, attempt_id, attempted_at, trigger, duration_ms, message, platform_id, name,
    ${names}, quality, source, picture_url`;
  return sql<RecordedRow[]>`
    with results as materialized (${resultRows(sql, results)}
    ), items as materialized (
      select i.workspace_id, i.item_id, i.attempt_id from tracked_items i
      where ${isReserved(sql, results, workspace)}
      order by i.workspace_id, i.item_id for no key update
    ), claimed as materialized (
      select r.* from results r join items i on i.workspace_id = r.workspace_id and i.item_id = r.item_id
        and i.attempt_id = r.attempt_id
    ), movements as materialized (
      select *, 'charge' as kind, -${creditsPerCheck}::bigint as credits, null::text as request_id, null::uuid as key_id,
        'tracking' as route, item_id::text as reason, attempted_at as created_at
      from claimed where observed = 1
    ), ${applyMovements(sql, { cap: 'workspace', now, workspace })}, attempts as materialized (
      select ${attempted}, refusal is null as paid, balance_after,
        case refusal when 'cap' then 'SKIPPED_CAP_REACHED' when 'balance' then 'SKIPPED_NO_CREDITS'
          else outcome end as final_outcome
      from decided
      union all select ${attempted}, false, null, outcome from claimed where observed = 0
    ), new_observations as (
      insert into observations (workspace_id, item_id, observed_at, ${names}, quality, source)
      select ${owner}, item_id, attempted_at, ${names}, quality, source from attempts where paid
    ), new_pictures as (
      insert into item_pictures (workspace_id, item_id, pending_url, pending_since)
      select ${owner}, item_id, picture_url, attempted_at from attempts where paid and picture_url is not null
      on conflict (workspace_id, item_id) do update
        set pending_url = excluded.pending_url, pending_since = excluded.pending_since
        where item_pictures.kept_at is null
          or item_pictures.kept_at at time zone 'UTC' <= excluded.pending_since at time zone 'UTC' - interval '7 days'
    ), ended_claims as (
      update tracked_items i set attempt_id = null,
        last_attempt_at = case when a.final_outcome like 'SKIPPED%'
          then (i.last_attempt_at at time zone 'UTC' - interval '24 hours') at time zone 'UTC' else i.last_attempt_at end,
        platform_id = case when a.paid then coalesce(i.platform_id, a.platform_id) else i.platform_id end,
        name = case when a.paid then coalesce(a.name, i.name) else i.name end,
        identity_changed = not a.paid and (a.final_outcome = 'IDENTITY_CHANGED' or i.identity_changed)
      from attempts a where i.workspace_id = a.workspace_id and i.item_id = a.item_id${inWorkspace(sql, 'i', workspace)}
    ), new_attempts as (
      insert into check_attempts
        (workspace_id, item_id, attempt_id, attempted_at, trigger, outcome, credits, duration_ms, message, alerts_pending)
      select ${owner}, item_id, attempt_id, attempted_at, trigger, final_outcome,
        case when paid then ${creditsPerCheck} else 0 end, duration_ms, message,
        exists (select from alert_rules r where r.workspace_id = ${workspace === null ? sql`a.workspace_id` : owner} and r.enabled)
      from attempts a
    )
    select attempt_id, final_outcome as outcome, case when paid then ${creditsPerCheck} else 0 end as credits,
      coalesce(balance_after, (select balance from credit_balances b where b.workspace_id = ${workspace === null ? sql`a.workspace_id` : owner})) as balance
    from attempts a`;
}

/**
 * Deletes tracking checks of all workspaces, including skipped ones, that are older than `before`. Returns the number
 * of deleted checks.
 */
export function removeAttempts(sql: Sql, before: Date): Promise<number> {
  return deleteOld(sql, 'check_attempts', sql`attempted_at < ${before}`);
}
