import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { InstallKind } from '../../addon/platform/page-replies.ts';
import { writeAddon } from './built-addon.ts';
import { type FakeApi, type Setup, useFakeApi } from './fake-api-process.ts';
import { openFile, type People, type SpreadsheetFile } from './harness/file.ts';

/** An invented API key that the fake API accepts. */
export const goodKey = 'tide_live_invented0000000000Good';

/** Data of invented people in the fake API, by the URL of their profile. */
export const people: Setup['people'] = {
  'https://photo.example/ada': {
    platform: 'photo',
    account_id: '72057594037927937',
    username: 'ada',
    display_name: 'Ada Invented',
    followers: 1_200,
    following: 0,
    posts: 34,
    verified: true,
    bio: 'Looms & numbers',
  },
  'https://clips.example/@ben': {
    platform: 'shortvideo',
    account_id: '6800000000000000001',
    username: 'ben',
    display_name: 'Ben Invented',
    followers: 5_400_000,
    followers_quality: 'rounded',
    posts: null,
    likes: 99_000_000,
    verified: false,
  },
};

/**
 * The setup for the tests of one file: the fake API, the folder `dist` of the built add-on, and `open`, which opens a
 * spreadsheet.
 */
export type AddonSetup = { api: FakeApi; dist: string; open: (withPeople?: People) => Promise<SpreadsheetFile> };

/**
 * Prepares the tests of one file. Before the first test, starts a fake API and builds the add-on for its address.
 * Before each test, resets the fake API to the invented profiles and one valid key. After each test, closes the
 * spreadsheets that the test opened with `open`.
 *
 * @param install the kind of installation. The kind `addon` allows every kind of key; see `InstallKind`.
 */
export function setUpAddon(install: InstallKind = 'addon'): AddonSetup {
  const opened: SpreadsheetFile[] = [];
  let api: FakeApi | undefined;
  let dist = '';
  const running = (): FakeApi => {
    if (api === undefined) throw new Error('The fake API has not started');
    return api;
  };
  beforeAll(async () => {
    api = await useFakeApi();
    dist = await mkdtemp(join(tmpdir(), 'addon-'));
    await writeAddon(api.origin, dist, install);
  });
  beforeEach(() => running().begin({ keys: [goodKey], people }));
  afterEach(async () => {
    for (const file of opened.splice(0)) await file.close();
  });
  afterAll(async () => {
    await rm(dist, { recursive: true });
  });
  return {
    get api() {
      return running();
    },
    get dist() {
      return dist;
    },
    async open(withPeople) {
      const file = await openFile(dist, withPeople);
      opened.push(file);
      return file;
    },
  };
}

/**
 * Saves an API key through the menu. `place`: for a sheet key or development key, YES saves it in the file, and NO with
 * the account of the user. Another key is always saved with the account, and YES lets formulas use it.
 */
export function setKey(file: SpreadsheetFile, place: 'YES' | 'NO' = 'NO', key = goodKey): void {
  file.answer({ button: 'OK', text: key }, { button: place }, { button: 'OK' });
  file.call('setKey_');
}
