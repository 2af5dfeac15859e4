import { gzipSync } from 'node:zlib';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest';
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
  await ann.post('/dashboard/people/invite', { email: 'a.new.colleague@example.com', role: 'editor' });
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

/** The findings on one page: its faults, and the controls, tables and times that do not fit. */
type Findings = Record<'faults' | 'controls' | 'phone_tables' | 'tablet_tables' | 'times', string[]>;

const phone = { viewport: { width: 360, height: 800 }, colorScheme: 'light' as const };
const widePhone = { width: 390, height: 800 };
const tablet = { width: 768, height: 800 };
const desktop = { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' as const };

/** Opens each page in a look, and calls `find` with the console errors of the page. Returns the results by path. */
async function visitPages<T>(
  look: BrowserContextOptions,
  find: (page: Page, problems: string[]) => Promise<T>,
): Promise<[string, T][]> {
  const { page, problems } = await browser.open(look);
  await page.context().addCookies(cookiesOf(ann, setup.base_url));
  await page.addInitScript(watchShifts);
  const found: [string, T][] = [];
  for (const path of pages) {
    problems.length = 0;
    await page.goto(`${setup.base_url}${path}`);
    found.push([path, await find(page, problems)]);
  }
  await page.context().close();
  return found;
}

/** Returns the faults of an open page in this look, and its errors in the console. */
async function allFaults(page: Page, problems: string[], rules: string[] | null): Promise<string[]> {
  const faults = await faultsOf(page, rules);
  // Ignores the 4xx status that the console logs for some pages, because these pages are expected to return it.
  return [...faults, ...problems.filter((text) => !/status of 4\d\d/.test(text))];
}

async function findOnPhoneAndTablet(page: Page, problems: string[]): Promise<Findings> {
  const faults = await allFaults(page, problems, null);
  const controls = [...(await hiddenControls(page)), ...(await smallTargets(page))];
  await page.setViewportSize(widePhone);
  const [phoneTables, times] = [await wideTables(page), await brokenTimes(page)];
  await page.setViewportSize(tablet);
  const tabletTables = await wideTables(page);
  await page.setViewportSize(phone.viewport);
  return { faults, controls, phone_tables: phoneTables, tablet_tables: tabletTables, times };
}

let onPhoneAndTablet: Promise<[string, Findings][]> | null = null;
/**
 * Returns the findings of one kind on a phone or a tablet, by path. Opens each page only
 * once for all kinds. No script of the pages depends on their width, so a page is the same after a change of the width.
 */
async function smallScreens(kind: keyof Findings): Promise<Record<string, string[]>> {
  // Opens the pages again when a failed test is repeated.
  onTestFailed(() => {
    onPhoneAndTablet = null;
  });
  onPhoneAndTablet ??= visitPages(phone, findOnPhoneAndTablet);
  return withFindings((await onPhoneAndTablet).map(([path, findings]) => [path, findings[kind]]));
}

/** Returns the paths that have findings, with their findings. */
function withFindings(found: [string, string[]][]): Record<string, string[]> {
  return Object.fromEntries(found.filter(([, list]) => list.length > 0));
}

describe('every page of a workspace with data of every kind', () => {
  test(`every page of the dashboard has at most ${maxCompressedBytes} compressed bytes`, () => {
    expect(pages).toEqual(expect.arrayContaining(['/dashboard', '/dashboard/settings/delete', '/prices']));
    expect(sizes.filter(({ status }) => status >= 500)).toEqual([]);
    expect(sizes.filter(({ bytes }) => bytes > maxCompressedBytes)).toEqual([]);
  });

  test('no button of a table is beyond its edge on a phone, and everything to press is at least 40 px high', async () => {
    expect(await smallScreens('controls')).toEqual({});
  }, 120_000);

  test('no table scrolls sideways on a phone', async () => {
    expect(await smallScreens('phone_tables')).toEqual({});
  }, 120_000);

  test('no table scrolls sideways on a tablet', async () => {
    expect(await smallScreens('tablet_tables')).toEqual({});
  }, 120_000);

  test('no time in a column of times breaks into two lines on a phone', async () => {
    expect(await smallScreens('times')).toEqual({});
  }, 120_000);

  test('every page on a phone in light mode has one h1, no sideways scrolling, no layout shift, and no fault in axe or the console', async () => {
    expect(await smallScreens('faults')).toEqual({});
  }, 120_000);

  test('every page on a desktop in dark mode has one h1, no sideways scrolling, no layout shift, and no fault in axe or the console', async () => {
    const found = await visitPages(desktop, (page, problems) => allFaults(page, problems, ['color-contrast']));
    expect(withFindings(found)).toEqual({});
  }, 120_000);
});
