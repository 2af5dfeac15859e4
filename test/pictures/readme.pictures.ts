import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorkspace } from '../../db/accounts/workspaces.ts';
import { addShare } from '../../db/campaigns/report-shares.ts';
import { inTransaction } from '../../db/transaction.ts';
import { lockSample } from '../../db/workspace-data/samples.ts';
import { buildAddon } from '../../scripts/build-addon.ts';
import { openFile } from '../addon/harness/file.ts';
import { renderSheet } from '../addon/harness/render-sheet.ts';
import { createDashboardSetup } from '../dashboard/dashboard-server.ts';
import { startBrowser, type TestBrowser } from '../harness/browser.ts';
import { sharp, showSheet, takePicture } from '../harness/picture.ts';
import { createTestDatabase } from '../setup/test-database.ts';
import { handles } from './people.ts';

const folder = resolve(import.meta.dirname, '../../docs/pictures');
let browser: TestBrowser;
beforeAll(async () => {
  [browser] = await Promise.all([startBrowser(), mkdir(folder, { recursive: true })]);
});
afterAll(() => browser.close());

/** Fills a sheet with formulas of the built add-on, which call the real service. Returns the sheet as an HTML page. */
async function filledSheet(): Promise<string> {
  const database = await createTestDatabase();
  const { live_key } = await inTransaction(database.sql, (tx) => createWorkspace(tx, { name: 'sheet', credits: 100 }));
  const server = spawn(process.execPath, [join(import.meta.dirname, 'people-server.ts'), database.database_url], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const outDir = await mkdtemp(join(tmpdir(), 'addon-'));
  try {
    const [origin] = await once(createInterface({ input: server.stdout }), 'line');
    await buildAddon({ origin: String(origin), out_dir: outDir });
    const file = await openFile(outDir);
    file.world().properties.document.api_key = live_key;
    file.type('A1', 'Profile');
    ['Status', 'Name', 'Followers', 'Following', 'Posts', 'Verified'].forEach((heading, index) => {
      file.type(`${'BCDEFG'[index]}1`, heading);
    });
    file.type('A2', ...handles.map((handle) => `https://www.instagram.com/${handle}/`));
    file.type('B2', `=SOCIAL_PROFILE(A2:A${handles.length + 1}, "display_name,followers,following,posts,verified")`);
    expect(file.values('B2:D2')).toEqual([['OK', 'Harbor Coffee', 128_430]]);
    const sheet = file.sheetState();
    sheet.widths[1] = 335;
    sheet.widths[2] = 170;
    sheet.widths[3] = 150;
    for (const column of 'ABCDEFG') sheet.looks[`${column}1`] = { font_weight: 'bold', background: '#e8f0fe' };
    const page = renderSheet(sheet);
    await file.close();
    return page;
  } finally {
    server.stdin.end();
    await once(server, 'exit');
    await database.close();
    await rm(outDir, { recursive: true });
  }
}

test('takes the picture of a filled sheet', async () => {
  const content = await filledSheet();
  const { page } = await browser.open(sharp);
  await showSheet(page, content);
  await takePicture(page, join(folder, 'sheet.webp'));
});

test('takes the picture of a campaign report, as the client opens it', async () => {
  const setup = await createDashboardSetup();
  const { sql } = setup.db;
  const ann = await setup.member({ tier: 'ultra', credits: 24_000, name: 'Ann' });
  await ann.post('/dashboard/sample', {});
  const sample = (await lockSample(sql, ann.user_id)) ?? expect.fail('there is no sample workspace');
  const [report] = await sql<{ campaign_id: string; report_id: string }[]>`
    select campaign_id, report_id from reports where workspace_id = ${sample} order by period_start desc limit 1`;
  const expiresAt = new Date(setup.clock.now.getTime() + 86_400_000);
  const link = { ...(report ?? expect.fail('there is no report')), expires_at: expiresAt, label: 'Client' };
  const { token } = await addShare(sql, sample, link, 'test key', setup.clock.now);
  const { page } = await browser.open({ ...sharp, viewport: { width: 1_000, height: 1_120 } });
  await page.goto(`${setup.base_url}/shared/reports/${token}`);
  await takePicture(page, join(folder, 'report.webp'));
  await setup.close();
});
