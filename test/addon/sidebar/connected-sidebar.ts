import { afterAll, beforeAll, expect } from 'vitest';
import { startBrowser, type TestBrowser } from '../../harness/browser.ts';
import type { Setup } from '../fake-api-process.ts';
import { type AddonSetup, goodKey, people, setUpAddon } from '../spreadsheet-setup.ts';
import { type OpenSidebar, openSidebar } from './sidebar-page.ts';

let sheets = 0;

export type Connected = Awaited<ReturnType<typeof connectedSidebar>>;

/**
 * Opens one sidebar for all tests of a file. `connected` reopens the sidebar for a test; see {@link connectedSidebar}.
 */
export function setUpSidebar() {
  const setup = setUpAddon();
  let browser: TestBrowser;
  let opened: OpenSidebar;
  beforeAll(async () => {
    browser = await startBrowser();
    opened = await openSidebar(browser, setup.dist);
  });
  afterAll(async () => {
    await opened?.close();
    await browser?.close();
  });
  return { setup, connected: (apiSetup: Partial<Setup> = {}) => connectedSidebar(opened, setup, apiSetup) };
}

/**
 * Reopens the sidebar with the valid key and the fake API, on a new sheet with the invented people, and without the
 * user's earlier choices.
 */
async function connectedSidebar(opened: OpenSidebar, setup: AddonSetup, apiSetup: Partial<Setup> = {}) {
  await setup.api.begin({ keys: [goodKey], people, ...apiSetup });
  const { file, sidebar, calls } = opened;
  // A failed test may have left a delay.
  opened.releaseAll();
  await file.ask('run', 'sidebarConnect', ['account', goodKey]);
  const urls = Object.keys(people);
  sheets += 1;
  await file.ask('show', `Sheet ${sheets}`);
  await file.ask('type', 'A1', 'Profile', ...urls);
  await file.ask('select', `A2:A${urls.length + 1}`);
  await file.ask('run', 'sidebarRemember', [{ asked: true }]);
  await opened.reopen();
  await sidebar.locator('#balance').filter({ hasText: 'credit' }).waitFor();
  await sidebar.locator('#tab-imports').click();
  await sidebar.locator('#imports-state, #imports-cards article').filter({ hasText: /\w/ }).first().waitFor();
  calls.length = 0;
  return {
    ...opened,
    has: (id: string, text: string | RegExp) => sidebar.locator(`#${id}`).filter({ hasText: text }).waitFor(),
    click: (id: string) => sidebar.locator(`#${id}`).click(),
    /** Waits until the sidebar has called this add-on function `times` times since it was opened. */
    async called(name: string, times: number): Promise<void> {
      await expect.poll(() => calls.filter((call) => call === name).length).toBe(times);
    },
    async usable() {
      expect(await opened.faults()).toEqual([]);
      expect(opened.problems).toEqual([]);
    },
  };
}
