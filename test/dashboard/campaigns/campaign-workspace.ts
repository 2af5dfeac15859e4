import { freezeReport } from '../../../db/campaigns/reports.ts';
import { weekMs } from '../../../db/durations.ts';
import { newId } from '../../../db/ids.ts';
import type { Observed } from '../../../db/observations/observed.ts';
import { createCampaign } from '../../../pipeline/campaigns/campaigns.ts';
import { loadReport } from '../../../pipeline/report/load.ts';
import { weekStart } from '../../../pipeline/report/period.ts';
import { keepItem, keepMissed, observed } from '../../pipeline/report/report-data.ts';
import type { DashboardSetup, Member } from '../dashboard-server.ts';

/** A hostile display name, which pages must escape. */
export const hostile = '<script>alert(1)</script><img src=x onerror="alert(2)">&amp;"\'';
const roundedFollowers = 0b01;
const hiddenLikes = 0b10_00_00_00_00;

const shapes = [
  { platform: 'photo', kind: 'profile', url: 'https://www.instagram.com/someone/' },
  { platform: 'photo', kind: 'post', url: 'https://www.instagram.com/p/abc/' },
  { platform: 'shortvideo', kind: 'profile', url: 'https://www.tiktok.com/@someone' },
  { platform: 'shortvideo', kind: 'video', url: 'https://www.tiktok.com/@someone/video/1' },
  { platform: 'longvideo', kind: 'channel', url: 'https://www.youtube.com/@someone' },
  { platform: 'longvideo', kind: 'video', url: 'https://www.youtube.com/watch?v=abc' },
] as const;

/**
 * Creates a campaign with items of every kind. Its daily observations from 2026-11-02 to 2026-11-20 have gaps, rounded
 * numbers and hidden numbers.
 */
export async function keepCampaign(
  setup: DashboardSetup,
  member: Member,
  {
    items = 6,
    name = 'Autumn',
    item_name = (n: number): string => `item ${n}`,
    report_name = null as string | null,
  } = {},
): Promise<{ campaign_id: string; item_ids: string[] }> {
  const { sql } = setup.db;
  const { workspace_id } = member;
  const itemIds: string[] = [];
  for (let n = 0; n < items; n += 1) {
    const shape = shapes[n % shapes.length] ?? shapes[0];
    const identityChanged = n === 12;
    const itemId = await keepItem(sql, workspace_id, {
      ...shape,
      name: item_name(n),
      identity_changed: identityChanged,
    });
    itemIds.push(itemId);
    const rows = seenDaily(itemId, shape.kind, n).map((row) => ({ workspace_id, ...row }));
    await sql`insert into observations ${sql(rows)}`;
    if (n % 5 === 1) await keepMissed(sql, workspace_id, [missedOn(itemId, 10), missedOn(itemId, 11)]);
  }
  const owner = { workspace_id, tier: 'ultra' as const, now: setup.clock.now };
  const input = { name, starts_on: '2026-11-02', ends_on: null, report_name, item_ids: itemIds };
  return { campaign_id: await createCampaign(sql, owner, input), item_ids: itemIds };
}

function seenDaily(itemId: string, kind: string, n: number): Observed[] {
  const quality = n === 0 ? roundedFollowers : n === 1 ? hiddenLikes : 0;
  const days = Array.from({ length: 19 }, (_, day) => day + 2).filter((day) => n % 5 !== 1 || day < 10 || day > 12);
  return days.map((day) => {
    const at = `2026-11-${String(day).padStart(2, '0')}T0${n % 10}:30:00`;
    return observed(itemId, at, countsOf(kind, n, day), { quality });
  });
}

function countsOf(kind: string, n: number, day: number) {
  if (kind === 'profile' || kind === 'channel') {
    const account = { followers: 1_204_000 * (n + 1) + day * 137, following: 210 + n, posts: 40 + day };
    return kind === 'channel'
      ? { followers: account.followers, posts: account.posts, total_views: 98_765_432_100 + day * 54_321 }
      : account;
  }
  const post = { views: 1_345_000 + day * 9_870 * (n + 1), comments: 310 + day, shares: 44 + day, favorites: 90 + day };
  return n === 1 ? post : { ...post, likes: 45_000 + day * 310 };
}

function missedOn(itemId: string, day: number) {
  return { item_id: itemId, attempted_at: new Date(`2026-11-${day}T10:00:00Z`), outcome: 'SOURCE_TIMEOUT' };
}

/**
 * Stores the report of the week that begins on 2026-11-09, as the weekly job does, and returns the id of the report.
 */
export async function freezeWeek(setup: DashboardSetup, member: Member, campaignId: string): Promise<string> {
  const { sql } = setup.db;
  const { workspace_id } = member;
  const reportId = newId();
  const start = weekStart(setup.clock.now.getTime()) - weekMs;
  const question = { workspace_id, campaign_id: campaignId, tier: 'ultra' as const, now: setup.clock.now };
  const report = await loadReport(sql, question, { report_id: reportId, final: true, period_start: start });
  const period = { period_start: new Date(start), period_end: new Date(start + weekMs) };
  await freezeReport(sql, {
    workspace_id,
    campaign_id: campaignId,
    report_id: reportId,
    ...period,
    body: JSON.stringify(report),
  });
  return reportId;
}

/** Sends a form whose field names may be repeated. */
export function sendForm(
  setup: DashboardSetup,
  member: Member,
  path: string,
  fields: [string, string][],
): Promise<Response> {
  const body = new URLSearchParams(fields);
  return setup.send(path, member.cookie, { method: 'POST', body, headers: { origin: setup.base_url } });
}

/** Renames a tracked item, as the next check does after the platform has renamed the account. */
export async function renameItem(
  { db }: DashboardSetup,
  { workspace_id }: Member,
  itemId: string,
  name: string,
): Promise<void> {
  await db.sql`update tracked_items set name = ${name} where workspace_id = ${workspace_id} and item_id = ${itemId}`;
}
