import { randomBytes } from 'node:crypto';
import readWorkbook from 'read-excel-file/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listDataLinks, revokeDataLink } from '../../../db/deliveries/data-links.ts';
import { checkLedger, readBalance } from '../../../db/money/ledger.ts';
import { createDashboardSetup, type DashboardSetup } from '../../dashboard/dashboard-server.ts';
import { makeLink, readLink } from './data-link-setup.ts';

let setup: DashboardSetup;
beforeAll(async () => {
  setup = await createDashboardSetup({ trust_proxy: 1 });
});
afterAll(async () => {
  expect((await checkLedger(setup.db.sql)).mismatches).toEqual([]);
  await setup.close();
});

const madeUp = () => randomBytes(32).toString('base64url');
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
const profiles = (...handles: string[]) => ({
  kind: 'profiles' as const,
  urls: handles.map((handle) => `https://www.instagram.com/${handle}/`),
  fields: null,
});

test('guesses of data links from many addresses of one IPv6 network are counted together', async () => {
  const statuses: number[] = [];
  for (let attempt = 1; attempt <= 31; attempt += 1) {
    const answer = await readLink(setup, madeUp(), 'csv', from(`2001:db8:0:1::${attempt.toString(16)}`));
    statuses.push(answer.status);
  }
  expect(statuses.filter((status) => status === 404)).toHaveLength(30);
  expect(statuses.at(-1)).toBe(429);
  expect((await readLink(setup, madeUp(), 'csv', from('2001:db8:0:2::1'))).status).toBe(404);
});

test('50 simultaneous reads of a data link spend its monthly cap to the credit, and never more', async () => {
  const ann = await setup.member({ credits: 50 });
  const content = profiles('cap_a', 'cap_b', 'cap_c', 'cap_d');
  const { token } = await makeLink(setup, ann, { content, refresh: { max_age: '1d', monthly_cap: 3 } });
  const answers = await Promise.all(Array.from({ length: 50 }, () => readLink(setup, token, 'json')));
  const charged = answers.reduce((sum, { headers }) => sum + Number(headers.get('x-credits-charged')), 0);
  expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
  expect(charged).toBe(3);
  expect(await readBalance(setup.db.sql, ann.workspace_id)).toBe(47);
  expect(await listDataLinks(setup.db.sql, ann.workspace_id, setup.clock.now)).toMatchObject([{ cap_used: 3 }]);
});

test('20 simultaneous reads of a revoked data link fetch and charge nothing', async () => {
  const ann = await setup.member({ credits: 50 });
  const { token, link_id } = await makeLink(setup, ann, {
    content: profiles('revoked_a'),
    refresh: { max_age: '1d', monthly_cap: 3 },
  });
  await revokeDataLink(setup.db.sql, { workspace_id: ann.workspace_id, link_id }, setup.clock.now);
  const answers = await Promise.all(Array.from({ length: 20 }, () => readLink(setup, token, 'json')));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([410]));
  expect(setup.upstream.asked.filter((url) => JSON.stringify(url).includes('revoked_a'))).toEqual([]);
  expect(await readBalance(setup.db.sql, ann.workspace_id)).toBe(50);
});

test('a name with markup and forbidden characters makes a workbook that opens', async () => {
  const ann = await setup.member({});
  const label = `'</sheet><!-- [a]:*?/\\ & "${'x'.repeat(40)}`;
  const { token } = await makeLink(setup, ann, { label, content: { kind: 'list', list_id: null } });
  const workbook = await readLink(setup, token, 'xlsx');
  expect(workbook.headers.get('content-disposition')).toBe('attachment; filename="data.xlsx"');
  const [sheet] = await readWorkbook(Buffer.from(await workbook.arrayBuffer()));
  expect(sheet?.sheet.length).toBeLessThanOrEqual(31);
});

test.each(['json', 'csv', 'xlsx'])(
  'a browser that opens a data link as .%s downloads it and runs nothing',
  async (ending) => {
    const ann = await setup.member({});
    const { token } = await makeLink(setup, ann, { content: profiles('<script>alert(1)</script>') });
    const { headers } = await readLink(setup, token, ending);
    expect(headers.get('content-disposition')).toMatch(/^attachment;/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  },
);

test('the secret of a data link is in no log entry and no error, however its address is changed', async () => {
  const ann = await setup.member({});
  const { token } = await makeLink(setup, ann, { content: { kind: 'list', list_id: null } });
  const paths = [
    `/links/${token}.csv/`,
    `//links/${token}.csv`,
    `/links/${token}.csv/more`,
    `/links/${token}%2ecsv`,
    `/LINKS/${token}.csv`,
    `/link/${token}.csv`,
    `/dashboard/links/${token}.csv`,
    `/links/${token}.csv?secret=${token}`,
    `/links/%ff${token}.csv`,
  ];
  for (const path of paths) {
    for (const method of ['GET', 'POST', 'OPTIONS', 'DELETE']) {
      await (await fetch(setup.base_url + path, { method, redirect: 'manual' })).arrayBuffer();
    }
  }
  expect(setup.logs.length).toBeGreaterThan(paths.length);
  expect(JSON.stringify(setup.logs)).not.toContain(token);
  expect(setup.errors).toEqual([]);
});
