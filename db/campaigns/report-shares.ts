import { createHmac } from 'node:crypto';
import type { Sql } from 'postgres';
import { isLinkToken } from '../accounts/link-tokens.ts';
import { hashSecret } from '../accounts/secrets.ts';
import { newId } from '../ids.ts';
import type { Tier } from '../tier.ts';
import { alone } from '../transaction.ts';

/** Maximum number of valid public report links of one campaign. Expired and revoked links do not count. */
export const maxLiveShares = 20;
/** Maximum number of public report links that a list shows, including expired and revoked ones. */
const maxListed = 100;

interface NewShare {
  campaign_id: string;
  /**
   * The id of the shared report. Null shares the report of the current period: the link then always shows the newest
   * period.
   */
  report_id: string | null;
  expires_at: Date;
  /** The person or client that the report link is for. Readers of the report do not see this text. */
  label: string;
}

/**
 * The token of a new report link. If no link was created, `reason` says why: `full` (the limit is reached) or `unknown`
 * (no such campaign or report).
 */
type ShareAdded = { token: string } | { token: null; reason: 'full' | 'unknown' };

/**
 * Returns the token of a report link, computed from a secret key of the server and the ids. The database stores only
 * the hash of the token, so the server computes the token again when a user copies the link later.
 */
function shareToken(key: string, workspaceId: string, shareId: string): string {
  return createHmac('sha256', key).update(`report share ${workspaceId} ${shareId}`).digest('base64url');
}

/**
 * Creates a link with which anyone can read one report of a campaign. The token in the link is computed from `key`, and
 * the database stores only the hash of the token.
 */
export function addShare(sql: Sql, workspaceId: string, share: NewShare, key: string, now: Date): Promise<ShareAdded> {
  const { campaign_id, report_id, expires_at, label } = share;
  const shareId = newId(now);
  const token = shareToken(key, workspaceId, shareId);
  return alone(sql, workspaceId, async (tx) => {
    const [row] = await tx<{ known: boolean; added: boolean }[]>`
      with known as materialized (
        select true as known from campaigns where workspace_id = ${workspaceId} and campaign_id = ${campaign_id}
          and (${report_id}::uuid is null or exists (
            select from reports
            where workspace_id = ${workspaceId} and campaign_id = ${campaign_id} and report_id = ${report_id}::uuid))
      ), added as (
        insert into report_shares as made (workspace_id, share_id, campaign_id, report_id, token_hash, created_at, expires_at, label)
        select ${workspaceId}::uuid, ${shareId}::uuid, ${campaign_id}::uuid, ${report_id}::uuid, ${hashSecret(token)},
          ${now}, ${expires_at}, ${label}
        from known where (
          select count(*) from report_shares
          where workspace_id = ${workspaceId} and campaign_id = ${campaign_id} and revoked_at is null
            and expires_at > ${now}) < ${maxLiveShares}
        returning made.share_id
      )
      select exists (select from known) as known, exists (select from added) as added`;
    if (row?.added) return { token };
    return { token: null, reason: row?.known ? 'full' : 'unknown' };
  });
}

export interface ListedShare {
  share_id: string;
  /** The id of the shared report; null for the report of the current period. */
  report_id: string | null;
  /** When the period of the shared report begins; null for the report of the current period. */
  period_start: Date | null;
  created_at: Date;
  expires_at: Date;
  revoked_at: Date | null;
  label: string;
  views: number;
  last_viewed_at: Date | null;
  /**
   * The token of the report link. Null when the link was created with an earlier secret key of the server. Such a link
   * still works, but cannot be copied again.
   */
  token: string | null;
}

/** Returns the public report links of a campaign, newest first, with their tokens. */
export async function listShares(
  sql: Sql,
  workspaceId: string,
  campaignId: string,
  key: string,
): Promise<ListedShare[]> {
  const rows = await sql<(Omit<ListedShare, 'token'> & { token_hash: string })[]>`
    select s.share_id, s.report_id, r.period_start, s.created_at, s.expires_at, s.revoked_at, s.label, s.views,
      s.last_viewed_at, s.token_hash
    from report_shares s
    left join reports r on r.workspace_id = s.workspace_id and r.campaign_id = s.campaign_id and r.report_id = s.report_id
    where s.workspace_id = ${workspaceId} and s.campaign_id = ${campaignId}
    order by s.created_at desc, s.share_id desc limit ${maxListed}`;
  return rows.map(({ token_hash, ...share }) => {
    const token = shareToken(key, workspaceId, share.share_id);
    return { ...share, token: hashSecret(token) === token_hash ? token : null };
  });
}

/**
 * Revokes a report link immediately. Returns false when the campaign has no such link. Does nothing when the link is
 * already revoked.
 */
export async function revokeShare(
  sql: Sql,
  workspaceId: string,
  { campaign_id, share_id, now }: { campaign_id: string; share_id: string; now: Date },
): Promise<boolean> {
  const rows = await sql`
    update report_shares set revoked_at = coalesce(revoked_at, ${now})
    where workspace_id = ${workspaceId} and campaign_id = ${campaign_id} and share_id = ${share_id} returning share_id`;
  return rows.length === 1;
}

/** The report that an opened public report link shows. */
export interface OpenedShare {
  workspace_id: string;
  share_id: string;
  campaign_id: string;
  report_id: string | null;
  tier: Tier;
}

/**
 * Returns the report that the public link with this token shows; null when the token is unknown, expired or revoked.
 */
export async function openShare(sql: Sql, token: string, now: Date): Promise<OpenedShare | null> {
  if (!isLinkToken(token)) return null;
  const [share] = await sql<OpenedShare[]>`
    select s.workspace_id, s.share_id, s.campaign_id, s.report_id, w.tier
    from report_shares s join workspaces w on w.workspace_id = s.workspace_id
    where s.token_hash = ${hashSecret(token)} and s.revoked_at is null and s.expires_at > ${now}`;
  return share ?? null;
}

/** Counts one view of a public report link. */
export async function countShareView(sql: Sql, share: OpenedShare, now: Date): Promise<void> {
  await sql`
    update report_shares set views = views + 1, last_viewed_at = greatest(last_viewed_at, ${now})
    where workspace_id = ${share.workspace_id} and share_id = ${share.share_id}`;
}
