import { expect, test } from 'vitest';
import { goodKey, people, setUpAddon } from '../spreadsheet-setup.ts';

const setup = setUpAddon('addon');
const [ada = ''] = Object.keys(people);
const shared = { owner: 'owner@example.com', user: 'owner@example.com' };
const facts = {
  live: { kind: 'live', monthly_cap: null },
  capped: { kind: 'live', monthly_cap: 500 },
  uncapped: { kind: 'sheet', monthly_cap: null },
  unknown: null,
};

/** Opens a shared file whose owner has a key of this kind. */
async function openShared(kind: keyof typeof facts) {
  await setup.api.begin({ keys: [goodKey], people, balance: { key: facts[kind] } });
  return setup.open(shared);
}

test.each(['live', 'capped', 'uncapped', 'unknown'] as const)(
  'an add-on from a listing does not save a %s key in a file, whose editors could spend it',
  async (kind) => {
    const file = await openShared(kind);
    expect(file.run('sidebarConnect', ['file', goodKey])).toMatchObject({
      ...{ ok: false, code: 'SHEET_KEY_NEEDED', message: expect.stringContaining('Everyone who can edit this file') },
      link: { url: `${setup.api.origin}/addon#key` },
    });
    file.answer({ button: 'OK', text: goodKey }, { button: 'NO' }, { button: 'OK' });
    file.call('setKey_');
    expect(file.world().properties.document).toEqual({});
    expect(file.world().ui.shown.join()).toContain('This is not a sheet key with a monthly cap');
    file.become('editor@example.com');
    expect(file.cell('SOCIAL_PROFILE', [ada, 'posts'])).toEqual([['FORMULAS_NOT_ALLOWED', '']]);
  },
);

test('an add-on from a listing saves a production key for the formulas of all editors only after a question that says so', async () => {
  const file = await openShared('live');
  file.answer({ button: 'OK', text: goodKey }, { button: 'YES' }, { button: 'OK' });
  file.call('setKey_');
  expect(file.world().ui.shown.join()).toContain('everyone who can edit it can spend the credits of your workspace');
  expect(file.world().properties.document).toEqual({});
  file.become('editor@example.com');
  expect(file.cell('SOCIAL_PROFILE', [ada, 'posts'])).toEqual([['OK', 34]]);
});

test('the menu says where a sheet key is made, because a key is shown only once', async () => {
  const file = await setup.open();
  file.answer({ button: 'CANCEL', text: '' });
  file.call('setKey_');
  expect(file.world().ui.shown.at(-1)).toContain(`Make a sheet key on ${setup.api.origin}/addon#key`);
});

test('an add-on from a listing does not save a key in a file while the server cannot say its kind', async () => {
  const file = await openShared('live');
  await setup.api.begin({ keys: [goodKey], answers: [{ status: 503, body: '' }] });
  file.answer({ button: 'OK', text: goodKey }, { button: 'YES' }, { button: 'OK' });
  file.call('setKey_');
  expect(file.world().properties.document).toEqual({});
  expect(file.world().properties.users[shared.owner]).toMatchObject({ api_key: goodKey });
});
