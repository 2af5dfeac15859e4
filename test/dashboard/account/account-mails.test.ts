import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { renameWorkspace } from '../../../db/accounts/workspaces.ts';
import type { Mail } from '../../../pipeline/notify/mail.ts';
import { accessibilityFaults, startBrowser, type TestBrowser } from '../../harness/browser.ts';
import { createDashboardSetup, type DashboardSetup } from '../dashboard-server.ts';
import { hostileName, rawMarkers } from '../populated.ts';
import { password } from './test-password.ts';

let setup: DashboardSetup;
let browser: TestBrowser;
/** One email of each kind that the service sends about an account, by subject. */
let mails: Map<string, Mail>;
beforeAll(async () => {
  [setup, browser] = await Promise.all([createDashboardSetup(), startBrowser()]);
  const post = (path: string, fields: Record<string, string>) =>
    setup.send(path, '', { method: 'POST', body: new URLSearchParams(fields), headers: { origin: setup.base_url } });
  const ann = await setup.member({ tier: 'pro' });
  await renameWorkspace(setup.db.sql, ann.workspace_id, hostileName);
  await post('/sign-up', { name: hostileName, email: 'new@example.com', password });
  await post('/sign-up', { name: 'Ann', email: ann.email, password });
  await ann.post('/dashboard/keys', { name: hostileName, kind: 'test' });
  await ann.post('/dashboard/people/invite', { email: 'guest@example.com', role: 'viewer' });
  await post('/forgot', { email: ann.email });
  await vi.waitFor(() => expect(setup.mails.at(-1)?.subject).toBe('Choose a new password for Tidemark'));
  const reset = setup.mails.at(-1)?.text ?? '';
  await post('/reset', { token: /token=(\S+)/.exec(reset)?.[1] ?? '', password: 'a new password of Ann' });
  await vi.waitFor(() => expect(setup.mails.map(({ subject }) => subject)).toHaveLength(6));
  mails = new Map(setup.mails.map((mail) => [mail.subject.replace(ann.email, 'Ann'), mail]));
});
afterAll(async () => {
  await browser?.close();
  await setup?.close();
});

test.each([
  ['Confirm your email address for Tidemark', '/confirm?token='],
  ['You already have a Tidemark account', '/sign-in'],
  ['New API key in your Tidemark workspace', '/dashboard/keys'],
  ['Ann invites you to a Tidemark workspace', '/join?token='],
  ['Choose a new password for Tidemark', '/reset?token='],
  ['Your Tidemark password was changed', '/forgot'],
])(
  'the email "%s" has one button, whose address is also shown as text, in an accessible HTML page',
  async (subject, path) => {
    const { text, html } = mails.get(subject) ?? expect.fail([...mails.keys()].join());
    const address = /http\S+/.exec(text)?.[0] ?? expect.fail('the text has no link');
    expect(address).toContain(`${setup.base_url}${path}`);
    const { page } = await browser.open({ viewport: { width: 360, height: 800 } });
    await page.setContent(html ?? '');
    expect(await page.evaluate(`[...document.querySelectorAll('a.button')].map(({ href }) => href)`)).toEqual([
      address,
    ]);
    expect(await page.getByRole('link', { name: address, exact: true }).count()).toBe(1);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(await accessibilityFaults(page)).toEqual([]);
  },
);

test('an email about an account says what to do when somebody else caused it, and how long its link works', () => {
  const texts = (part: RegExp) =>
    [...mails.values()].filter(({ text }) => part.test(text)).map(({ subject }) => subject);
  const caused =
    /If (?:it|this) was not you|If you did not sign up|If it was not your team|If you do not know the sender/;
  expect(texts(caused)).toHaveLength(mails.size);
  expect(texts(/within (?:24 hours|one hour|7 days)/)).toHaveLength(3);
});

test('names that users chose are text in an email, and the workspace of an invitation contains no address', () => {
  for (const { html = '', subject } of mails.values())
    for (const marker of rawMarkers) expect(html, subject).not.toContain(marker);
  expect(mails.get('New API key in your Tidemark workspace')?.html).toContain('&lt;script&gt;alert');
  // Mail programs turn an address in a text into a link, unless an invisible character interrupts the address.
  expect(mails.get('Ann invites you to a Tidemark workspace')?.text).toContain('>gnp.\u2060exe');
});
