import type { Sql } from 'postgres';
import { joinCalls } from '../batcher.ts';
import { newId } from '../ids.ts';
import { monthOf } from '../month.ts';

/** The metrics of an observation, in the order of their columns and of the bits of `quality`. */
export const metrics = [
  'followers',
  'following',
  'posts',
  'views',
  'likes',
  'comments',
  'shares',
  'favorites',
  'total_views',
] as const;
export type Metric = (typeof metrics)[number];

/** An item whose 24 hours were claimed, with everything a check needs to know of it. */
export interface ClaimedItem {
  workspace_id: string;
  item_id: string;
  platform: string;
  kind: string;
  identifier: string;
  platform_id: string | null;
}

/** Why an item was not claimed; the attempt is not used up then. */
export type NotClaimed = 'too_early' | 'paused' | 'workspace_paused' | 'cap_reached' | 'no_credits' | 'unknown';

export type Claim = { claimed: ClaimedItem } | { claimed: null; reason: NotClaimed; next_attempt_at: Date | null };

export interface ClaimRequest {
  workspace_id: string;
  item_id: string;
  /** The same one again goes on with its own claim, until something is recorded for it. */
  attempt_id: string;
  now: Date;
}

type ClaimRow = ClaimedItem & { reason: NotClaimed | null; next_attempt_at: Date | null; place: number };

/** Claims the one attempt in 24 hours of many items at once; whoever comes second is told when the next one is. */
export function createClaims(hot: Sql): (request: ClaimRequest) => Promise<Claim> {
  return joinCalls((requests: ClaimRequest[]) => claimAll(hot, requests), { slots: 2, max_calls: 500 });
}

async function claimAll(hot: Sql, requests: ClaimRequest[]): Promise<Claim[]> {
  const month = monthOf(requests[0]?.now ?? new Date(0));
  const rows = await hot<ClaimRow[]>`
    with asked as materialized (
      select * from unnest(${requests.map((request) => request.workspace_id)}::uuid[],
        ${requests.map((request) => request.item_id)}::uuid[],
        ${requests.map((request) => request.attempt_id)}::uuid[],
        ${requests.map((request) => request.now.toISOString())}::timestamptz[])
        with ordinality as a (workspace_id, item_id, attempt_id, now, place)
    ), held as materialized (
      select i.* from tracked_items i
      where (i.workspace_id, i.item_id) in (select workspace_id, item_id from asked)
      order by i.workspace_id, i.item_id for no key update
    ), judged as materialized (
      select a.place, a.now, a.attempt_id as asked_attempt, h.*,
        case
          when h.item_id is null then 'unknown'
          when h.attempt_id = a.attempt_id then null
          when h.last_attempt_at > a.now - interval '24 hours'
            or row_number() over (partition by a.workspace_id, a.item_id order by a.place) > 1 then 'too_early'
          when h.status = 'paused' then 'paused'
          when s.paused then 'workspace_paused'
          when s.monthly_cap is not null
            and case when s.cap_month = ${month}::date then s.cap_used else 0 end >= s.monthly_cap then 'cap_reached'
          when b.balance < 1 then 'no_credits'
        end as reason
      from asked a
      left join held h on h.workspace_id = a.workspace_id and h.item_id = a.item_id
      left join work_settings s on s.workspace_id = a.workspace_id
      left join credit_balances b on b.workspace_id = a.workspace_id
    ), claimed as (
      update tracked_items i set last_attempt_at = j.now, attempt_id = j.asked_attempt, retry_at = null from judged j
      where j.reason is null and i.workspace_id = j.workspace_id and i.item_id = j.item_id
    )
    select place, reason, workspace_id, item_id, platform, kind, identifier, platform_id,
      last_attempt_at + interval '24 hours' as next_attempt_at
    from judged order by place`;
  return rows.map(({ place: _, reason, next_attempt_at, ...claimed }) =>
    reason === null ? { claimed } : { claimed: null, reason, next_attempt_at },
  );
}

/** What came of an attempt. An observation is charged 1 credit; everything else is free. */
export interface CheckResult {
  charge_id: string;
  attempt_id: string;
  workspace_id: string;
  item_id: string;
  attempted_at: Date;
  trigger: 'scheduled' | 'manual';
  /** `OK`, an error code, or `SKIPPED_…`. */
  outcome: string;
  duration_ms: number | null;
  message: string | null;
  observation: Observation | null;
}

export interface Observation {
  platform_id: string | null;
  name: string | null;
  values: Record<Metric, number | null>;
  /** Two bits a metric: 0 as given, 1 rounded, 2 hidden, 3 not exposed. */
  quality: number;
  source: string;
}

/** What was recorded: an observation that the balance or the cap no longer carried is recorded as its cause, unpaid and unseen. */
export interface Recorded {
  outcome: string;
  credits: number;
  balance: number | null;
}

interface RecordedRow extends Recorded {
  attempt_id: string;
}

const creditsPerCheck = 1;

/** Charges, observes and records many attempts, each workspace's in one statement: all of it or nothing. */
export function createRecorder(hot: Sql): (result: CheckResult) => Promise<Recorded> {
  return joinCalls((results: CheckResult[]) => recordAll(hot, results), { slots: 2, max_calls: 300 });
}

/** The item was removed meanwhile, or its claim is gone: another process recorded the same attempt. */
const nothingRecorded: Recorded = { outcome: 'NOT_RECORDED', credits: 0, balance: null };

async function recordAll(hot: Sql, results: CheckResult[]): Promise<Recorded[]> {
  const rows = await record(hot, results);
  const byAttempt = new Map(rows.map((row) => [row.attempt_id, row]));
  return results.map(({ attempt_id }) => byAttempt.get(attempt_id) ?? nothingRecorded);
}

// Whoever records an attempt ends its claim: of two processes that went on with the same one, the second waits for the row,
// finds the claim gone, and records nothing. The first observations that balance and cap carry are paid, in the order they
// came; the rest say why they are not. Taken per row and not per group, since each costs the same one credit.
function record(hot: Sql, results: CheckResult[]): Promise<RecordedRow[]> {
  const column = <T>(pick: (result: CheckResult) => T) => results.map(pick);
  const value = (metric: Metric) => column((result) => result.observation?.values[metric] ?? null);
  const month = monthOf(results[0]?.attempted_at ?? new Date(0));
  return hot<RecordedRow[]>`
    with asked as materialized (
      select *, seen = 1 as observed from unnest(
        ${column((r) => r.charge_id)}::uuid[], ${column((r) => r.attempt_id)}::uuid[],
        ${column((r) => r.workspace_id)}::uuid[], ${column((r) => r.item_id)}::uuid[],
        ${column((r) => r.attempted_at.toISOString())}::timestamptz[], ${column((r) => r.trigger)}::text[],
        ${column((r) => r.outcome)}::text[], ${column((r) => r.duration_ms)}::int[],
        ${column((r) => r.message)}::text[], ${column((r) => (r.observation === null ? 0 : 1))}::int[],
        ${column((r) => r.observation?.platform_id ?? null)}::text[], ${column((r) => r.observation?.name ?? null)}::text[],
        ${value('followers')}::bigint[], ${value('following')}::bigint[], ${value('posts')}::bigint[],
        ${value('views')}::bigint[], ${value('likes')}::bigint[], ${value('comments')}::bigint[],
        ${value('shares')}::bigint[], ${value('favorites')}::bigint[], ${value('total_views')}::bigint[],
        ${column((r) => r.observation?.quality ?? 0)}::int[], ${column((r) => r.observation?.source ?? null)}::text[]
      ) with ordinality as a (charge_id, attempt_id, workspace_id, item_id, attempted_at, trigger, outcome, duration_ms,
        message, seen, platform_id, name, followers, following, posts, views, likes, comments, shares, favorites,
        total_views, quality, source, place)
    ), present as materialized (
      select i.workspace_id, i.item_id from tracked_items i
      where (i.workspace_id, i.item_id, i.attempt_id) in (select workspace_id, item_id, attempt_id from asked)
      order by i.workspace_id, i.item_id for no key update
    ), held as materialized (
      select workspace_id, balance, entries from credit_balances
      where workspace_id in (select workspace_id from present) order by workspace_id for no key update
    ), capped as materialized (
      select workspace_id, monthly_cap - case when cap_month = ${month}::date then cap_used else 0 end as left_over
      from work_settings where workspace_id in (select workspace_id from held) order by workspace_id for no key update
    ), counted as materialized (
      select a.*, h.balance, h.entries, c.left_over,
        count(*) filter (where a.observed) over (partition by a.workspace_id order by a.place) as nth
      from asked a join present p on p.workspace_id = a.workspace_id and p.item_id = a.item_id
      join held h on h.workspace_id = a.workspace_id left join capped c on c.workspace_id = a.workspace_id
    ), judged as materialized (
      select *,
        observed and nth <= balance and nth <= coalesce(left_over, nth) as paid,
        case when not observed then outcome
          when nth > coalesce(left_over, nth) then 'SKIPPED_CAP_REACHED'
          when nth > balance then 'SKIPPED_NO_CREDITS'
          else outcome end as verdict
      from counted
    ), charged as (
      update credit_balances b set balance = b.balance - t.paid * ${creditsPerCheck}, entries = b.entries + t.paid
      from (select workspace_id, count(*) as paid from judged where paid group by workspace_id) t
      where b.workspace_id = t.workspace_id
    ), entered as (
      insert into ledger_entries (workspace_id, entry_no, kind, credits, balance_after, charge_id, route, reason, created_at)
      select workspace_id, entries + nth, 'charge', -${creditsPerCheck}::bigint, balance - nth, charge_id, 'tracking',
        item_id::text, attempted_at
      from judged where paid
    ), used as (
      insert into work_settings as s (workspace_id, cap_month, cap_used)
      select workspace_id, ${month}::date, count(*) from judged where paid group by workspace_id order by workspace_id
      on conflict (workspace_id) do update set cap_month = excluded.cap_month,
        cap_used = case when s.cap_month = excluded.cap_month then s.cap_used else 0 end + excluded.cap_used
    ), seen as (
      insert into observations (workspace_id, item_id, observed_at, followers, following, posts, views, likes, comments,
        shares, favorites, total_views, quality, source)
      select workspace_id, item_id, attempted_at, followers, following, posts, views, likes, comments, shares, favorites,
        total_views, quality, source
      from judged where paid
    ), settled as (
      update tracked_items i set attempt_id = null,
        platform_id = case when j.paid then coalesce(i.platform_id, j.platform_id) else i.platform_id end,
        name = case when j.paid then coalesce(j.name, i.name) else i.name end,
        identity_changed = not j.paid and (j.verdict = 'IDENTITY_CHANGED' or i.identity_changed)
      from judged j where i.workspace_id = j.workspace_id and i.item_id = j.item_id
    ), recorded as (
      insert into check_attempts
        (workspace_id, item_id, attempt_id, attempted_at, trigger, outcome, credits, duration_ms, message)
      select workspace_id, item_id, attempt_id, attempted_at, trigger, verdict,
        case when paid then ${creditsPerCheck} else 0 end, duration_ms, message
      from judged
    )
    select attempt_id, verdict as outcome, case when paid then ${creditsPerCheck} else 0 end as credits,
      case when paid then balance - nth else balance end as balance
    from judged`;
}

export interface Skip {
  workspace_id: string;
  item_id: string;
  /** `SKIPPED_…` with the cause. */
  outcome: string;
  now: Date;
  /** When it is looked at again. */
  retry_at: Date;
}

/** Records why a due item was not attempted, once in 24 hours for each cause, and leaves it alone until `retry_at`. */
export async function recordSkip(sql: Sql, skip: Skip): Promise<void> {
  await sql`
    with put_off as (
      update tracked_items set retry_at = ${skip.retry_at}
      where workspace_id = ${skip.workspace_id} and item_id = ${skip.item_id} returning workspace_id, item_id
    )
    insert into check_attempts (workspace_id, item_id, attempt_id, attempted_at, trigger, outcome, credits)
    select workspace_id, item_id, ${newId(skip.now)}::uuid, ${skip.now}, 'scheduled', ${skip.outcome}, 0 from put_off
    where not exists (
      select from check_attempts where workspace_id = ${skip.workspace_id} and item_id = ${skip.item_id}
        and outcome = ${skip.outcome} and attempted_at > ${skip.now}::timestamptz - interval '24 hours')`;
}

/** Removes attempts and skips made before `before`, of all workspaces; the number of them. */
export async function removeAttempts(sql: Sql, before: Date): Promise<number> {
  const { count } = await sql`delete from check_attempts where attempted_at < ${before}`;
  return count;
}
