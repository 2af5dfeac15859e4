import type { Fragment, Sql } from 'postgres';
import { deleteOld } from '../delete-old.ts';
import { isDistributed } from '../distribution/distributed.ts';
import { byWorkspace, inWorkspace } from '../distribution/one-workspace.ts';
import { newIdInSql } from '../ids.ts';
import { lockWorkspace } from '../transaction.ts';
import type { RecipientChannel } from './recipients.ts';

export type NotificationStatus = 'waiting' | 'sent' | 'shown' | 'failed' | 'skipped';

/**
 * The recipients of a message: those with the listed ids, or everyone who subscribed to the topic. `even_unconfirmed`
 * includes recipients who have not confirmed yet, for example for the request to confirm. For a report, `campaign_id`
 * leaves out recipients who subscribed only to other campaigns.
 */
export type Audience =
  | { recipient_ids: readonly string[]; even_unconfirmed?: boolean }
  | { topic: string; campaign_id: string | null };

interface NewNotification {
  kind: string;
  /**
   * Identifies the subject of the message, such as a report. A recipient gets at most one message of each kind about
   * the same subject.
   */
  subject_key: string;
  /** The JSON text of the message. */
  message: string;
}

/** Maximum number of messages (email and Slack) that a workspace can create in 24 hours. */
const messagesPerDay = 500;

const limitReached = `Not sent: the workspace has reached its limit of ${messagesPerDay} messages in 24 hours.`;

/**
 * Stores a message for each recipient who confirmed and did not unsubscribe, and returns the number of messages to
 * send. A message that is already stored for a recipient is not stored again.
 */
export async function addNotifications(
  tx: Sql,
  workspaceId: string,
  audience: Audience,
  { kind, subject_key, message }: NewNotification,
  now: Date,
): Promise<number> {
  // Locks the workspace, so that no other transaction can add messages while the daily limit is checked.
  await lockWorkspace(tx, workspaceId);
  const ids = 'recipient_ids' in audience ? [...audience.recipient_ids] : null;
  const evenUnconfirmed = 'recipient_ids' in audience && audience.even_unconfirmed === true;
  const { topic, campaign_id } = 'topic' in audience ? audience : { topic: null, campaign_id: null };
  const rows = await tx<{ status: NotificationStatus }[]>`
    with created as (
      select count(*) as number from notifications
      where workspace_id = ${workspaceId} and created_at > ${now}::timestamptz - interval '24 hours'
    ), chosen as (
      select *, row_number() over (order by recipient_id) as position from alert_recipients
      where workspace_id = ${workspaceId} and unsubscribed_at is null
        and (confirmed_at is not null or ${evenUnconfirmed})
        and (recipient_id = any(${ids}::uuid[]) or ${topic}::text = any(topics)
          and (campaign_ids = '{}' or ${campaign_id}::uuid is null or ${campaign_id}::uuid = any(campaign_ids)))
    )
    insert into notifications as made
      (workspace_id, notification_id, recipient_id, kind, subject_key, message, status, result, next_at, created_at)
    select c.workspace_id, ${newIdInSql(tx, now)}, c.recipient_id, ${kind}, ${subject_key}, ${message}::text::jsonb,
      case when n.number + c.position > ${messagesPerDay} then 'failed' else 'waiting' end,
      case when n.number + c.position > ${messagesPerDay} then ${limitReached} end, ${now}, ${now}
    from chosen c, created n on conflict do nothing returning made.status`;
  return rows.filter(({ status }) => status === 'waiting').length;
}

/** A stored message that must be sent now, with the address of its recipient. */
export interface DueNotification {
  workspace_id: string;
  workspace_name: string;
  notification_id: string;
  recipient_id: string;
  channel: RecipientChannel;
  address: string;
  kind: string;
  message: unknown;
  /** Number of attempts to send the message, including the one that begins now. */
  attempts: number;
}

/** Number of seconds after which an attempt without a result counts as lost. The message is then sent again. */
const leaseSeconds = 300;

/**
 * Returns the SQL that selects the next due messages. The first message of every workspace comes before the second
 * message of any workspace. Otherwise, a workspace with many messages to a slow receiver would delay all others.
 */
const nextDue = (sql: Sql, now: Date, limit: number, except: readonly string[]) => sql`
  select workspace_id, notification_id from (
    select workspace_id, notification_id, next_at,
      row_number() over (partition by workspace_id order by attempts, next_at, notification_id) as turn
    from notifications
    where status = 'waiting' and next_at <= ${now} and not workspace_id = any(${[...except]}::uuid[])
  ) t order by turn, next_at limit ${limit}`;

/**
 * Claims up to `limit` due messages for sending, so that no other process sends them in the next five minutes. Leaves
 * out the messages of the workspaces `except`. Skips messages to recipients who have unsubscribed, and about campaigns
 * and bulk analyses that were deleted.
 */
export async function claimNotifications(
  sql: Sql,
  now: Date,
  limit: number,
  except: readonly string[] = [],
): Promise<DueNotification[]> {
  if (isDistributed(sql)) return claimOfWorkspaces(sql, now, limit, except);
  return sql<DueNotification[]>`
    with due as materialized (
      select n.workspace_id, n.notification_id from notifications n
      join (${nextDue(sql, now, limit, except)}) t on t.workspace_id = n.workspace_id and t.notification_id = n.notification_id
      where n.status = 'waiting' and n.next_at <= ${now} for update of n skip locked
    ), claimed as (
      update notifications n set ${leased(sql, now, null)}
      from due d, alert_recipients r
      where n.workspace_id = d.workspace_id and n.notification_id = d.notification_id
        and r.workspace_id = n.workspace_id and r.recipient_id = n.recipient_id
      returning n.*, r.channel, r.address
    )
    select c.workspace_id, w.name as workspace_name, c.notification_id, c.recipient_id, c.channel, c.address, c.kind,
      c.message, c.attempts
    from claimed c join workspaces w on w.workspace_id = c.workspace_id
    where c.status = 'waiting' order by c.notification_id`;
}

/**
 * Returns the SQL assignments that mark notification `n` as being sent. If there is a reason not to send it to its
 * recipient `r`, they mark it as skipped instead.
 */
function leased(sql: Sql, now: Date, workspace: string | null): Fragment {
  const reason = skipReason(sql, workspace);
  return sql`
    status = case when ${reason} is null then 'waiting' else 'skipped' end, result = coalesce(${reason}, n.result),
    attempts = n.attempts + case when ${reason} is null then 1 else 0 end,
    next_at = ${now}::timestamptz + ${leaseSeconds} * interval '1 second'`;
}

/**
 * Returns the SQL expression for the reason why message `n` must not be sent to its recipient `r`; null when it must be
 * sent.
 */
function skipReason(sql: Sql, workspace: string | null): Fragment {
  const isDeleted = (table: string, id: string) => sql`not exists (
      select from ${sql(table)} s
      where s.workspace_id = n.workspace_id${inWorkspace(sql, 's', workspace)} and s.${sql(id)}::text = n.subject_key)`;
  return sql`case when r.unsubscribed_at is not null then 'Not sent: the recipient unsubscribed.'
    when n.kind = 'weekly_report' and ${isDeleted('reports', 'report_id')} then 'Not sent: the campaign was deleted.'
    when n.kind = 'batch_finished' and ${isDeleted('batches', 'batch_id')} then 'Not sent: the bulk analysis was deleted.'
    end`;
}

// Claims due messages in a distributed database (Citus), where one statement cannot lock rows on several nodes. Each
// update therefore checks again that the message is due, so that only one process gets it.
async function claimOfWorkspaces(
  sql: Sql,
  now: Date,
  limit: number,
  except: readonly string[],
): Promise<DueNotification[]> {
  const due = await sql<{ workspace_id: string; notification_id: string }[]>`${nextDue(sql, now, limit, except)}`;
  const claimed = await Promise.all(
    byWorkspace(sql, due).map(({ workspace, items }) => {
      const ids = items.map(({ notification_id }) => notification_id);
      return sql<(DueNotification & { status: NotificationStatus })[]>`
        update notifications n set ${leased(sql, now, workspace)}
        from alert_recipients r, workspaces w
        where n.workspace_id = ${workspace} and n.notification_id = any(${ids}::uuid[]) and n.status = 'waiting'
          and n.next_at <= ${now} and r.workspace_id = ${workspace} and r.recipient_id = n.recipient_id
          and w.workspace_id = ${workspace}
        returning n.workspace_id, w.name as workspace_name, n.notification_id, n.recipient_id, r.channel, r.address,
          n.kind, n.message, n.attempts, n.status`;
    }),
  );
  return claimed
    .flat()
    .filter(({ status }) => status === 'waiting')
    .map(({ status: _, ...notification }) => notification)
    .sort((one, other) => one.notification_id.localeCompare(other.notification_id));
}

export interface SendResult {
  status: NotificationStatus;
  result: string | null;
  /** When the message is sent again. Used only while its status is `waiting`. */
  next_at: Date;
}

/** Stores the result of an attempt to send a message. Does nothing when a newer attempt has already begun. */
export async function recordSent(
  sql: Sql,
  { workspace_id, notification_id, attempts }: DueNotification,
  { status, result, next_at }: SendResult,
  now: Date,
): Promise<void> {
  await sql`
    update notifications set status = ${status}, result = ${result}, next_at = ${next_at},
      sent_at = ${status === 'sent' ? now : null}
    where workspace_id = ${workspace_id} and notification_id = ${notification_id} and status = 'waiting'
      and attempts = ${attempts}`;
}

export interface LoggedNotification {
  notification_id: string;
  recipient_id: string;
  label: string;
  channel: RecipientChannel;
  kind: string;
  message: unknown;
  status: NotificationStatus;
  attempts: number;
  result: string | null;
  next_at: Date;
  created_at: Date;
  sent_at: Date | null;
}

/** Number of messages on one page of the message log. */
export const messagesPerPage = 50;

/** Returns the message log of a workspace, newest first. With `before` (a message id), returns only older messages. */
export async function listNotifications(
  sql: Sql,
  workspaceId: string,
  before: string | null = null,
): Promise<LoggedNotification[]> {
  return sql<LoggedNotification[]>`
    select n.notification_id, n.recipient_id, r.label, r.channel, n.kind, n.message, n.status, n.attempts, n.result,
      n.next_at, n.created_at, n.sent_at
    from notifications n
    join alert_recipients r on r.workspace_id = n.workspace_id and r.recipient_id = n.recipient_id
    where n.workspace_id = ${workspaceId} and (${before}::uuid is null or n.notification_id < ${before}::uuid)
    order by n.notification_id desc limit ${messagesPerPage}`;
}

/** Returns one message of the message log; null when the workspace has no such message. */
export async function findNotification(
  sql: Sql,
  workspaceId: string,
  notificationId: string,
): Promise<LoggedNotification | null> {
  const [row] = await sql<LoggedNotification[]>`
    select n.*, r.label, r.channel from notifications n
    join alert_recipients r on r.workspace_id = n.workspace_id and r.recipient_id = n.recipient_id
    where n.workspace_id = ${workspaceId} and n.notification_id = ${notificationId}`;
  return row ?? null;
}

/** Queues a failed message again. Returns false when the message did not fail or does not exist. */
export async function retryNotification(
  sql: Sql,
  workspaceId: string,
  notificationId: string,
  now: Date,
): Promise<boolean> {
  const rows = await sql`
    update notifications set status = 'waiting', attempts = 0, next_at = ${now}, result = null
    where workspace_id = ${workspaceId} and notification_id = ${notificationId} and status = 'failed'
    returning notification_id`;
  return rows.length === 1;
}

/**
 * Deletes messages of all workspaces that were created before `before` and are not waiting to be sent. Returns the
 * number of deleted messages.
 */
export function removeNotifications(sql: Sql, before: Date): Promise<number> {
  return deleteOld(sql, 'notifications', sql`created_at < ${before} and status <> 'waiting'`);
}
