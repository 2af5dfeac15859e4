import type { Sql } from 'postgres';
import { newId } from '../ids.ts';
import type { Tier } from '../tier.ts';
import { alone } from '../transaction.ts';

const recipientChannels = ['mail', 'slack'] as const;
export type RecipientChannel = (typeof recipientChannels)[number];

interface NewRecipient {
  channel: RecipientChannel;
  /** An email address in lower case, or the URL of a Slack webhook. */
  address: string;
  label: string;
  topics: readonly string[];
  /** The campaigns whose weekly reports the recipient gets. An empty list means all campaigns. */
  campaign_ids: readonly string[];
}

export interface Recipient extends NewRecipient {
  recipient_id: string;
  topics: string[];
  campaign_ids: string[];
  /**
   * When the owner of the address agreed to receive messages. Null before that: only the request to confirm is sent.
   */
  confirmed_at: Date | null;
  unsubscribed_at: Date | null;
}

/**
 * Maximum number of alert and report recipients (email addresses, Slack channels) of one workspace. Recipients who
 * unsubscribed do not count, because they cannot be removed.
 */
export const maxRecipients = 20;

type AddedRecipient =
  | { outcome: 'added'; recipient_id: string; confirmed: boolean }
  | { outcome: 'known'; unsubscribed: boolean }
  | { outcome: 'full' };

/**
 * Adds a recipient of alerts and reports. A Slack channel and the verified email address of a member count as
 * confirmed. Any other address must be confirmed by its owner.
 */
export function addRecipient(
  sql: Sql,
  workspaceId: string,
  recipient: NewRecipient,
  now: Date,
): Promise<AddedRecipient> {
  return alone(sql, workspaceId, async (tx) => {
    const { channel, address, label } = recipient;
    const [counted] = await tx<{ unsubscribed: boolean | null; total: number; confirmed: boolean }[]>`
      select count(*) filter (where unsubscribed_at is null)::int as total,
        bool_or(unsubscribed_at is not null) filter (where channel = ${channel} and address = ${address}) as unsubscribed,
        ${channel} = 'slack' or exists (
          select from members m join auth_users u on u.id = m.user_id
          where m.workspace_id = ${workspaceId} and lower(u.email) = ${address} and u.email_verified) as confirmed
      from alert_recipients where workspace_id = ${workspaceId}`;
    if (!counted) throw new Error('the count returned no row');
    if (counted.unsubscribed !== null) return { outcome: 'known', unsubscribed: counted.unsubscribed };
    if (counted.total >= maxRecipients) return { outcome: 'full' };
    const recipientId = newId(now);
    const confirmedAt = counted.confirmed ? now : null;
    await tx`
      insert into alert_recipients
        (workspace_id, recipient_id, channel, address, label, topics, campaign_ids, confirmed_at, created_at)
      values (${workspaceId}, ${recipientId}, ${channel}, ${address}, ${label}, ${[...recipient.topics]}::text[],
        ${[...recipient.campaign_ids]}::uuid[], ${confirmedAt}, ${now})`;
    return { outcome: 'added', recipient_id: recipientId, confirmed: counted.confirmed };
  });
}

/** Returns the alert and report recipients of a workspace, oldest first. */
export async function listRecipients(sql: Sql, workspaceId: string): Promise<Recipient[]> {
  return sql<Recipient[]>`
    select recipient_id, channel, address, label, topics, campaign_ids, confirmed_at, unsubscribed_at
    from alert_recipients where workspace_id = ${workspaceId} order by recipient_id`;
}

/**
 * Changes the topics and campaigns about which a recipient gets messages. Leaves out deleted campaigns. When all chosen
 * campaigns were deleted, changes nothing and returns false, because an empty list would mean all campaigns. Also
 * returns false when the workspace has no such recipient. Locks the workspace first, so that no campaign is deleted at
 * the same time.
 */
export function changeRecipient(
  sql: Sql,
  workspaceId: string,
  recipientId: string,
  { topics, campaign_ids }: Pick<NewRecipient, 'topics' | 'campaign_ids'>,
): Promise<boolean> {
  return alone(sql, workspaceId, async (tx) => {
    const known = await tx<{ campaign_id: string }[]>`
      select campaign_id from campaigns
      where workspace_id = ${workspaceId} and campaign_id = any(${[...campaign_ids]}::uuid[])`;
    if (campaign_ids.length > 0 && known.length === 0) return false;
    const rows = await tx`
      update alert_recipients set topics = ${[...topics]}::text[],
        campaign_ids = ${known.map(({ campaign_id }) => campaign_id)}::uuid[]
      where workspace_id = ${workspaceId} and recipient_id = ${recipientId} returning recipient_id`;
    return rows.length === 1;
  });
}

/**
 * Returns true for a person who unsubscribed, unless the remover is this person. If such a recipient could be removed,
 * it could be added again, and a member would then get messages again without agreeing.
 */
export function mustStay(
  { channel, address, unsubscribed_at }: Pick<Recipient, 'channel' | 'address' | 'unsubscribed_at'>,
  removerEmail: string,
): boolean {
  return channel === 'mail' && unsubscribed_at !== null && address !== removerEmail.toLowerCase();
}

/**
 * Deletes a recipient and the log of messages to the recipient, unless the recipient must stay. Returns null when the
 * workspace has no such recipient. Locks the workspace first, because a transaction that adds messages would fail if
 * one of its recipients disappeared.
 */
export async function removeRecipient(
  sql: Sql,
  workspaceId: string,
  recipientId: string,
  removerEmail: string,
): Promise<'removed' | 'kept' | null> {
  return alone(sql, workspaceId, async (tx) => {
    // The lock of the row makes a person who unsubscribes at this moment wait.
    const [found] = await tx<Pick<Recipient, 'channel' | 'address' | 'unsubscribed_at'>[]>`
      select channel, address, unsubscribed_at from alert_recipients
      where workspace_id = ${workspaceId} and recipient_id = ${recipientId} for update`;
    if (!found) return null;
    if (mustStay(found, removerEmail)) return 'kept';
    await tx`delete from alert_recipients where workspace_id = ${workspaceId} and recipient_id = ${recipientId}`;
    return 'removed';
  });
}

/** The data of a recipient for the page behind the unsubscribe or confirm link of an email. */
export interface Subscription {
  workspace_name: string;
  tier: Tier;
  channel: RecipientChannel;
  address: string;
  topics: string[];
  campaign_ids: string[];
  confirmed_at: Date | null;
  unsubscribed_at: Date | null;
}

/** Returns a message recipient with the name of its workspace; null when the recipient was removed. */
export async function findSubscription(
  sql: Sql,
  workspaceId: string,
  recipientId: string,
): Promise<Subscription | null> {
  const [row] = await sql<Subscription[]>`
    select w.name as workspace_name, w.tier, r.channel, r.address, r.topics, r.campaign_ids, r.confirmed_at, r.unsubscribed_at
    from alert_recipients r join workspaces w on w.workspace_id = r.workspace_id
    where r.workspace_id = ${workspaceId} and r.recipient_id = ${recipientId}`;
  return row ?? null;
}

/**
 * Confirms or ends the subscription of a message recipient. A repeated call keeps the time of the first call. Returns
 * false when the recipient was removed.
 */
export async function setSubscribed(
  sql: Sql,
  workspaceId: string,
  recipientId: string,
  subscribed: boolean,
  now: Date,
): Promise<boolean> {
  const rows = await sql`
    update alert_recipients set
      confirmed_at = case when ${subscribed} then coalesce(confirmed_at, ${now}) else confirmed_at end,
      unsubscribed_at = case when ${subscribed} then null else coalesce(unsubscribed_at, ${now}) end
    where workspace_id = ${workspaceId} and recipient_id = ${recipientId} returning recipient_id`;
  return rows.length === 1;
}
