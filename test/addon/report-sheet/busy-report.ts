import type { CampaignItem } from '../../../db/campaigns/reports.ts';
import type { Observed } from '../../../db/observations/observed.ts';
import { buildReport, type Report } from '../../../pipeline/report/report.ts';
import { item, observed, utc } from '../../pipeline/report/report-data.ts';

const dayMs = 86_400_000;
const days = 35;
const firstDay = utc('2026-10-12T09:00:00').getTime();

type Growth = { id: string; name: string; from: number; daily: number };

const accounts: readonly (Growth & Pick<CampaignItem, 'platform' | 'kind' | 'url'>)[] = [
  { ...account('harbor.coffee', 'Harbor Coffee', 128_430, 310), platform: 'photo' },
  { ...account('salt.trail', 'Salt Trail Running', 48_210, 145), platform: 'photo' },
  { ...account('mira.bakes', 'Mira Bakes', 212_900, -85), platform: 'photo' },
  { ...account('quiet.harbour', 'Quiet Harbour Books', 8_340, -12), platform: 'photo' },
  { ...account('ridge', 'Ridge', 1_204_000, 2_100), platform: 'shortvideo', url: 'https://www.tiktok.com/@ridge' },
];

const posts: readonly Growth[] = [
  { id: 'video-1', name: 'Ridge run at dawn', from: 81_000, daily: 5_400 },
  { id: 'video-2', name: 'How to proof dough', from: 33_500, daily: 2_950 },
  { id: 'video-3', name: 'Autumn menu in 20 seconds', from: 12_100, daily: 1_230 },
  { id: 'video-4', name: 'Behind the counter', from: 9_800, daily: 140 },
];

function account(id: string, name: string, from: number, daily: number) {
  return { id, name, from, daily, kind: 'profile' as const, url: `https://www.instagram.com/${id}/` };
}

/**
 * Returns the report of an invented campaign's finished week, with several accounts and videos, after five weeks of
 * daily checks.
 */
export function busyReport(): Report {
  const items = [
    ...accounts.map(({ id, name, platform, kind, url }) => item({ item_id: id, name, platform, kind, url })),
    ...posts.map(({ id, name }) =>
      item({
        item_id: id,
        name,
        platform: 'shortvideo',
        kind: 'video',
        url: `https://www.tiktok.com/@ridge/video/${id}`,
      }),
    ),
  ];
  return buildReport({
    report_id: 'report-1',
    final: true,
    campaign: {
      ...{ campaign_id: 'campaign-1', name: 'Autumn launch', status: 'active', report_name: null },
      ...{ starts_on: '2026-10-12', ends_on: null },
    },
    period_start: utc('2026-11-09T00:00:00').getTime(),
    generated_at: utc('2026-11-16T01:05:00').getTime(),
    history_days: 90,
    items,
    observations: [
      ...accounts.flatMap((growth) =>
        history(growth, (followers, day) => ({ followers, posts: 40 + Math.floor(day / 3) })),
      ),
      ...posts.flatMap((growth) =>
        history(growth, (views) => ({
          ...{ views, likes: Math.round(views * 0.071), comments: Math.round(views * 0.004) },
          ...{ shares: Math.round(views * 0.002), favorites: Math.round(views * 0.003) },
        })),
      ),
    ],
    missed: [],
  });
}

function history({ id, from, daily }: Growth, counts: (value: number, day: number) => Parameters<typeof observed>[2]) {
  return Array.from({ length: days }, (_, day): Observed => {
    const at = new Date(firstDay + day * dayMs).toISOString().slice(0, 19);
    return observed(id, at, counts(Math.round(from + daily * day + ((day * 37) % 11) * Math.abs(daily / 10)), day));
  });
}
