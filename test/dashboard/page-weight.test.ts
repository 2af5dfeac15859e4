import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser, type TestBrowser } from '../harness/browser.ts';
import { cookiesOf, createDashboardBench, type DashboardBench } from './dashboard-server.ts';

const maxFirstPageBytes = 150_000;
const maxNextPageBytes = 60_000;

let bench: DashboardBench;
let browser: TestBrowser;
beforeAll(async () => {
  [bench, browser] = await Promise.all([createDashboardBench(), startBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await bench?.close();
});

test('the first dashboard page loads at most 150 kB with all its files, and the next page at most 60 kB', async () => {
  const ann = await bench.member();
  const { page, problems } = await browser.open();
  await page.context().addCookies(cookiesOf(ann, bench.base_url));
  const load = async (path: string) => {
    await page.goto(`${bench.base_url}${path}`, { waitUntil: 'networkidle' });
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
