import { appendFile, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Account, PageFailure } from '../../../addon/platform/page-replies.ts';
import { openFile, type SpreadsheetFile } from '../harness/file.ts';
import { goodKey, people, setUpAddon } from '../spreadsheet-setup.ts';

const setup = setUpAddon('bound');
const [ada = ''] = Object.keys(people);
const sheetKey = 'tide_live_invented00000000Sheet';
const shared = { owner: 'owner@example.com', user: 'owner@example.com' };
const facts = {
  live: { kind: 'live', monthly_cap: null },
  capped: { kind: 'live', monthly_cap: 500 },
  uncapped: { kind: 'sheet', monthly_cap: null },
  sheet: { kind: 'sheet', monthly_cap: 500 },
  test: { kind: 'test', monthly_cap: null },
};

/**
 * Code that a person with permission to edit the file could add to its script. It would return every property that the
 * script has stored.
 */
const stealing = `
function STEAL() {
  return JSON.stringify([PropertiesService.getUserProperties().getProperties(), PropertiesService.getDocumentProperties().getProperties()]);
}`;

/** Opens a file that has the add-on in its script and to which an editor has added the code above. */
async function editedFile(): Promise<SpreadsheetFile> {
  const dist = await mkdtemp(join(tmpdir(), 'addon-'));
  await cp(setup.dist, dist, { recursive: true });
  await appendFile(join(dist, 'Code.js'), stealing);
  const file = await openFile(dist, shared);
  onTestFinished(async () => {
    await file.close();
    await rm(dist, { recursive: true });
  });
  return file;
}

/** Tries all three ways to save a key: in the sidebar with the account or in the file, and in the menu. */
function connectEverywhere(file: SpreadsheetFile, key: string): (Account | PageFailure)[] {
  const replies = ['account', 'file'].map((location) => file.run('sidebarConnect', [location, key]));
  file.answer({ button: 'OK', text: key }, { button: 'OK' });
  file.call('setKey_');
  return replies as (Account | PageFailure)[];
}

test.each(['live', 'capped', 'uncapped'] as const)(
  'an add-on attached to one spreadsheet never saves a %s key, and says why and where to create a sheet key',
  async (kind) => {
    await setup.api.begin({ keys: [goodKey], balance: { key: facts[kind] } });
    const file = await editedFile();
    for (const reply of connectEverywhere(file, goodKey)) {
      expect(reply).toMatchObject({
        ...{ ok: false, code: 'SHEET_KEY_NEEDED', message: expect.stringContaining('Everyone who can edit this file') },
        link: { label: 'Make a sheet key', url: `${setup.api.origin}/addon#key` },
      });
    }
    expect(file.world().ui.shown.at(-1)).toContain('The key was not saved: Everyone who can edit');
    file.become('editor@example.com');
    expect(file.cell('STEAL', [])).not.toContain('tide_');
  },
);

test('in a script of one spreadsheet, a key whose kind is unknown or cannot be checked is not saved', async () => {
  const file = await editedFile();
  await setup.api.begin({ keys: [goodKey], balance: { key: null } });
  connectEverywhere(file, goodKey);
  await setup.api.begin({ keys: [goodKey], answers: Array.from({ length: 3 }, () => ({ status: 503, body: '' })) });
  connectEverywhere(file, goodKey);
  expect(file.cell('STEAL', [])).not.toContain('tide_');
});

test.each(['sheet', 'test'] as const)(
  'in a script of one spreadsheet, a %s key is saved in the file and never with the account',
  async (kind) => {
    await setup.api.begin({ keys: [sheetKey], people, balance: { key: facts[kind] } });
    const file = await editedFile();
    const replies = connectEverywhere(file, sheetKey);
    expect(replies).toMatchObject([
      { ok: true, install: 'bound', uses: 'file', formulas: 'file', keys: { account: null } },
      { ok: true, uses: 'file' },
    ]);
    expect(file.world().properties).toMatchObject({ document: { api_key: sheetKey } });
    expect(JSON.stringify(file.world().properties.users)).not.toContain('tide_');
    file.become('editor@example.com');
    expect(file.cell('SOCIAL_PROFILE', [ada, 'posts'])).toEqual([['OK', 34]]);
  },
);

test('in a script of one spreadsheet, a key that an earlier version saved with the account is unused, and the sidebar removes it', async () => {
  await setup.api.begin({ keys: [goodKey], people, balance: { key: facts.live } });
  const file = await editedFile();
  file.world().properties.users[shared.owner] = { api_key: goodKey, 'formulas_in_invented-spreadsheet': 'allowed' };
  expect(file.cell('SOCIAL_PROFILE', [ada, 'posts'])).toEqual([['API_KEY_NOT_SET', '']]);
  expect(file.run('sidebarAccount', [])).toMatchObject({
    ...{ uses: null, formulas: null, formulas_allowed: false },
    notice: expect.stringContaining('was removed'),
  });
  expect(file.cell('STEAL', [])).toBe('[{},{}]');
  expect(file.run('sidebarAccount', [])).toMatchObject({ notice: null });
});

test('in a script of one spreadsheet, the sidebar removes an uncapped key that an earlier version saved in the file', async () => {
  await setup.api.begin({ keys: [goodKey], people, balance: { key: facts.live } });
  const file = await editedFile();
  file.world().properties.document.api_key = goodKey;
  expect(file.run('sidebarAccount', [])).toMatchObject({ uses: null, notice: expect.stringContaining('was removed') });
  expect(file.cell('STEAL', [])).not.toContain('tide_');
});

test('in a script of one spreadsheet, a saved sheet key stays when the server does not answer', async () => {
  await setup.api.begin({ keys: [sheetKey], answers: [{ status: 503, body: '' }] });
  const file = await editedFile();
  file.world().properties.document.api_key = sheetKey;
  expect(file.run('sidebarAccount', [])).toMatchObject({ uses: 'file', notice: null });
});

test('in a script of one spreadsheet, no user can let formulas use their personal credits', async () => {
  const file = await editedFile();
  expect(file.run('sidebarAllowFormulas', [true])).toMatchObject({ ok: false, code: 'SHEET_KEY_NEEDED' });
  expect(file.cell('STEAL', [])).toBe('[{},{}]');
});
