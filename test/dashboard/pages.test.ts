import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pageFaults, startBrowser, type TestBrowser } from '../harness/browser.ts';
import { cookiesOf, createDashboardSetup, type DashboardSetup, type Member } from './dashboard-server.ts';
import { type Populated, populate } from './populated.ts';
import { dashboardPaths, each, filled } from './sweep.ts';

const maxCompressedBytes = 150_000;
const maxLayoutShift = 0.02;
const publicPages = ['/', '/addon', '/prices', '/privacy', '/terms', '/sign-in', '/sign-up', '/forgot', '/status'];
/** A name that pages must handle: a long word, markup and right-to-left letters. */
const name = `Autumn <b>"campaign"</b> with-a-word-that-is-far-too-long-for-one-line-on-the-screen-of-a-phone & מחר`;

let setup: DashboardSetup;
let browser: TestBrowser;
let ann: Member;
let populated: Populated;
/** The path of every HTML page of the dashboard. */
let pages: string[];
let sizes: { path: string; status: number; bytes: number }[];
beforeAll(async () => {
  [setup, browser] = await Promise.all([createDashboardSetup(), startBrowser()]);
  ann = await setup.member({ tier: 'ultra', credits: 1_204_000 });
  populated = await populate(setup, ann, name);
  const running = { ...populated.ids, report_id: 'running' };
  const own = dashboardPaths(setup).pages.flatMap((path) => [filled(path, populated.ids), filled(path, running)]);
  const answers = await each(
    [...new Set([...own, ...publicPages, `/shared/reports/${populated.secrets[1]}`])],
    async (path) => {
      const answer = await ann.get(path);
      const bytes = gzipSync(await answer.arrayBuffer()).length;
      return { path, status: answer.status, bytes, type: answer.headers.get('content-type') ?? '' };
    },
  );
  sizes = answers.filter(({ type, status }) => type.startsWith('text/html') && status !== 303);
  pages = sizes.map(({ path }) => path);
});
afterAll(async () => {
  await browser?.close();
  await setup?.close();
});

/** Adds up the page's layout shifts that no user input caused. Runs in the browser. */
function watchShifts(): void {
  const seen = globalThis as unknown as { shifted: number };
  seen.shifted = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as unknown as { value: number; hadRecentInput: boolean }[]) {
      if (!entry.hadRecentInput) seen.shifted += entry.value;
    }
  }).observe({ type: 'layout-shift', buffered: true } as never);
}

/** Returns the faults of an open page: accessibility faults, sideways scrolling and layout shifts. */
async function faultsOf(page: Page, rules: string[] | null): Promise<string[]> {
  const found = await page.evaluate(async () => {
    const { document, requestAnimationFrame, shifted } = globalThis as unknown as {
      document: {
        querySelectorAll(name: string): { length: number };
      };
      requestAnimationFrame(next: () => void): void;
      shifted: number;
    };
    await new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));
    return { headings: document.querySelectorAll('h1').length, shifted };
  });
  return [
    ...(found.headings === 1 ? [] : [`${found.headings} h1`]),
    ...(found.shifted < maxLayoutShift ? [] : [`shifts by ${found.shifted}`]),
    ...(await pageFaults(page, rules)),
  ];
}

/** Returns the buttons, fields and collapsed sections in tables that are visible only after scrolling sideways. */
function hiddenControls(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll('.scroll')].flatMap((table) =>
    [...table.querySelectorAll('button, .button, input, select, summary')]
      .filter((control) => control.checkVisibility() && control.getBoundingClientRect().right > table.getBoundingClientRect().right + 1)
      .map((control) => table.getAttribute('aria-label') + ': ' + control.textContent.trim()))`);
}

/** Returns the tables that are wider than their box, so that they scroll sideways in it. */
function wideTables(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll('.scroll')]
    .filter((box) => box.checkVisibility() && box.scrollWidth > box.clientWidth + 1)
    .map((box) => box.getAttribute('aria-label') + ': ' + (box.scrollWidth - box.clientWidth) + ' px')`);
}

/** Returns the times in columns of times that break into several lines. */
function brokenTimes(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll('td.time > time')]
    .filter((time) => {
      const range = document.createRange();
      range.selectNodeContents(time);
      return time.checkVisibility() && range.getClientRects().length > 1;
    })
    .map((time) => time.parentElement.dataset.label + ': ' + time.textContent)`);
}

/**
 * Returns the buttons, fields, folds and blocks of links that are lower than 40 px. Check boxes are left out: those of
 * a form are chosen by their label, and those of a row have the size of 24 px that WCAG 2.2 asks for.
 */
function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`{
    const isText = (link) => link.tagName === 'A' && /^inline(-block)?$/.test(getComputedStyle(link).display);
    [...document.querySelectorAll('a, button, input:not([type=hidden], [type=checkbox], [type=radio]), select, summary')]
      .filter((target) => target.checkVisibility() && !target.closest('.hidden, .skip, .row') && !isText(target))
      .filter((target) => target.getBoundingClientRect().height < 39.9)
      .map((target) => target.tagName + ' ' + target.className + ': ' + target.textContent.trim().slice(0, 40));
  }`);
}

/** Opens each page at this width. Returns what `find` found on them, by path. */
async function findOnPages(width: number, find: (page: Page) => Promise<string[]>): Promise<Record<string, string[]>> {
  const { page } = await browser.open({ viewport: { width, height: 800 } });
  await page.context().addCookies(cookiesOf(ann, setup.base_url));
  const found: Record<string, string[]> = {};
  for (const path of pages) {
    await page.goto(`${setup.base_url}${path}`);
    const faults = await find(page);
    if (faults.length > 0) found[path] = faults;
  }
  await page.context().close();
  return found;
}

describe('every page of a workspace with data of every kind', () => {
  test(`every page of the dashboard has at most ${maxCompressedBytes} compressed bytes`, () => {
    expect(pages).toEqual(expect.arrayContaining(['/dashboard', '/dashboard/settings/delete', '/prices']));
    expect(sizes.filter(({ status }) => status >= 500)).toEqual([]);
    expect(sizes.filter(({ bytes }) => bytes > maxCompressedBytes)).toEqual([]);
  });

  test('no button of a table is beyond its edge on a phone, and everything to press is at least 40 px high', async () => {
    await ann.post('/dashboard/people/invite', { email: 'a.new.colleague@example.com', role: 'editor' });
    const find = async (page: Page) => [...(await hiddenControls(page)), ...(await smallTargets(page))];
    expect(await findOnPages(360, find)).toEqual({});
  }, 60_000);

  test.each([
    ['a phone', 390],
    ['a tablet', 768],
  ])(
    'no table scrolls sideways on %s',
    async (_, width) => {
      expect(await findOnPages(width, wideTables)).toEqual({});
    },
    60_000,
  );

  test('no time in a column of times breaks into two lines on a phone', async () => {
    expect(await findOnPages(390, brokenTimes)).toEqual({});
  }, 60_000);

  test.each([
    ['a phone in light mode', { viewport: { width: 360, height: 800 }, colorScheme: 'light' as const }, null],
    [
      'a desktop in dark mode',
      { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' as const },
      ['color-contrast'],
    ],
  ])(
    'every page on %s has one h1, no sideways scrolling, no layout shift, and no fault in axe or the console',
    async (_, look, rules) => {
      const { page, problems } = await browser.open(look);
      await page.context().addCookies(cookiesOf(ann, setup.base_url));
      await page.addInitScript(watchShifts);
      const faults: Record<string, string[]> = {};
      for (const path of pages) {
        problems.length = 0;
        await page.goto(`${setup.base_url}${path}`);
        // Ignores the 4xx status that the console logs for some pages, because these pages are expected to return it.
        const found = [...(await faultsOf(page, rules)), ...problems.filter((text) => !/status of 4\d\d/.test(text))];
        if (found.length > 0) faults[path] = found;
      }
      await page.context().close();
      expect(faults).toEqual({});
    },
    120_000,
  );
});
