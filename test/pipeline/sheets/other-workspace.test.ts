import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../../db/ids.ts';
import { permissionTab } from '../../../pipeline/sheets/permission-tab.ts';
import { pushTable } from '../../../pipeline/sheets/push-table.ts';
import { createTarget } from '../../../pipeline/sheets/targets.ts';
import { addresses } from '../batches/batch-workspace.ts';
import { createImportSetup, type ImportSetup, spreadsheet } from './import-setup.ts';
import { tableOf } from './sheets-grid.ts';

let setup: ImportSetup;
beforeAll(async () => {
  setup = await createImportSetup();
});
beforeEach(() => setup.restart());
afterAll(() => setup.close());

const table = {
  columns: ['id'],
  rows: [['taken']],
  key: { column: 'id', value: 'taken' },
  date_columns: [],
  former_columns: [],
};
const titles = () => setup.tabs().map(({ title }) => title);
const signal = () => AbortSignal.timeout(10_000);

/** Writes a spreadsheet and lets one workspace use it. Returns the id of another workspace, which may not use it. */
async function strangerTo(content: unknown[][]): Promise<string> {
  setup.google().allow(spreadsheet, await setup.workspace(10));
  setup.type(1, 1, content);
  return setup.workspace(10);
}

/**
 * Removes the tab by which an editor allows this workspace to use the spreadsheet. The setup adds this tab for every
 * import.
 */
function withdraw(workspaceId: string): void {
  const at = setup.tabs().findIndex(({ title }) => title === permissionTab(workspaceId));
  setup.tabs().splice(at, 1);
}

test.each(['append', 'replace'] as const)(
  'a push in %s mode does not touch a spreadsheet that was shared for another workspace',
  async (mode) => {
    const content = [['Salary'], ['90000']];
    const workspaceId = await strangerTo(content);
    const target = { workspace_id: workspaceId, spreadsheet_id: spreadsheet, sheet_name: 'Sheet1', mode };
    await expect(pushTable(setup.google().client, target, table, signal())).rejects.toMatchObject({
      problem: 'NOT_ALLOWED',
      message: expect.stringContaining(permissionTab(workspaceId)),
    });
    expect(tableOf(setup.sheet())).toEqual(content);
  },
);

test('a push to a spreadsheet cannot create the tab that allows its own workspace', async () => {
  const workspaceId = await strangerTo([]);
  const own = permissionTab(workspaceId);
  const target = { workspace_id: workspaceId, spreadsheet_id: spreadsheet, sheet_name: own, mode: 'append' as const };
  await expect(pushTable(setup.google().client, target, table, signal())).rejects.toThrow();
  expect(titles()).not.toContain(own);
});

test('a workspace with permission for a spreadsheet cannot give it to another workspace through the server', async () => {
  const workspaceId = await setup.workspace(10);
  setup.google().allow(spreadsheet, workspaceId);
  const stranger = permissionTab(await setup.workspace(10));
  for (const name of [stranger, stranger.toUpperCase(), stranger.replace('k', '\u212a')]) {
    const target = {
      workspace_id: workspaceId,
      spreadsheet_id: spreadsheet,
      sheet_name: name,
      mode: 'append' as const,
    };
    await expect(pushTable(setup.google().client, target, table, signal())).rejects.toMatchObject({
      problem: 'NOT_ALLOWED',
    });
    expect(titles()).not.toContain(name);
    await expect(setup.create(workspaceId, { target_sheet: name })).rejects.toMatchObject({
      field: 'target_sheet',
    });
    const refused = { campaign_id: newId(), spreadsheet, sheet_name: name, mode: 'append' };
    expect(await createTarget(setup.db.sql, workspaceId, refused)).toMatchObject({ ok: false, field: 'sheet_name' });
  }
});

test.each([
  ['a range of a spreadsheet', { source_range: 'Sheet1!A2:A' }],
  ['a list', { source_range: '', source_list: addresses(2, 'stranger').join('\n') }],
])(
  'an import of %s reads, pays and writes nothing when the spreadsheet was shared for another workspace',
  async (_, source) => {
    const content = [['People'], ['secret@client.example']];
    const workspaceId = await strangerTo(content);
    const importId = await setup.create(workspaceId, source);
    withdraw(workspaceId);
    const before = setup.google().requests.length;
    const run = await setup.go(workspaceId, importId);
    expect(run).toMatchObject({ outcome: 'NOT_ALLOWED', written_rows: null });
    const calls = setup
      .google()
      .requests.slice(before)
      .filter((call) => call.includes('/v4/'));
    expect(calls).toEqual([`GET /v4/spreadsheets/${spreadsheet}`]);
    expect(tableOf(setup.sheet())).toEqual(content);
    expect(await setup.balance(workspaceId)).toBe(10);
  },
);

test('each workspace has its own permission tab in a spreadsheet, whose name does not contain the workspace ID', () => {
  const [one, other] = [newId(), newId()];
  expect(permissionTab(one)).not.toBe(permissionTab(other));
  expect(permissionTab(one)).toMatch(/^tidemark-[0-9a-f]{12}$/);
});
