import { fieldLabel } from '../formulas/field-labels.ts';
import type { Report } from '../formulas/report-tables.ts';
import { asObject } from '../platform/client.ts';
import { bestPostsTitle } from './best-posts.ts';
import type { Column } from './cells.ts';
import {
  accountsByFollowers,
  bestPostsOf,
  isRateRounded,
  itemName,
  itemNumber,
  itemRemarks,
  type KeyNumber,
  keyNumbers,
  movers,
} from './facts.ts';
import { grouped, linesOf, periodText, platformName } from './labels.ts';
import { arrangeBlocks, type Block, endBlock, type Line, type SheetPlan } from './layout.ts';
import { legendLines } from './legend.ts';
import { objects, textOf, timeOf } from './read-report.ts';
import { chartedMetrics, seriesTables } from './series.ts';

const maxMovers = 5;
const maxPosts = 10;
const maxAccounts = 10;
const maxHeadlineNumbers = 3;
/** Minimum number of bars in a bar chart, because the chart compares items. */
const minBars = 2;

/** Arranges the summary sheet of a campaign report. `workspace`: the name of the workspace; null when it is unknown. */
export function arrangeSummary(report: Report, workspace: string | null): SheetPlan {
  const numbers = keyNumbers(report);
  const top = [headBlock(report, workspace, numbers), keyNumbersBlock(numbers)];
  const below = [
    moversBlock('Accounts that gained the most followers', movers(report, 1)),
    moversBlock('Accounts that lost the most followers', movers(report, -1)),
    postsBlock(report),
    ratesBlock(report),
    notesBlock(report),
    accountsBlock(report),
    ...seriesTables(report),
  ];
  const filled = below.filter(({ columns, rows }) => columns.length === 0 || rows.length > 0);
  return arrangeBlocks(top, [...filled, endBlock]);
}

function headBlock(report: Report, workspace: string | null, numbers: readonly KeyNumber[]): Block {
  const [start, end] = [timeOf(report.period_start), timeOf(report.period_end)];
  const created = timeOf(report.generated_at);
  const period = start === null || end === null ? [] : [`Week from ${periodText(start, end)}`];
  const state = report.final === true ? 'final' : 'so far, not final';
  const facts = [
    ...(workspace === null ? [] : [`Workspace: ${workspace}`]),
    ...(created === null ? [] : [`Created ${new Date(created).toISOString().slice(0, 16).replace('T', ' ')} (UTC)`]),
  ];
  const name = textOf(report.report_name) ?? textOf(asObject(report.campaign)?.name) ?? 'Campaign report';
  return {
    lines: [
      { text: name, style: 'title' },
      { text: [...period, state].join(', '), style: 'quiet' },
      { text: facts.join(' · '), style: 'quiet' },
      ...styled(linesOf(headline(report, numbers)), 'headline'),
    ],
    columns: [],
    rows: [],
  };
}

/** Returns the headline of a report: one sentence about the most important numbers that changed in the week. */
function headline(report: Report, numbers: readonly KeyNumber[]): string {
  const changes = chartedMetrics.flatMap((metric) => {
    const { end, change, change_percent, rounded } = numbers.find((one) => one.metric === metric) ?? {};
    if (typeof end !== 'number' || typeof change !== 'number') return [];
    const label = fieldLabel(metric).toLowerCase();
    const shown = (value: number) => `${rounded ? '≈' : ''}${grouped(value)}`;
    if (change === 0) return [`${label} unchanged at ${shown(end)}`];
    const percent = typeof change_percent === 'number' ? ` (${oneDecimal(Math.abs(change_percent))}%)` : '';
    return [`${label} ${change > 0 ? 'up' : 'down'} ${shown(Math.abs(change))}${percent} to ${shown(end)}`];
  });
  if (changes.length === 0) return 'No change can be shown: no number is known at both ends of this week.';
  const when = report.final === true ? 'This week' : 'This week so far';
  return `${when}: ${changes.slice(0, maxHeadlineNumbers).join(', ')}.`;
}

/** Returns a number as text with one decimal, rounded as Google Sheets rounds it: 0.95 becomes 1.0. */
function oneDecimal(value: number): string {
  return (Math.round(value * 10) / 10).toFixed(1);
}

const keyColumns: Column[] = [
  { heading: 'Key number', kind: 'text' },
  { heading: 'This week', kind: 'count' },
  { heading: 'Previous week', kind: 'count' },
  { heading: 'Change', kind: 'change' },
  { heading: 'Change %', kind: 'growth' },
  { heading: 'Previous change', kind: 'change' },
  { heading: 'Remarks', kind: 'text' },
];

function keyNumbersBlock(numbers: readonly KeyNumber[]): Block {
  const unknownLast = [...numbers].sort((a, b) => Number(a.end === null) - Number(b.end === null));
  const rows = unknownLast.map((number) => {
    const { metric, end, start, change, change_percent, change_before, unknown } = number;
    const changes = [change ?? unknown, change_percent ?? (change === null ? unknown : 'from zero')];
    return [
      ...[fieldLabel(metric), end ?? unknown, start ?? unknown],
      ...[...changes, change_before ?? 'unknown', remarks(number)],
    ];
  });
  return {
    lines: [{ text: 'Key numbers', style: 'section' }, ...styled(keyCaptions, 'quiet')],
    columns: keyColumns,
    rows,
  };
}

const keyCaptions = [
  'Counts at the end of each week, added up over all items. Previous change: the change in the seven days before this week.',
  'For an item without a count before this week, its first count in the week is used for the previous week.',
];

function remarks({ rounded, before_rounded, items, items_missing }: KeyNumber): string {
  const of = items + items_missing;
  const parts = [
    ...(rounded ? ['≈ rounded by the platform'] : []),
    ...(before_rounded && !rounded ? ['previous change ≈ rounded by the platform'] : []),
    ...(items_missing > 0 ? [`${items} of ${of} ${of === 1 ? 'item' : 'items'} counted`] : []),
  ];
  return parts.join(', ');
}

function moversBlock(title: string, items: readonly Report[]): Block {
  return { ...followersTable(items.slice(0, maxMovers)), lines: [{ text: title, style: 'section' }] };
}

/** Returns the block of the report sheet with the accounts that have the most followers: a table and its chart. */
function accountsBlock(report: Report): Block {
  const table = followersTable(accountsByFollowers(report).slice(0, maxAccounts));
  const columns = [
    { first: 1, count: 1 },
    { first: 3, count: 1 },
  ];
  const chart = { key: 'accounts_bar', title: 'Followers by account', type: 'bar', columns } as const;
  return {
    ...table,
    lines: [{ text: 'Accounts with the most followers', style: 'section' }],
    charts: table.rows.length < minBars ? [] : [chart],
  };
}

function followersTable(items: readonly Report[]): Block {
  return {
    lines: [],
    columns: [
      { heading: 'Account', kind: 'text' },
      { heading: 'Platform', kind: 'text' },
      { heading: 'Followers', kind: 'count' },
      { heading: 'Change', kind: 'change' },
      { heading: 'Change %', kind: 'growth' },
      { heading: 'Remarks', kind: 'text' },
    ],
    rows: items.map((item) => {
      const { end, change, change_percent, quality } = itemNumber(item, 'followers');
      const remark = quality === 'rounded' ? '≈ rounded by the platform' : '';
      return [itemName(item), platformName(item.platform), end, change, change_percent, remark];
    }),
  };
}

function postsBlock(report: Report): Block {
  const rows = bestPostsOf(report)
    .slice(0, maxPosts)
    .map((item) => [
      ...[itemName(item), platformName(item.platform)],
      ...[itemNumber(item, 'views').change, itemNumber(item, 'views').end],
      ...[itemNumber(item, 'likes').change, itemNumber(item, 'likes').end, itemNumber(item, 'comments').end],
      ...[objects(item.rates)[0]?.percent, itemRemarks(item, ['views', 'likes', 'comments']), item.url],
    ]);
  const seen = rows.some((row) => typeof row[2] === 'number');
  const columns = [
    { first: 1, count: 1 },
    { first: seen ? 3 : 5, count: 1 },
  ];
  const title = `${seen ? 'New views' : 'New likes'} by post`;
  return {
    lines: [
      { text: bestPostsTitle, style: 'section' },
      {
        text: 'Sorted by new views in the week; posts without a number of views follow, by new likes.',
        style: 'quiet',
      },
    ],
    columns: postColumns,
    rows,
    charts: rows.length < minBars ? [] : [{ key: 'posts_bar', title, type: 'bar', columns }],
  };
}

const postColumns: Column[] = [
  { heading: 'Post', kind: 'text' },
  { heading: 'Platform', kind: 'text' },
  { heading: 'New views', kind: 'change' },
  { heading: 'Views', kind: 'count' },
  { heading: 'New likes', kind: 'change' },
  { heading: 'Likes', kind: 'count' },
  { heading: 'Comments', kind: 'count' },
  { heading: 'Engagement rate', kind: 'share' },
  { heading: 'Remarks', kind: 'text' },
  { heading: 'Link', kind: 'text' },
];

function ratesBlock(report: Report): Block {
  const rows = objects(report.by_platform).flatMap(({ platform, rates }) => {
    const remark = isRateRounded(report, platform) ? '≈ from rounded numbers' : '';
    return objects(rates).map(({ percent, items, items_missing, formula }) => [
      ...[platformName(platform), percent ?? 'unknown', items, items_missing, remark, formula],
    ]);
  });
  return {
    lines: [{ text: 'Engagement rates', style: 'section' }],
    columns: [
      { heading: 'Platform', kind: 'text' },
      { heading: 'Engagement rate', kind: 'share' },
      { heading: 'Posts counted', kind: 'count' },
      { heading: 'Not counted', kind: 'count' },
      { heading: 'Remarks', kind: 'text' },
      { heading: 'Formula', kind: 'text' },
    ],
    rows,
  };
}

function notesBlock(report: Report): Block {
  const notes = (Array.isArray(report.notes) ? report.notes : []).map(String);
  const all = [...notes, ...legendLines, textOf(report.method) ?? ''].filter((note) => note !== '');
  const lines = all.flatMap((note) => linesOf(note).map((line, index) => (index === 0 ? `• ${line}` : `   ${line}`)));
  return { lines: [{ text: 'Notes', style: 'section' }, ...styled(lines, 'plain')], columns: [], rows: [] };
}

function styled(texts: readonly string[], style: Line['style']): Line[] {
  return texts.map((text) => ({ text, style }));
}
