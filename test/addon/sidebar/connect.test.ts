import { expect, test } from 'vitest';
import type { Account, PageFailure } from '../../../addon/platform/page-replies.ts';
import type { RawAnswer } from '../fake-api-process.ts';
import type { SpreadsheetFile } from '../harness/file.ts';
import { goodKey, people, setUpAddon } from '../spreadsheet-setup.ts';

const setup = setUpAddon();
const [ada = ''] = Object.keys(people);
const sheetKey = 'tide_live_invented00000000Shared';
const ownedByAda = { owner: 'ada@example.com', user: 'ben@example.com' };
const balance = {
  tier: 'pro',
  workspace: 'Invented Analytics',
  key: { kind: 'sheet', name: 'Spring sheet', last_four: 'ared', monthly_cap: 500, cap_used: 12 },
};

function ask(file: SpreadsheetFile, name: string, ...args: unknown[]): Account | PageFailure {
  return file.run(name, args) as Account | PageFailure;
}

test("the sidebar checks a key before it saves it, and its page gets the key's end, kind and workspace but never the key", async () => {
  await setup.api.begin({ keys: [goodKey], balance });
  const file = await setup.open();
  const reply = ask(file, 'sidebarConnect', 'account', `  ${goodKey}\n`);
  expect(reply).toMatchObject({
    ok: true,
    uses: 'account',
    formulas: null,
    low: null,
    keys: {
      file: null,
      account: {
        ...{ last_four: '…Good', problem: null, workspace: 'Invented Analytics', tier: 'pro', credits: 9_000 },
        ...{ kind: 'sheet', name: 'Spring sheet', monthly_cap: 500, cap_used: 12 },
      },
    },
  });
  expect(JSON.stringify(reply)).not.toContain(goodKey);
  expect((await setup.api.log()).requests[0]).toMatchObject({ path: '/v1/credit/balance', key: goodKey });
});

const html = '<!doctype html><title>Sign in</title>';
const refusals: [string, string, RawAnswer[], string][] = [
  ['text that is no key', 'hello', [], 'not an API key'],
  ['a key that the server does not know', 'tide_live_invented0000000Unknown', [], 'does not know this key'],
  ['a broken server', goodKey, [{ status: 502, body: html }], 'cannot answer'],
  ['a page of something else', goodKey, [{ status: 200, body: html }], 'did not come from the API'],
  [
    'the rate limit',
    goodKey,
    [{ status: 429, headers: { 'retry-after': '40' }, body: html }],
    'Too many requests in this minute',
  ],
];
test.each(refusals)(
  'connecting a key in the sidebar fails with a message and saves nothing: %s',
  async (_, key, answers, words) => {
    await setup.api.begin({ keys: [goodKey], answers });
    const file = await setup.open();
    const reply = ask(file, 'sidebarConnect', 'account', key);
    expect(reply).toMatchObject({ ok: false, message: expect.stringContaining(words) });
    expect(JSON.stringify(reply)).not.toContain(key.slice(0, 20));
    expect(JSON.stringify(file.world().properties)).not.toContain('tide_');
  },
);

test('the sidebar refuses a key that is not text without asking the server', async () => {
  const file = await setup.open();
  for (const wrong of [undefined, null, 7, {}, ['a'], '']) {
    expect(ask(file, 'sidebarConnect', 'file', wrong)).toMatchObject({ ok: false });
  }
  expect((await setup.api.log()).requests).toEqual([]);
});

test('the sidebar shows a sentence beside a revoked key, and still shows the other key', async () => {
  await setup.api.begin({ keys: [goodKey, sheetKey] });
  const file = await setup.open();
  ask(file, 'sidebarConnect', 'account', goodKey);
  ask(file, 'sidebarConnect', 'file', sheetKey);
  await setup.api.begin({ keys: [sheetKey] });
  expect(ask(file, 'sidebarAccount')).toMatchObject({
    keys: { account: { problem: expect.stringContaining('revoked') }, file: { problem: null, credits: 9_000 } },
  });
});

test("formulas use the owner's key only after the owner allows it in this file, and no one else can allow it", async () => {
  const file = await setup.open(ownedByAda);
  const formula = () => (file.cell('SOCIAL_PROFILE', [ada, 'posts']) as unknown[][])[0]?.[0];
  file.become(ownedByAda.owner);
  ask(file, 'sidebarConnect', 'account', goodKey);
  expect(formula()).toBe('FORMULAS_NOT_ALLOWED');
  file.become(ownedByAda.user);
  ask(file, 'sidebarAllowFormulas', true);
  expect(formula()).toBe('FORMULAS_NOT_ALLOWED');
  file.become(ownedByAda.owner);
  expect(ask(file, 'sidebarAllowFormulas', true)).toMatchObject({ formulas: 'account', formulas_allowed: true });
  expect(formula()).toBe('OK');
  file.become(ownedByAda.user);
  expect(formula()).toBe('OK');
  file.become(ownedByAda.owner);
  ask(file, 'sidebarAllowFormulas', false);
  expect(formula()).toBe('FORMULAS_NOT_ALLOWED');
});

test('formulas of everyone in the file use a sheet key, and each user can also have their own key', async () => {
  await setup.api.begin({ keys: [goodKey, sheetKey], people });
  const file = await setup.open(ownedByAda);
  expect(ask(file, 'sidebarConnect', 'file', sheetKey)).toMatchObject({ uses: 'file', formulas: 'file' });
  expect(ask(file, 'sidebarConnect', 'account', goodKey)).toMatchObject({ uses: 'account', formulas: 'file' });
  file.become('carl@example.com');
  file.cell('SOCIAL_PROFILE', [ada, 'posts']);
  expect((await setup.api.log()).requests.at(-1)?.key).toBe(sheetKey);
});

test('disconnecting forgets only the chosen key, and its permission for formulas', async () => {
  await setup.api.begin({ keys: [goodKey, sheetKey] });
  const file = await setup.open();
  ask(file, 'sidebarConnect', 'account', goodKey);
  ask(file, 'sidebarAllowFormulas', true);
  ask(file, 'sidebarConnect', 'file', sheetKey);
  expect(ask(file, 'sidebarDisconnect', 'account')).toMatchObject({ uses: 'file', keys: { account: null } });
  expect(ask(file, 'sidebarDisconnect', 'file')).toMatchObject({ uses: null, formulas_allowed: false });
  expect(JSON.stringify(file.world().properties)).not.toMatch(/tide_|allowed/);
});

test.each([
  [49, 'Only 49 credits are left'],
  [1, 'Only 1 credit is left'],
  [0, 'No credits are left'],
  [50, null],
])('the low-balance warning of the sidebar is right at %i credits', async (creditsRemaining, words) => {
  await setup.api.begin({ keys: [goodKey], balance: { credits_remaining: creditsRemaining } });
  const file = await setup.open();
  const { low } = ask(file, 'sidebarConnect', 'account', goodKey) as Account;
  expect(low).toEqual(words === null ? null : expect.stringContaining(words));
});

test('every function of the sidebar throws in a cell and does nothing', async () => {
  const file = await setup.open();
  ask(file, 'sidebarConnect', 'account', goodKey);
  const before = JSON.stringify(file.world().properties);
  const entries = file.callable.filter((name) => name.startsWith('sidebar'));
  expect(entries.length).toBeGreaterThan(15);
  for (const name of entries) {
    expect(() => file.cell(name, ['account', 'x'])).toThrow('getUi() from this context');
  }
  expect(JSON.stringify(file.world().properties)).toBe(before);
});

test('the menu of the add-on opens the sidebar', async () => {
  const file = await setup.open();
  file.call('openSidebar_');
  expect(file.world().ui.sidebar).toMatchObject({ file: 'Sidebar', title: 'Tidemark' });
});
