import { describe, expect, test } from 'vitest';
import { changeImport } from '../../../db/deliveries/sheet-imports.ts';
import { type ImportInput, readImportSettings } from '../../../pipeline/sheets/import-settings.ts';
import { address } from '../batches/batch-workspace.ts';
import { input, openImportSetup } from './import-setup.ts';
import { insertColumns, insertRows, newTab, tableOf } from './sheets-grid.ts';

const setup = await openImportSetup();
const modes = ['replace', 'append', 'update'] as const;
const headings = ['URL', 'Followers', 'Account ID'];
const anna = [address('anna'), 4321, '90071992549463591'];
const choices = { fields: 'followers,account_id', max_age: '1d' };

/** Creates an import of the links in A2:A into C1, and runs it once. */
async function written(more: Partial<ImportInput> = {}) {
  setup.list('anna');
  const workspaceId = await setup.workspace(10);
  const importId = await setup.create(workspaceId, { ...choices, ...more });
  expect(await setup.go(workspaceId, importId)).toMatchObject({ outcome: 'OK' });
  return {
    go: () => setup.go(workspaceId, importId),
    find: () => setup.find(workspaceId, importId),
    workspaceId,
    importId,
  };
}

describe('a sheet import whose cells a user has moved', () => {
  test.each(modes)(
    'a sheet import in the mode %s follows its table and links when rows are inserted above',
    async (mode) => {
      const { go, find } = await written({ mode });
      insertRows(setup.sheet(), 1, 2);
      setup.type(1, 1, [['My rivals']]);
      setup.type(1, 3, [['Numbers of the week']]);
      expect(await go()).toMatchObject({ outcome: 'OK', written_rows: 1 });
      const rows = mode === 'append' ? [anna, anna] : [anna];
      expect(setup.table()).toEqual([['Numbers of the week'], [], headings, ...rows]);
      expect(await find()).toMatchObject({ target_cell: 'C3', source_range: 'Sheet1!A4:A' });
      insertRows(setup.sheet(), 1, -2);
      expect(await go()).toMatchObject({ outcome: 'OK', written_rows: 1 });
      expect(setup.table()).toEqual([headings, ...rows, ...(mode === 'append' ? [anna] : [])]);
      expect(await find()).toMatchObject({ target_cell: 'C1', source_range: 'Sheet1!A2:A' });
    },
  );

  test('a sheet import follows its table and links when columns are inserted before them', async () => {
    const { go, find } = await written();
    insertColumns(setup.sheet(), 1, 1);
    insertColumns(setup.sheet(), 3, 1);
    expect(await go()).toMatchObject({ outcome: 'OK' });
    expect(tableOf(setup.sheet()).map((row) => row.slice(4))).toEqual([headings, anna]);
    expect(await find()).toMatchObject({ target_cell: 'E1', source_range: 'Sheet1!B2:B' });
  });

  test('a sheet import reads links that were added in the middle of a range with an end', async () => {
    const { go, find } = await written({ source_range: 'Sheet1!$A$2:$A$3' });
    insertRows(setup.sheet(), 3, 1);
    setup.type(3, 1, [[address('ben')], [address('cleo')]]);
    expect(await go()).toMatchObject({ outcome: 'OK', written_rows: 3 });
    expect(await find()).toMatchObject({ target_cell: 'C1', source_range: 'Sheet1!A2:A4' });
  });

  test('a sheet import follows a tab that a user has renamed', async () => {
    const { go, find } = await written();
    setup.sheet().title = "Anna's numbers";
    expect(await go()).toMatchObject({ outcome: 'OK' });
    expect(await find()).toMatchObject({ target_sheet: "Anna's numbers", source_range: "'Anna''s numbers'!A2:A" });
    expect(setup.tabs().map(({ title }) => title)).not.toContain('Sheet1');
  });

  test('a sheet import does not take the table of another import for its own when its table is emptied', async () => {
    const { go } = await written();
    setup.type(12, 3, [headings, [address('ben'), 1, '2']]);
    setup.type(1, 3, [
      ['', '', ''],
      ['', '', ''],
    ]);
    expect(await go()).toMatchObject({ outcome: 'OTHER_TABLE', message: expect.stringContaining('was moved') });
    expect(setup.table().slice(11)).toEqual([headings, [address('ben'), 1, '2']]);
  });

  test('a sheet import does not overwrite other cells after it followed its table', async () => {
    const { go } = await written();
    insertRows(setup.sheet(), 1, 1);
    setup.type(4, 1, [[address('ben')]]);
    setup.type(4, 4, [['my note']]);
    expect(await go()).toMatchObject({ outcome: 'OTHER_TABLE' });
    expect(setup.table()[3]).toEqual(['', 'my note']);
  });

  test('rows that a user inserts while a run appends in several steps do not stop the run', async () => {
    const { workspaceId, importId } = await written({ mode: 'append' });
    setup.list('anna', 'ben', 'cleo');
    setup.limits = { ...setup.limits, rows: 1, requests: 1 };
    const run = await setup.start(workspaceId, importId);
    await setup.advance(run);
    await setup.fetch(run);
    await setup.advance(run);
    insertRows(setup.sheet(), 1, 1);
    await setup.advance(run);
    await setup.advance(run);
    await setup.advance(run);
    expect(await setup.run_(run)).toMatchObject({ outcome: 'OK', written_rows: 3 });
    const links = setup.table().map(([link]) => link);
    expect(links).toEqual([undefined, 'URL', ...['anna', 'anna', 'ben', 'cleo'].map(address)]);
  });

  test.each([
    ['a row in the middle', 3],
    ['the last row', 4],
  ])(
    'a sheet import that replaces its rows keeps cells below its table after a user has deleted %s',
    async (_, row) => {
      setup.list('anna', 'ben', 'cleo');
      const workspaceId = await setup.workspace(10);
      const importId = await setup.create(workspaceId, { ...choices, source_range: 'Sheet1!A2:A4' });
      await setup.go(workspaceId, importId);
      setup.type(5, 3, [['Total', 12_963]]);
      insertRows(setup.sheet(), row, -1);
      expect(await setup.go(workspaceId, importId)).toMatchObject({ outcome: 'OK', written_rows: 2 });
      expect(setup.table().at(-1)).toEqual(['Total', 12_963]);
      expect(setup.table()).toHaveLength(4);
    },
  );

  test('a sheet import that replaces its rows leaves no old row after a user has inserted a row into its table', async () => {
    setup.list('anna', 'ben', 'cleo');
    const workspaceId = await setup.workspace(10);
    const importId = await setup.create(workspaceId, { ...choices, source_range: 'Sheet1!A2:A' });
    await setup.go(workspaceId, importId);
    insertRows(setup.sheet(), 3, 1);
    expect(await setup.go(workspaceId, importId)).toMatchObject({ outcome: 'OK', written_rows: 3 });
    const links = () => setup.table().flatMap(([link]) => link ?? []);
    expect(links()).toEqual(['URL', ...['anna', 'ben', 'cleo'].map(address)]);
    setup.type(6, 3, [['Total']]);
    expect(await setup.go(workspaceId, importId)).toMatchObject({ outcome: 'OK', written_rows: 3 });
    expect(links().at(-1)).toBe('Total');
  });

  test.each([
    ['in the first column', 3],
    ['in another column', 4],
  ])(
    'a sheet import that replaces its rows keeps what a user wrote %s of a row that was inserted into its table',
    async (_, column) => {
      setup.list('anna', 'ben');
      const workspaceId = await setup.workspace(10);
      const importId = await setup.create(workspaceId, { ...choices, source_range: 'Sheet1!A2:A' });
      await setup.go(workspaceId, importId);
      const before = await setup.balance(workspaceId);
      insertRows(setup.sheet(), 3, 1);
      setup.type(3, column, [['call back']]);
      const kept = setup.table();
      const refused = { outcome: 'OTHER_TABLE', message: expect.stringContaining('Row 3 is inside the table') };
      expect(await setup.go(workspaceId, importId)).toMatchObject(refused);
      expect(setup.table()).toEqual(kept);
      expect(await setup.balance(workspaceId)).toBe(before);
      setup.type(3, column, [['']]);
      expect(await setup.go(workspaceId, importId)).toMatchObject({ outcome: 'OK', written_rows: 2 });
      const links = setup.table().flatMap(([link]) => link ?? []);
      expect(links).toEqual(['URL', ...['anna', 'ben'].map(address)]);
    },
  );

  test('a sheet import finds what a user wrote into the last of many rows that were inserted into its table', async () => {
    const names = Array.from({ length: 52 }, (_, index) => `anna${index}`);
    setup.list(...names);
    const workspaceId = await setup.workspace(60);
    const importId = await setup.create(workspaceId, { ...choices, source_range: 'Sheet1!A2:A' });
    await setup.go(workspaceId, importId);
    for (const index of names.keys()) insertRows(setup.sheet(), names.length + 1 - index, 1);
    setup.type(104, 4, [['call back']]);
    const kept = setup.table();
    const refused = { outcome: 'OTHER_TABLE', message: expect.stringContaining('Row 104 is inside the table') };
    expect(await setup.go(workspaceId, importId)).toMatchObject(refused);
    expect(setup.table()).toEqual(kept);
  });

  test.each([
    ['once', 1],
    ['twice', 2],
  ])('a second sheet import of a table waits, even when the first one has followed the table %s', async (_, moves) => {
    const { workspaceId, importId } = await written({ mode: 'append' });
    const other = await setup.create(workspaceId, { ...choices, mode: 'append' });
    await setup.go(workspaceId, other);
    const runs = [await setup.start(workspaceId, importId), await setup.start(workspaceId, other)] as const;
    for (const run of runs) {
      await setup.advance(run);
      await setup.fetch(run);
    }
    setup.limits = { ...setup.limits, rows: 1, requests: 0 };
    for (let move = 0; move < moves; move += 1) {
      insertRows(setup.sheet(), 1, 1);
      await setup.advance(runs[0]);
    }
    await setup.advance(runs[1]);
    expect(await setup.run_(runs[0])).toMatchObject({ stage: 'writing' });
    expect(await setup.run_(runs[1])).toMatchObject({ stage: 'fetching', message: expect.stringContaining('waits') });
    setup.limits = { ...setup.limits, requests: 10 };
    for (const run of runs) await setup.advance(run);
    expect(setup.table()).toEqual([...Array(moves).fill([]), headings, anna, anna, anna, anna]);
  });

  test('a second sheet import of a table waits, even when only an earlier run of it has followed the table', async () => {
    const { workspaceId, importId } = await written({ mode: 'append' });
    const other = await setup.create(workspaceId, { ...choices, mode: 'append' });
    await setup.go(workspaceId, other);
    const first = await setup.start(workspaceId, importId);
    await setup.advance(first);
    await setup.fetch(first);
    setup.limits = { ...setup.limits, rows: 1, requests: 0 };
    await setup.advance(first);
    insertRows(setup.sheet(), 1, 1);
    const followed = await setup.start(workspaceId, other);
    await setup.advance(followed);
    expect(await setup.cancel(followed)).toBe('cancelled');
    const second = await setup.start(workspaceId, other);
    await setup.advance(second);
    await setup.fetch(second);
    await setup.advance(second);
    expect(await setup.run_(second)).toMatchObject({ stage: 'fetching', message: expect.stringContaining('waits') });
    setup.limits = { ...setup.limits, requests: 10 };
    for (const run of [first, second]) await setup.advance(run);
    expect(setup.table()).toEqual([[], headings, anna, anna, anna, anna]);
  });

  test('rows that a user inserts after a run has followed its table and before it writes do not stop the run', async () => {
    const { workspaceId, importId } = await written();
    insertRows(setup.sheet(), 1, 1);
    const run = await setup.start(workspaceId, importId);
    await setup.advance(run);
    await setup.fetch(run);
    insertRows(setup.sheet(), 1, 1);
    await setup.advance(run);
    expect(await setup.run_(run)).toMatchObject({ outcome: 'OK', written_rows: 1 });
    expect(setup.table()).toEqual([[], [], headings, anna]);
  });

  test('a sheet import writes to the cell that a user enters, even when its earlier table was moved', async () => {
    const { go, workspaceId, importId } = await written();
    insertRows(setup.sheet(), 1, 1);
    const settings = readImportSettings({ ...input, ...choices, target_cell: 'H1' }, setup.clock.now);
    await changeImport(setup.db.sql, workspaceId, importId, settings);
    expect(await go()).toMatchObject({ outcome: 'OK' });
    expect(tableOf(setup.sheet())[0]?.slice(7)).toEqual(headings);
  });

  test('a sheet import uses the cells of its settings when Google keeps no marks', async () => {
    const { go } = await written();
    setup.sheet().marks = [];
    setup.google().mishaps.push({ path: /0001:batchUpdate/, status: 400 });
    expect(await go()).toMatchObject({ outcome: 'OK' });
    expect(await go()).toMatchObject({ outcome: 'OK' });
    expect(setup.sheet().marks).toHaveLength(10);
  });

  test.each(modes)(
    'a sheet import in the mode %s still knows its table after it followed it but could not mark its new cells',
    async (mode) => {
      const { go, workspaceId, importId } = await written({ mode });
      setup.type(1, 3, [['Profile', 'Fans', 'ID']]);
      insertColumns(setup.sheet(), 3, 1);
      setup.google().mishaps.push({ path: /0001:batchUpdate/, status: 503 });
      expect(await go()).toMatchObject({ outcome: 'OK' });
      expect(await setup.find(workspaceId, importId)).toMatchObject({ target_cell: 'D1' });
      insertColumns(setup.sheet(), 3, 1);
      expect(await go()).toMatchObject({ outcome: 'OK' });
      expect(await setup.find(workspaceId, importId)).toMatchObject({ target_cell: 'E1' });
      const rows = mode === 'append' ? [anna, anna, anna] : [anna];
      expect(tableOf(setup.sheet()).map((row) => row.slice(4))).toEqual([['Profile', 'Fans', 'ID'], ...rows]);
    },
  );

  test('a sheet import ignores the marks in a copy of its tab', async () => {
    const { go } = await written();
    const copy = newTab(77, 'Copy of Sheet1');
    setup.tabs().push(Object.assign(copy, { marks: setup.sheet().marks.map((mark) => ({ ...mark, index: 9 })) }));
    expect(await go()).toMatchObject({ outcome: 'OK' });
    expect(setup.table()).toEqual([headings, anna]);
  });
});
