import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { demoAllowance } from '../../server/dashboard/demo-route.ts';
import { createDashboardSetup, type DashboardSetup } from '../dashboard/dashboard-server.ts';
import { pageFaults, startBrowser, type TestBrowser } from '../harness/browser.ts';

let setup: DashboardSetup;
let browser: TestBrowser;
beforeAll(async () => {
  [setup, browser] = await Promise.all([createDashboardSetup({ trust_proxy: 1 }), startBrowser()]);
});
beforeEach(() => setup.db.sql`delete from throttles`);
afterAll(async () => {
  await browser?.close();
  await setup?.close();
});

const textOf = (page: string) =>
  page
    .replace(/<\/?bdi>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');
async function tried(profile: string, address = '192.0.2.1') {
  const query = new URLSearchParams({ profile });
  const answer = await fetch(`${setup.base_url}/try?${query}`, { headers: { 'x-forwarded-for': address } });
  const page = await answer.text();
  return { answer, page, text: textOf(page) };
}

test.each([
  ['@nasa', 'Instagram'],
  ['nasa', 'Instagram'],
  ['https://www.tiktok.com/@nasa', 'TikTok'],
  ['youtube.com/@nasa', 'YouTube'],
])(
  'a visitor who types %s sees a sample row of %s, which says that its numbers are not those of the typed profile',
  async (typed, platform) => {
    const { answer, text } = await tried(typed);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(text).toContain(`These are sample numbers, not those of ${typed}. A row of ${platform}`);
    expect(text).toContain(`${typed} OK Tidemark Sample`);
  },
);

test('the demo on the front page sends no request to a platform and counts nothing as use', async () => {
  await tried('@nasa');
  expect(setup.upstream.asked).toEqual([]);
  expect(await setup.db.sql`select from usage`).toHaveLength(0);
});

test.each([
  ['', 'Enter a profile link or an Instagram handle.'],
  ['https://www.instagram.com/p/abc123/', 'Use a link to a profile'],
  ['https://example.com/nasa', 'Use a link to a profile on Instagram, TikTok or YouTube.'],
])('the demo on the front page refuses "%s" at the field', async (typed, message) => {
  const { page, text } = await tried(typed);
  expect(page).toMatch(/name="profile"[^>]*aria-invalid="true" autofocus/);
  expect(page).toContain('id="profile-error"');
  expect(text).toContain(message);
  expect(text).not.toContain('sample numbers');
});

test('the demo on the front page shows a hostile text as text', async () => {
  const { page } = await tried('"><script>alert(1)</script>');
  expect(page).not.toContain('<script>alert');
});

test('a text that turns the reading direction cannot change the sentence around it in the demo', async () => {
  const { page } = await tried('https://www.instagram.com/nasa/?\u202Eevil');
  expect(page).not.toMatch(/(?<!<bdi>)https:\/\/www\.instagram\.com\/nasa\/\?\u202E(?![^<]*(<\/bdi>|"))/);
  expect(page).toContain('not those of <bdi>https://www.instagram.com/nasa/?\u202Eevil</bdi>.');
});

test('the demo cuts a very long profile, counts a repeated one once, and accepts no POST', async () => {
  const long = await tried(`https://www.instagram.com/nasa/?${'x'.repeat(5_000)}`);
  expect([long.answer.status, long.page.includes('x'.repeat(300))]).toEqual([200, false]);
  const repeated = await fetch(`${setup.base_url}/try?profile=%40nasa&profile=%3Cscript%3Ealert(1)%3C/script%3E`);
  expect(await repeated.text()).not.toContain('alert(1)');
  const posted = await fetch(`${setup.base_url}/try`, {
    method: 'POST',
    body: new URLSearchParams({ profile: '@nasa' }),
  });
  expect(posted.status).toBeGreaterThanOrEqual(400);
  expect(posted.status).toBeLessThan(500);
});

test('many addresses of one IPv6 network share one limit of the demo', async () => {
  for (let n = 0; n < demoAllowance.limit; n += 1) await tried('@nasa', `2001:db8:1:2::${n.toString(16)}`);
  expect((await tried('@nasa', '2001:db8:1:2:ffff::1')).answer.status).toBe(429);
  expect((await tried('@nasa', '2001:db8:1:3::1')).answer.status).toBe(200);
});

test('each network has its own limit of the demo, which ends after an hour', async () => {
  for (let n = 0; n < demoAllowance.limit; n += 1) expect((await tried('@nasa')).answer.status).toBe(200);
  const { answer, text } = await tried('@nasa');
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, String(demoAllowance.window_seconds)]);
  expect(text).toContain('Your network has used this demo too often. Try again in 60 min.');
  expect(text).not.toContain('sample numbers');
  expect((await tried('@nasa', '192.0.2.2')).answer.status).toBe(200);
  setup.clock.now = new Date(setup.clock.now.getTime() + demoAllowance.window_seconds * 1_000);
  expect((await tried('@nasa')).answer.status).toBe(200);
});

test('in a browser, the demo on the front page leads to its row, and the field of a refused profile has the focus', async () => {
  const { page, problems } = await browser.open({ viewport: { width: 390, height: 800 } });
  await page.goto(setup.base_url);
  await page.getByLabel('Profile link or Instagram handle').fill('@nasa');
  await page.getByRole('button', { name: 'Show a sample row' }).click();
  await page.getByText('sample numbers').waitFor();
  expect((await page.getByText('sample numbers').boundingBox())?.y ?? 9_999).toBeLessThan(800);
  expect(await pageFaults(page)).toEqual([]);
  await page.getByLabel('Profile link or Instagram handle').fill('https://example.com/');
  await page.getByRole('button', { name: 'Show a sample row' }).click();
  await page.locator('#profile:focus').waitFor();
  expect(problems).toEqual([]);
  await page.context().close();
});
