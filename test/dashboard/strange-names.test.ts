import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser, type TestBrowser } from '../harness/browser.ts';
import { cookiesOf } from './campaigns/campaign-workspace.ts';
import { createDashboardBench, type DashboardBench, type Member } from './dashboard-server.ts';
import { hostileName, populate } from './populated.ts';
import { dashboardPaths, each, filled } from './sweep.ts';

const names = {
  'right-to-left': 'مرحبا بالعالم 12 שלום “abc” \u202e(test) حملة الخريف',
  'very long': `${'Donaudampfschifffahrtsgesellschaftskapitaen'.repeat(2)}_${'W'.repeat(24)}`,
  'full of markup': hostileName,
};
type NameKind = keyof typeof names;

let bench: DashboardBench;
let browser: TestBrowser;
/** For each kind of name, a member whose data has such names, and the paths of the member's HTML pages. */
const workspaces = new Map<string, { member: Member; paths: string[] }>();
beforeAll(async () => {
  [bench, browser] = await Promise.all([createDashboardBench(), startBrowser()]);
  for (const [kind, name] of Object.entries(names)) {
    const member = await bench.member({ tier: 'ultra', credits: 1_204_000, name: name.slice(0, 80) });
    const { ids, secrets } = await populate(bench, member, name);
    const own = dashboardPaths(bench).pages.map((path) => filled(path, ids));
    const running = filled('/dashboard/campaigns/:campaign_id/reports/running', ids);
    const answers = await each([...new Set([...own, running, `/shared/reports/${secrets[1]}`])], async (path) => {
      const answer = await member.get(path);
      await answer.arrayBuffer();
      return { path, isPage: answer.status < 300 && answer.headers.get('content-type')?.startsWith('text/html') };
    });
    workspaces.set(kind, { member, paths: answers.flatMap(({ path, isPage }) => (isPage ? [path] : [])) });
  }
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await bench?.close();
});

/**
 * Opens every page of a workspace. Returns, by path, how far the page scrolls sideways and which scripts in names ran.
 */
async function faultsOf(
  kind: NameKind,
  look: BrowserContextOptions,
  textSize = '100%',
): Promise<Record<string, string>> {
  const { member, paths } = workspaces.get(kind) ?? expect.fail(kind);
  const { page, problems } = await browser.open(look);
  const ran: string[] = [];
  page.on('dialog', (dialog) => {
    ran.push(dialog.message());
    void dialog.dismiss();
  });
  await page.context().addCookies(cookiesOf(member, bench.base_url));
  const faults: Record<string, string> = {};
  for (const path of paths) {
    [ran.length, problems.length] = [0, 0];
    await page.goto(`${bench.base_url}${path}`);
    // Sets a larger text size, as some people do in their browser.
    await page.evaluate(`document.documentElement.style.fontSize = '${textSize}'`);
    const wider = Number(
      await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
    );
    const found = [
      ...(wider > 0 ? [`scrolls sideways by ${wider} px`] : []),
      ...ran.map((text) => `ran ${text}`),
      ...problems,
    ];
    if (found.length > 0) faults[path] = found.join('; ');
  }
  await page.context().close();
  expect(paths.length).toBeGreaterThan(30);
  return faults;
}

test.each(Object.keys(names) as NameKind[])(
  'no page of a workspace with names that are %s scrolls sideways at 390 px or runs a script of a name',
  async (kind) => {
    expect(await faultsOf(kind, { viewport: { width: 390, height: 844 } })).toEqual({});
  },
  120_000,
);

test('no page with very long names scrolls sideways at a zoom of 200 % in a window of 1,280 px', async () => {
  const zoomed = { viewport: { width: 640, height: 450 }, deviceScaleFactor: 2 };
  expect(await faultsOf('very long', zoomed)).toEqual({});
}, 120_000);

test('no page of the dashboard scrolls sideways when only the text is twice as large', async () => {
  expect(await faultsOf('full of markup', { viewport: { width: 1_280, height: 900 } }, '200%')).toEqual({});
}, 120_000);
