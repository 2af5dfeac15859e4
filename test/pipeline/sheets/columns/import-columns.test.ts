import { describe, expect, test } from 'vitest';
import { changeImport } from '../../../../db/deliveries/sheet-imports.ts';
import { type ImportInput, readImportSettings } from '../../../../pipeline/sheets/import-settings.ts';
import { address } from '../../batches/batch-workspace.ts';
import { input, openImportSetup } from '../import-setup.ts';

const setup = await openImportSetup();
const modes = ['replace', 'append', 'update'] as const;
const anna = [address('anna'), 4321, '90071992549463591'];

async function change(workspaceId: string, importId: string, more: Partial<ImportInput>): Promise<void> {
  const settings = readImportSettings({ ...input, max_age: '1d', ...more }, setup.clock.now);
  expect(await changeImport(setup.db.sql, workspaceId, importId, settings)).toBe(true);
}

/** Creates an import with the columns URL, Followers and Account ID, and runs it once. */
async function writeOnce(mode: string): Promise<[workspaceId: string, importId: string]> {
  setup.list('anna');
  const workspaceId = await setup.workspace(10);
  const importId = await setup.create(workspaceId, { mode, fields: 'followers,account_id', max_age: '1d' });
  await setup.go(workspaceId, importId);
  expect(setup.table()).toEqual([['URL', 'Followers', 'Account ID'], anna]);
  return [workspaceId, importId];
}

/** Creates an import with the columns URL and Followers, runs it once, and then adds the column Account ID to it. */
async function withOneMoreColumn(): Promise<[workspaceId: string, importId: string]> {
  setup.list('anna');
  const workspaceId = await setup.workspace(10);
  const importId = await setup.create(workspaceId, { fields: 'followers', max_age: '1d' });
  await setup.go(workspaceId, importId);
  await change(workspaceId, importId, { fields: 'followers,account_id' });
  return [workspaceId, importId];
}

describe('the columns of a sheet import', () => {
  test.each(modes)(
    'a sheet import in the mode %s writes nothing when the user has inserted a column into its table',
    async (mode) => {
      const [workspaceId, importId] = await writeOnce(mode);
      const [url, ...numbers] = anna;
      setup.type(1, 3, [
        ['URL', 'My notes', 'Followers', 'Account ID'],
        [url, 'mine', ...numbers],
      ]);
      const before = setup.table();
      await change(workspaceId, importId, { mode, fields: 'followers,account_id', max_age: 'new' });
      const balance = await setup.balance(workspaceId);
      const run = await setup.go(workspaceId, importId);
      expect(run).toMatchObject({ outcome: 'OTHER_TABLE', written_rows: null });
      expect(await setup.balance(workspaceId)).toBe(balance);
      expect(run.message).toBe(
        'The columns of the table at Sheet1!C1 were moved: restore them, or choose empty cells for the import.',
      );
      expect(setup.table()).toEqual(before);
    },
  );

  test.each(modes)('a sheet import in the mode %s writes nothing when the user has moved its columns', async (mode) => {
    const [workspaceId, importId] = await writeOnce(mode);
    setup.type(1, 4, [
      ['Account ID', 'Followers'],
      [anna[2], anna[1]],
    ]);
    expect(await setup.go(workspaceId, importId)).toMatchObject({ outcome: 'OTHER_TABLE' });
    expect(setup.table()[1]).toEqual([anna[0], anna[2], anna[1]]);
  });

  test('a sheet import whose columns were moved writes again when its settings name them in the order of the sheet', async () => {
    const [workspaceId, importId] = await writeOnce('append');
    setup.type(1, 4, [
      ['Account ID', 'Followers'],
      [anna[2], anna[1]],
    ]);
    await change(workspaceId, importId, { mode: 'append', fields: 'account_id,followers' });
    expect(await setup.go(workspaceId, importId)).toMatchObject({ outcome: 'OK' });
    const moved = [anna[0], anna[2], anna[1]];
    expect(setup.table()).toEqual([['URL', 'Account ID', 'Followers'], moved, moved]);
  });

  test.each([
    ['a title', [['My rivals']]],
    ['an empty row', [['', '', '']]],
  ])(
    'a sheet import in replace mode writes nothing when the user has inserted %s above its table',
    async (_, above) => {
      const [workspaceId, importId] = await writeOnce('replace');
      setup.type(1, 3, [...above.map(([title]) => [title, '', '']), ['URL', 'Fans', 'Account ID'], anna]);
      const before = setup.table();
      const run = await setup.go(workspaceId, importId);
      expect(run).toMatchObject({ outcome: 'OTHER_TABLE', written_rows: null });
      expect(run.message).toBe(
        'The table at Sheet1!C1 was moved: move it back, or enter the cell of its first heading in the import.',
      );
      expect(setup.table()).toEqual(before);
      await change(workspaceId, importId, { fields: 'followers,account_id', target_cell: 'C2' });
      setup.type(2, 4, [['Followers']]);
      expect(await setup.go(workspaceId, importId)).toMatchObject({ outcome: 'OK' });
      expect(setup.table()).toEqual(before.with(1, ['URL', 'Followers', 'Account ID']));
    },
  );

  test.each(['replace', 'update'])(
    'a sheet import in the mode %s writes nothing when its table was moved up by a row that the user deleted',
    async (mode) => {
      const [workspaceId, importId] = await writeOnce(mode);
      setup.type(1, 3, [anna, ['', '', '']]);
      expect(await setup.go(workspaceId, importId)).toMatchObject({ outcome: 'OTHER_TABLE' });
      expect(setup.table()).toEqual([anna, []]);
    },
  );

  test.each(modes)('a sheet import in the mode %s keeps headings that the user has renamed all', async (mode) => {
    const [workspaceId, importId] = await writeOnce(mode);
    setup.type(1, 3, [['Link', 'Fans', 'Number']]);
    expect(await setup.go(workspaceId, importId)).toMatchObject({ outcome: 'OK' });
    expect(setup.table().slice(0, 2)).toEqual([['Link', 'Fans', 'Number'], anna]);
  });

  test.each(modes)('a sheet import in the mode %s keeps renamed headings when it gets more columns', async (mode) => {
    const [workspaceId, importId] = await writeOnce(mode);
    setup.type(1, 3, [['Link', 'Fans', 'Number']]);
    await change(workspaceId, importId, { mode, fields: 'followers,account_id,status' });
    expect(await setup.go(workspaceId, importId)).toMatchObject({ outcome: 'OK' });
    expect(setup.table()[0]).toEqual(['Link', 'Fans', 'Number', 'Status']);
  });

  test('a sheet import in replace mode with renamed headings is written above another table with its columns', async () => {
    const [workspaceId, importId] = await writeOnce('replace');
    setup.type(1, 3, [['Link', 'Fans', 'Number']]);
    setup.type(5, 3, [['URL', 'Followers', 'Account ID'], anna]);
    setup.type(2, 4, [['old']]);
    expect(await setup.go(workspaceId, importId)).toMatchObject({ outcome: 'OK' });
    const headings = ['Link', 'Fans', 'Number'];
    expect(setup.table()).toEqual([headings, anna, [], [], ['URL', 'Followers', 'Account ID'], anna]);
  });

  test('a sheet import with renamed headings writes nothing when the user has inserted a column before its table', async () => {
    const [workspaceId, importId] = await writeOnce('replace');
    setup.type(1, 3, [
      ['Note', 'Link', 'Fans', 'Number'],
      ['mine', ...anna],
    ]);
    const before = setup.table();
    const run = await setup.go(workspaceId, importId);
    expect(run).toMatchObject({ outcome: 'OTHER_TABLE', message: expect.stringContaining('was moved: move it back') });
    expect(setup.table()).toEqual(before);
  });

  test.each(modes)(
    'a sheet import in the mode %s is not charged when the user has inserted an empty row above its table',
    async (mode) => {
      const [workspaceId, importId] = await writeOnce(mode);
      setup.type(1, 3, [['', '', ''], ['URL', 'Fans', 'Account ID'], anna]);
      await change(workspaceId, importId, { mode, fields: 'followers,account_id', max_age: 'new' });
      const balance = await setup.balance(workspaceId);
      const run = await setup.go(workspaceId, importId);
      expect(run).toMatchObject({ outcome: 'OTHER_TABLE', written_rows: null });
      expect(run.message).toContain('The table at Sheet1!C1 was moved: move it back');
      expect(await setup.balance(workspaceId)).toBe(balance);
    },
  );

  test('a sheet import is not charged when other content is in its first cell of a tab with too few columns', async () => {
    setup.list('anna');
    Object.assign(setup.sheet(), { columns: 4 });
    setup.type(1, 3, [['My notes']]);
    const workspaceId = await setup.workspace(10);
    const run = await setup.go(workspaceId, await setup.create(workspaceId));
    expect(run).toMatchObject({ outcome: 'OTHER_TABLE', message: expect.stringContaining('for the headings') });
    expect(await setup.balance(workspaceId)).toBe(10);
  });

  test.each(['append', 'update'])(
    'a sheet import in the mode %s writes no values below the headings of other columns',
    async (mode) => {
      const [workspaceId, importId] = await writeOnce(mode);
      await change(workspaceId, importId, { mode, fields: 'posts,account_id,followers' });
      const run = await setup.go(workspaceId, importId);
      expect(run).toMatchObject({ outcome: 'OTHER_TABLE', written_rows: null });
      expect(run.message).toContain('are not those of the import: restore them');
      expect(setup.table()).toEqual([['URL', 'Followers', 'Account ID'], anna]);
    },
  );

  test.each(['append', 'update'])(
    'a sheet import in the mode %s adds the headings of columns that it gets in addition',
    async (mode) => {
      const [workspaceId, importId] = await writeOnce(mode);
      await change(workspaceId, importId, { mode, fields: 'followers,account_id,status' });
      expect(await setup.go(workspaceId, importId)).toMatchObject({ outcome: 'OK', written_rows: 1 });
      const rows = mode === 'append' ? [anna, [...anna, 'OK']] : [[...anna, 'OK']];
      expect(setup.table()).toEqual([['URL', 'Followers', 'Account ID', 'Status'], ...rows]);
    },
  );

  test('a sheet import in update mode does not write additional columns over cells of the user', async () => {
    const [workspaceId, importId] = await writeOnce('update');
    setup.type(2, 6, [['mine']]);
    await change(workspaceId, importId, { mode: 'update', fields: 'followers,account_id,status' });
    expect(await setup.go(workspaceId, importId)).toMatchObject({ outcome: 'OTHER_TABLE' });
    expect(setup.table()).toEqual([
      ['URL', 'Followers', 'Account ID'],
      [...anna, 'mine'],
    ]);
  });

  test('a sheet import in append mode that loses its last column keeps the heading for its earlier rows', async () => {
    const [workspaceId, importId] = await writeOnce('append');
    await change(workspaceId, importId, { mode: 'append', fields: 'followers' });
    expect(await setup.go(workspaceId, importId)).toMatchObject({ outcome: 'OK' });
    await change(workspaceId, importId, { mode: 'append', fields: 'followers,status' });
    expect(await setup.go(workspaceId, importId)).toMatchObject({ outcome: 'OTHER_TABLE' });
    expect(setup.table()).toEqual([['URL', 'Followers', 'Account ID'], anna, anna.slice(0, 2)]);
  });

  test('a sheet import in append mode writes other columns when the user has emptied its table', async () => {
    const [workspaceId, importId] = await writeOnce('append');
    setup.type(1, 3, [
      ['', '', ''],
      ['', '', ''],
    ]);
    await change(workspaceId, importId, { mode: 'append', fields: 'account_id' });
    expect(await setup.go(workspaceId, importId)).toMatchObject({ outcome: 'OK' });
    expect(setup.table().map((row) => row.slice(0, 2))).toEqual([
      ['URL', 'Account ID'],
      [anna[0], anna[2]],
    ]);
  });

  test.each([
    ['headings', 0],
    ['rows', 1],
  ])('a replacement with more columns than before is completed when the answer to its %s is lost', async (_, skip) => {
    const [workspaceId, importId] = await withOneMoreColumn();
    const run = await setup.start(workspaceId, importId);
    await setup.advance(run);
    await setup.fetch(run);
    setup.google().mishaps.push({ path: /values:batchUpdate/, status: 503, lost: true, skip });
    await expect(setup.advance(run)).rejects.toMatchObject({ problem: 'TRY_AGAIN' });
    await setup.advance(run);
    expect(await setup.run_(run)).toMatchObject({ outcome: 'OK', written_rows: 1 });
    expect(setup.table()[0]).toEqual(['URL', 'Followers', 'Account ID']);
  });

  test('a replacement with more columns than before does not write over a heading that the user has typed', async () => {
    const [workspaceId, importId] = await withOneMoreColumn();
    setup.type(1, 5, [['Notes']]);
    expect(await setup.go(workspaceId, importId)).toMatchObject({ outcome: 'OTHER_TABLE' });
    expect(setup.table()[0]).toEqual(['URL', 'Followers', 'Notes']);
  });
});
