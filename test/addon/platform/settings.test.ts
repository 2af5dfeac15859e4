import { expect, test } from 'vitest';
import { lastFour, readKey } from '../../../addon/platform/settings.ts';
import { goodKey, people, setKey, setUpAddon } from '../spreadsheet-setup.ts';

const setup = setUpAddon();
const [ada = ''] = Object.keys(people);
const sharedKey = 'tide_live_invented00000000Shared';
const ownerKey = goodKey;
const editorKey = 'tide_live_invented00000000Editor';
const ownedByAda = { owner: 'ada@example.com', user: 'ben@example.com' };

async function keyOfLastRequest(): Promise<string | null | undefined> {
  return (await setup.api.log()).requests.at(-1)?.key;
}

test('a formula uses the key of the file rather than the key of the account', async () => {
  await setup.api.begin({ keys: [goodKey, sharedKey], people });
  const file = await setup.open();
  setKey(file, 'NO', goodKey);
  file.cell('SOCIAL_PROFILE', [ada]);
  expect(await keyOfLastRequest()).toBe(goodKey);
  setKey(file, 'YES', sharedKey);
  file.cell('SOCIAL_PROFILE', [ada]);
  expect(await keyOfLastRequest()).toBe(sharedKey);
});

test("a formula uses the key of the file's owner even when an editor types it, and never the editor's own key", async () => {
  await setup.api.begin({ keys: [ownerKey, editorKey], people });
  const file = await setup.open(ownedByAda);
  setKey(file, 'NO', editorKey);
  expect(file.cell('SOCIAL_PROFILE', [ada, 'posts'])).toEqual([['API_KEY_NOT_SET', '']]);
  file.become(ownedByAda.owner);
  setKey(file, 'NO', ownerKey);
  file.become(ownedByAda.user);
  expect(file.cell('SOCIAL_PROFILE', [ada, 'posts'])).toEqual([['OK', 34]]);
  expect(await keyOfLastRequest()).toBe(ownerKey);
});

test('formulas of everyone who can edit a file use the key saved in the file', async () => {
  const file = await setup.open(ownedByAda);
  setKey(file, 'YES');
  file.become('carl@example.com');
  expect(file.cell('SOCIAL_PROFILE', [ada, 'posts'])).toEqual([['OK', 34]]);
});

test('the menu uses a key saved with the account, and formulas keep the key of the file', async () => {
  await setup.api.begin({ keys: [goodKey, sharedKey], people });
  const file = await setup.open();
  setKey(file, 'YES', sharedKey);
  setKey(file, 'NO', goodKey);
  file.cell('SOCIAL_PROFILE', [ada]);
  expect(await keyOfLastRequest()).toBe(sharedKey);
  file.answer({ button: 'OK' });
  file.call('showBalance_');
  expect(await keyOfLastRequest()).toBe(goodKey);
});

test('a key that the server does not know is not saved, and neither is text that is not a key', async () => {
  const file = await setup.open();
  file.answer({ button: 'OK', text: 'tide_live_invented0000000Unknown' }, { button: 'OK' });
  file.call('setKey_');
  file.answer({ button: 'OK', text: 'hello' }, { button: 'OK' });
  file.call('setKey_');
  expect(file.world().ui.shown.filter((text) => !text.startsWith('Connect key'))).toEqual([
    'The key was not saved: The server does not know this key, or it was revoked. Copy the whole key again. If you no longer have it, make a new one: a key is shown only once.',
    'This is not an API key: Copy the whole key again. If you no longer have it, make a new one: a key is shown only once.',
  ]);
  expect(file.world().properties).toMatchObject({ document: {} });
  expect(JSON.stringify(file.world().properties)).not.toContain('tide_');
});

test.each([[{ button: 'CANCEL', text: goodKey }], [{ button: 'OK', text: goodKey }, { button: 'CANCEL' }]] as const)(
  'a cancelled key dialog saves nothing: %j',
  async (...answers) => {
    const file = await setup.open();
    file.answer(...answers);
    file.call('setKey_');
    expect(file.cell('SOCIAL_PROFILE', [ada, 'posts'])).toEqual([['API_KEY_NOT_SET', '']]);
  },
);

test('forgetting a key removes the key in use and says where it was saved', async () => {
  const file = await setup.open();
  setKey(file, 'YES');
  for (const sentence of ['The key saved in this file was removed.', 'No key is connected.']) {
    file.answer({ button: 'OK' });
    file.call('forgetKey_');
    expect(file.world().ui.shown.at(-1)).toBe(`Disconnect key: ${sentence}`);
  }
  expect(file.cell('SOCIAL_PROFILE', [ada, 'posts'])).toEqual([['API_KEY_NOT_SET', '']]);
});

test('the About dialog shows the end of the key, where it is saved, and the balance', async () => {
  const file = await setup.open();
  setKey(file);
  file.answer({ button: 'OK' });
  file.call('showBalance_');
  expect(file.world().ui.shown.at(-1)).toBe(
    `About: API key …Good, saved with your account. 9000 credits are left. Server: ${setup.api.origin}`,
  );
});

test('the key is never returned or shown: not to a cell or page, not in a dialog or the log', async () => {
  const file = await setup.open();
  setKey(file, 'YES');
  const said: unknown[] = [];
  for (const name of file.callable) {
    for (const call of [
      () => file.cell(name, [ada]),
      () => file.run(name, [ada]),
      () => file.call(name, 'CUSTOM_FUNCTION'),
    ]) {
      file.answer({ button: 'CANCEL' });
      try {
        said.push(call());
      } catch (error) {
        said.push(String(error));
      }
    }
  }
  expect(said.length).toBeGreaterThan(15);
  const { ui, log, sheets } = file.world();
  expect(JSON.stringify([said, ui.shown, log, sheets])).not.toContain(goodKey);
  expect(lastFour(goodKey)).toBe('…Good');
});

test('functions of the menu throw in a cell, and neither cells nor pages can call them', async () => {
  const file = await setup.open();
  const handlers = file.callable.filter((name) => name.endsWith('_') && name !== 'refreshOnSchedule_');
  expect(handlers).toHaveLength(5);
  for (const name of handlers) {
    expect(() => file.call(name, 'CUSTOM_FUNCTION')).toThrow('getUi() from this context');
    expect(() => file.cell(name, [])).toThrow('Unknown function');
    expect(() => file.run(name, [])).toThrow('not callable');
  }
  expect(() => file.cell('onOpen', [])).toThrow('getUi() from this context');
});

test.each(['NONE', 'LIMITED', 'FULL'] as const)(
  'the menu is created in authorization mode %s, and each item has its function',
  async (mode) => {
    const file = await setup.open();
    for (const trigger of ['onOpen', 'onInstall']) {
      file.call(trigger, mode, [{ authMode: mode }]);
      const handlers = file.world().ui.menu.map(({ handler }) => handler);
      expect(handlers).toEqual(['openSidebar_', 'refresh_', 'setKey_', 'forgetKey_', 'showBalance_']);
      expect(file.callable).toEqual(expect.arrayContaining(handlers));
    }
  },
);

test('a pasted key may have spaces around it, but no invalid characters', () => {
  expect(readKey(`  ${goodKey}\n`)).toBe(goodKey);
  for (const wrong of [
    '',
    'tide_live_',
    `${goodKey} ${goodKey}`,
    `${goodKey}\r\nhost: x`,
    'tide_live_ünvented000000',
  ]) {
    expect(readKey(wrong)).toBeNull();
  }
});
