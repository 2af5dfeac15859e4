import { describe, expect, test } from 'vitest';
import { changeImport } from '../../../db/deliveries/sheet-imports.ts';
import { readImportSettings } from '../../../pipeline/sheets/import-settings.ts';
import { address } from '../batches/batch-workspace.ts';
import { input, openImportSetup } from './import-setup.ts';
import { insertColumns, insertRows, tableOf } from './sheets-grid.ts';

const setup = await openImportSetup();
const modes = ['replace', 'append', 'update'] as const;
const headings = ['URL', 'Followers', 'Account ID'];
const anna = [address('anna'), 4321, '90071992549463591'];
const own = [
  ['Budget', 'Notes', 'Owner'],
  [1000, 'agreed', 'Dana'],
];
const refused = { outcome: 'OTHER_TABLE', message: expect.stringContaining('Sheet1!C1 have other content') };

const choices = { fields: 'followers,account_id', max_age: '1d' };

/** Creates an import of the links in A2:A into C1, and runs it once. */
async function written(mode: (typeof modes)[number], sourceRange = 'Sheet1!A2:A') {
  setup.list('anna');
  const workspaceId = await setup.workspace(10);
  const importId = await setup.create(workspaceId, { ...choices, mode, source_range: sourceRange });
  const go = () => setup.go(workspaceId, importId);
  expect(await go()).toMatchObject({ outcome: 'OK' });
  const balance = () => setup.balance(workspaceId);
  return { go, start: () => setup.start(workspaceId, importId), balance, workspaceId, importId };
}

describe('a sheet import whose cells a user has deleted', () => {
  test.each(modes)(
    'a sheet import in the mode %s keeps columns that are now in the place of its deleted table',
    async (mode) => {
      const { go } = await written(mode);
      setup.type(1, 6, own);
      insertColumns(setup.sheet(), 3, -3);
      expect(await go()).toMatchObject(refused);
      expect(setup.table()).toEqual(own);
    },
  );

  test.each(modes)(
    'a sheet import in the mode %s keeps rows that are now in the place of its deleted table',
    async (mode) => {
      const { go } = await written(mode);
      setup.type(3, 3, own);
      setup.list('', '', 'ben');
      insertRows(setup.sheet(), 1, -2);
      expect(await go()).toMatchObject(refused);
      expect(setup.table()).toEqual(own);
    },
  );

  test('a sheet import never takes the place of its deleted table again, even when other cells were moved', async () => {
    const { go } = await written('replace');
    setup.type(1, 6, own);
    insertColumns(setup.sheet(), 3, -3);
    insertRows(setup.sheet(), 1, 1);
    expect(await go()).toMatchObject({ outcome: 'OTHER_TABLE' });
    expect(await go()).toMatchObject({ outcome: 'OTHER_TABLE' });
    expect(setup.table()).toEqual([[], ...own]);
  });

  test('a sheet import writes a new table into the empty cells in the place of its deleted table', async () => {
    const { go } = await written('replace');
    insertColumns(setup.sheet(), 3, -3);
    expect(await go()).toMatchObject({ outcome: 'OK' });
    insertColumns(setup.sheet(), 3, 1);
    expect(await go()).toMatchObject({ outcome: 'OK' });
    expect(setup.table().map((row) => row.slice(1))).toEqual([headings, anna]);
  });

  test('a sheet import keeps cells below the empty heading cells in the place of its deleted table', async () => {
    const { go } = await written('replace');
    setup.type(2, 6, own);
    insertColumns(setup.sheet(), 3, -3);
    expect(await go()).toMatchObject({ outcome: 'OTHER_TABLE' });
    expect(setup.table()).toEqual([[], ...own]);
  });

  test.each(['Sheet1!A2:A', 'Sheet1!A:A'])(
    'a sheet import of %s buys nothing from the column that is now in the place of its deleted links',
    async (range) => {
      const { go, balance } = await written('replace', range);
      setup.type(1, 2, [['Suppliers'], [address('ben')]]);
      const before = await balance();
      insertColumns(setup.sheet(), 1, -1);
      insertRows(setup.sheet(), 1, 1);
      const lost = { outcome: 'NO_ADDRESSES', message: expect.stringContaining(`${range} was deleted`) };
      expect(await go()).toMatchObject(lost);
      expect(await go()).toMatchObject(lost);
      expect(await balance()).toBe(before);
    },
  );

  test('a sheet import writes its rows and then stops when its links are deleted while it fetches them', async () => {
    const { go, start } = await written('replace');
    const run = await start();
    await setup.advance(run);
    await setup.fetch(run);
    insertColumns(setup.sheet(), 1, -1);
    await setup.advance(run);
    expect(await setup.run_(run)).toMatchObject({ outcome: 'OK', written_rows: 1 });
    expect(await go()).toMatchObject({ outcome: 'NO_ADDRESSES' });
  });

  test('a sheet import later removes the rows that it wrote after its links were deleted', async () => {
    const { go, start, workspaceId, importId } = await written('replace');
    setup.list('anna', 'ben');
    const run = await start();
    await setup.advance(run);
    await setup.fetch(run);
    insertColumns(setup.sheet(), 1, -1);
    await setup.advance(run);
    expect(await setup.run_(run)).toMatchObject({ outcome: 'OK', written_rows: 2 });
    setup.type(2, 8, [[address('anna')]]);
    const { target_cell } = await setup.find(workspaceId, importId);
    const changed = { ...input, ...choices, target_cell, source_range: 'Sheet1!H2:H' };
    await changeImport(setup.db.sql, workspaceId, importId, readImportSettings(changed, setup.clock.now));
    expect(await go()).toMatchObject({ outcome: 'OK', written_rows: 1 });
    expect(tableOf(setup.sheet()).map((row) => row.slice(1, 4))).toEqual([headings, anna]);
  });

  test('a sheet import still reads its links after the first row of its range was deleted', async () => {
    const { go } = await written('append');
    setup.type(3, 1, [[address('ben')], [address('cleo')]]);
    insertRows(setup.sheet(), 2, -1);
    expect(await go()).toMatchObject({ outcome: 'OK', written_rows: 2 });
  });

  test.each([
    ['its last row', 4, 1, ['anna', 'ben']],
    ['its last two rows', 3, 2, ['anna']],
    ['its first row', 2, 1, ['ben', 'cleo']],
    ['the row above and its first row', 1, 2, ['ben', 'cleo']],
  ])(
    'a sheet import of a range with an end buys nothing below the range after a user has deleted %s',
    async (_, row, count, handles) => {
      setup.list('anna', 'ben', 'cleo', 'dora', 'emil');
      const workspaceId = await setup.workspace(10);
      const importId = await setup.create(workspaceId, {
        ...{ ...choices, source_range: 'Sheet1!A2:A4', target_sheet: 'Numbers', target_cell: 'A1' },
      });
      expect(await setup.go(workspaceId, importId)).toMatchObject({ outcome: 'OK', written_rows: 3 });
      insertRows(setup.sheet(), row, -count);
      expect(await setup.go(workspaceId, importId)).toMatchObject({ outcome: 'OK', written_rows: handles.length });
      const links = tableOf(setup.sheet('Numbers')).map(([link]) => link);
      expect(links).toEqual(['URL', ...handles.map(address)]);
      const end = row === 1 ? 2 : handles.length + 1;
      const { source_range } = await setup.find(workspaceId, importId);
      expect(source_range).toBe(`Sheet1!A${row === 1 ? 1 : 2}:A${end}`);
    },
  );

  test('a sheet import of several columns does not read the column after them when a user has deleted the last one', async () => {
    setup.list('anna');
    setup.type(2, 3, [[address('ben')]]);
    const workspaceId = await setup.workspace(10);
    const importId = await setup.create(workspaceId, {
      ...{ ...choices, source_range: 'Sheet1!A2:B', target_sheet: 'Numbers', target_cell: 'A1' },
    });
    await setup.go(workspaceId, importId);
    insertColumns(setup.sheet(), 2, -1);
    expect(await setup.go(workspaceId, importId)).toMatchObject({ outcome: 'OK' });
    expect((await setup.find(workspaceId, importId)).source_range).toBe('Sheet1!A2:A');
  });

  test('a sheet import buys nothing when it is unknown where its links end, and says what to do', async () => {
    setup.list('anna', 'ben', 'cleo', 'dora', 'emil');
    const workspaceId = await setup.workspace(10);
    const importId = await setup.create(workspaceId, { ...choices, source_range: 'Sheet1!A2:A4', target_cell: 'H1' });
    await setup.go(workspaceId, importId);
    const before = await setup.balance(workspaceId);
    insertRows(setup.sheet(), 4, -2);
    const lost = { outcome: 'NO_ADDRESSES', message: expect.stringContaining('The last rows of Sheet1!A2:A4 were') };
    expect(await setup.go(workspaceId, importId)).toMatchObject(lost);
    expect(await setup.go(workspaceId, importId)).toMatchObject(lost);
    expect(await setup.balance(workspaceId)).toBe(before);
    const entered = { ...input, ...choices, source_range: 'Sheet1!$A$2:$A$4', target_cell: 'H1' };
    await changeImport(setup.db.sql, workspaceId, importId, readImportSettings(entered, setup.clock.now));
    expect(await setup.go(workspaceId, importId)).toMatchObject({ outcome: 'OK', written_rows: 3 });
  });

  test('a sheet import of one cell buys nothing from the row that is now in the place of the deleted cell', async () => {
    setup.list('anna', 'ben');
    const workspaceId = await setup.workspace(10);
    const importId = await setup.create(workspaceId, { ...choices, source_range: 'Sheet1!A2', target_cell: 'H1' });
    await setup.go(workspaceId, importId);
    const before = await setup.balance(workspaceId);
    insertRows(setup.sheet(), 2, -1);
    expect(await setup.go(workspaceId, importId)).toMatchObject({ outcome: 'NO_ADDRESSES' });
    expect(await setup.balance(workspaceId)).toBe(before);
  });

  test.each([
    ['together with the row of its first link', () => insertRows(setup.sheet(), 2, -1)],
    [
      'and its tab was renamed',
      () => {
        setup.sheet().title = 'People';
      },
    ],
  ])('a sheet import buys nothing when the column with its links was deleted %s', async (_, more) => {
    const { go, balance } = await written('replace');
    setup.type(1, 2, [['Suppliers'], [address('ben')], [address('cleo')]]);
    const before = await balance();
    insertColumns(setup.sheet(), 1, -1);
    more();
    const lost = { outcome: 'NO_ADDRESSES', message: expect.stringContaining('was deleted') };
    expect(await go()).toMatchObject(lost);
    expect(await balance()).toBe(before);
  });
});
