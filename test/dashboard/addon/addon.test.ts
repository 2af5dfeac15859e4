import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listKeys } from '../../../db/accounts/keys.ts';
import { reachOf } from '../../../server/dashboard/addon/reach.ts';
import { pageFaults, startBrowser } from '../../harness/browser.ts';
import { createPeople } from '../account/person.ts';
import { createDashboardSetup, type DashboardSetup, type Member } from '../dashboard-server.ts';

let setup: DashboardSetup;
let ann: Member;
beforeAll(async () => {
  setup = await createDashboardSetup();
  ann = await setup.member();
});
afterAll(() => setup?.close());

const keysOf = (member: Member) => listKeys(setup.db.sql, member.workspace_id, setup.clock.now);
const idsOf = async (member: Member) => (await keysOf(member)).map(({ key_id }) => key_id);
const keyIn = (page: string) => /id="secret"[^>]*value="([^"]+)"/.exec(page)?.[1];

describe('the page of the add-on', () => {
  test('the page of the add-on opens without a sign-in, and its sign-in leads back to the page', async () => {
    const answer = await setup.send('/addon', '');
    expect(answer.status).toBe(200);
    const page = await answer.text();
    expect(page).toContain('<h1>Get the add-on</h1>');
    expect(page).not.toContain('action="/addon/key');
    expect(page).toContain('href="/sign-in?next=%2Faddon%23key"');
    expect(page).toContain('href="/sign-in?next=%2Faddon%23excel"');
    const signIn = await (await setup.send('/sign-in?next=%2Faddon%23key', '')).text();
    expect(signIn).toContain('action="/sign-in?next=%2Faddon%23key"');
  });

  test('after a sign-in from the page of the add-on, the user is where the sheet key is made', async () => {
    const people = createPeople(setup);
    const { email, password } = await people.signedUp();
    const answer = await people.post('/sign-in?next=%2Faddon%23key', { email, password });
    expect(answer.headers.get('location')).toBe('/addon#key');
  });

  test('a sign-in never leads back to an address of another site that begins like the page of the add-on', async () => {
    for (const next of [
      '/addon.evil.example',
      '/addon@evil.example',
      '//addon',
      '/addon#//evil.example',
      '/addon#key#key',
    ]) {
      const page = await (await setup.send(`/sign-in?next=${encodeURIComponent(next)}`, '')).text();
      expect(page).toContain('action="/sign-in"');
    }
  });

  test('the front page, the dashboard, the docs and their menus link to the page of the add-on', async () => {
    for (const path of ['/', '/dashboard', '/docs', '/docs/addon']) {
      expect(await (await ann.get(path)).text(), path).toContain('href="/addon"');
    }
  });

  test('on the page of the add-on, a user creates a capped sheet key, which is shown once and announced by email', async () => {
    const mails = setup.mails.length;
    const made = await ann.post('/addon/key', { cap: '300' });
    const page = await made.text();
    const key = keyIn(page) ?? expect.fail('the page shows no key');
    expect(made.headers.get('cache-control')).toBe('no-store');
    expect(page).toMatch(/<details class="card way" open>(?:(?!<\/details>).)*<div id="copy">/s);
    expect(await keysOf(ann)).toMatchObject([
      { kind: 'sheet', name: 'Google Sheets', monthly_cap: 300, last_four: key.slice(-4) },
    ]);
    expect(setup.mails.slice(mails).map(({ to, text }) => [to, text.includes('Google Sheets')])).toEqual([
      [ann.email, true],
    ]);
    expect(await (await ann.get('/addon')).text()).not.toContain(key);
    const balance = await fetch(`${setup.base_url}/v1/credit/balance`, { headers: { 'x-api-key': key } });
    expect(balance.status).toBe(200);
    const audit = await (await ann.get('/dashboard/settings/audit')).text();
    expect(audit).toContain('created a key');
  });

  test('the audit log names a new sheet key, even when the path of its form was written with escapes', async () => {
    const eve = await setup.member();
    expect((await eve.post('/addon/%6bey', { cap: '300' })).status).toBe(200);
    const entries = await setup.db.sql`
      select action, subject from audit_entries where workspace_id = ${eve.workspace_id} and action = 'created a key'`;
    expect(entries).toEqual([{ action: 'created a key', subject: 'Google Sheets' }]);
  });

  test.each(['', '0', '-1', '1.5', 'many', '1'.repeat(10)])(
    'on the page of the add-on, a sheet key with the cap "%s" is refused',
    async (cap) => {
      const before = await idsOf(ann);
      const answer = await ann.post('/addon/key', { cap });
      expect(answer.status).toBe(400);
      const page = await answer.text();
      expect(page).toContain('The monthly cap must be a whole number of credits, at least 1.');
      expect(keyIn(page)).toBeUndefined();
      expect(await idsOf(ann)).toEqual(before);
    },
  );

  test('on the page of the add-on, a form of another site creates no key, and a form without a session leads to sign-in', async () => {
    const before = await idsOf(ann);
    const forged = await setup.send('/addon/key', ann.cookie, {
      method: 'POST',
      body: new URLSearchParams({ cap: '5' }),
      headers: { origin: 'https://evil.example' },
    });
    expect(forged.status).toBe(403);
    const unknown = await setup.send('/addon/key', '', {
      method: 'POST',
      body: new URLSearchParams({ cap: '5' }),
      headers: { origin: setup.base_url },
    });
    expect([unknown.status, await unknown.text()]).toEqual([401, expect.stringContaining('You were signed out')]);
    expect(await idsOf(ann)).toEqual(before);
  });

  test('on the page of the add-on, a workspace with 50 active keys is told to revoke one first', async () => {
    const ben = await setup.member({ name: 'Ben' });
    for (let made = 0; made < 50; made += 1) expect((await ben.post('/addon/key', { cap: '1' })).status).toBe(200);
    const answer = await ben.post('/addon/excel', { file_cap: '1' });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('A workspace can have 50 active keys. Revoke one first.');
  });

  test('the page of the add-on says when Google cannot reach the server, and lists the ways that work first', async () => {
    const page = await (await setup.send('/addon', '')).text();
    expect(page).toContain('which only this computer or its network can reach');
    const ways = [...page.matchAll(/<details class="card way"( open)?>.*?<div id="(\w+)"/gs)];
    expect(ways.map(([, , id]) => id)).toEqual(['excel', 'link', 'push', 'copy', 'clasp', 'listing']);
    expect(ways.filter(([, open]) => open).map(([, , id]) => id)).toEqual(['excel', 'link']);
    // To write to Google Sheets, the server needs a Google service account, which an administrator must set up.
    expect(page).toMatch(/href="#push">(?:(?!<\/li>).)*your Tidemark administrator must set it up first/s);
    expect(page).not.toContain('reports sent to Google Sheets work now');
    expect(page.indexOf('class="notice warn"')).toBeLessThan(page.indexOf('class="ways"'));
  });
});

test('on a phone, a link to a collapsed section of the page of the add-on opens the section', async () => {
  const browser = await startBrowser();
  const { page } = await browser.open({ viewport: { width: 390, height: 800 } });
  await page.goto(`${setup.base_url}/addon`);
  const code = page.getByRole('button', { name: 'Copy code' });
  expect(await code.isVisible()).toBe(false);
  await page.getByRole('link', { name: 'Add-on in one spreadsheet' }).click();
  await code.waitFor();
  expect(await pageFaults(page)).toEqual([]);
  await browser.close();
});

test.each([
  ['https://social.example.com', 'public'],
  ['https://social.example.com:8443', 'public'],
  ['http://social.example.com', 'insecure'],
  ['http://127.0.0.1:8787', 'private'],
  ['http://localhost:8787', 'private'],
  ['https://localhost', 'private'],
  ['http://[::1]:8787', 'private'],
  ['https://192.168.1.20', 'private'],
  ['https://10.0.0.5', 'private'],
  ['https://nas.local', 'private'],
  ['https://tidemark', 'private'],
  ['https://1.1.1.1', 'public'],
])('Google reaches a server at %s as: %s', (address, reach) => {
  expect(reachOf(address)).toBe(reach);
});
