import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDueRuns } from '../../../db/deliveries/sheet-import-runs.ts';
import { listImports } from '../../../db/deliveries/sheet-imports.ts';
import { startBrowser, type TestBrowser } from '../../harness/browser.ts';
import { cookiesOf, createDashboardSetup, type DashboardSetup } from '../dashboard-server.ts';

const area = '/dashboard/imports';
const file = 'a'.repeat(44);
const settings = {
  ...{ label: 'Rivals', spreadsheet: file, source_range: 'People!A2:A', kind: 'profiles', mode: 'replace' },
  ...{ target_sheet: 'People', target_cell: 'C1', max_age: 'new', schedule: 'daily', next_run: '2026-11-20T10:00' },
};
/** The cells to which a run has followed its moved table and links, and what the table covers. */
const followed = {
  ...{ source_range: 'Team!A4:A', target_sheet: 'Team', target_cell: 'C3' },
  ...{ covered_rows: 2, covered_fields: ['url', 'followers'], covered_sheet_id: 7 },
};

let setup: DashboardSetup;
let browser: TestBrowser;
beforeAll(async () => {
  const account = 'imports@example.iam.gserviceaccount.com';
  [setup, browser] = await Promise.all([createDashboardSetup({ sheets_account: account }), startBrowser()]);
});
afterAll(() => Promise.all([setup.close(), browser.close()]));

/**
 * Opens the settings of an import in a browser. Then its run follows a moved table, as the run does. `save` enters
 * values into the open page and saves it.
 */
async function opened() {
  const { sql } = setup.db;
  const ann = await setup.member();
  await ann.post(area, settings);
  const read = async () => (await listImports(sql, ann.workspace_id, setup.clock.now))[0] ?? expect.fail('no import');
  const { import_id } = await read();
  const { page } = await browser.open();
  await page.context().addCookies(cookiesOf(ann, setup.base_url));
  await page.goto(`${setup.base_url}${area}/${import_id}`);
  await sql`update sheet_imports set ${sql({ ...followed })} where import_id = ${import_id}`;
  const enter = async (entered: Record<string, string>) => {
    for (const [label, value] of Object.entries(entered)) await page.getByLabel(label, { exact: true }).fill(value);
    await page.getByRole('button', { name: 'Save' }).click();
  };
  const save = async (entered: Record<string, string>) => {
    await enter(entered);
    await page.getByText('Import saved.').waitFor();
    await page.context().close();
    return read();
  };
  return { save, enter, page, read };
}

describe('a page with the settings of a sheet import that was opened before a run followed the moved table', () => {
  test('a save keeps the cells that the user did not change', async () => {
    const { save } = await opened();
    expect(await save({ Name: 'Friends' })).toMatchObject({ label: 'Friends', ...followed });
  });

  test('a save keeps the cells also after a refused attempt', async () => {
    const { save, enter, page } = await opened();
    await enter({ 'Monthly cap in credits': '99999999999' });
    await page.getByText('The monthly cap must be a whole number of credits.').first().waitFor();
    expect(await save({ 'Monthly cap in credits': '5' })).toMatchObject({ monthly_cap: 5, ...followed });
  });

  test('a save moves the table to the cell that the user entered, in the renamed tab', async () => {
    const { save } = await opened();
    const moved = { target_sheet: 'Team', target_cell: 'H1', source_range: 'Team!A4:A' };
    expect(await save({ 'Cell of the first heading': 'H1' })).toMatchObject({ ...moved, covered_fields: null });
  });

  test('a save moves the table to the tab that the user entered, at the cell that the page showed', async () => {
    const { save } = await opened();
    const moved = { target_sheet: 'Report', target_cell: 'C1', source_range: 'Team!A4:A' };
    expect(await save({ Tab: 'Report' })).toMatchObject({ ...moved, covered_rows: 0, covered_sheet_id: null });
  });

  test('a save uses the links that the user entered, and keeps the table', async () => {
    const { save } = await opened();
    const saved = await save({ 'Cells with the links': 'People!B2:B' });
    expect(saved).toMatchObject({ ...followed, source_range: 'People!B2:B' });
  });

  test('a save uses the cells that the page showed when the user enters another spreadsheet', async () => {
    const { save } = await opened();
    const { source_range, target_sheet, target_cell } = settings;
    const saved = await save({ Spreadsheet: 'b'.repeat(44) });
    expect(saved).toMatchObject({ source_range, target_sheet, target_cell, covered_rows: 0, covered_fields: null });
  });

  test('a save does not repeat a scheduled run that started after the page was opened', async () => {
    const { save, read } = await opened();
    const before = await read();
    setup.clock.now = new Date('2026-11-20T10:00:30.000Z');
    await startDueRuns(setup.db.sql, setup.clock.now);
    const { next_run_at } = await read();
    expect(next_run_at).not.toEqual(before.next_run_at);
    expect(await save({ Name: 'Friends' })).toMatchObject({ next_run_at });
  });

  test('a save uses the time of the next run that the user entered', async () => {
    const { save } = await opened();
    const chosen = '2026-11-29T08:15';
    const saved = await save({ 'Next run (UTC)': chosen });
    expect(saved.next_run_at).toEqual(new Date(`${chosen}:00.000Z`));
  });
});
