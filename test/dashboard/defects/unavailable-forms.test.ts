import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createDashboardSetup, type DashboardSetup, type Member } from '../dashboard-server.ts';
import { whileLocked, withoutSessions } from './database-faults.ts';

let setup: DashboardSetup;
let ann: Member;
beforeAll(async () => {
  setup = await createDashboardSetup();
  ann = await setup.member({ tier: 'ultra' });
});
afterAll(() => setup.close());
afterEach(() => expect(setup.errors).toEqual([]));

function send(path: string, fields: Record<string, string | File>, headers: Record<string, string> = {}) {
  const pairs = Object.entries(fields);
  const texts = pairs.filter((pair): pair is [string, string] => typeof pair[1] === 'string');
  const body = texts.length === pairs.length ? new URLSearchParams(texts) : new FormData();
  if (body instanceof FormData) for (const [name, value] of pairs) body.set(name, value);
  return setup.send(path, ann.cookie, { method: 'POST', body, headers: { origin: setup.base_url, ...headers } });
}

/** Returns the hidden fields of the form on an error page that sends the refused data again. */
function keptFields(page: string): Record<string, string> {
  const form =
    /<form method="post"[^>]*enctype="application\/x-www-form-urlencoded">.*?<\/form>/s.exec(page)?.[0] ?? '';
  const fields = [...form.matchAll(/name="([^"]+)" value="([^"]*)"/g)];
  return Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value.replaceAll('&quot;', '"')]));
}

const campaigns = '/dashboard/campaigns';
const namesOfCampaigns = async () => {
  const rows = await setup.db.sql<{ name: string }[]>`
    select name from campaigns where workspace_id = ${ann.workspace_id} order by name`;
  return rows.map(({ name }) => name);
};

describe('a form of the dashboard while the database is away or busy', () => {
  test('a form that is sent while the database is away is shown with the typed text, changes nothing, and can be sent again', async () => {
    const typed = { name: 'Autumn "1"', starts_on: '2026-11-20', page_id: 'one', password: 'the long secret' };
    const answer = await withoutSessions(setup, () => send(campaigns, typed));
    const page = await answer.text();
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    expect(page).toContain('Nothing was changed, because the service cannot use its database.');
    expect(page).toContain('<dt>name</dt><dd><pre>Autumn &quot;1&quot;</pre></dd>');
    expect(page).toContain('Not kept: the password or code.');
    expect(page).not.toContain('the long secret');
    expect(await namesOfCampaigns()).toEqual([]);
    expect((await send(campaigns, keptFields(page))).status).toBe(303);
    expect(await namesOfCampaigns()).toEqual(['Autumn "1"']);
  });

  test('a form that fails because the database is busy is shown with the typed text, says that the change may have been saved, and can be sent again', async () => {
    const typed = { name: 'Busy', starts_on: '2026-11-20', page_id: 'two' };
    const referer = `${setup.base_url}${campaigns}?sort=name`;
    // Also blocks the statement with which `runOnce` allows the same form to be submitted again.
    const changes = ['insert on campaigns', 'delete on throttles'];
    const answer = await whileLocked(setup, changes, () => send(campaigns, typed, { referer }));
    const page = await answer.text();
    expect(answer.status).toBe(503);
    expect(page).toContain('your change may be saved or not');
    expect(page).toContain(`<a href="${campaigns}?sort=name" target="_blank" rel="noopener">the page of the form</a>`);
    expect(page).toContain('<dd><pre>Busy</pre></dd>');
    expect(page).toContain('data-workspace=');
    expect((await send(campaigns, keptFields(page))).status).toBe(303);
    expect(await namesOfCampaigns()).toContain('Busy');
  });

  test('a file of a form that is sent while the database is away is not kept, and the page says so', async () => {
    const fields = { name: 'Creators', file: new File(['a,b'], 'list.csv') };
    const page = await (await withoutSessions(setup, () => send('/dashboard/batches/preview', fields))).text();
    expect(page).toContain('Not kept: the file.');
    expect(page).toContain('<pre>Creators</pre>');
  });

  test('a link in the Referer header that leads to another site is not shown', async () => {
    const typed = { name: 'Elsewhere', starts_on: '2026-11-20' };
    const referer = `${setup.base_url}//evil.example/`;
    const page = await (
      await withoutSessions(setup, () => send(campaigns, { ...typed, code: '1' }, { referer }))
    ).text();
    expect(page).toContain('To enter it again, open its page.');
    expect(page).not.toContain('evil.example');
  });
});

test.each([
  ['/sign-up', { name: 'Ann "A"', email: 'new@example.com', password: 'the long secret' }],
  ['/sign-in', { email: 'new@example.com', password: 'the long secret' }],
  ['/forgot', { email: 'new@example.com' }],
  ['/confirm', { token: 'new@example.com', password: 'the long secret' }],
])(
  'the form %s that is sent while the database is busy is shown again with the typed name and email, or the token of its link',
  async (path, fields) => {
    const answer = await whileLocked(setup, ['insert or update on throttles'], () => send(path, fields));
    const page = await answer.text();
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    expect(page).toContain('The service cannot use its database, so this did not work.');
    expect(page).toContain('value="new@example.com"');
    if ('name' in fields) expect(page).toContain('value="Ann &quot;A&quot;"');
    expect(page).toMatch(new RegExp(`<form[^>]* action="${path}"`));
    expect(page).not.toContain('the long secret');
  },
);

test('a page and a form without typed text that are requested while the database is away are answered with 503', async () => {
  const logged = setup.logs.length;
  const answers = await withoutSessions(setup, () =>
    Promise.all([ann.post('/dashboard/settings/pause', { act: '' }), ann.get('/dashboard/campaigns')]),
  );
  for (const answer of answers) {
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await answer.text()).toContain('The service cannot use its database. Try again in a few seconds.');
  }
  expect(
    setup.logs
      .slice(logged)
      .filter(({ error }) => error)
      .map(({ code }) => code),
  ).toEqual([...['SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE']]);
  expect((await ann.get('/dashboard/campaigns')).status).toBe(200);
});
