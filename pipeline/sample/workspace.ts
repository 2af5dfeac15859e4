import type { Sql } from 'postgres';
import { dayOf } from '../../db/calendar.ts';
import { attachItems, insertCampaign } from '../../db/campaigns/campaigns.ts';
import { freezeReport } from '../../db/campaigns/reports.ts';
import { dayMs, minuteMs, weekMs } from '../../db/durations.ts';
import { newId } from '../../db/ids.ts';
import type { Observed } from '../../db/observations/observed.ts';
import { type Metric, metrics } from '../../db/schema/metrics.ts';
import { inTransaction } from '../../db/transaction.ts';
import { deleteWorkspace } from '../../db/workspace-data/deletion.ts';
import { lockSample, oldSamples, openSample, type SampleWorkspace } from '../../db/workspace-data/samples.ts';
import { loadReport } from '../report/load.ts';
import { dayStart, weekStart } from '../report/period.ts';
import { packQuality } from '../tracking/metrics.ts';
import { type Invented, invented, inventedAddress } from './items.ts';

const days = 60;
/** Number of days after which a sample workspace is deleted. */
const keptDays = 14;
const tier = 'ultra';

/**
 * Returns the ID of a user's sample workspace, in which a new user can look around. Creates a missing sample workspace
 * with invented accounts and posts, 60 days of history, and a campaign with two finished weekly reports. Nothing in a
 * sample workspace is fetched or charged.
 */
export async function giveSample(sql: Sql, userId: string, now: Date): Promise<string> {
  return inTransaction(sql, async (tx) => {
    const known = await lockSample(tx, userId);
    if (known) return known;
    const sample = inventSample(now);
    const workspaceId = await openSample(tx, userId, 'Sample data', sample);
    await addCampaign(tx, workspaceId, sample, now);
    return workspaceId;
  });
}

/**
 * Deletes the sample workspaces (with invented data) that were created more than 14 days ago. Returns how many were
 * deleted.
 */
export async function removeSamples(sql: Sql, now: Date): Promise<number> {
  const old = await oldSamples(sql, new Date(now.getTime() - keptDays * dayMs));
  for (const workspaceId of old) await deleteWorkspace(sql, workspaceId);
  return old.length;
}

async function addCampaign(tx: Sql, workspaceId: string, { items }: SampleWorkspace, now: Date): Promise<void> {
  const lastWeek = weekStart(now.getTime()) - weekMs;
  const campaign = { name: 'Autumn launch', report_name: null, starts_on: dayOf(lastWeek - 5 * weekMs), ends_on: null };
  const campaignId = await insertCampaign(tx, workspaceId, campaign, { slots: 1, total: 1 });
  if (campaignId === null) throw new Error(`The sample workspace ${workspaceId} already has a campaign.`);
  const posts = items.filter(({ kind }) => kind === 'post' || kind === 'video');
  await attachItems(
    tx,
    workspaceId,
    campaignId,
    posts.map(({ item_id }) => item_id),
  );
  for (const start of [lastWeek - weekMs, lastWeek]) {
    const reportId = newId(now);
    const question = { workspace_id: workspaceId, campaign_id: campaignId, tier, now } as const;
    const report = await loadReport(tx, question, { report_id: reportId, final: true, period_start: start });
    const period = { period_start: new Date(start), period_end: new Date(start + weekMs) };
    const owner = { workspace_id: workspaceId, campaign_id: campaignId, report_id: reportId };
    await freezeReport(tx, { ...owner, ...period, body: JSON.stringify(report) });
  }
}

function inventSample(now: Date): SampleWorkspace {
  const today = dayStart(now.getTime());
  const items = invented.map((one) => ({ item_id: newId(now), one }));
  const dates = Array.from({ length: days }, (_, day) => today - (days - 1 - day) * dayMs);
  const observations: Observed[] = [];
  const missed: SampleWorkspace['missed'][number][] = [];
  for (const [index, { item_id, one }] of items.entries()) {
    for (const [day, date] of dates.entries()) {
      // Each invented account or post is checked at its own minute of the day. Checks later than `now` are left out.
      const at = new Date(date + (index * 67 + 11) * minuteMs);
      if (at > now) continue;
      if (isMissed(index, day)) missed.push({ item_id, attempted_at: at, outcome: 'SOURCE_TIMEOUT' });
      else observations.push(observationOf(one, { item_id, observed_at: at, day, index }));
    }
  }
  return {
    items: items.map(({ item_id, one }) => ({
      item_id,
      platform: one.platform,
      kind: one.kind,
      url: inventedAddress(one),
      identifier: one.handle,
      name: one.name,
    })),
    observations: observations.toSorted((a, b) => a.observed_at.getTime() - b.observed_at.getTime()),
    missed,
    since: new Date(today - (days - 1) * dayMs),
  };
}

/** Returns true for the few invented checks that fail, which show users what days without numbers look like. */
const isMissed = (index: number, day: number) => index % 7 === 3 && day >= 41 && day <= 43;

function observationOf(
  one: Invented,
  { item_id, observed_at, day, index }: { item_id: string; observed_at: Date; day: number; index: number },
): Observed {
  const share = shareOf(one, day, index);
  const hidden = one.hides_likes ? { likes: 'hidden' } : {};
  const rounded = one.kind === 'channel' ? { followers: 'rounded' } : {};
  const values = Object.fromEntries(metrics.map((metric) => [metric, metricValue(one, metric, share)])) as Record<
    Metric,
    number | null
  >;
  const quality = packQuality({ ...hidden, ...rounded } as Parameters<typeof packQuality>[0]);
  return { item_id, observed_at, ...values, quality, source: 'sample' };
}

function metricValue(one: Invented, metric: Metric, share: number): number | null {
  const last = one.values[metric];
  if (last === undefined || (one.hides_likes && metric === 'likes')) return null;
  // The number of followed accounts does not change from day to day.
  if (metric === 'following') return last;
  const value = metric === 'posts' ? Math.round(last - (1 - share) * 40) : Math.round(last * share);
  return one.kind === 'channel' && metric === 'followers' ? Number(value.toPrecision(3)) : value;
}

/**
 * Returns the invented value on a day as a share of the value on the last day. Accounts grow steadily, with small
 * differences between weekdays. Posts grow fast in the first days.
 */
function shareOf(one: Invented, day: number, index: number): number {
  const passed = day / (days - 1);
  if (one.kind === 'post' || one.kind === 'video') {
    const speed = 3 + (index % 4);
    return (1 - Math.exp(-speed * (passed + 0.01))) / (1 - Math.exp(-speed * 1.01));
  }
  const rhythm = Math.sin(day * 0.9 + index) * Math.abs(one.growth) * 0.04;
  return 1 - one.growth * (1 - passed) + (day === days - 1 ? 0 : rhythm);
}
