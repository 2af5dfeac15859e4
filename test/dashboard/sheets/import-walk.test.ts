import { afterAll, beforeAll, expect, test } from 'vitest';
import { listRuns } from '../../../db/deliveries/sheet-import-runs.ts';
import { listImports } from '../../../db/deliveries/sheet-imports.ts';
import { batchItem } from '../../../pipeline/batches/batches.ts';
import { analyseBatch } from '../../../pipeline/jobs/analyse-batch.ts';
import { createRunImports } from '../../../pipeline/jobs/run-imports.ts';
import type { JobContext } from '../../../pipeline/queue/job.ts';
import { importItem } from '../../../pipeline/sheets/import-runs.ts';
import { writeLimits } from '../../../pipeline/sheets/import-writing.ts';
import { startBrowser, type TestBrowser } from '../../harness/browser.ts';
import { address } from '../../pipeline/batches/batch-workspace.ts';
import { newTab, type Tab, tableOf, writeValues } from '../../pipeline/sheets/sheets-grid.ts';
import { clientEmail, type SheetsServer, startSheetsServer } from '../../pipeline/sheets/sheets-server.ts';
import { silentLog } from '../../setup/test-database.ts';
import { cookiesOf, createDashboardSetup, type DashboardSetup, type Member } from '../dashboard-server.ts';

const spreadsheetId = 'a'.repeat(44);
const handles = ['anna', 'bert', 'cleo'];

let setup: DashboardSetup;
let browser: TestBrowser;
let google: SheetsServer;
let tabs: Tab[];
beforeAll(async () => {
  google = await startSheetsServer();
  tabs = google.share(spreadsheetId);
  [setup, browser] = await Promise.all([createDashboardSetup({ sheets_account: clientEmail }), startBrowser()]);
});
afterAll(() => Promise.all([google?.close(), setup?.close(), browser?.close()]));

/** Runs the sheet import that the member started, as the queue does. */
async function finishRun({ workspace_id }: Member): Promise<void> {
  const { db, queue, service_deps: deps, base_url } = setup;
  const { now, sources } = deps;
  const context: JobContext = {
    ...{ db, queue, now, sources, base_url, log: silentLog },
    signal: AbortSignal.timeout(30_000),
  };
  const [made] = await listImports(db.sql, workspace_id, now());
  const [run] = await listRuns(db.sql, workspace_id, made?.import_id ?? expect.fail('no import'));
  const { run_id } = run ?? expect.fail('no run');
  const runImports = createRunImports({ client: google.client, mail: async () => undefined, limits: writeLimits });
  await runImports.run([importItem({ workspace_id, run_id })], context);
  await analyseBatch.run([batchItem({ workspace_id, batch_id: run_id })], context);
  await runImports.run([importItem({ workspace_id, run_id })], context);
}

test('a new user shares a spreadsheet with the server and creates an import, and the sheet fills with real rows', async () => {
  const tab = tabs[0] ?? expect.fail('no tab');
  writeValues(tab, { row: 1, column: 1 }, [['People'], ...handles.map((name) => [address(name)])], 'RAW');
  const ann = await setup.member({ credits: 50 });
  const { page, problems } = await browser.open();
  await page.context().addCookies(cookiesOf(ann, setup.base_url));
  const started = performance.now();
  await page.goto(`${setup.base_url}/addon`);
  expect(await page.locator('#push').innerText()).toContain(clientEmail);
  await page.getByRole('link', { name: 'sheet import', exact: true }).click();
  await page.getByRole('link', { name: 'New import' }).first().click();
  const permission = /tidemark-[0-9a-f]+/.exec(await page.locator('main').innerText())?.[0];
  tabs.push(newTab(7, permission ?? expect.fail('the page names no tab')));
  await page.getByLabel('Name', { exact: true }).fill('My people');
  await page.getByLabel(/^Spreadsheet/).fill(`https://docs.google.com/spreadsheets/d/${spreadsheetId}/edit`);
  await page.getByText('Columns of profiles').click();
  await page.getByLabel('Followers', { exact: true }).check();
  await page.getByLabel('How often').selectOption('manual');
  await page.getByRole('button', { name: 'Create import' }).click();
  await page.getByRole('button', { name: 'Run now' }).click();
  await page
    .getByText(/started/i)
    .first()
    .waitFor();
  await finishRun(ann);
  expect(tableOf(tab).map((row) => row.slice(2))).toEqual([
    ['URL', 'Followers'],
    ...handles.map((name) => [address(name), 4321]),
  ]);
  await page.reload();
  expect(await page.locator('main').innerText()).toContain('3 rows written');
  console.log(
    `filled by the server, without Google’s own pages: ${((performance.now() - started) / 1000).toFixed(1)} s`,
  );
  expect(problems).toEqual([]);
});
