import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorkspace } from '../../db/accounts/workspaces.ts';
import { inTransaction } from '../../db/transaction.ts';
import { buildAddon } from '../../scripts/build-addon.ts';
import { openFile } from '../addon/harness/file.ts';
import { renderSheet } from '../addon/harness/render-sheet.ts';
import { cookiesOf, freezeWeek, keepCampaign } from '../dashboard/campaigns/campaign-workspace.ts';
import { createDashboardBench } from '../dashboard/dashboard-server.ts';
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

/** Fills a sheet through the built add-on and the real service. Returns the sheet as an HTML page. */
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
    sheet.widths[1] = 340;
    sheet.widths[2] = 180;
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

const names = [
  'Harbor Coffee',
  'Autumn menu post',
  'Salt Trail Running',
  'Ridge run video',
  'Mira Bakes',
  'How to proof dough',
];

test('takes the picture of a campaign report', async () => {
  const bench = await createDashboardBench();
  const ann = await bench.member({ tier: 'ultra', credits: 24_000, name: 'Ann' });
  const { campaign_id } = await keepCampaign(bench, ann, {
    items: 6,
    name: 'Autumn launch',
    item_name: (n) => names[n] ?? '',
  });
  const reportId = await freezeWeek(bench, ann, campaign_id);
  const { page } = await browser.open({ ...sharp, viewport: { width: 1100, height: 900 } });
  await page.context().addCookies(cookiesOf(ann, bench.base_url));
  await page.goto(`${bench.base_url}/dashboard/campaigns/${campaign_id}/reports/${reportId}`);
  await takePicture(page, join(folder, 'report.webp'));
  await bench.close();
});
