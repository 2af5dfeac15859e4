import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser, type TestBrowser } from '../../harness/browser.ts';
import { goodKey, people, setUpAddon } from '../spreadsheet-setup.ts';
import { type OpenSidebar, openSidebar } from './sidebar-page.ts';

const setup = setUpAddon();
const atWork = { owner: 'work@example.com', user: 'work@example.com' };
let browser: TestBrowser;
let opened: OpenSidebar;

beforeAll(async () => {
  browser = await startBrowser();
  opened = await openSidebar(browser, setup.dist, atWork);
});
afterAll(async () => {
  await opened?.close();
  await browser?.close();
});

async function errorAfterReopening(): Promise<string> {
  await opened.reopen();
  const error = opened.sidebar.locator('#home-failure').filter({ hasText: /./ });
  await error.waitFor();
  return (await error.textContent()) ?? '';
}

test.each(['denied', 'as default'] as const)(
  'the sidebar says that the browser has several Google accounts when Google runs its calls %s',
  async (calls) => {
    await setup.api.begin({ keys: [goodKey], people });
    await opened.file.ask('set', { several_accounts: { default_account: 'home@example.com', calls } });
    expect(await errorAfterReopening()).toContain('signed in to several Google accounts');
    await opened.file.ask('set', { several_accounts: null });
    await opened.reopen();
    await opened.sidebar.locator('#balance').filter({ hasText: 'Not connected' }).waitFor();
  },
);

test('after Google ran a call as another account, the sidebar sends no further call, so that no key is saved there', async () => {
  await setup.api.begin({ keys: [goodKey], people });
  await opened.file.ask('set', { several_accounts: { default_account: 'home@example.com', calls: 'as default' } });
  await errorAfterReopening();
  opened.calls.length = 0;
  await opened.sidebar.locator('#tab-account').click();
  await opened.sidebar.locator('#own-key').fill(goodKey);
  await opened.sidebar.locator('#own-connect').click();
  await opened.sidebar.locator('#own-error').filter({ hasText: 'several Google accounts' }).waitFor();
  expect(opened.calls).toEqual([]);
  await opened.file.ask('set', { several_accounts: null });
});

test('the sidebar explains a missing permission and a lost connection each with its own sentence', async () => {
  const scope = 'https://www.googleapis.com/auth/script.container.ui';
  await opened.file.ask('set', { refused_scopes: [scope] });
  expect(await errorAfterReopening()).toContain('needs a permission that you have not given');
  await opened.file.ask('set', { refused_scopes: [] });
  opened.lose('sidebarOpen');
  expect(await errorAfterReopening()).toContain('Check your internet connection');
});
