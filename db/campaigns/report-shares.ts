import { hash, randomBytes } from 'node:crypto';
import type { Sql } from 'postgres';
import { newId } from '../ids.ts';
import type { Tier } from '../tier.ts';
import { alone } from '../transaction.ts';

/** Maximum number of valid links of one campaign. Expired and revoked links do not count. */
export const maxLiveShares = 20;
/** Maximum number of links in a list, including expired and revoked ones. */
const maxListed = 100;
const tokenBytes = 32;
/** The form of a token: 32 random bytes in base64url. */
const tokenPattern = /^[\w-]{43}$/;

export interface NewShare {
  campaign_id: string;
  /** The shared report. Null shares the report of the current period; the link then always shows the newest period. */
  report_id: string | null;
  expires_at: Date;
}

/** The token of a new link, or why it was not created. */
export type ShareAdded = { token: string } | { token: null; reason: 'full' | 'unknown' };

/** Creates a link with which anyone can read one report. Its token is returned only here, because only its hash is stored. */
export function addShare(sql: Sql, workspaceId: string, share: NewShare, now: Date): Promise<ShareAdded> {
  const { campaign_id, report_id, expires_at } = share;
  const token = randomBytes(tokenBytes).toString('base64url');
  return alone(sql, workspaceId, async (tx) => {
    const [row] = await tx<{ known: boolean; added: boolean }[]>`
      with known as materialized (
        select from campaigns where workspace_id = ${workspaceId} and campaign_id = ${campaign_id}
          and (${report_id}::uuid is null or exists (
            select from reports
            where workspace_id = ${workspaceId} and campaign_id = ${campaign_id} and report_id = ${report_id}::uuid))
      ), added as (
        insert into report_shares (workspace_id, share_id, campaign_id, report_id, token_hash, created_at, expires_at)
        select ${workspaceId}::uuid, ${newId(now)}::uuid, ${campaign_id}::uuid, ${report_id}::uuid, ${hash('sha256', token)},
          ${now}, ${expires_at}
        from known where (
          select count(*) from report_shares
          where workspace_id = ${workspaceId} and campaign_id = ${campaign_id} and revoked_at is null
            and expires_at > ${now}) < ${maxLiveShares}
        returning share_id
      )
      select exists (select from known) as known, exists (select from added) as added`;
    if (row?.added) return { token };
    return { token: null, reason: row?.known ? 'full' : 'unknown' };
  });
}

export interface ListedShare {
  share_id: string;
  /** The shared report; null for the report of the current period. */
  report_id: string | null;
  /** When the period of the shared report begins; null for the current period. */
  period_start: Date | null;
  created_at: Date;
  expires_at: Date;
  revoked_at: Date | null;
}

/** Returns the links of a campaign, newest first. */
export async function listShares(sql: Sql, workspaceId: string, campaignId: string): Promise<ListedShare[]> {
  return sql<ListedShare[]>`
    select s.share_id, s.report_id, r.period_start, s.created_at, s.expires_at, s.revoked_at
    from report_shares s
    left join reports r on r.workspace_id = s.workspace_id and r.campaign_id = s.campaign_id and r.report_id = s.report_id
    where s.workspace_id = ${workspaceId} and s.campaign_id = ${campaignId}
    order by s.created_at desc, s.share_id desc limit ${maxListed}`;
}

/** Revokes a link immediately. Returns false when the campaign has no such link. A link that is already revoked does not change. */
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

/** The report that a link shows. */
export interface OpenedShare {
  workspace_id: string;
  campaign_id: string;
  report_id: string | null;
  tier: Tier;
}

/** Returns the report that the link with this token shows; null when the token is unknown, expired or revoked. */
export async function openShare(sql: Sql, token: string, now: Date): Promise<OpenedShare | null> {
  if (!tokenPattern.test(token)) return null;
  const [share] = await sql<OpenedShare[]>`
    select s.workspace_id, s.campaign_id, s.report_id, w.tier
    from report_shares s join workspaces w on w.workspace_id = s.workspace_id
    where s.token_hash = ${hash('sha256', token)} and s.revoked_at is null and s.expires_at > ${now}`;
  return share ?? null;
}
