import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, test } from 'vitest';
import { renderSheet } from '../addon/harness/render-sheet.ts';
import { busyReport } from '../addon/report-sheet/busy-report.ts';
import { ask, setUpReport } from '../addon/report-sheet/report-workspace.ts';
import { startBrowser, type TestBrowser } from '../harness/browser.ts';
import { sharp, takePicture } from '../harness/picture.ts';

const folder = resolve(import.meta.dirname, '../../docs/pictures');
const setup = setUpReport();
let browser: TestBrowser;
beforeAll(async () => {
  [browser] = await Promise.all([startBrowser(), mkdir(folder, { recursive: true })]);
});
afterAll(() => browser.close());

test('takes the pictures of the two sheets of a campaign report', async () => {
  const own = await setup.campaign('Autumn launch');
  await setup.finish(own, busyReport());
  const file = await setup.open(own.live_key);
  const { sheet } = ask(file, 'sidebarInsertReport', own.campaign_id, null);
  for (const [name, picture, height] of [
    [sheet, 'report-sheet.webp', 1_030],
    ['Autumn launch details', 'report-details.webp', 290],
  ] as const) {
    const { page } = await browser.open({ ...sharp, viewport: { width: 1_260, height } });
    await page.setContent(renderSheet(file.sheetState(name)));
    await takePicture(page, join(process.env.PICTURES ?? folder, picture));
  }
});
