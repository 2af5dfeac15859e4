import type { Fragment, Sql } from 'postgres';
import { isValid } from '../accounts/key-conditions.ts';
import { hashOfNoKey } from '../accounts/keys.ts';
import { isLinkToken, newLinkToken } from '../accounts/link-tokens.ts';
import { hashSecret } from '../accounts/secrets.ts';
import { creditsUsed } from '../calendar.ts';
import { isDistributed } from '../distribution/distributed.ts';
import { inWorkspace, tableOf } from '../distribution/one-workspace.ts';
import { hourSeconds } from '../durations.ts';
import { newId } from '../ids.ts';
import type { Tier } from '../tier.ts';
import { alone } from '../transaction.ts';

/**
 * Maximum number of valid data links of one workspace. Revoked and expired links, and links to deleted data, do not
 * count.
 */
export const maxDataLinks = 50;
/** Limits how often one data link can be read: 60 reads per hour. */
export const linkReads = { limit: 60, window_seconds: hourSeconds } as const;
/**
 * Minimum number of seconds between two reads of a data link that fetch outdated values from the sources. All reads in
 * between return cached values.
 */
const refreshPauseSeconds = 600;
/** Maximum number of data links that a list shows, including revoked and expired ones. */
const maxListed = 200;

/**
 * The table that a data link shows. A null `list_id` means all tracked items. `week` selects the finished report of the
 * week that begins on this Monday (`YYYY-MM-DD`, UTC). Without `week`, the link shows the newest report.
 */
export type LinkContent =
  | { kind: 'list'; list_id: string | null }
  | { kind: 'history'; list_id: string | null }
  | { kind: 'batch'; batch_id: string }
  | { kind: 'report'; campaign_id: string; section: 'totals' | 'items' | 'series'; week?: string }
  | { kind: 'profiles'; urls: readonly string[]; fields: readonly string[] | null }
  | { kind: 'posts'; urls: readonly string[]; limit: number };

/**
 * When a read of a data link fetches a value again: `max_age` is the maximum age of the value, and the cap limits the
 * credits for this per UTC month.
 */
export interface LinkRefresh {
  max_age: string;
  monthly_cap: number;
}

export interface NewDataLink {
  label: string;
  content: LinkContent;
  refresh: LinkRefresh | null;
  expires_at: Date | null;
}

/**
 * The id and secret of a new data link. If no link was created, `reason` says why: `full` (the limit is reached) or
 * `unknown` (the workspace does not have the table to show).
 */
type DataLinkAdded = { link_id: string; token: string } | { token: null; reason: 'full' | 'unknown' };

/**
 * Creates a data link. The secret is returned only by this call, because the database stores only its hash. A link that
 * fetches values gets a separate API key with the link's monthly cap. The text of this key is not stored.
 */
export function addDataLink(sql: Sql, workspaceId: string, link: NewDataLink, now: Date): Promise<DataLinkAdded> {
  const token = newLinkToken();
  return alone(sql, workspaceId, async (tx) => {
    if (!(await hasContent(tx, workspaceId, link.content))) return { token: null, reason: 'unknown' };
    const [valid] = await tx<{ links: number }[]>`
      select count(*)::int as links from data_links l
      where workspace_id = ${workspaceId} and ${isValid(tx, 'l', now)} and not ${isContentDeleted(tx, workspaceId)}`;
    if ((valid?.links ?? 0) >= maxDataLinks) return { token: null, reason: 'full' };
    const keyId = link.refresh && (await addLinkKey(tx, workspaceId, link.label, link.refresh.monthly_cap));
    const linkId = newId(now);
    await tx`
      insert into data_links (workspace_id, link_id, token_hash, label, content, refresh, key_id, created_at, expires_at)
      values (${workspaceId}, ${linkId}, ${hashSecret(token)}, ${link.label}, ${tx.json(link.content as never)},
        ${link.refresh?.max_age ?? null}, ${keyId}, ${now}, ${link.expires_at})`;
    return { link_id: linkId, token };
  });
}

async function hasContent(tx: Sql, workspaceId: string, content: LinkContent): Promise<boolean> {
  const {
    list_id = null,
    batch_id = null,
    campaign_id = null,
    week = null,
  } = content as Record<string, string | null | undefined>;
  if (list_id === null && batch_id === null && campaign_id === null) return true;
  const rows = await tx`
    select true from tracking_lists where workspace_id = ${workspaceId} and list_id = ${list_id}::uuid
    union all select true from batches where workspace_id = ${workspaceId} and batch_id = ${batch_id}::uuid
    union all select true from campaigns c where workspace_id = ${workspaceId} and campaign_id = ${campaign_id}::uuid
      and (${week}::timestamptz is null or exists (
        select from reports r where r.workspace_id = c.workspace_id and r.campaign_id = c.campaign_id
          and r.period_start = ${week && new Date(week)}::timestamptz))`;
  return rows.length === 1;
}

/** Returns the SQL condition that the list, bulk analysis or campaign of the data link `l` was deleted. */
function isContentDeleted(sql: Sql, workspaceId: string): Fragment {
  const isMissing = (table: string, id: string) => sql`l.content->>${id} is not null and not exists (
    select from ${sql(table)} c where c.workspace_id = ${workspaceId} and c.${sql(id)} = (l.content->>${id})::uuid)`;
  return sql`(${isMissing('tracking_lists', 'list_id')} or ${isMissing('batches', 'batch_id')}
    or ${isMissing('campaigns', 'campaign_id')})`;
}

async function addLinkKey(tx: Sql, workspaceId: string, label: string, monthlyCap: number): Promise<string> {
  const keyId = newId();
  await tx`
    insert into api_keys (workspace_id, key_id, hash, kind, name, last_four, monthly_cap)
    values (${workspaceId}, ${keyId}, ${hashOfNoKey()}, 'sheet', ${`Data link: ${label}`}, '', ${monthlyCap})`;
  return keyId;
}

export interface ListedDataLink {
  link_id: string;
  label: string;
  content: LinkContent;
  /** True when the list, bulk analysis or campaign that the link shows was deleted. */
  content_deleted: boolean;
  refresh: string | null;
  monthly_cap: number | null;
  /** Credits charged for reads of this data link in the current UTC month. */
  cap_used: number;
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_read_at: Date | null;
  reads: number;
}

/** Returns the data links of a workspace, newest first. */
export function listDataLinks(sql: Sql, workspaceId: string, now: Date): Promise<ListedDataLink[]> {
  return sql<ListedDataLink[]>`
    select l.link_id, l.label, l.content, ${isContentDeleted(sql, workspaceId)} as content_deleted, l.refresh, k.monthly_cap, l.created_at, l.expires_at, l.revoked_at,
      l.last_read_at, l.reads, ${creditsUsed(sql, 'k', now)} as cap_used
    from data_links l left join api_keys k on k.workspace_id = l.workspace_id and k.key_id = l.key_id
    where l.workspace_id = ${workspaceId} order by l.created_at desc, l.link_id desc limit ${maxListed}`;
}

/** Returns the label of a data link; null when the workspace has no such link. */
export async function dataLinkLabel(sql: Sql, workspaceId: string, linkId: string): Promise<string | null> {
  const [link] = await sql<{ label: string }[]>`
    select label from data_links where workspace_id = ${workspaceId} and link_id = ${linkId}`;
  return link?.label ?? null;
}

/** Identifies a data link. If `workspace_id` is null, the link may be in any workspace. */
interface DataLinkId {
  workspace_id: string | null;
  link_id: string;
}

/**
 * Revokes a data link and its API key immediately. Returns the workspace and label of the link; null when there is no
 * such link or it is already revoked.
 */
export async function revokeDataLink(
  sql: Sql,
  { workspace_id, link_id }: DataLinkId,
  now: Date,
): Promise<{ workspace_id: string; label: string } | null> {
  const [link] = await sql<{ workspace_id: string; label: string }[]>`
    with revoked as (
      update data_links set revoked_at = ${now}
      where link_id = ${link_id} and revoked_at is null
        and (${workspace_id}::uuid is null or workspace_id = ${workspace_id}::uuid)
      returning workspace_id, key_id, label
    ), ended as (
      update api_keys k set revoked_at = ${now} from revoked r
      where k.workspace_id = r.workspace_id and k.key_id = r.key_id and k.revoked_at is null
    )
    select workspace_id, label from revoked`;
  return link ?? null;
}

/**
 * Creates a new secret for a valid data link, so that its old URL stops working immediately. Returns null when the
 * workspace has no such link.
 */
export async function replaceDataLinkSecret(
  sql: Sql,
  workspaceId: string,
  linkId: string,
  now: Date,
): Promise<{ token: string; label: string } | null> {
  const token = newLinkToken();
  const [link] = await sql<{ label: string }[]>`
    update data_links set token_hash = ${hashSecret(token)}
    where workspace_id = ${workspaceId} and link_id = ${linkId} and ${isValid(sql, 'data_links', now)}
    returning label`;
  return link ? { token, label: link.label } : null;
}

/** A data link whose URL was just requested, with all data that is needed to answer the request. */
export interface OpenedDataLink {
  workspace_id: string;
  label: string;
  content: LinkContent;
  refresh: string | null;
  key_id: string | null;
  tier: Tier;
  state: 'open' | 'revoked' | 'expired' | 'limited';
  /** When the current time window of the link's rate limit ends. */
  window_ends_at: Date;
  /** True when this read may fetch outdated values from the sources. */
  may_refresh: boolean;
  balance: number;
  /** Credits that the data link may still spend: the balance or the rest of its monthly cap, whichever is lower. */
  credits_left: number;
}

/**
 * Returns the data link with this secret; null when it does not exist. Counts the read when the link is valid and
 * within its rate limit. Set `refresh` to false for a read that must not fetch values from the sources.
 */
export async function openDataLink(
  sql: Sql,
  token: string,
  { now, refresh }: { now: Date; refresh: boolean },
): Promise<OpenedDataLink | null> {
  if (!isLinkToken(token)) return null;
  const workspace = isDistributed(sql) ? await workspaceOfLink(sql, token) : null;
  if (isDistributed(sql) && workspace === null) return null;
  const after = (seconds: number) => new Date(now.getTime() + seconds * 1000);
  const { limit, window_seconds } = linkReads;
  // Ignores a stored rate limit window that ends later than a window that begins now, and a pause between two refreshes
  // that ends later than a pause that begins now, because the clock must have been set back.
  const [link] = await sql<OpenedDataLink[]>`
    with found as materialized (
      select * from data_links where token_hash = ${hashSecret(token)}${inWorkspace(sql, 'data_links', workspace)}
      for no key update
    ), known as materialized (
      select f.*, w.tier, b.balance,
        least(b.balance, k.monthly_cap - ${creditsUsed(sql, 'k', now)}) as credits_left,
        coalesce(f.window_ends_at > ${now} and f.window_ends_at <= ${after(window_seconds)}, false) as in_window,
        (${refresh} and k.revoked_at is null and f.refresh is not null
          and coalesce(f.refreshed_at <= ${after(-refreshPauseSeconds)} or f.refreshed_at > ${after(refreshPauseSeconds)}, true)
        ) as may_refresh
      from found f
      join workspaces w on w.workspace_id = f.workspace_id
      join credit_balances b on b.workspace_id = f.workspace_id
      left join ${tableOf(sql, 'api_keys', workspace)} k on k.workspace_id = f.workspace_id and k.key_id = f.key_id
      where true${inWorkspace(sql, 'w', workspace)}${inWorkspace(sql, 'b', workspace)}
    ), decided as materialized (
      select workspace_id, link_id, label, content, refresh, key_id, tier, balance, credits_left, may_refresh,
        case when in_window then window_ends_at else ${after(window_seconds)} end as window_ends_at,
        case when in_window then window_reads else 0 end as window_reads,
        case when revoked_at is not null then 'revoked' when expires_at <= ${now} then 'expired'
          when in_window and window_reads >= ${limit} then 'limited' else 'open' end as state
      from known
    ), counted as (
      update data_links l set reads = l.reads + 1, last_read_at = ${now}, window_ends_at = d.window_ends_at,
        window_reads = d.window_reads + 1,
        refreshed_at = case when d.may_refresh then ${now} else l.refreshed_at end
      from decided d where l.workspace_id = d.workspace_id and l.link_id = d.link_id and d.state = 'open'
        ${inWorkspace(sql, 'l', workspace)}
    )
    select * from decided`;
  return link ?? null;
}

async function workspaceOfLink(sql: Sql, token: string): Promise<string | null> {
  const [link] = await sql<{ workspace_id: string }[]>`
    select workspace_id from data_links where token_hash = ${hashSecret(token)}`;
  return link?.workspace_id ?? null;
}
