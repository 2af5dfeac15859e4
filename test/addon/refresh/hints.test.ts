import { expect, test } from 'vitest';
import type { Account } from '../../../addon/platform/page-replies.ts';
import type { SpreadsheetFile } from '../harness/file.ts';
import { goodKey, people, setKey, setUpAddon } from '../spreadsheet-setup.ts';

const setup = setUpAddon();
const [ada = '', ben = ''] = Object.keys(people);
const hourMs = 3_600_000;

const account = (file: SpreadsheetFile, name: string, ...args: unknown[]) => file.run(name, args) as Account;
const scheduleNote = (file: SpreadsheetFile) => (file.run('sidebarSchedule', []) as { note: string | null }).note;

test('after a key is connected, the sidebar says how many formulas still show an error and how to run them again', async () => {
  const file = await setup.open();
  file.type('A1', ada, ben);
  file.type('B1', '=SOCIAL_FOLLOWERS(A1)', '=SOCIAL_PROFILE(A2, "followers")');
  file.show('Other');
  file.type('A1', `=SOCIAL_FOLLOWERS("${ada}")`);
  const { notice } = account(file, 'sidebarConnect', 'file', goodKey);
  expect(notice).toBe(
    '3 formulas in this file have no result yet. To run them again with this key, choose Refresh now in the section Refresh, for each sheet.',
  );
  file.run('sidebarRefreshFormulas', ['sheet']);
  file.show('Sheet1');
  file.run('sidebarRefreshFormulas', ['sheet']);
  expect(file.values('B1:C2')).toEqual([
    [1_200, ''],
    ['OK', 5_400_000],
  ]);
  expect(account(file, 'sidebarConnect', 'file', goodKey).notice).toBeNull();
  expect(account(file, 'sidebarAccount').notice).toBeNull();
});

test('after a key is connected in the menu, the dialog says how many formulas still show an error', async () => {
  const file = await setup.open();
  file.type('A1', `=SOCIAL_FOLLOWERS("${ada}")`);
  setKey(file, 'YES');
  expect(file.world().ui.shown.at(-1)).toContain('1 formula in this file has no result yet.');
});

test('after formulas may use the key of the owner, the sidebar says which formulas need a refresh', async () => {
  const file = await setup.open();
  file.type('A1', ada);
  file.type('B1', '=SOCIAL_PROFILE(A1, "followers")');
  expect(account(file, 'sidebarConnect', 'account', goodKey).notice).toBeNull();
  expect(account(file, 'sidebarAllowFormulas', true).notice).toContain('1 formula in this file has no result yet.');
  expect(account(file, 'sidebarAllowFormulas', false).notice).toBeNull();
});

test('a schedule in a file without a report and without the refresh cell says that it updates nothing', async () => {
  const file = await setup.open();
  setKey(file, 'YES');
  file.run('sidebarSetSchedule', [1]);
  expect(scheduleNote(file)).toBe('Nothing is updated yet: this file has no report and no refresh cell.');
  file.pass(hourMs);
  expect(file.fireTriggers()).toEqual(['done']);
  expect((file.run('sidebarRuns', []) as { runs: unknown[] }).runs[0]).toMatchObject({
    ...{ rows: 0, ok: 0, failed: 0, credits: 0 },
    message: 'Nothing was updated: this file has no report and no refresh cell.',
  });
  file.answer({ button: 'OK' });
  file.call('refresh_');
  expect(scheduleNote(file)).toBeNull();
});
