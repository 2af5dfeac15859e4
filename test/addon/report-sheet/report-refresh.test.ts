import { expect, test } from 'vitest';
import type { SpreadsheetFile } from '../harness/file.ts';
import { busyReport } from './busy-report.ts';
import { ask, exampleReport, setUpReport } from './report-workspace.ts';

const setup = setUpReport();
const details = 'Autumn at sea details';

async function inserted(report = exampleReport()) {
  const own = await setup.campaign();
  await setup.finish(own, report);
  const file = await setup.open(own.live_key);
  const refresh = () => ask(file, 'sidebarInsertReport', own.campaign_id, null);
  const { sheet } = refresh();
  return { own, file, sheet, refresh };
}

function endRow(file: SpreadsheetFile, sheet: string): number {
  const cells = file.values('A1:A1300', sheet).map(([cell]) => String(cell).startsWith('End of the report.'));
  expect(cells.filter(Boolean)).toHaveLength(1);
  return cells.indexOf(true) + 1;
}

test('a refresh rewrites both sheets of a report and updates its charts without changing their style', async () => {
  const { own, file, sheet, refresh } = await inserted();
  const before = file.sheetState(sheet);
  expect(before.charts.map(({ options }) => options.title)).toEqual(
    ['Followers', 'Views so far', 'Likes so far'].map((name) => `${name}, at the end of each day`),
  );
  const recoloured = before.charts[0] ?? expect.unreachable();
  recoloured.options.color = 'red';
  await setup.finish(own, exampleReport(1));
  expect(refresh()).toMatchObject({ ok: true, sheet });
  const after = file.sheetState(sheet);
  expect(file.world().sheets.map(({ name }) => name)).toEqual(['Sheet1', sheet, details]);
  expect(after.charts.map(({ chart_id }) => chart_id)).toEqual(before.charts.map(({ chart_id }) => chart_id));
  expect(after.charts[0]?.options.color).toBe('red');
  expect(file.values('A2', sheet)).toEqual([['Week from 16 to 22 November 2026 (UTC), final']]);
  endRow(file, sheet);
  endRow(file, details);
});

test('when a campaign has several weeks to show, charts by week replace the charts by day', async () => {
  const { own, file, sheet, refresh } = await inserted();
  await setup.finish(own, { ...busyReport(), period_start: exampleReport(1).period_start });
  expect(refresh().ok).toBe(true);
  const titles = file.sheetState(sheet).charts.map(({ options }) => options.title);
  expect(titles.filter((title) => String(title).includes('by day'))).toEqual([]);
  expect(titles).toContain('Followers, at the end of each week');
});

test('a renamed report sheet is found by its ID, and a deleted report sheet is created again', async () => {
  const { file, sheet, refresh } = await inserted();
  file.renameSheet(sheet, 'My board');
  file.renameSheet(details, 'My rows');
  expect(refresh()).toMatchObject({ ok: true, sheet: 'My board' });
  expect(file.world().sheets).toHaveLength(3);
  file.deleteSheet('My board');
  expect(refresh()).toMatchObject({ ok: true, sheet });
  expect(file.sheetState(sheet).charts).toHaveLength(3);
  file.deleteSheet('My rows');
  expect(refresh().ok).toBe(true);
  expect(file.world().sheets.map(({ name }) => name)).toEqual(['Sheet1', sheet, details]);
});

test('a report leaves other sheets of the user alone, even one with the name of a report', async () => {
  const own = await setup.campaign();
  await setup.finish(own, exampleReport());
  const file = await setup.open(own.live_key);
  file.show('autumn at sea report');
  file.type('A1', 'mine', '=SUM(A3:A4)', 1, 2);
  const mine = JSON.stringify(file.sheetState('autumn at sea report'));
  const { sheet } = ask(file, 'sidebarInsertReport', own.campaign_id, null);
  expect(sheet).toBe('Autumn at sea report (2)');
  ask(file, 'sidebarInsertReport', own.campaign_id, null);
  expect(JSON.stringify(file.sheetState('autumn at sea report'))).toBe(mine);
});

test('cells of the user below or beside a report stay and move when it grows, and cells inside are replaced', async () => {
  const { own, file, sheet, refresh } = await inserted();
  for (const name of [sheet, details]) {
    const end = endRow(file, name);
    file.show(name);
    file.type(`A${end + 2}`, 'below');
    file.type('BA3', 'beside');
    file.type('B3', 'inside');
  }
  const more = exampleReport(1);
  const [item] = more.items;
  const items = Array.from({ length: 1_200 }, (_, index) => ({ ...(item ?? expect.unreachable()), name: `n${index}` }));
  const notes = [...more.notes, ...Array.from({ length: 900 }, (_, index) => `note ${index}`)];
  await setup.finish(own, { ...more, items, notes });
  expect(refresh().ok).toBe(true);
  for (const name of [sheet, details]) {
    const values = Object.entries(file.sheet(name));
    const at = (text: string) => values.filter(([, { value }]) => value === text).map(([a1]) => a1);
    expect(at('below')).toEqual([`A${endRow(file, name) + 2}`]);
    expect(at('beside')).toEqual(['BA3']);
    expect(at('inside')).toEqual([]);
  }
  expect(endRow(file, sheet)).toBeGreaterThan(900);
  expect(endRow(file, details)).toBeGreaterThan(1_200);
});

test.each([
  ['sheet', 'A1:Z1000'],
  ['range', 'B3:C5'],
])(
  'a protected %s of a report gives an error message to an editor without permission, and neither sheet changes',
  async (_, area) => {
    const { own, file, sheet, refresh } = await inserted();
    await setup.finish(own, exampleReport(1));
    file.show(details);
    file.guard({ a1: area, editors: ['owner@example.com'] });
    file.become('ben@example.com');
    file.world().properties.users['ben@example.com'] = { api_key: own.live_key };
    const before = JSON.stringify(file.world().sheets);
    expect(refresh()).toEqual({
      ok: false,
      message: `The sheet "${details}" is protected, so the report was not changed. Ask its owner to let you edit it, or delete the sheet to get a new one.`,
    });
    expect(JSON.stringify(file.world().sheets)).toBe(before);
    file.become('owner@example.com');
    expect(refresh()).toMatchObject({ ok: true, sheet });
  },
);

test('a protected range outside of a report does not stop the refresh of the report', async () => {
  const { own, file, refresh } = await inserted();
  file.show(details);
  file.guard({ a1: 'A500:B501', editors: ['owner@example.com'] });
  file.become('ben@example.com');
  file.world().properties.users['ben@example.com'] = { api_key: own.live_key };
  expect(refresh().ok).toBe(true);
});

test('number formats and validation rules that the user set in a report do not affect its next refresh', async () => {
  const { own, file, sheet, refresh } = await inserted();
  file.show(sheet);
  file.guard({ a1: 'A2', values: ['yes', 'no'] });
  file.format('A1:C200', '@');
  await setup.finish(own, { ...exampleReport(1), notes: Array.from({ length: 100 }, (_, index) => `note ${index}`) });
  expect(refresh().ok).toBe(true);
  expect(file.values('A2', sheet)).toEqual([['Week from 16 to 22 November 2026 (UTC), final']]);
  expect(file.types('B10', sheet)).toEqual([['number']]);
});

test('a report that an older version wrote in one sheet gets its second sheet at the next refresh', async () => {
  const { own, file, sheet, refresh } = await inserted();
  const property = `report_sheet_${own.campaign_id}`;
  const { document } = file.world().properties;
  const { details: _, ...old } = JSON.parse(document[property] ?? '');
  document[property] = JSON.stringify(old);
  file.deleteSheet(details);
  expect(refresh()).toMatchObject({ ok: true, sheet });
  expect(file.world().sheets.map(({ name }) => name)).toEqual(['Sheet1', sheet, details]);
});
