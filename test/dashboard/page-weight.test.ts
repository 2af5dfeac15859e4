import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser, type TestBrowser } from '../harness/browser.ts';
import { cookiesOf, createDashboardSetup, type DashboardSetup } from './dashboard-server.ts';

const maxFirstPageBytes = 150_000;
const maxNextPageBytes = 60_000;

let setup: DashboardSetup;
let browser: TestBrowser;
beforeAll(async () => {
  [setup, browser] = await Promise.all([createDashboardSetup(), startBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await setup?.close();
});

test('the first dashboard page loads at most 150 kB with all its files, and the next page at most 60 kB', async () => {
  const ann = await setup.member();
  const { page, problems } = await browser.open();
  await page.context().addCookies(cookiesOf(ann, setup.base_url));
  const load = async (path: string) => {
    await page.goto(`${setup.base_url}${path}`, { waitUntil: 'networkidle' });
    return page.evaluate(() => {
      const { performance } = globalThis as unknown as {
        performance: { getEntries(): { transferSize?: number }[] };
      };
      return performance.getEntries().flatMap(({ transferSize }) => transferSize ?? []);
    });
  };
  const sum = (sizes: number[]) => sizes.reduce((total, size) => total + size, 0);
  const [first, next] = [await load('/dashboard'), await load('/dashboard/tracking')];
  expect(first.length).toBeGreaterThanOrEqual(5);
  expect(sum(first)).toBeLessThan(maxFirstPageBytes);
  expect(sum(next)).toBeLessThan(maxNextPageBytes);
  expect(problems).toEqual([]);
  await page.context().close();
});
