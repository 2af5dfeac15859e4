import { method } from '../../../pipeline/report/notes.ts';
import type { Report } from '../../../pipeline/report/report.ts';
import type { Point } from '../../../pipeline/report/series.ts';
import type { Total } from '../../../pipeline/report/totals.ts';
import type { MetricValue } from '../../../pipeline/report/values.ts';
import { utc } from './report-data.ts';

const day = (of: number) => utc(`2026-11-${String(of).padStart(2, '0')}T00:00:00`).getTime();
const hour = (of: number, hours: number) => day(of) + hours * 3_600_000;

function value(start: number, end: number, change: number, changePercent: number, rounded = false): MetricValue {
  return { start, end, change, change_percent: changePercent, quality: rounded ? 'rounded' : 'exact' };
}

const unknown = { start: null, end: null, change: null, change_percent: null };

function total(of: MetricValue, items: number, itemsMissing: number): Total {
  return { ...of, items, items_missing: itemsMissing, quality: of.quality === 'rounded' ? 'rounded' : 'exact' };
}

const nothing = (itemsMissing: number): Total => ({ ...unknown, items: 0, items_missing: itemsMissing, quality: null });

/** Returns the points of one item in a report. Null is a day or week without an observation. */
function points(first: number, stepDays: number, values: (number | null)[], quality: 'exact' | 'rounded'): Point[] {
  return values.map((value, index) => ({
    at: day(first) + index * stepDays * 86_400_000,
    value,
    items: value === null ? 0 : 1,
    items_missing: value === null ? 1 : 0,
    quality: value === null ? null : quality,
  }));
}

const bay = {
  followers: value(1_200_000, 1_300_000, 100_000, 8.33, true),
  following: { ...unknown, quality: 'not_exposed' as const },
  posts: value(40, 41, 1, 2.5),
  likes: value(5_000_000, 5_000_000, 0, 0, true),
};
const cove = { followers: value(508, 512, 4, 0.79), following: value(20, 20, 0, 0), posts: value(9, 9, 0, 0) };
// Engagement rate: (125 + 15 + 5 + 8) / 1500 = 10.2 %.
const rate = {
  name: 'engagement_rate_by_views',
  formula: '(likes + comments + shares + favorites) / views × 100',
  percent: 10.2,
};
const reef = {
  views: value(1_000, 1_500, 500, 50),
  likes: value(100, 125, 25, 25),
  comments: value(10, 15, 5, 50),
  shares: value(4, 5, 1, 25),
  favorites: value(6, 8, 2, 33.33),
};
const reefTotals = {
  views: total(reef.views, 1, 0),
  likes: total(reef.likes, 1, 0),
  comments: total(reef.comments, 1, 0),
  shares: total(reef.shares, 1, 0),
  favorites: total(reef.favorites, 1, 0),
};

function series(metric: Report['series'][number]['metric'], days: (number | null)[], weeks: number[], rounded = false) {
  const quality = rounded ? ('rounded' as const) : ('exact' as const);
  return [
    { platform: 'shortvideo', metric, step: 'day' as const, points: points(9, 1, days, quality) },
    { platform: 'shortvideo', metric, step: 'week' as const, points: points(2, 7, weeks, quality) },
  ];
}

/** The report of the worked example, computed by hand. */
export const expectedReport: Report = {
  report_id: 'report-1',
  final: true,
  campaign: { id: 'campaign-1', name: '=Autumn', status: 'active' },
  report_name: 'Autumn at sea',
  period_start: day(9),
  period_end: day(16),
  generated_at: hour(16, 1) + 5 * 60_000,
  history_days: 90,
  partial_period: false,
  // Three items on seven days are 21 observations. Item reef has two missing days, item cove three.
  coverage: { expected_observations: 21, observations: 16, items: 3, items_never_observed: 0 },
  totals: {
    followers: total(bay.followers, 1, 1),
    following: nothing(2),
    posts: total(bay.posts, 1, 1),
    ...reefTotals,
  },
  by_platform: [
    {
      platform: 'photo',
      items: 1,
      totals: { followers: nothing(1), following: nothing(1), posts: nothing(1) },
      rates: [],
    },
    {
      platform: 'shortvideo',
      items: 2,
      totals: {
        followers: total(bay.followers, 1, 0),
        following: nothing(1),
        posts: total(bay.posts, 1, 0),
        ...reefTotals,
      },
      rates: [{ ...rate, items: 1, items_missing: 0 }],
    },
  ],
  items: [
    {
      item_id: 'cove',
      platform: 'photo',
      kind: 'profile',
      url: 'https://www.instagram.com/cove/',
      name: 'cove',
      first_observed_at: hour(8, 9),
      last_observed_at: hour(12, 9),
      status: 'identity_changed',
      gaps: [
        { from: day(13), to: day(15), cause: 'IDENTITY_CHANGED' },
        { from: day(15), to: day(16), cause: 'NOT_CHECKED' },
      ],
      metrics: cove,
      rates: [],
    },
    {
      item_id: 'bay',
      platform: 'shortvideo',
      kind: 'profile',
      url: 'https://www.tiktok.com/@bay',
      name: 'bay',
      first_observed_at: hour(8, 12),
      last_observed_at: hour(15, 12),
      status: 'active',
      gaps: [],
      metrics: bay,
      rates: [],
    },
    {
      item_id: 'reef',
      platform: 'shortvideo',
      kind: 'video',
      url: 'https://www.tiktok.com/@a/video/1',
      name: 'reef',
      first_observed_at: hour(8, 10),
      last_observed_at: hour(15, 10),
      status: 'active',
      gaps: [{ from: day(11), to: day(13), cause: 'SOURCE_TIMEOUT' }],
      metrics: reef,
      rates: [rate],
    },
  ],
  series: [
    ...series(
      'followers',
      [1_200_000, 1_200_000, 1_200_000, 1_200_000, 1_300_000, 1_300_000, 1_300_000],
      [1_200_000, 1_300_000],
      true,
    ),
    ...series('posts', [40, 40, 40, 41, 41, 41, 41], [40, 41]),
    ...series('views', [1_100, 1_200, null, null, 1_300, 1_400, 1_500], [1_000, 1_500]),
    ...series('likes', [105, 110, null, null, 115, 118, 125], [100, 125]),
    ...series('comments', [11, 12, null, null, 12, 13, 15], [10, 15]),
    ...series('shares', [4, 4, null, null, 5, 5, 5], [4, 5]),
    ...series('favorites', [6, 7, null, null, 7, 8, 8], [6, 8]),
  ],
  notes: [
    'Missing daily checks: 5 of 21 (2 × the handle belonged to another account; 1 × no check was made, because tracking was paused or the service was not running; 2 × the platform did not answer in time).',
    '≈ Rounded by the platform, so small changes are not visible: followers of bay; likes of bay.',
    'Not shown by the platform: following of bay.',
    'The handle now belongs to another account. The numbers are from the earlier account and are not in any total: cove.',
    'Followers: 1 of the 2 accounts and posts that have followers is not counted because its handle now belongs to another account.',
    'Following: 2 of the 2 accounts and posts that have following are not counted because their number is unknown or their handle now belongs to another account.',
    'Posts: 1 of the 2 accounts and posts that have posts is not counted because its handle now belongs to another account.',
    'The likes of an account include those of all its posts, so they are not added to the likes of posts: bay.',
  ],
  method,
};

const blank = (metrics: number) => ','.repeat(6 * metrics);
const common = "campaign-1,'=Autumn,Autumn at sea,report-1,true,2026-11-09T00:00:00.000Z,2026-11-16T00:00:00.000Z";
const formula = '(likes + comments + shares + favorites) / views × 100';
const reefCells =
  '1000,1500,500,50,exact,0,100,125,25,25,exact,0,10,15,5,50,exact,0,4,5,1,25,exact,0,6,8,2,33.33,exact,0';

/** The CSV rows of the worked example without the header, computed by hand. */
export const expectedCsvRows = [
  `item,${common},cove,photo,profile,cove,https://www.instagram.com/cove/,identity_changed,2026-11-08T09:00:00.000Z,2026-11-12T09:00:00.000Z,2026-11-13T00:00:00.000Z/2026-11-15T00:00:00.000Z IDENTITY_CHANGED; 2026-11-15T00:00:00.000Z/2026-11-16T00:00:00.000Z NOT_CHECKED,508,512,4,0.79,exact,1,20,20,0,0,exact,1,9,9,0,0,exact,1${blank(6)},,`,
  `item,${common},bay,shortvideo,profile,bay,https://www.tiktok.com/@bay,active,2026-11-08T12:00:00.000Z,2026-11-15T12:00:00.000Z,,1200000,1300000,100000,8.33,rounded,0,,,,,not_exposed,1,40,41,1,2.5,exact,0${blank(1)},5000000,5000000,0,0,rounded,0${blank(4)},,`,
  `item,${common},reef,shortvideo,video,reef,https://www.tiktok.com/@a/video/1,active,2026-11-08T10:00:00.000Z,2026-11-15T10:00:00.000Z,2026-11-11T00:00:00.000Z/2026-11-13T00:00:00.000Z SOURCE_TIMEOUT${blank(3)},${reefCells}${blank(1)},10.2,${formula}`,
  `totals,${common},,,,,,,,,,1200000,1300000,100000,8.33,rounded,1,,,,,,2,40,41,1,2.5,exact,1,${reefCells}${blank(1)},10.2,${formula}`,
];
