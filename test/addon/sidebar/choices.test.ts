import { expect, test } from 'vitest';
import { goodKey, people, setUpAddon } from '../spreadsheet-setup.ts';

const setup = setUpAddon();
const choices = {
  tab: 'formula',
  asked: true,
  fields: { SOCIAL_PROFILE: ['followers'] },
  ages: { formula: '7d' },
  platforms: { formula: 'tiktok' },
};

test('the choices of a user in the sidebar are saved for all sections, and no other user of the file gets them', async () => {
  const file = await setup.open();
  expect(file.run('sidebarRemember', [choices])).toEqual({ ok: true });
  expect(file.run('sidebarOpen', [])).toMatchObject({ ok: true, choices });
  file.become('ben@example.com');
  expect((file.run('sidebarOpen', []) as { choices: unknown }).choices).toEqual({
    fields: {},
    ages: {},
    platforms: {},
  });
});

test.each([[null], ['text'], [7], [{ tab: 7, asked: 'yes', fields: { a: 'b', c: [1] }, ages: { d: 2 } }]])(
  'saved choices of the sidebar with a wrong type are left out: %j',
  async (wrong) => {
    const file = await setup.open();
    expect(file.run('sidebarRemember', [wrong])).toEqual({ ok: true });
    expect((file.run('sidebarOpen', []) as { choices: unknown }).choices).toEqual({
      fields: {},
      ages: {},
      platforms: {},
    });
  },
);

test('saved choices of the sidebar that are too long are refused with a sentence, and the earlier ones stay', async () => {
  const file = await setup.open();
  file.run('sidebarRemember', [choices]);
  const long = { ...choices, fields: { SOCIAL_PROFILE: Array.from({ length: 2_000 }, () => 'followers') } };
  expect(file.run('sidebarRemember', [long])).toMatchObject({
    ok: false,
    message: expect.stringContaining('too long'),
  });
  expect((file.run('sidebarOpen', []) as { choices: unknown }).choices).toMatchObject(choices);
});

test('one call returns everything that the first screen of the sidebar shows, with one request for each key', async () => {
  const file = await setup.open();
  file.run('sidebarConnect', ['account', goodKey]);
  file.type('A2', ...Object.keys(people));
  file.select('A2:A3');
  const before = (await setup.api.log()).requests.length;
  expect(file.run('sidebarOpen', [])).toMatchObject({
    ok: true,
    account: { uses: 'account' },
    selection: { a1: 'A2:A3', urls: 2 },
    runs: [],
  });
  expect((await setup.api.log()).requests.length - before).toBe(1);
});
