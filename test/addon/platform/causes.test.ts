import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fetchAnswers } from '../../../addon/platform/client.ts';
import { googleCause } from '../../../addon/platform/google-errors.ts';
import type { Account, PageFailure } from '../../../addon/platform/page-replies.ts';
import type { RawAnswer } from '../fake-api-process.ts';
import type { SpreadsheetFile } from '../harness/file.ts';
import { googleTexts } from '../harness/inside/google-texts.ts';
import { goodKey, people, setKey, setUpAddon } from '../spreadsheet-setup.ts';

const setup = setUpAddon();
const [ada = ''] = Object.keys(people);
const scope = (name: string) => `https://www.googleapis.com/auth/${name}`;

type Settings = Parameters<SpreadsheetFile['set']>[0];

/** Opens a file with a key, and then applies settings that make formulas and the sidebar fail. */
async function fileWith(settings: Settings): Promise<SpreadsheetFile> {
  const file = await setup.open();
  setKey(file);
  file.set(settings);
  return file;
}

const formula = (file: SpreadsheetFile) => (file.cell('SOCIAL_PROFILE', [ada, 'followers,message']) as string[][])[0];
const connect = (file: SpreadsheetFile) => file.run('sidebarConnect', ['account', goodKey]) as PageFailure;

test.each<[string, Settings, string]>([
  ['GOOGLE_DAILY_QUOTA', { url_fetches: 20_000 }, 'tomorrow'],
  ['ADMIN_BLOCKED', { admin_allowed_urls: ['https://intranet.example/'] }, 'Your Google administrator blocks requests'],
])('%s has its own sentence in formulas and in the sidebar, with a page that helps', async (code, settings, words) => {
  const file = await fileWith(settings);
  expect(formula(file)).toEqual([code, '', expect.stringContaining(words)]);
  const reply = connect(file);
  expect(reply).toMatchObject({ ok: false, code, message: expect.stringContaining(words) });
  expect(reply.link?.url).toBe(`${setup.api.origin}/docs/addon#what-the-status-means`);
});

const error = (status: number, code: string, message: string): RawAnswer => ({
  status,
  body: JSON.stringify({ error: { code, message } }),
});
const page = '<!doctype html><title>Sign in</title>';

test.each<[string, RawAnswer, string, string]>([
  ['INVALID_API_KEY', error(401, 'INVALID_API_KEY', 'Revoked.'), 'does not know this key', '/addon#key'],
  [
    'INSUFFICIENT_CREDITS',
    error(402, 'INSUFFICIENT_CREDITS', 'The balance is 0.'),
    'balance is 0',
    '/dashboard/credits',
  ],
  [
    'INSUFFICIENT_CREDITS',
    error(402, 'INSUFFICIENT_CREDITS', 'The monthly cap is reached.'),
    'cap is reached',
    '/dashboard/credits',
  ],
  ['PRODUCTION_KEY_REQUIRED', error(403, 'PRODUCTION_KEY_REQUIRED', ''), 'development key', '/addon#key'],
  ['KEY_NOT_ALLOWED', error(403, 'KEY_NOT_ALLOWED', 'Only for MCP.'), 'Only for MCP', '/addon#key'],
  ['ADDRESS_NOT_ALLOWED', error(403, 'ADDRESS_NOT_ALLOWED', ''), 'certain IP addresses', '/addon#key'],
  [
    'RATE_LIMITED',
    { status: 429, headers: { 'retry-after': '60' }, body: page },
    'Wait one minute',
    '/docs/addon#what-the-status-means',
  ],
  [
    'LOGIN_PAGE',
    { status: 302, headers: { location: '/sign-in' }, body: '' },
    'login page',
    '/docs/addon#what-the-status-means',
  ],
  ['SERVER_UNAVAILABLE', { status: 503, body: page }, 'cannot answer', '/docs/addon#what-the-status-means'],
  [
    'SERVER_TIMEOUT',
    { status: 200, headers: { 'x-harness-took-ms': '27000' }, body: '{}' },
    'in time',
    '/docs/addon#what-the-status-means',
  ],
  ['SOME_NEW_CODE', error(400, 'SOME_NEW_CODE', 'New.'), 'New.', '/docs/errors#SOME_NEW_CODE'],
])('%s of the server has its own sentence and link', async (code, answer, words, path) => {
  const file = await setup.open();
  await setup.api.begin({ keys: [goodKey], answers: [answer] });
  expect(connect(file)).toMatchObject({
    ...{ ok: false, code, message: expect.stringContaining(words) },
    link: { url: setup.api.origin + path },
  });
});

test('a missing permission has the name that Google shows, with a link to the consent page, and formulas still work', async () => {
  const file = await fileWith({ refused_scopes: [scope('script.external_request')] });
  expect(connect(file)).toEqual({
    ok: false,
    code: 'PERMISSION_MISSING',
    message:
      'The add-on needs your permission to contact your server (“Connect to an external service”). Give it, then try again.',
    link: { label: 'Give permission', url: 'https://accounts.example/allow' },
  });
  expect(formula(file)?.[0]).toBe('OK');
});

test('opening the sidebar asks for missing permissions before it shows a page that cannot work', async () => {
  const file = await fileWith({ refused_scopes: [scope('script.external_request')] });
  expect(() => file.call('openSidebar_')).toThrow('Authorization is required');
  expect(file.world().ui).toMatchObject({
    sidebar: null,
    shown: expect.arrayContaining([expect.stringContaining('asks')]),
  });
  file.set({ refused_scopes: [scope('script.scriptapp')] });
  file.call('openSidebar_');
  expect(file.world().ui.sidebar).not.toBeNull();
});

test('the sidebar says beside a key why its server fails, and links to the page that helps', async () => {
  const file = await fileWith({ admin_allowed_urls: [] });
  const { keys } = file.run('sidebarAccount', []) as Account;
  expect(keys.account).toMatchObject({
    problem: expect.stringContaining('administrator'),
    problem_link: { url: expect.stringContaining('/docs/addon') },
  });
});

test('the sidebar knows which Google account opened it and which account made a call', async () => {
  const file = await setup.open({ owner: 'work@example.com', user: 'work@example.com' });
  file.call('openSidebar_');
  const opened = /id="opened-by" hidden>([^<]+)</.exec(file.world().ui.sidebar?.added ?? '')?.[1];
  expect((file.run('sidebarAccount', []) as Account).opened_by).toBe(opened);
  file.set({ several_accounts: { default_account: 'home@example.com', calls: 'as default' } });
  expect((file.run('sidebarAccount', []) as Account).opened_by).not.toBe(opened);
});

test.each([
  ['protected cells', { a1: 'A1:Z1000', editors: ['someone@example.com'] }, 'PROTECTED_CELLS', 'protected'],
  ['data validation', { a1: 'A1:Z1000', values: ['Yes'] }, 'DATA_VALIDATION', 'accept only certain values'],
] as const)('%s refuse a formula from the sidebar, each with its own message', async (_, guard, code, words) => {
  const file = await setup.open();
  file.guard({ ...guard, ...('values' in guard ? { values: [...guard.values] } : { editors: [...guard.editors] }) });
  expect(file.run('sidebarInsertFormula', [{ name: 'SOCIAL_CREDITS' }])).toMatchObject({
    ...{ ok: false, code, message: expect.stringContaining(words) },
  });
});

test('in a shared drive, where a file has no owner, the sidebar asks for a sheet key', async () => {
  const file = await setup.open({ owner: '', user: 'ada@example.com' });
  expect(file.run('sidebarConnect', ['account', goodKey])).toMatchObject({ ok: true, uses: 'account', formulas: null });
  expect(file.run('sidebarAllowFormulas', [true])).toMatchObject({ ok: false, code: 'FILE_WITHOUT_OWNER' });
  expect(formula(file)?.[0]).toBe('API_KEY_NOT_SET');
  file.run('sidebarConnect', ['file', goodKey]);
  expect(formula(file)?.[0]).toBe('OK');
});

const url = 'https://social.example/v1/credit/balance?a=b';
const { dailyFetches, fetchRate, simultaneous, executionTime, authorization, accessExpired } = googleTexts;

test.each([
  [dailyFetches, 'GOOGLE_DAILY_QUOTA'],
  [fetchRate, 'GOOGLE_BUSY'],
  [googleTexts.bandwidth(url), 'GOOGLE_BUSY'],
  [simultaneous, 'GOOGLE_BUSY'],
  [googleTexts.spreadsheetsTimeout, 'GOOGLE_BUSY'],
  [executionTime, 'GOOGLE_TIME_LIMIT'],
  [googleTexts.noPermission('UrlFetchApp.fetch', scope('script.external_request')), 'PERMISSION_MISSING'],
  [`Erforderliche Berechtigungen: ${scope('script.external_request')}`, 'PERMISSION_MISSING'],
  [googleTexts.scopeMissing('SpreadsheetApp.getUi', scope('script.container.ui')), 'PERMISSION_MISSING'],
  [authorization, 'PERMISSION_MISSING'],
  ['Authorisation is required to perform that action.', 'PERMISSION_MISSING'],
  [accessExpired, 'PERMISSION_MISSING'],
  [googleTexts.adminBlock(url), 'ADMIN_BLOCKED'],
  [googleTexts.notInManifest(url), 'ADDON_OUTDATED'],
  ['Script function not found: sidebarSamples', 'ADDON_OUTDATED'],
  [googleTexts.severalAccounts, 'SEVERAL_ACCOUNTS'],
  [googleTexts.noConnection, 'NO_CONNECTION'],
  [googleTexts.dns(url), 'SERVER_NOT_FOUND'],
  [googleTexts.unavailable(url), 'SERVER_UNREACHABLE'],
  [googleTexts.certificate(url), 'SERVER_CERTIFICATE'],
  [googleTexts.timeout(url), 'SERVER_TIMEOUT'],
  [googleTexts.protectedCells, 'PROTECTED_CELLS'],
  [googleTexts.dataValidation('B2'), 'DATA_VALIDATION'],
  [googleTexts.cellLimit, 'FILE_FULL'],
  [googleTexts.propertyStore, 'STORAGE_FULL'],
  ['Sheet 1718 not found', 'SHEET_DELETED'],
  ['Dienst wurde zu oft aufgerufen', null],
])('the text of Google “%s” is the cause %s, as an error and in the log', (text, code) => {
  for (const form of [text, `Exception: ${text}`, `ScriptError: ${text}`]) expect(googleCause(form)).toBe(code);
});

test('a formula quotes an unknown error text, such as a translated one, beside its code', () => {
  const network = {
    fetchAll: () => {
      throw new Error('Adresse nicht verfügbar: https://social.example/');
    },
    ...{ sleep: () => {}, now: () => 0, random: () => 0, uuid: () => 'id', log: () => {} },
  };
  const [answer] = fetchAnswers(['https://social.example/'], goodKey, network);
  expect(answer).toMatchObject({
    failure: { code: 'SERVER_UNREACHABLE', message: expect.stringContaining('Adresse nicht verfügbar') },
  });
});

test('a menu entry that Google refuses shows the cause in a dialog, with the page that helps', async () => {
  const file = await setup.open();
  file.answer({ button: 'OK' });
  file.call('refresh_');
  file.guard({ a1: 'A1', editors: ['someone@example.com'] });
  file.answer({ button: 'OK' });
  file.call('refresh_');
  expect(file.world().ui.shown.at(-1)).toMatch(
    /^This did not work: Some of these cells are protected.+What this means: http/s,
  );
});

test('the documentation explains every cause of a failure that the add-on knows', async () => {
  const read = (path: string) => readFile(join(import.meta.dirname, '../../..', path), 'utf8');
  const codes = [...(await read('addon/platform/failure-sentence.ts')).matchAll(/^ {2}([A-Z_]{6,}): /gm)].map(
    ([, code]) => code,
  );
  const explained = (await read('docs/addon.md')) + (await read('docs/errors.md'));
  expect(codes.length).toBeGreaterThan(25);
  expect(codes.filter((code) => !explained.includes(`\`${code}\``))).toEqual([]);
});
