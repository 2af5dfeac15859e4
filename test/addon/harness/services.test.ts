import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { momentOf, serialOf, shownDate } from './dates.ts';
import { openFile, type SpreadsheetFile } from './file.ts';
import { renderSheet } from './render-sheet.ts';
import { typedCell } from './typing.ts';

const triggerScope = 'https://www.googleapis.com/auth/script.scriptapp';

/** Opens a file whose script has a single function, `work`, with this body. */
async function fileWith(body: string): Promise<SpreadsheetFile> {
  const dist = await mkdtemp(join(tmpdir(), 'addon-'));
  const code = `function work(a) { const file = SpreadsheetApp.getActiveSpreadsheet(); const sheet = file?.getActiveSheet();
    ${body} }`;
  await writeFile(join(dist, 'Code.js'), code);
  const manifest = { oauthScopes: [triggerScope], urlFetchWhitelist: ['http://127.0.0.1:1/'] };
  await writeFile(join(dist, 'appsscript.json'), JSON.stringify(manifest));
  const file = await openFile(dist);
  onTestFinished(async () => {
    await file.close();
    await rm(dist, { recursive: true });
  });
  return file;
}

test.each([
  ['setValues of other rows', 'sheet.getRange("A1:B2").setValues([[1, 2]])', 'number of rows in the data'],
  ['setValues of other columns', 'sheet.getRange("A1:B1").setValues([[1]])', 'number of columns in the data'],
  ['null in setValues', 'sheet.getRange("A1").setValues([[null]])', 'does not model null'],
  ['a range outside the sheet', 'sheet.getRange(1001, 1)', 'outside the dimensions'],
  ['text into a plain text cell', 'sheet.getRange("A1").setNumberFormat("@").setValue("x")', 'plain text'],
  ['a method of a range that is not modelled', 'sheet.getRange("A1").merge()', 'does not model Range.merge'],
  ['a method of a chart that is not modelled', 'sheet.newChart().asPieChart()', 'does not model EmbeddedChartBuilder'],
  ['a chart of nothing', 'sheet.insertChart(sheet.newChart().build())', 'needs a range'],
  [
    'a chart that was not inserted',
    'sheet.updateChart(sheet.newChart().addRange(sheet.getRange("A1")).build())',
    'not in this sheet',
  ],
  ['a second sheet of one name', 'file.insertSheet("SHEET1")', 'already exists'],
  ['a property over 9 KB', 'PropertiesService.getDocumentProperties().setProperty("a", "ü".repeat(5000))', 'too large'],
  [
    'a store over 500 KB',
    'for (let i = 0; i < 60; i++) PropertiesService.getUserProperties().setProperty("k" + i, "x".repeat(9000))',
    'storage quota',
  ],
  ['a cached value over 100 KB', 'CacheService.getUserCache().put("a", "x".repeat(102401))', 'too large'],
  ['a cached value for a day', 'CacheService.getUserCache().put("a", "x", 86400)', 'expirationInSeconds'],
  [
    'a lock that is released before the written cells are flushed',
    'const lock = LockService.getDocumentLock(); lock.tryLock(1); sheet.getRange("A1").setValue(1); lock.releaseLock()',
    'before it has called SpreadsheetApp.flush',
  ],
  ['a timer of three hours', 'ScriptApp.newTrigger("work").timeBased().everyHours(3).create()', 'everyHours(3)'],
  ['a timer of minutes', 'ScriptApp.newTrigger("work").timeBased().everyMinutes(5)', 'does not model'],
  [
    'a second timer of one person',
    'for (const h of [1, 2]) ScriptApp.newTrigger("work").timeBased().everyHours(h).create()',
    'too many time-based',
  ],
])('the model of Apps Script refuses %s', async (_, body, fault) => {
  const file = await fileWith(body);
  expect(() => file.call('work')).toThrow(fault);
});

test("the harness creates a time trigger only with its scope in the manifest and the user's permission, and not in a test deployment", async () => {
  const file = await fileWith('ScriptApp.newTrigger("work").timeBased().everyHours(1).create();');
  file.set({ manifest_scopes: [] });
  expect(() => file.call('work')).toThrow('not sufficient');
  file.set({ manifest_scopes: [triggerScope], refused_scopes: [triggerScope] });
  expect(() => file.call('work')).toThrow('not sufficient');
  file.set({ refused_scopes: [], test_deployment: true });
  expect(() => file.call('work')).toThrow('test deployment');
});

test('a trigger has no user interface, runs as its creator, and its failure sends no notification', async () => {
  const file = await fileWith(`if (!a) return ScriptApp.newTrigger("work").timeBased().everyHours(1).create() && null;
    PropertiesService.getUserProperties().setProperty("ran", "yes"); SpreadsheetApp.getUi();`);
  file.call('work');
  file.become('ben@example.com');
  file.pass(3_600_000);
  expect(file.fireTriggers()).toEqual(['Cannot call SpreadsheetApp.getUi() from this context.']);
  expect(file.world().properties.users).toEqual({ 'owner@example.com': { ran: 'yes' } });
  expect(file.fireTriggers()).toEqual([]);
});

test('waiting for a lock that another execution holds takes virtual time, and the lock is released when a run ends', async () => {
  const file = await fileWith('return LockService.getDocumentLock().tryLock(5000);');
  file.holdLock(3_000);
  const before = file.world().now_ms;
  expect(file.call('work')).toBe(true);
  expect(file.world().now_ms).toBe(before + 3_000);
  expect(file.call('work')).toBe(true);
  file.holdLock(6_000);
  expect(file.call('work')).toBe(false);
});

test('a cached value expires when its time is over', async () => {
  const file = await fileWith(
    'const c = CacheService.getDocumentCache(); if (a) c.put("a", "x", 60); return c.get("a") ?? "gone";',
  );
  file.call('work', 'FULL', [true]);
  file.pass(59_000);
  expect(file.call('work')).toBe('x');
  file.pass(1_000);
  expect(file.call('work')).toBe('gone');
});

test('a page gets only results that Google can pass to it', async () => {
  const file = await fileWith('return { ok: [{ at: a ? new Date() : 1 }] };');
  expect(file.run('work', [])).toEqual({ ok: [{ at: 1 }] });
  expect(() => file.run('work', [true])).toThrow('No such result can cross');
});

test('inserted rows move everything below them, including charts and named ranges', async () => {
  const file = await fileWith(`sheet.getRange("A1:A3").setValues([[1], [2], [3]]);
    file.setNamedRange("N", sheet.getRange("A3"));
    sheet.insertChart(sheet.newChart().asLineChart().addRange(sheet.getRange("A1:A3")).setPosition(3, 2, 0, 0).build());
    sheet.insertRowsAfter(2, 2);`);
  file.call('work');
  expect(file.values('A1:A5').flat()).toEqual([1, 2, '', '', 3]);
  expect(file.world().named_ranges.N?.a1).toBe('A5');
  expect(file.sheetState()).toMatchObject({ rows: 1_002, charts: [{ anchor: { row: 5, column: 2 } }] });
});

test("a number with a date format is read as a Date in the file's time zone, and is written back as the same day number", async () => {
  const file = await fileWith(`const cell = sheet.getRange("A1");
    if (a) cell.setValue(46024.5).setNumberFormat("yyyy-mm-dd hh:mm");
    cell.setValue(cell.getValue()); return cell.getValue().toISOString();`);
  file.set({ time_zone: 'America/New_York' });
  expect(file.call('work', 'FULL', [true])).toBe('2026-01-02T17:00:00.000Z');
  expect(file.values('A1')).toEqual([[46_024.5]]);
  expect(file.types('A1')).toEqual([['date']]);
});

test('a day number converts to a time and back in every time zone', () => {
  const at = Date.UTC(2026, 6, 1, 22, 30);
  for (const zone of ['Etc/UTC', 'Asia/Kathmandu', 'America/Los_Angeles', 'Pacific/Kiritimati']) {
    expect(momentOf(serialOf(at, zone), zone)).toBe(at);
  }
  expect(shownDate(serialOf(at, 'Asia/Kathmandu'), 'yyyy-mm-dd hh:mm')).toBe('2026-07-02 04:15');
});

test('a file in another locale parses numbers and dates by that locale', () => {
  expect(typedCell('2.000', 'de_DE')).toEqual({ type: 'number', value: 2000 });
  expect(typedCell('1,5', 'de_DE')).toEqual({ type: 'number', value: 1.5 });
  expect(typedCell('1.2.2026', 'de_DE')?.type).toBe('date');
  expect(typedCell("'2.000", 'de_DE')).toEqual({ type: 'text', value: '2.000' });
});

test('a value typed into the result of a formula turns the formula into an error, and deleting the value restores the result', async () => {
  const file = await fileWith('');
  file.type('A1', 3, 1, 2);
  file.type('B1', '=SORT(A1:A3)');
  expect(file.values('B1:B3').flat()).toEqual([1, 2, 3]);
  file.type('B2', 'mine');
  expect(file.values('B1:B3').flat()).toEqual(['#REF!', 'mine', '']);
  file.type('B2', '');
  expect(file.values('B1:B3').flat()).toEqual([1, 2, 3]);
});

test('a sheet is rendered as a page with its formats, overflowing text and charts', async () => {
  const file = await fileWith(`sheet.getRange("A1:B3").setValues([["day", "n"], [46024, 1200], [46025, ""]]);
    sheet.getRange("A2:A3").setNumberFormat("yyyy-mm-dd"); sheet.getRange("B2").setNumberFormat("#,##0");
    sheet.insertChart(sheet.newChart().asLineChart().addRange(sheet.getRange("A1:A3")).addRange(sheet.getRange("B1:B3"))
      .setNumHeaders(1).setPosition(5, 1, 0, 0).setOption("title", "<n>").build());`);
  file.call('work');
  const page = renderSheet(file.sheetState());
  for (const part of ['2026-01-02', '1,200', '&lt;n>', '<svg']) expect(page).toContain(part);
});
