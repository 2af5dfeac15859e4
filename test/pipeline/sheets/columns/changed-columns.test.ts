import { describe, expect, test } from 'vitest';
import { changeImport } from '../../../../db/deliveries/sheet-imports.ts';
import { type ImportInput, readImportSettings } from '../../../../pipeline/sheets/import-settings.ts';
import { address } from '../../batches/batch-workspace.ts';
import { input, openImportSetup } from '../import-setup.ts';
import { insertColumns, insertRows } from '../sheets-grid.ts';

const setup = await openImportSetup();
const modes = ['replace', 'append', 'update'] as const;
const headings = ['URL', 'Followers', 'Account ID'];
const anna = [address('anna'), 4321, '90071992549463591'];
const choices = { fields: 'followers,account_id', max_age: '1d' };
const refused = { outcome: 'OTHER_TABLE', message: expect.stringContaining('columns of the table at Sheet1!C1') };

/** Creates an import of the links in A2:A into C1, and runs it once. */
async function written(mode: (typeof modes)[number]) {
  setup.list('anna');
  const workspaceId = await setup.workspace(10);
  const importId = await setup.create(workspaceId, { ...choices, mode });
  const go = () => setup.go(workspaceId, importId);
  expect(await go()).toMatchObject({ outcome: 'OK' });
  const change = (more: Partial<ImportInput>) => {
    const settings = readImportSettings({ ...input, ...choices, mode, ...more }, setup.clock.now);
    return changeImport(setup.db.sql, workspaceId, importId, settings);
  };
  return { go, change, workspaceId, importId };
}

describe('a sheet import whose last column a user has moved or deleted', () => {
  test.each(modes)(
    'a sheet import in the mode %s keeps a column that a user has inserted before its last one',
    async (mode) => {
      const { go } = await written(mode);
      insertColumns(setup.sheet(), 5, 1);
      setup.type(1, 5, [['Notes'], ['call back']]);
      const kept = [
        ['URL', 'Followers', 'Notes', 'Account ID'],
        [anna[0], anna[1], 'call back', anna[2]],
      ];
      expect(await go()).toMatchObject(refused);
      expect(setup.table()).toEqual(kept);
      insertColumns(setup.sheet(), 5, -1);
      expect(await go()).toMatchObject({ outcome: 'OK', written_rows: 1 });
      expect(setup.table().slice(0, 2)).toEqual([headings, anna]);
    },
  );

  test.each(modes)(
    'a sheet import in the mode %s keeps the column that is now in the place of its deleted last column',
    async (mode) => {
      const { go } = await written(mode);
      setup.type(1, 6, [['Budget'], [1_000]]);
      insertColumns(setup.sheet(), 5, -1);
      const kept = [
        ['URL', 'Followers', 'Budget'],
        [anna[0], anna[1], 1_000],
      ];
      expect(await go()).toMatchObject(refused);
      expect(await go()).toMatchObject(refused);
      expect(setup.table()).toEqual(kept);
    },
  );

  test('a sheet import continues after its deleted last column is no longer chosen', async () => {
    const { go, change } = await written('replace');
    setup.type(1, 6, [['Budget'], [1_000]]);
    insertColumns(setup.sheet(), 5, -1);
    await change({ fields: 'followers' });
    expect(await go()).toMatchObject({ outcome: 'OK' });
    insertRows(setup.sheet(), 1, 1);
    expect(await go()).toMatchObject({ outcome: 'OK' });
    expect(setup.table()).toEqual([[], ['URL', 'Followers', 'Budget'], [anna[0], anna[1], 1_000]]);
  });

  test.each(modes)(
    'a sheet import in the mode %s still gets the columns that a user adds in its settings',
    async (mode) => {
      const { go, change, workspaceId, importId } = await written(mode);
      await change({ fields: 'followers,account_id,status' });
      expect(await go()).toMatchObject({ outcome: 'OK' });
      expect(await go()).toMatchObject({ outcome: 'OK' });
      expect(setup.table()[0]).toEqual([...headings, 'Status']);
      insertColumns(setup.sheet(), 6, 1);
      setup.type(1, 6, [['Notes']]);
      expect(await go()).toMatchObject(refused);
      expect(await setup.find(workspaceId, importId)).toMatchObject({ target_cell: 'C1' });
    },
  );
});
