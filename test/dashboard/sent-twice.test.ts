import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { addOperator } from '../../db/accounts/operators.ts';
import { checkLedger, readBalance } from '../../db/money/ledger.ts';
import { sendForm } from './campaigns/campaign-workspace.ts';
import { createDashboardSetup, type DashboardSetup, type Member, noticeOf } from './dashboard-server.ts';
import { populate } from './populated.ts';

let setup: DashboardSetup;
beforeAll(async () => {
  setup = await createDashboardSetup();
});
afterAll(() => setup.close());
afterEach(() => expect(setup.errors).toEqual([]));

const pageId = (page: string) => /name="page_id" value="([^"]+)"/.exec(page)?.[1] ?? expect.fail('no page id');

/**
 * Opens a page and sends its form twice at once, as a double click does. Returns the two answers in the order of
 * sending.
 */
async function sendTwice(member: Member, page: string, action: string, fields: Record<string, string>) {
  const sent = { ...fields, page_id: pageId(await (await member.get(page)).text()) };
  const send = () => sendForm(setup, member, action, Object.entries(sent));
  const answers = await Promise.all([send(), send()]);
  const isRepeated = (answer: Response) => noticeOf(answer) === 'sent-twice';
  return { sent, answers: answers.toSorted((a, b) => Number(isRepeated(a)) - Number(isRepeated(b))) };
}

async function countOf({ workspace_id }: Member, table: string): Promise<number> {
  const { sql } = setup.db;
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from ${sql(table)} where workspace_id = ${workspace_id}`;
  return row?.n ?? 0;
}

test.each([
  ['campaign', '/dashboard/campaigns', 'campaigns', { name: 'Autumn', starts_on: '2026-11-20' }],
  ['key', '/dashboard/keys', 'api_keys', { name: 'weekly', kind: 'live' }],
  ['tracking list', '/dashboard/tracking/lists', 'tracking_lists', { name: 'Rivals' }],
  [
    'webhook',
    '/dashboard/settings/webhooks',
    'webhook_endpoints',
    { url: 'https://a.example/', events: 'report.ready' },
  ],
  ['data link', '/dashboard/links', 'data_links', { label: 'Client', shows: 'list' }],
])('a form for a new %s that is sent twice creates only one, and says so', async (_, path, table, fields) => {
  const ann = await setup.member({ tier: 'ultra' });
  const { answers, sent } = await sendTwice(ann, path, path, fields);
  expect(answers.map((answer) => noticeOf(answer) === 'sent-twice')).toEqual([false, true]);
  expect(answers[0]?.status).toBeLessThan(400);
  expect(answers[1]?.headers.get('location')).toBe(path);
  expect(await countOf(ann, table)).toBe(1);
  await ann.post(path, sent);
  expect(await (await ann.get(path)).text()).toContain('This form was sent twice, and only the first one was handled.');
  expect(await countOf(ann, table)).toBe(1);
  await ann.post(path, { ...sent, page_id: pageId(await (await ann.get(path)).text()) });
  expect(await countOf(ann, table)).toBe(2);
});

const spreadsheet = { spreadsheet: 'b'.repeat(44), sheet_name: 'Reports', mode: 'append' };
const change = { condition: 'change', metric: 'followers', direction: 'down', amount: '5', days: '7' };
const sheetImport = {
  ...{ label: 'Rivals', spreadsheet: 'b'.repeat(44), source_range: 'People!B2:B', kind: 'profiles' },
  ...{ columns_profiles: 'followers', target_sheet: 'Numbers', target_cell: 'A1', mode: 'replace', max_age: '7d' },
  ...{ schedule: 'manual', monthly_cap: '500' },
};
const [campaign, alerts] = ['/dashboard/campaigns/:campaign_id', '/dashboard/alerts'];
const [webhook, listSheets] = [
  '/dashboard/settings/webhooks/:endpoint_id',
  '/dashboard/tracking/lists/:list_id/sheets',
];
const forms: [what: string, page: string, action: string, table: string, fields: Record<string, string>, to: string][] =
  [
    ['share link', campaign, `${campaign}/shares`, 'report_shares', { report: 'running', days: '7' }, campaign],
    ['spreadsheet of a campaign', campaign, `${campaign}/sheets`, 'sheet_targets', spreadsheet, campaign],
    ['spreadsheet of a tracking list', listSheets, listSheets, 'sheet_targets', spreadsheet, listSheets],
    [
      'sheet import',
      '/dashboard/imports/new',
      '/dashboard/imports',
      'sheet_imports',
      sheetImport,
      '/dashboard/imports',
    ],
    [
      'rule for alerts',
      `${alerts}/rules?condition=change`,
      `${alerts}/rules`,
      'alert_rules',
      { name: 'Falls', scope: 'all', cooldown_hours: '48', ...change },
      alerts,
    ],
    [
      'recipient',
      alerts,
      `${alerts}/recipients`,
      'alert_recipients',
      { channel: 'mail', email: 'ben@example.com' },
      alerts,
    ],
    ['test message', alerts, `${alerts}/recipients/:recipient_id/test`, 'notifications', {}, alerts],
    ['test of a webhook', webhook, `${webhook}/test`, 'webhook_deliveries', {}, webhook],
    ['key for Google Sheets', '/addon', '/addon/key', 'api_keys', { cap: '300' }, '/dashboard/keys'],
    ['key for Excel', '/addon', '/addon/excel', 'api_keys', { file_cap: '300' }, '/dashboard/keys'],
  ];

test.each(forms)(
  'a %s whose form is sent twice is created once, and the second form leads to the page of the first',
  async (...form) => {
    const [, page, action, table, fields, to] = form;
    const ann = await setup.member({ tier: 'ultra' });
    const { ids } = await populate(setup, ann, 'Rivals');
    const pathOf = (path: string) => path.replace(/:(\w+)/g, (_, name) => ids[name] ?? expect.fail(`no ${name}`));
    const before = await countOf(ann, table);
    const { answers, sent } = await sendTwice(ann, pathOf(page), pathOf(action), fields);
    expect(answers[0]?.status).toBeLessThan(400);
    expect(answers.map((answer) => noticeOf(answer) === 'sent-twice')).toEqual([false, true]);
    expect(answers[1]?.headers.get('location')).toBe(pathOf(to));
    expect(await countOf(ann, table)).toBe(before + 1);
    expect(noticeOf(await ann.post(pathOf(action), sent))).toBe('sent-twice');
    expect(await countOf(ann, table)).toBe(before + 1);
  },
);

test('sample data that is opened and deleted by a double click never shows an error', async () => {
  const ann = await setup.member();
  const { answers, sent } = await sendTwice(ann, '/dashboard', '/dashboard/sample', {});
  const again = await ann.post('/dashboard/sample', sent);
  for (const { status, headers } of [...answers, again]) {
    expect([status, headers.get('location')]).toEqual([303, '/dashboard']);
  }
  const samples = await setup.db.sql`select from workspaces where sample`;
  expect(samples).toHaveLength(1);
  const page = await (await ann.get('/dashboard')).text();
  const mark = { page_id: pageId(page), for_workspace: /name="for_workspace" value="([^"]+)"/.exec(page)?.[1] ?? '' };
  for (const notice of ['sample-deleted', 'sent-twice']) {
    const deleted = await ann.post('/dashboard/sample/delete', mark);
    expect([deleted.status, noticeOf(deleted)]).toEqual([303, notice]);
  }
});

test('a new workspace whose form is sent again by a reload leads to the people of the new workspace', async () => {
  const ann = await setup.member();
  const sent = { name: 'Client', page_id: pageId(await (await ann.get('/dashboard/people')).text()) };
  await ann.post('/dashboard/workspaces', sent);
  const again = await ann.post('/dashboard/workspaces', sent);
  expect([again.status, again.headers.get('location'), noticeOf(again)]).toEqual([
    ...[303, '/dashboard/people', 'sent-twice'],
  ]);
});

test('a sign-up that is sent twice creates one account and sends one email, and another address can follow', async () => {
  const page = pageId(await (await setup.send('/sign-up', '')).text());
  const signUp = (email: string) => {
    const body = new URLSearchParams({ name: 'Ann', email, password: 'a long password', page_id: page });
    return setup.send('/sign-up', '', { method: 'POST', body, headers: { origin: setup.base_url } });
  };
  const mailsTo = (email: string) => setup.mails.filter(({ to }) => to === email).map(({ subject }) => subject);
  const answers = [
    ...(await Promise.all([signUp('a@example.com'), signUp('a@example.com')])),
    await signUp('a@example.com'),
  ];
  for (const answer of answers) {
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('We sent a confirmation link to a@example.com.');
  }
  expect(mailsTo('a@example.com')).toEqual(['Confirm your email address for Tidemark']);
  await signUp('b@example.com');
  expect(mailsTo('b@example.com')).toEqual(['Confirm your email address for Tidemark']);
});

test('a key that is rotated by a double click is replaced by one key', async () => {
  const ann = await setup.member();
  await ann.post('/dashboard/keys', { name: 'weekly', kind: 'live' });
  const [key] = await setup.db.sql<{ key_id: string }[]>`
    select key_id from api_keys where workspace_id = ${ann.workspace_id}`;
  const { answers } = await sendTwice(ann, '/dashboard/keys', `/dashboard/keys/${key?.key_id}/rotate`, {
    overlap: '7',
  });
  expect(answers.map(({ status }) => status)).toEqual([200, 303]);
  expect(await countOf(ann, 'api_keys')).toBe(2);
});

test('an invitation and a new workspace that are sent by a double click are made once', async () => {
  const ann = await setup.member();
  const mails = setup.mails.length;
  await sendTwice(ann, '/dashboard/people', '/dashboard/people/invite', { email: 'ben@example.com', role: 'editor' });
  expect(await countOf(ann, 'invitations')).toBe(1);
  expect(setup.mails.slice(mails)).toHaveLength(1);
  await sendTwice(ann, '/dashboard/people', '/dashboard/workspaces', { name: 'Client' });
  const [row] = await setup.db.sql<{ n: number }[]>`
    select count(*)::int as n from members where user_id = ${ann.user_id}`;
  expect(row?.n).toBe(2);
});

test('credits that an operator adds by a double click are added once', async () => {
  const [operator, ann] = [await setup.member(), await setup.member({ credits: 5 })];
  await addOperator(setup.db.sql, operator.email);
  const path = `/dashboard/admin/${ann.workspace_id}`;
  const { answers } = await sendTwice(operator, path, `${path}/credits`, { credits: '100', reason: 'A gift' });
  expect(answers.map((answer) => noticeOf(answer))).toEqual(['credits-granted', 'sent-twice']);
  expect(answers[1]?.headers.get('location')).toBe(path);
  expect(await readBalance(setup.db.sql, ann.workspace_id)).toBe(105);
  expect(await checkLedger(setup.db.sql)).toMatchObject({ mismatches: [] });
});

test('a form that was refused is read again when it is sent again from the same page', async () => {
  const ann = await setup.member({ tier: 'pro' });
  const sent = {
    name: '',
    starts_on: '2026-11-20',
    page_id: pageId(await (await ann.get('/dashboard/campaigns')).text()),
  };
  for (const time of [1, 2]) {
    const refused = await ann.post('/dashboard/campaigns', sent);
    expect(refused.status, String(time)).toBe(400);
  }
});

test.each([
  [
    '/dashboard/people/invite',
    { email: 'no address', role: 'viewer' },
    /value="no address"[\s\S]*value="viewer" selected/,
  ],
  ['/dashboard/tracking/lists', { name: 'x'.repeat(81) }, new RegExp(`value="${'x'.repeat(81)}"`)],
])('the refused form %s shows what was typed', async (path, fields, shown) => {
  const refused = await (await setup.member({ tier: 'pro' })).post(path, fields);
  expect(refused.status).toBe(400);
  expect(await refused.text()).toMatch(shown);
});

test('the refused forms of a share link and of credits show what was typed', async () => {
  const ann = await setup.member({ tier: 'pro' });
  const made = await ann.post('/dashboard/campaigns', { name: 'Autumn', starts_on: '2026-11-20' });
  const label = 'y'.repeat(81);
  const refused = await ann.post(`${made.headers.get('location')}/shares`, { report: 'running', days: '7', label });
  expect(await refused.text()).toMatch(new RegExp(`value="${label}"[\\s\\S]*value="7" selected`));
  const operator = await setup.member();
  await addOperator(setup.db.sql, operator.email);
  const fields = { credits: '0', reason: 'A gift' };
  const grant = await operator.post(`/dashboard/admin/${ann.workspace_id}/credits`, fields);
  expect(await grant.text()).toContain('value="A gift"');
});
