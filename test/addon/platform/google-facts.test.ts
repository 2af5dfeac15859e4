import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openFile, type People, type SpreadsheetFile } from '../harness/file.ts';
import { googleTexts } from '../harness/inside/google-texts.ts';

const scopePrefix = 'https://www.googleapis.com/auth/';
const fetchScope = `${scopePrefix}script.external_request`;
const nowhere = 'http://127.0.0.1:1/';
const people: People = { owner: 'ada@example.com', user: 'ben@example.com' };

/** Opens a file with this code as its script, to test that the harness behaves as Google's documentation says. */
async function fileWith(code: string): Promise<SpreadsheetFile> {
  const dist = await mkdtemp(join(tmpdir(), 'addon-'));
  await writeFile(join(dist, 'Code.js'), code);
  const urlFetchWhitelist = [nowhere, 'http://no-such-host.invalid/'];
  const oauthScopes = ['spreadsheets.currentonly', 'script.container.ui', 'script.external_request'];
  const manifest = { urlFetchWhitelist, oauthScopes: oauthScopes.map((scope) => scopePrefix + scope) };
  await writeFile(join(dist, 'appsscript.json'), JSON.stringify(manifest));
  const file = await openFile(dist, people);
  onTestFinished(async () => {
    await file.close();
    await rm(dist, { recursive: true });
  });
  return file;
}

const fetching = (url = nowhere) => `function work() { UrlFetchApp.fetchAll([{ url: ${JSON.stringify(url)} }]); }
  function WORK() { work(); }`;

test("a formula reads the user properties of the file's owner, a menu click those of the person who clicks", async () => {
  const file = await fileWith(`function save(v) { PropertiesService.getUserProperties().setProperty('k', v); }
    function read() { return PropertiesService.getUserProperties().getProperty('k'); }
    function READ() { return read(); }`);
  file.call('save', 'FULL', ['of ben']);
  expect(file.cell('READ', [])).toBeNull();
  file.become('ada@example.com');
  file.call('save', 'FULL', ['of ada']);
  file.become('ben@example.com');
  expect([file.cell('READ', []), file.call('read')]).toEqual(['of ada', 'of ben']);
});

test('anyone who can edit the script of a spreadsheet reads the keys that it stores', async () => {
  const file =
    await fileWith(`function save() { PropertiesService.getUserProperties().setProperty('api_key', 'secret'); }
    function STEAL() { return JSON.stringify(PropertiesService.getUserProperties().getProperties()); }`);
  file.become('ada@example.com');
  file.call('save');
  file.become('ben@example.com');
  expect(file.cell('STEAL', [])).toContain('secret');
});

test.each<[string, Parameters<SpreadsheetFile['set']>[0], string, string]>([
  ['the daily quota', { url_fetches: 20_000 }, nowhere, googleTexts.dailyFetches],
  ["the administrator's list of addresses", { admin_allowed_urls: [] }, nowhere, googleTexts.adminBlock(nowhere)],
  ['an address that the manifest lacks', {}, 'http://127.0.0.2:1/', googleTexts.notInManifest('http://127.0.0.2:1/')],
  ['a closed port', {}, nowhere, googleTexts.unavailable(nowhere)],
  ['an unknown host', {}, 'http://no-such-host.invalid/', googleTexts.dns('http://no-such-host.invalid/')],
])('a request that fails because of %s has the text of Google', async (_, settings, url, text) => {
  const file = await fileWith(fetching(url));
  file.set(settings);
  expect(() => file.call('work')).toThrow(text);
  expect(() => file.cell('WORK', [])).toThrow(text);
});

test('a refused permission stops the menu and the sidebar, but no formula', async () => {
  const file = await fileWith(fetching());
  file.set({ refused_scopes: [fetchScope] });
  expect(() => file.call('work')).toThrow(googleTexts.scopeMissing('UrlFetchApp.fetchAll', fetchScope));
  expect(() => file.cell('WORK', [])).toThrow('Address unavailable');
});

test('the authorization status is only about the requested permissions, with the address of the consent page', async () => {
  const file = await fileWith(`function work(scope) {
    const info = ScriptApp.getAuthorizationInfo(ScriptApp.AuthMode.FULL, [scope]);
    return [info.getAuthorizationStatus(), info.getAuthorizationUrl(), info.getAuthorizedScopes()];
  }`);
  file.set({ refused_scopes: [fetchScope] });
  const other = `${scopePrefix}script.container.ui`;
  expect(file.call('work', 'FULL', [fetchScope])).toEqual(['REQUIRED', 'https://accounts.example/allow', []]);
  expect(file.call('work', 'FULL', [other])).toEqual(['NOT_REQUIRED', null, [other]]);
});

test('requireScopes ends the execution and shows the consent dialog, and the script cannot catch it', async () => {
  const file = await fileWith(`function work() {
    try { ScriptApp.requireScopes(ScriptApp.AuthMode.FULL, ['${fetchScope}']); } catch { return 'caught'; }
    return 'done';
  }`);
  expect(file.call('work')).toBe('done');
  file.set({ refused_scopes: [fetchScope] });
  expect(() => file.call('work')).toThrow(googleTexts.authorization);
  expect(file.world().ui.shown).toEqual(['Google asks for the missing permissions']);
});

test('with several Google accounts in the browser, a page is refused or runs as the default account', async () => {
  const file = await fileWith('function work() { return Session.getTemporaryActiveUserKey(); }');
  const mine = file.call('work');
  expect(file.run('work', [])).toBe(mine);
  file.set({ several_accounts: { default_account: 'home@example.com', calls: 'as default' } });
  expect(file.run('work', [])).not.toBe(mine);
  expect(file.call('work')).toBe(mine);
  file.set({ several_accounts: { default_account: 'home@example.com', calls: 'denied' } });
  expect(() => file.run('work', [])).toThrow('PERMISSION_DENIED');
  file.set({ several_accounts: { default_account: people.user, calls: 'denied' } });
  expect(file.run('work', [])).toBe(mine);
});

test('Apps Script stops a formula after 30 seconds and every other execution after 6 minutes', async () => {
  const file = await fileWith('function work(ms) { Utilities.sleep(ms); } function WORK(ms) { work(ms); }');
  expect(() => file.cell('WORK', [30_001])).toThrow(googleTexts.executionTime);
  expect(file.call('work', 'FULL', [359_000])).toBeUndefined();
  expect(() => file.call('work', 'FULL', [360_001])).toThrow(googleTexts.executionTime);
});

test('a cache keeps at most 1,000 items, and then drops those that expire first', async () => {
  const file = await fileWith(`function work(count) {
    const cache = CacheService.getDocumentCache();
    for (let i = 0; i < count; i++) cache.put('k' + i, 'x', 100 + i);
    return ['k0', 'k100', 'k101', 'k' + (count - 1)].map((key) => cache.get(key));
  }`);
  expect(file.call('work', 'FULL', [1_000])).toEqual(['x', 'x', 'x', 'x']);
  expect(file.call('work', 'FULL', [1_001])).toEqual([null, null, 'x', 'x']);
});

test.each([
  ['a date', new Date(0)],
  ['a date in an object', { at: [new Date(0)] }],
  ['a function', () => 1],
  ['a map', { names: new Map() }],
])('a page cannot pass %s to the script', async (_, argument) => {
  const file = await fileWith('function work() {}');
  expect(() => file.run('work', [argument])).toThrow('No such argument can cross');
});

test('a page that passes undefined to the script sends null in an array, and omits an undefined member', async () => {
  const file = await fileWith('function work(a, b) { return [a, b, Object.keys(b)]; }');
  expect(file.run('work', [[1, undefined], { x: 1, y: undefined }])).toEqual([[1, null], { x: 1 }, ['x']]);
});

test('a protected cell refuses the whole write, except from people who may edit it', async () => {
  const file = await fileWith(
    'function work() { SpreadsheetApp.getActiveSheet().getRange("A1:A2").setValues([[1], [2]]); }',
  );
  file.guard({ a1: 'A2:A9', editors: ['ada@example.com'] });
  expect(() => file.call('work')).toThrow(googleTexts.protectedCells);
  expect(file.values('A1:A2').flat()).toEqual(['', '']);
  file.become('ada@example.com');
  file.call('work');
  expect(file.values('A1:A2').flat()).toEqual([1, 2]);
});

test('data validation refuses a value, and the error names the cell', async () => {
  const file = await fileWith('function work(v) { SpreadsheetApp.getActiveSheet().getRange("B2").setValue(v); }');
  file.guard({ a1: 'B2', values: ['Yes', 'No'] });
  expect(() => file.call('work', 'FULL', ['Maybe'])).toThrow(googleTexts.dataValidation('B2'));
  file.call('work', 'FULL', ['No']);
  expect(file.values('B2')).toEqual([['No']]);
});
