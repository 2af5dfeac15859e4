import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDashboardSetup, type DashboardSetup, type Member, noticeOf } from '../dashboard-server.ts';

// Tests for fixed defect 1: wrong messages after submitting a form. ../tracking/bulk.test.ts tests the messages after
// bulk actions.
let setup: DashboardSetup;
let ann: Member;
beforeAll(async () => {
  setup = await createDashboardSetup();
  ann = await setup.member();
});
afterAll(() => setup.close());

const settings = '/dashboard/settings';
const saved = 'Monthly cap saved.';
const textOf = async (answer: Promise<Response>) => (await answer).text();
const cookieOf = (answer: Response) =>
  answer.headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith('tidemark.notice='))
    ?.split(';')[0] ?? '';

describe('the message after a form', () => {
  test('the message after a form is shown once, and neither a reload nor the same address in a link repeats it', async () => {
    const answer = await ann.post(`${settings}/cap`, { cap: '70' });
    expect([answer.status, answer.headers.get('location'), noticeOf(answer)]).toEqual([303, settings, 'cap-set']);
    expect(await textOf(ann.get(settings))).toContain(saved);
    expect(await textOf(ann.get(settings))).not.toContain(saved);
    expect(await textOf(ann.get(`${settings}?notice=cap-set`))).not.toContain(saved);
  });

  test('the message after a form is in a cookie that scripts cannot read, that expires within a minute, and that the next page deletes', async () => {
    const answer = await ann.post(`${settings}/cap`, { cap: '70' });
    const [cookie = ''] = answer.headers.getSetCookie().filter((one) => one.startsWith('tidemark.notice='));
    expect(cookie).toMatch(/; Path=\/; Max-Age=60; HttpOnly; SameSite=Lax$/);
    const page = await ann.get(settings);
    expect(page.headers.getSetCookie()).toContain('tidemark.notice=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax');
  });

  test.each([
    ['another name', (cookie: string) => cookie.replace('cap-set', 'work-paused')],
    ['a later expiry', (cookie: string) => cookie.replace(/\.\d+\./, '.99999999999.')],
    ['another signature', (cookie: string) => `${cookie.slice(0, -4)}AAAA`],
    ['no signature', (cookie: string) => cookie.slice(0, cookie.lastIndexOf('.'))],
    ['the name of a method of objects', () => 'tidemark.notice=constructor'],
  ])('the message after a form is not shown when its cookie was changed to %s', async (_, change) => {
    const cookie = change(cookieOf(await ann.post(`${settings}/cap`, { cap: '70' })));
    await ann.get(settings);
    const page = await textOf(setup.send(settings, `${ann.cookie}; ${cookie}`));
    expect(page).toContain('<h1>Settings</h1>');
    expect(page).not.toContain('data-toast');
  });

  test('the message after a form is not shown after a minute, even when a browser kept the cookie', async () => {
    const cookie = cookieOf(await ann.post(`${settings}/cap`, { cap: '70' }));
    await ann.get(settings);
    expect(await textOf(setup.send(settings, `${ann.cookie}; ${cookie}`))).toContain(saved);
    setup.clock.now = new Date(setup.clock.now.getTime() + 61_000);
    expect(await textOf(setup.send(settings, `${ann.cookie}; ${cookie}`))).not.toContain(saved);
  });

  test('a batch is started without a message, because its page shows whether it runs or has finished', async () => {
    const start = { lines: 'https://www.instagram.com/someone/', name: 'one' };
    const answer = await ann.post('/dashboard/batches', start);
    expect([answer.status, noticeOf(answer)]).toEqual([303, null]);
    const page = await textOf(ann.get(answer.headers.get('location') ?? ''));
    expect(page).toContain('0 of 1 lines done');
    expect(page).not.toContain('data-toast');
  });

  test('a server without online payment never thanks for a payment', async () => {
    const answer = await ann.get('/dashboard/credits/paid');
    expect([answer.status, noticeOf(answer)]).toEqual([404, null]);
    expect(await textOf(ann.get('/dashboard/credits'))).not.toContain('Thank you.');
  });
});

describe('a form that is sent after the session has expired', () => {
  const links = 'https://www.instagram.com/first/\nhttps://www.instagram.com/"second"/';

  test('a form sent after the session has expired is shown with the typed text, changes nothing, and can be sent after sign-in', async () => {
    const typed = new URLSearchParams({ addresses: links, list: '' });
    const init = { method: 'POST', body: typed, headers: { origin: setup.base_url } };
    const answer = await setup.send('/dashboard/tracking?sort=name', '', init);
    const page = await answer.text();
    expect(answer.status).toBe(401);
    expect(page).toContain('You were signed out');
    expect(page).toMatch(/<form method="post" action="\/dashboard\/tracking\?sort=name"/);
    expect(page).toContain('<input type="hidden" name="addresses" value="https://www.instagram.com/first/');
    expect(page).toContain('&quot;second&quot;');
    expect(page).not.toContain('"second"');
    expect(page).toContain('<a href="/sign-in" target="_blank"');
    expect(await textOf(ann.get('/dashboard/tracking'))).toContain('Nothing is tracked in this workspace yet.');
  });

  test('a form sent after the session has expired never shows a password or a code again', async () => {
    const typed = new URLSearchParams({ name: 'My laptop', password: 'the long secret', code: '123456' });
    const init = { method: 'POST', body: typed, headers: { origin: setup.base_url } };
    const page = await textOf(setup.send('/dashboard/settings/passkeys/start', '', init));
    expect(page).toContain('My laptop');
    expect(page).toContain('Not kept: the password or code.');
    for (const secret of ['the long secret', '123456']) expect(page).not.toContain(secret);
  });

  test('a form sent after the session has expired says that a chosen file was not kept', async () => {
    const body = new FormData();
    body.set('name', 'Creators');
    body.set('file', new File(['a,b'], 'list.csv'));
    const init = { method: 'POST', body, headers: { origin: setup.base_url } };
    expect(await textOf(setup.send('/dashboard/batches/preview', '', init))).toContain('Not kept: the file.');
  });

  test('a form sent without any text after the session has expired leads to the sign-in page', async () => {
    const init = { method: 'POST', body: new URLSearchParams({ act: '' }), headers: { origin: setup.base_url } };
    const answer = await setup.send('/dashboard/settings/pause', '', init);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/sign-in']);
  });
});
