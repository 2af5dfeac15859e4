import type { Observed } from '../../../db/observations/observed.ts';
import type { ReportInput } from '../../../pipeline/report/input.ts';
import { item, missed, observed, utc } from './report-data.ts';

/** Quality bits (two per metric) that say `rounded` for followers (the first metric) and likes (the fifth). */
const roundedFollowersAndLikes = 0b01_00_00_00_01;

/** Observations of a video that was checked at 10:00 every day except Wednesday and Thursday. */
const reef: Observed[] = [
  observed('reef', '2026-11-08T10:00:00', { views: 1_000, likes: 100, comments: 10, shares: 4, favorites: 6 }),
  observed('reef', '2026-11-09T10:00:00', { views: 1_100, likes: 105, comments: 11, shares: 4, favorites: 6 }),
  observed('reef', '2026-11-10T10:00:00', { views: 1_200, likes: 110, comments: 12, shares: 4, favorites: 7 }),
  observed('reef', '2026-11-13T10:00:00', { views: 1_300, likes: 115, comments: 12, shares: 5, favorites: 7 }),
  observed('reef', '2026-11-14T10:00:00', { views: 1_400, likes: 118, comments: 13, shares: 5, favorites: 8 }),
  observed('reef', '2026-11-15T10:00:00', { views: 1_500, likes: 125, comments: 15, shares: 5, favorites: 8 }),
];

/** Observations of an account with rounded followers and likes, and without the number of accounts that it follows. */
const bay: Observed[] = [8, 9, 10, 11, 12, 13, 14, 15].map((day) =>
  observed(
    'bay',
    `2026-11-${String(day).padStart(2, '0')}T12:00:00`,
    { followers: day < 13 ? 1_200_000 : 1_300_000, posts: 40 + (day > 11 ? 1 : 0), likes: 5_000_000 },
    { quality: roundedFollowersAndLikes },
  ),
);

/** Observations of an account whose handle belongs to a different account from Friday on. */
const cove: Observed[] = [8, 9, 10, 11, 12].map((day) =>
  observed('cove', `2026-11-${String(day).padStart(2, '0')}T09:00:00`, {
    followers: 500 + day,
    following: 20,
    posts: 9,
  }),
);

/**
 * The input of the worked example: three invented items in the week of 9 November 2026. Its report is computed by hand.
 */
export const example: ReportInput = {
  report_id: 'report-1',
  final: true,
  campaign: {
    campaign_id: 'campaign-1',
    name: '=Autumn',
    status: 'active',
    report_name: 'Autumn at sea',
    starts_on: '2026-11-02',
    ends_on: null,
  },
  period_start: utc('2026-11-09T00:00:00').getTime(),
  generated_at: utc('2026-11-16T01:05:00').getTime(),
  history_days: 90,
  items: [
    item({ item_id: 'reef', platform: 'shortvideo', kind: 'video', url: 'https://www.tiktok.com/@a/video/1' }),
    item({ item_id: 'bay', platform: 'shortvideo', kind: 'profile', url: 'https://www.tiktok.com/@bay' }),
    item({ item_id: 'cove', identity_changed: true }),
  ],
  observations: [...cove, ...reef, ...bay],
  missed: [
    missed('reef', '2026-11-11T10:00:00', 'SOURCE_TIMEOUT'),
    missed('reef', '2026-11-12T10:00:00', 'SOURCE_TIMEOUT'),
    missed('cove', '2026-11-13T09:00:00', 'IDENTITY_CHANGED'),
    missed('cove', '2026-11-14T09:00:00', 'IDENTITY_CHANGED'),
  ],
};
