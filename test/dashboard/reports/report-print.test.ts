import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser, type TestBrowser } from '../../harness/browser.ts';
import { freezeWeek, hostile, keepCampaign } from '../campaigns/campaign-workspace.ts';
import { cookiesOf, createDashboardSetup, type DashboardSetup } from '../dashboard-server.ts';

/** The size of A4 in PDF points. */
const a4 = { width: 595, height: 842 };
/** The width of an A4 page without its margins, in CSS pixels. */
const printedWidthPx = Math.floor((182 / 25.4) * 96);
const longName = 'averyverylongnamewithoutanyspaces'.repeat(8);
const reportName = `The board's own report ${hostile}`;

let setup: DashboardSetup;
let browser: TestBrowser;
let page: Page;
beforeAll(async () => {
  [setup, browser] = await Promise.all([createDashboardSetup(), startBrowser()]);
  const ann = await setup.member({ tier: 'pro_max' });
  const names = [hostile, longName];
  const itemName = (n: number) => names[n % 4] ?? `someone.${n}`;
  const { campaign_id } = await keepCampaign(setup, ann, { items: 40, item_name: itemName, report_name: reportName });
  const reportId = await freezeWeek(setup, ann, campaign_id);
  ({ page } = await browser.open({ viewport: { width: printedWidthPx, height: 1000 }, colorScheme: 'dark' }));
  await page.context().addCookies(cookiesOf(ann, setup.base_url));
  await page.goto(`${setup.base_url}/dashboard/campaigns/${campaign_id}/reports/${reportId}/print`);
  await page.emulateMedia({ media: 'print' });
});
afterAll(() => Promise.all([setup.close(), browser.close()]));

test('a report of 40 items without its appendix is printed on at most 4 pages and has no details', async () => {
  const { page: summary } = await browser.open({ viewport: { width: printedWidthPx, height: 1000 } });
  await summary.context().addCookies(await page.context().cookies());
  await summary.goto(`${page.url()}?details=no`);
  await summary.emulateMedia({ media: 'print' });
  const pages = (await summary.pdf({ preferCSSPageSize: true })).toString('latin1').match(/\/Type \/Page\b/g) ?? [];
  expect(pages.length).toBeLessThanOrEqual(4);
  expect(await summary.locator('.appendix, .items').count()).toBe(0);
});

test('a report of 40 items is printed on 8 to 17 A4 pages, with its details as an appendix on a new page', async () => {
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  const pages = pdf.match(/\/Type \/Page\b/g) ?? [];
  expect(pages.length).toBeGreaterThanOrEqual(8);
  expect(pages.length).toBeLessThanOrEqual(17);
  expect(await page.evaluate("getComputedStyle(document.querySelector('.appendix')).breakBefore")).toBe('page');
  const [, width, height] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf) ?? [];
  expect({ width: Math.round(Number(width)), height: Math.round(Number(height)) }).toEqual(a4);
});

test('the printed report has its name, period, creation time, legend and every item, and no buttons', async () => {
  const text = (await page.evaluate<string>('document.body.innerText')).replace(/\s+/g, ' ');
  expect(await page.title()).toContain(reportName);
  for (const part of [
    reportName,
    'November 2026',
    'Created 20 Nov 2026, 10:00 UTC',
    'unknown. It never means 0',
    'How to read this',
  ]) {
    expect(text).toContain(part);
  }
  const items = await page.locator('.items tbody tr').count();
  expect(items).toBeGreaterThanOrEqual(40);
  expect(text).toContain('Chart values');
  expect(await page.locator('.charts figure').count()).toBeGreaterThan(0);
  expect(await page.locator('.charts table').count()).toBe(0);
  expect(await page.locator('button:visible, summary:visible, nav:visible, .no-print:visible').count()).toBe(0);
});

test('a report that is printed from a dark screen has the light colors of its tags, pictures and lines', async () => {
  const { page: light } = await browser.open({ colorScheme: 'light' });
  await light.context().addCookies(await page.context().cookies());
  await light.goto(page.url());
  await light.emulateMedia({ media: 'print' });
  const colors = (on: Page) =>
    on.evaluate<string[]>(`[...document.querySelectorAll('.tag, .avatar, .change, .chart path, a')].map((element) => {
      const { color, backgroundColor, stroke } = getComputedStyle(element);
      return [element.className.baseVal ?? element.className, color, backgroundColor, stroke].join(' ');
    })`);
  expect(await colors(page)).toEqual(await colors(light));
});

test('no table, chart or name is wider than the printed page of a report, and no cell overlaps another', async () => {
  const clipped = await page.evaluate<string[]>(`[...document.querySelectorAll('table, figure, h1, li, p, .charts')]
    .filter((element) => element.getBoundingClientRect().right > ${printedWidthPx} + 1)
    .map((element) => element.outerHTML.slice(0, 100))`);
  expect(clipped).toEqual([]);
  const overfull = await page.evaluate<string[]>(`[...document.querySelectorAll('td, th')]
    .filter((cell) => cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.textContent.slice(0, 60))`);
  expect(overfull).toEqual([]);
});

test('page breaks in a printed report keep headings with their text, keep rows whole and repeat table headings', async () => {
  const styles = await page.evaluate<Record<string, string[]>>(`({
    headings: [...new Set([...document.querySelectorAll('h1, h2, h3')].map((one) => getComputedStyle(one).breakAfter))],
    rows: [...new Set([...document.querySelectorAll('tr, figure')].map((one) => getComputedStyle(one).breakInside))],
    heads: [...new Set([...document.querySelectorAll('thead')].map((one) => getComputedStyle(one).display))],
    paper: [getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color],
  })`);
  expect(styles).toEqual({
    headings: ['avoid'],
    rows: ['avoid'],
    heads: ['table-header-group'],
    paper: ['rgb(255, 255, 255)', 'rgb(17, 17, 17)'],
  });
});
