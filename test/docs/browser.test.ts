import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey } from '../../db/accounts/keys.ts';
import { latencyBoundsMs } from '../../db/requests/health.ts';
import { guideGroups } from '../../server/docs/guides.ts';
import { cookiesOf, createDashboardSetup, type DashboardSetup } from '../dashboard/dashboard-server.ts';
import { accessibilityFaults, startBrowser, type TestBrowser } from '../harness/browser.ts';

let setup: DashboardSetup;
let browser: TestBrowser;
beforeAll(async () => {
  [setup, browser] = await Promise.all([createDashboardSetup(), startBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await setup.close();
});

const pages = [
  '/docs/search?q=credits',
  '/docs',
  '/docs/api',
  '/docs/api/v1/photo/posts',
  '/docs/guides',
  '/v1/status',
  ...guideGroups.flatMap(({ guides }) => guides).map(({ name }) => `/docs/${name}`),
];

/** One page of each kind, on which colors are checked. Other pages of the same kind have the same colors. */
const oneOfEach = [
  '/docs/search?q=credits',
  '/docs',
  '/docs/api',
  '/docs/api/v1/photo/posts',
  '/docs/guides',
  '/v1/status',
  '/docs/errors',
  '/docs/quickstart',
];

const narrow = { width: 360, height: 800 };
const wide = { width: 1280, height: 800 };

test('every page of the documentation is accessible in light and dark mode and fits narrow and wide windows', async () => {
  // Turns transitions off, so that colors change as soon as the color scheme changes.
  const { page, problems } = await browser.open({ viewport: narrow, reducedMotion: 'reduce' });
  for (const [index, path] of pages.entries()) {
    await page.goto(setup.base_url + path);
    // Begins with the width that the previous page had last, because changing the width takes time.
    for (const viewport of index % 2 === 0 ? [narrow, wide] : [wide, narrow]) {
      await page.setViewportSize(viewport);
      for (const colorScheme of oneOfEach.includes(path) ? (['dark', 'light'] as const) : (['light'] as const)) {
        const look = `${path} ${colorScheme} ${viewport.width}`;
        await page.emulateMedia({ colorScheme });
        if (viewport === narrow) expect(await accessibilityFaults(page), look).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), look).toBe(true);
      }
    }
  }
  expect(problems).toEqual([]);
}, 120_000);

test('the status page shows the numbers of the day under the pointer, and of a day chosen with the arrow keys', async () => {
  const hour = { hour: new Date('2026-11-19T12:00:00Z'), answered: 98, failed: 2, last_success_at: null };
  const latency = latencyBoundsMs.map(() => 0);
  const earlier = { ...hour, hour: new Date('2026-11-18T12:00:00Z'), route: '/v1/photo/profile', latency };
  await setup.db
    .sql`insert into route_health ${setup.db.sql([earlier, { ...hour, route: '/v1/photo/posts', latency }])}`;
  setup.clock.now = new Date(setup.clock.now.getTime() + 120_000);
  const { page, problems } = await browser.open({ viewport: wide });
  await page.goto(`${setup.base_url}/v1/status`);
  const rows = page.locator('svg[data-days]');
  const row = rows.nth(1);
  const tip = page.locator('.tip');
  const { width = 0 } = (await row.boundingBox()) ?? {};
  await row.hover({ position: { x: (width * 88.5) / 90, y: 10 } });
  expect(await tip.innerText()).toBe('19 Nov 2026: 98 of 100 requests answered');
  await row.hover({ position: { x: 2, y: 10 } });
  expect(await tip.innerText()).toBe('23 Aug 2026: no requests');
  await page.mouse.move(0, 0);
  expect(await tip.isVisible()).toBe(false);
  await rows.first().focus();
  const told: string[] = [];
  for (const key of ['End', 'ArrowLeft', 'ArrowDown', 'ArrowRight', 'Home']) {
    await page.keyboard.press(key);
    told.push(await tip.innerText());
  }
  expect(told).toEqual([
    '20 Nov 2026: no requests so far',
    '19 Nov 2026: no requests',
    '19 Nov 2026: 98 of 100 requests answered',
    '20 Nov 2026: no requests so far',
    '23 Aug 2026: no requests',
  ]);
  await page.keyboard.press('Tab');
  expect(await tip.isVisible()).toBe(false);
  expect(await page.locator('svg[data-days]:focus').count()).toBe(0);
  expect(problems).toEqual([]);
}, 60_000);

test('the copy button of a code sample copies the code, and is hidden without JavaScript', async () => {
  const { page } = await browser.open({ permissions: ['clipboard-read', 'clipboard-write'] });
  await page.goto(`${setup.base_url}/docs/credits`);
  await page.locator('.code button').first().click();
  await page.waitForSelector('button:text-is("Copied")');
  const sample = await page.locator('.code pre').first().innerText();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(sample);
  expect(sample).toContain(`${setup.base_url}/v1/credit/balance`);
  const { page: withoutScript } = await browser.open({ javaScriptEnabled: false });
  await withoutScript.goto(`${setup.base_url}/docs/credits`);
  expect(await withoutScript.locator('.code button').first().isVisible()).toBe(false);
  expect(await withoutScript.locator('.code pre').first().isVisible()).toBe(true);
}, 60_000);

test('a form of the API reference sends a request with a key that is stored only in the browser tab', async () => {
  const { workspace_id } = await setup.member();
  const { key } = await createKey(setup.db.sql, workspace_id, { kind: 'test', name: 'docs' });
  const { page, problems } = await browser.open();
  await page.goto(`${setup.base_url}/docs/api/v1/photo/profile`);
  const article = page.locator('form.try');
  await page.fill('#key', key);
  await article.locator('button').click();
  const answer = article.locator('.answer');
  await answer.getByText('"credits_charged": 0').waitFor();
  const shown = await answer.innerText();
  expect(shown).toMatch(/^GET \/v1\/photo\/profile\?handle=nasa\n200\n/);
  expect(shown).toContain('x-data-mode: sandbox');
  expect(shown).toContain('"username": "tidemark.sample"');
  await article.locator('[name=handle]').fill('sandbox_404');
  await article.locator('button').click();
  await answer.getByText('"RESOURCE_NOT_FOUND"').waitFor();
  expect(await page.evaluate('document.cookie + JSON.stringify(localStorage)')).not.toContain(key);
  expect(problems.filter((problem) => !problem.includes('404'))).toEqual([]);
}, 60_000);

test('signing out in one tab removes the key that was typed into a form of the API reference in any tab', async () => {
  const ann = await setup.member();
  const { page } = await browser.open();
  const context = page.context();
  await context.addCookies(cookiesOf(ann, setup.base_url));
  const other = await context.newPage();
  const stored = () => Promise.all([page, other].map((tab) => tab.evaluate('sessionStorage.length')));
  for (const tab of [page, other]) {
    await tab.goto(`${setup.base_url}/docs/api/v1/photo/profile`);
    await tab.fill('#key', 'tide_test_invented');
  }
  expect(await stored()).toEqual([1, 1]);
  await page.goto(`${setup.base_url}/dashboard`);
  await page.locator('form[action="/sign-out"] button').dispatchEvent('click');
  await page.waitForURL('**/sign-in');
  await expect.poll(stored).toEqual([0, 0]);
  expect(await other.inputValue('#key')).toBe('');
}, 60_000);

test('a form of the API reference sends a request once when it is pressed twice, and shows the newest answer', async () => {
  const { workspace_id } = await setup.member();
  const { key } = await createKey(setup.db.sql, workspace_id, { kind: 'test', name: 'docs' });
  const { page } = await browser.open();
  // Records the answers that the page requests, so that the test can wait until all of them have been read.
  await page.addInitScript(`
    const send = fetch;
    globalThis.answers = [];
    globalThis.fetch = (...request) => {
      const answer = send(...request);
      answers.push(answer.then((response) => response.clone().text()));
      return answer;
    };
  `);
  await page.goto(`${setup.base_url}/docs/api/v1/photo/profile`);
  const form = page.locator('form.try');
  await page.fill('#key', key);
  const held: (() => void)[] = [];
  const handles: (string | null)[] = [];
  await page.route('**/v1/photo/profile?*', async (route) => {
    const handle = new URL(route.request().url()).searchParams.get('handle');
    handles.push(handle);
    const response = await route.fetch();
    if (handle === 'nasa') await new Promise<void>((resolve) => held.push(resolve));
    await route.fulfill({ response }).catch(() => undefined);
  });
  await form.locator('button').dblclick();
  await expect.poll(() => held.length).toBeGreaterThan(0);
  expect(await form.locator('.answer').getAttribute('aria-busy')).toBe('true');
  await form.locator('[name=handle]').fill('sandbox_404');
  await form.locator('button').click();
  const answer = form.locator('.answer');
  await answer.getByText('"RESOURCE_NOT_FOUND"').waitFor();
  for (const release of held) release();
  const read = `Promise.allSettled(answers)
    .then((settled) => new Promise((resolve) => setTimeout(resolve, 0, settled.length)))`;
  expect(await page.evaluate(read)).toBe(2);
  expect(await answer.innerText()).toMatch(/^GET \/v1\/photo\/profile\?handle=sandbox_404\n404\n/);
  expect(await answer.getAttribute('aria-busy')).toBe('false');
  expect(handles).toEqual(['nasa', 'sandbox_404']);
}, 60_000);
