import type { Sql } from 'postgres';
import { type Metric, metrics } from '../schema/metrics.ts';

/** A summary message (digest) that must still be sent to some recipients of a workspace. */
export interface DueDigest {
  workspace_id: string;
  topic: string;
}

/**
 * Returns, for each topic, the workspaces with subscribed recipients who have no message with this `subject_key` yet.
 */
export async function dueDigests(sql: Sql, topics: readonly string[], subjectKey: string): Promise<DueDigest[]> {
  return sql<DueDigest[]>`
    select distinct r.workspace_id, t.topic
    from alert_recipients r join unnest(${[...topics]}::text[]) as t (topic) on t.topic = any(r.topics)
    where r.confirmed_at is not null and r.unsubscribed_at is null and not exists (
      select from notifications n
      where n.workspace_id = r.workspace_id and n.recipient_id = r.recipient_id and n.kind = t.topic
        and n.subject_key = ${subjectKey})
    order by r.workspace_id, t.topic`;
}

/** The main number of a tracked item, such as its followers, now and at an earlier time. */
export interface DigestMover {
  name: string;
  metric: 'followers' | 'likes' | 'views';
  value: number;
  previous: number;
  /** True when the platform rounded both numbers. */
  rounded: boolean;
  /** The number of all items that changed, including those that are not in the limited list. */
  found: number;
}

/**
 * Returns the position of a metric's two bits in the column `quality`. The bits say whether the number is exact or
 * rounded.
 */
const bitsBefore = (metric: Metric) => 2 * metrics.indexOf(metric);

/**
 * Returns at most `limit` tracked items whose main number changed most (in percent) since `since`: followers of
 * accounts, likes of Instagram posts, and views of videos. Leaves out an item when one of the two numbers is unknown,
 * or when only one of them is rounded.
 */
export async function topMovers(sql: Sql, workspaceId: string, since: Date, limit: number): Promise<DigestMover[]> {
  const value = sql`case m.metric when 'followers' then o.followers when 'likes' then o.likes else o.views end as value,
    (o.quality >> m.shift) & 3 as exactness`;
  return sql<DigestMover[]>`
    with ends as (
      select i.item_id, coalesce(i.name, i.url) as name, m.metric, new.value, old.value as previous,
        new.exactness = 1 as rounded
      from tracked_items i
      join (values ('followers', ${bitsBefore('followers')}::int), ('likes', ${bitsBefore('likes')}::int),
        ('views', ${bitsBefore('views')}::int)) as m (metric, shift)
        on m.metric = case when i.kind in ('profile', 'channel') then 'followers' when i.platform = 'photo' then 'likes'
          else 'views' end
      cross join lateral (
        select ${value}
        from observations o where o.workspace_id = ${workspaceId} and o.item_id = i.item_id and o.observed_at > ${since}
        order by o.observed_at desc limit 1
      ) new
      cross join lateral (
        select ${value}
        from observations o where o.workspace_id = ${workspaceId} and o.item_id = i.item_id
          and o.observed_at <= ${since} and o.observed_at > ${since}::timestamptz - interval '2 days'
        order by o.observed_at desc limit 1
      ) old
      where i.workspace_id = ${workspaceId} and not i.identity_changed and new.exactness = old.exactness
    )
    select name, metric, value, previous, rounded, count(*) over ()::int as found from ends
    where previous > 0 and value <> previous
    order by abs(value - previous)::float8 / previous desc, item_id limit ${limit}`;
}

/** A tracked item whose newest check failed or was skipped. */
export interface FailedCheck {
  name: string;
  /** The error code of the failed check, or `SKIPPED_` and the cause. */
  outcome: string;
  message: string | null;
  /** The number of all such items, including those that are not in the limited list. */
  found: number;
}

/**
 * Returns at most `limit` tracked items whose newest check failed, or was skipped because credits were missing or the
 * monthly cap was reached. Considers only checks after `since`. Leaves out checks that the user paused.
 */
export async function itemsThatFailed(
  sql: Sql,
  workspaceId: string,
  since: Date,
  limit: number,
): Promise<FailedCheck[]> {
  return sql<FailedCheck[]>`
    select name, outcome, message, count(*) over ()::int as found from (
      select distinct on (a.item_id) coalesce(i.name, i.url) as name, a.outcome, a.message
      from check_attempts a join tracked_items i on i.workspace_id = a.workspace_id and i.item_id = a.item_id
      where a.workspace_id = ${workspaceId} and a.attempted_at > ${since}
      order by a.item_id, a.attempted_at desc
    ) newest where outcome not in ('OK', 'SKIPPED_PAUSED') order by name limit ${limit}`;
}

/** Scheduled work that failed, for a summary message: `what` names the work and `reason` says why the work failed. */
export interface FailedWork {
  what: string;
  reason: string;
  /** The number of all failed work, including work that is not in the limited list. */
  found: number;
}

/**
 * Returns at most `limit` spreadsheets whose last write failed, and sheet imports and webhooks that failed after
 * `since`. A failed write is repeated every hour, and its spreadsheet is returned until a write succeeds. Leaves out
 * spreadsheets of paused campaigns, because nothing is written for them.
 */
export async function failedWork(sql: Sql, workspaceId: string, since: Date, limit: number): Promise<FailedWork[]> {
  return sql<FailedWork[]>`
    select *, count(*) over ()::int as found from (
      select 'Spreadsheet ' || sheet_name as what, coalesce(last_message, last_outcome) as reason from sheet_targets
      where workspace_id = ${workspaceId} and last_outcome <> 'OK' and not exists (
        select from campaigns c where c.workspace_id = ${workspaceId}
          and c.campaign_id = sheet_targets.campaign_id and c.status = 'paused')
      union all
      select 'Sheet import ' || i.label, coalesce(r.message, r.outcome)
      from sheet_import_runs r
      join sheet_imports i on i.workspace_id = r.workspace_id and i.import_id = r.import_id
      where r.workspace_id = ${workspaceId} and r.finished_at > ${since} and r.outcome not in ('OK', 'CANCELLED')
      union all
      select 'Webhook ' || substring(url from '^[a-z]+://[^/]+'), disabled_reason from webhook_endpoints
      where workspace_id = ${workspaceId} and disabled_at > ${since}
      union all
      select 'Webhook ' || substring(e.url from '^[a-z]+://[^/]+'), d.number || ' messages could not be delivered'
      from (select endpoint_id, count(*) as number from webhook_deliveries
        where workspace_id = ${workspaceId} and status = 'failed' and created_at > ${since} group by endpoint_id) d
      join webhook_endpoints e on e.workspace_id = ${workspaceId} and e.endpoint_id = d.endpoint_id
    ) failed order by what, reason limit ${limit}`;
}
