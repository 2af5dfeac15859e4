import { randomBytes } from 'node:crypto';
import readWorkbook from 'read-excel-file/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listDataLinks, revokeDataLink } from '../../../db/deliveries/data-links.ts';
import { checkLedger, readBalance } from '../../../db/money/ledger.ts';
import { createDashboardBench, type DashboardBench } from '../../dashboard/dashboard-server.ts';
import { makeLink, readLink } from './link-bench.ts';

let bench: DashboardBench;
beforeAll(async () => {
  bench = await createDashboardBench({ trust_proxy: 1 });
});
afterAll(async () => {
  expect((await checkLedger(bench.db.sql)).mismatches).toEqual([]);
  await bench.close();
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
    const answer = await readLink(bench, madeUp(), 'csv', from(`2001:db8:0:1::${attempt.toString(16)}`));
    statuses.push(answer.status);
  }
  expect(statuses.filter((status) => status === 404)).toHaveLength(30);
  expect(statuses.at(-1)).toBe(429);
  expect((await readLink(bench, madeUp(), 'csv', from('2001:db8:0:2::1'))).status).toBe(404);
});

test('50 reads of a data link at once spend its monthly cap to the credit, and never more', async () => {
  const ann = await bench.member({ credits: 50 });
  const content = profiles('cap_a', 'cap_b', 'cap_c', 'cap_d');
  const { token } = await makeLink(bench, ann, { content, refresh: { max_age: '1d', monthly_cap: 3 } });
  const answers = await Promise.all(Array.from({ length: 50 }, () => readLink(bench, token, 'json')));
  const charged = answers.reduce((sum, { headers }) => sum + Number(headers.get('x-credits-charged')), 0);
  expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
  expect(charged).toBe(3);
  expect(await readBalance(bench.db.sql, ann.workspace_id)).toBe(47);
  expect(await listDataLinks(bench.db.sql, ann.workspace_id, bench.clock.now)).toMatchObject([{ cap_used: 3 }]);
});

test('a data link that is revoked while 20 reads are in progress charges nothing afterwards', async () => {
  const ann = await bench.member({ credits: 50 });
  const { token, link_id } = await makeLink(bench, ann, {
    content: profiles('revoked_a'),
    refresh: { max_age: '1d', monthly_cap: 3 },
  });
  await revokeDataLink(bench.db.sql, { workspace_id: ann.workspace_id, link_id }, bench.clock.now);
  const answers = await Promise.all(Array.from({ length: 20 }, () => readLink(bench, token, 'json')));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([410]));
  expect(await readBalance(bench.db.sql, ann.workspace_id)).toBe(50);
});

test('a name with markup and forbidden characters makes a workbook that opens', async () => {
  const ann = await bench.member({});
  const label = `'</sheet><!-- [a]:*?/\\ & "${'x'.repeat(40)}`;
  const { token } = await makeLink(bench, ann, { label, content: { kind: 'list', list_id: null } });
  const workbook = await readLink(bench, token, 'xlsx');
  expect(workbook.headers.get('content-disposition')).toBe('attachment; filename="data.xlsx"');
  const [sheet] = await readWorkbook(Buffer.from(await workbook.arrayBuffer()));
  expect(sheet?.sheet.length).toBeLessThanOrEqual(31);
});

test.each(['json', 'csv', 'xlsx'])(
  'a browser that opens a data link as .%s downloads it and runs nothing',
  async (ending) => {
    const ann = await bench.member({});
    const { token } = await makeLink(bench, ann, { content: profiles('<script>alert(1)</script>') });
    const { headers } = await readLink(bench, token, ending);
    expect(headers.get('content-disposition')).toMatch(/^attachment;/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  },
);

test('the secret of a data link is in no log entry and no error, however its address is changed', async () => {
  const ann = await bench.member({});
  const { token } = await makeLink(bench, ann, { content: { kind: 'list', list_id: null } });
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
      await (await fetch(bench.base_url + path, { method, redirect: 'manual' })).arrayBuffer();
    }
  }
  expect(bench.logs.length).toBeGreaterThan(paths.length);
  expect(JSON.stringify(bench.logs)).not.toContain(token);
  expect(bench.errors).toEqual([]);
});
