import { describe, expect, test } from 'vitest';
import { address } from '../batches/batch-workspace.ts';
import { openImportSetup } from './import-setup.ts';
import { newTab, type Values, writeValues } from './sheets-grid.ts';

const setup = await openImportSetup();

const list = { source_range: '', source_list: address('anna'), fields: 'followers,account_id' };

/** Deletes the import's tab and creates a new one with the same name, as a person does. Writes values from C1 on. */
function recreate(values: Values): void {
  const index = setup.tabs().indexOf(setup.sheet());
  setup.tabs().splice(index, 1, newTab(77, 'Sheet1'));
  writeValues(setup.sheet(), { row: 1, column: 3 }, values, 'RAW');
}

/** Creates an import and runs it once, so that its tab contains a table. */
async function createWritten(mode: string) {
  const workspaceId = await setup.workspace(10);
  const importId = await setup.create(workspaceId, { ...list, mode });
  expect(await setup.go(workspaceId, importId)).toMatchObject({ outcome: 'OK' });
  return { workspaceId, go: () => setup.go(workspaceId, importId) };
}

describe('a tab that was deleted and created again with the same name', () => {
  test.each(['replace', 'append', 'update'])(
    'a sheet import in the mode %s does not take the table of a user in a new tab of the same name for its own',
    async (mode) => {
      const { workspaceId, go } = await createWritten(mode);
      const table = [
        ['Client', 'Budget'],
        ['Acme', 100],
      ];
      recreate(table);
      expect(await go()).toMatchObject({ outcome: 'OTHER_TABLE', written_rows: null });
      expect(setup.table().slice(0, 2)).toEqual(table);
      expect(await setup.balance(workspaceId)).toBe(9);
    },
  );

  test('a sheet import that replaces its rows does not overwrite cells below empty headings of a new tab', async () => {
    const { go } = await createWritten('replace');
    recreate([
      ['', ''],
      ['', 'my note'],
    ]);
    expect(await go()).toMatchObject({ outcome: 'OTHER_TABLE', written_rows: null });
    expect(setup.table()[1]).toEqual(['', 'my note']);
  });

  test.each([
    ['empty', []],
    [
      'a copy of the old one',
      [
        ['URL', 'Followers', 'Account ID'],
        [address('anna'), 1, '2'],
      ],
    ],
  ])('a sheet import continues in a new tab that is %s', async (_, values) => {
    const { go } = await createWritten('replace');
    recreate(values);
    expect(await go()).toMatchObject({ outcome: 'OK', written_rows: 1 });
    expect(await go()).toMatchObject({ outcome: 'OK', written_rows: 1 });
    expect(setup.table().map(([, followers]) => followers)).toEqual(['Followers', 4321]);
  });

  test('a sheet import that replaces its rows leaves no old rows in a copy of its tab, and clears nothing else', async () => {
    const workspaceId = await setup.workspace(10);
    setup.list('anna', 'ben', 'cleo');
    const importId = await setup.create(workspaceId, { fields: 'followers' });
    await setup.go(workspaceId, importId);
    recreate([...setup.table(), ['below the table']]);
    setup.list('anna');
    expect(await setup.go(workspaceId, importId)).toMatchObject({ outcome: 'OK' });
    expect(setup.table()).toEqual([['URL', 'Followers'], [address('anna'), 4321], [], [], ['below the table']]);
    setup.list('anna', 'ben');
    expect(await setup.go(workspaceId, importId)).toMatchObject({ outcome: 'OK', written_rows: 2 });
  });

  test('a sheet import that replaces its rows does not clear cells below an empty link in a new tab', async () => {
    const workspaceId = await setup.workspace(10);
    setup.list('anna', 'ben', 'cleo');
    const importId = await setup.create(workspaceId, { fields: 'followers' });
    await setup.go(workspaceId, importId);
    recreate([
      ['URL', 'Followers'],
      ['', ''],
      ['my', 'note'],
    ]);
    setup.list('anna');
    expect(await setup.go(workspaceId, importId)).toMatchObject({ outcome: 'OK' });
    expect(setup.table()).toEqual([
      ['URL', 'Followers'],
      [address('anna'), 4321],
      ['my', 'note'],
    ]);
  });

  test('a sheet import takes a table that an earlier version wrote for its own', async () => {
    const { workspaceId, go } = await createWritten('replace');
    await setup.db.sql`update sheet_imports set covered_sheet_id = null where workspace_id = ${workspaceId}`;
    setup.type(1, 3, [['Link', 'Fans', 'ID']]);
    expect(await go()).toMatchObject({ outcome: 'OK', written_rows: 1 });
    expect(setup.table()[0]).toEqual(['Link', 'Fans', 'ID']);
  });
});
