import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createDashboardSetup, type DashboardSetup } from '../dashboard-server.ts';
import { cookieOf, createPeople, type People } from './person.ts';
import { password } from './test-password.ts';

let setup: DashboardSetup;
let people: People;
beforeAll(async () => {
  setup = await createDashboardSetup();
  people = createPeople(setup);
});
afterAll(() => setup.close());
afterEach(() => expect(setup.errors).toEqual([]));

const reset = async (token: string, chosen: string) =>
  (await people.post('/reset', { token, password: chosen })).status;

test('a password reset ends every older reset link and sign-in link', async () => {
  const { email } = await people.signedUp();
  const [older, newer] = [await people.resetToken(email), await people.resetToken(email)];
  const enter = people.pathOf(await setup.dashboard.accounts.signInLink(email));
  expect(await reset(newer, 'another long password')).toBe(200);
  expect(await reset(older, 'a third long password')).toBe(400);
  expect((await setup.follow(enter)).status).toBe(400);
  expect((await people.post('/sign-in', { email, password: 'another long password' })).status).toBe(303);
});

test('the page of an invalid reset link has no password field and offers to send a new link', async () => {
  const answer = await people.post('/reset', { token: 'unknown', password: 'another long password' });
  const page = await answer.text();
  expect([answer.status, page]).toEqual([400, expect.stringContaining('This link is no longer valid.')]);
  expect(page).toContain('href="/forgot"');
  expect(page).not.toContain('type="password"');
});

test.each([
  ['/forgot', { email: 'stranger@example.com' }, '/forgot'],
  ['/sign-up', { name: 'Eve', email: 'eve@example.com', password }, '/sign-in'],
])('the page after the form %s says how to get the email again', async (path, fields, again) => {
  const page = await (await people.post(path, fields)).text();
  expect(page).toContain('Nothing arrived after a few minutes? Look in the spam folder');
  expect(page).toContain(`<a href="${again}">`);
});

test('a password change in settings ends every pending reset link', async () => {
  const { email, cookie } = await people.signedUp();
  const pending = await people.resetToken(email);
  const changed = await people.post(
    '/dashboard/settings/password',
    { current: password, chosen: 'chosen in settings' },
    cookie,
  );
  expect(changed.status).toBe(303);
  expect(await reset(pending, 'a third long password')).toBe(400);
});

test('a password reset leaves the reset links of other people', async () => {
  const [ann, bob] = [await people.signedUp(), await people.signedUp()];
  const [ofAnn, ofBob] = [await people.resetToken(ann.email), await people.resetToken(bob.email)];
  expect(await reset(ofAnn, 'another long password')).toBe(200);
  expect(await reset(ofBob, 'another long password')).toBe(200);
});

test('a changed password is announced by email, after a reset and after a change in the settings', async () => {
  const { email } = await people.signedUp();
  await reset(await people.resetToken(email), 'another long password');
  expect(people.mailsTo(email).at(-1)).toMatchObject({
    subject: 'Your Tidemark password was changed',
    text: expect.stringContaining(`${setup.base_url}/forgot`),
  });
  const before = people.mailsTo(email).length;
  const cookie = cookieOf(await people.post('/sign-in', { email, password: 'another long password' }));
  const change = (current: string) =>
    people.post('/dashboard/settings/password', { current, chosen: 'chosen in settings' }, cookie);
  await change('not the password');
  expect(people.mailsTo(email)).toHaveLength(before);
  await change('another long password');
  expect(
    people
      .mailsTo(email)
      .slice(before)
      .map(({ subject }) => subject),
  ).toEqual(['Your Tidemark password was changed']);
});

test('a new and a rotated API key are announced by email to every member, without the key', async () => {
  const { email, cookie } = await people.signedUp();
  const page = await (await people.post('/dashboard/keys', { name: 'weekly', kind: 'live' }, cookie)).text();
  const key = /tide_live_\w+/.exec(page)?.[0] ?? expect.fail('the page shows no key');
  const announced = people.mailsTo(email).at(-1);
  expect(announced).toMatchObject({
    subject: 'New API key in your Tidemark workspace',
    text: expect.stringContaining('"weekly"'),
  });
  for (const path of ['/dashboard/keys', '/dashboard/settings']) expect(announced?.text).toContain(path);
  const [row] = await setup.db.sql`select key_id from api_keys where name = 'weekly'`;
  await people.post(`/dashboard/keys/${row?.key_id}/rotate`, { overlap: '1' }, cookie);
  const mails = people.mailsTo(email).filter(({ subject }) => subject.startsWith('New API key'));
  expect(mails).toHaveLength(2);
  for (const { text } of mails) expect(text).not.toContain(key.slice(0, 20));
});
