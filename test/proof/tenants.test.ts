import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KeyKind } from '../../db/accounts/key-text.ts';
import { createKey, revokeKey } from '../../db/accounts/keys.ts';
import { createDashboardSetup, type DashboardSetup, type Member } from '../dashboard/dashboard-server.ts';
import { type Populated, populate, rowsOf } from '../dashboard/populated.ts';
import { printFigure } from '../harness/proof.ts';

const marker = 'Only Ann may read this';
let setup: DashboardSetup;
let ann: Member;
let anns: Populated;
const roles: { role: string; headers: Record<string, string> }[] = [];

beforeAll(async () => {
  setup = await createDashboardSetup();
  ann = await setup.member({ tier: 'ultra', credits: 500 });
  anns = await populate(setup, ann, marker);
  const bob = await setup.member({ tier: 'ultra', credits: 500, name: 'Bob' });
  await populate(setup, bob, 'Bob and sons');
  for (const kind of ['live', 'sheet', 'test'] as const) {
    roles.push({ role: `a ${kind} key of Bob`, headers: { 'x-api-key': (await keyOf(bob, kind)).key } });
  }
  const revoked = await keyOf(ann, 'live');
  await revokeKey(setup.db.sql, revoked.key_id, setup.clock.now);
  const expired = await keyOf(ann, 'live', new Date(setup.clock.now.getTime() - 1));
  roles.push(
    { role: 'a revoked key of Ann', headers: { 'x-api-key': revoked.key } },
    { role: 'an expired key of Ann', headers: { 'x-api-key': expired.key } },
    { role: 'the session of Bob', headers: { cookie: bob.cookie } },
    { role: 'a request without a key and a session', headers: {} },
  );
});
afterAll(() => setup.close());

function keyOf({ workspace_id }: Member, kind: KeyKind, expiresAt: Date | null = null) {
  const cap = kind === 'sheet' ? { monthly_cap: 100 } : {};
  return createKey(setup.db.sql, workspace_id, { kind, name: kind, expires_at: expiresAt, ...cap });
}

/** Returns all API requests that name data of a workspace, with the ids of Ann's workspace. */
function requests(): { path: string; init?: RequestInit }[] {
  const { ids } = anns;
  const [item, campaign, report] = [ids.item_id, ids.campaign_id, ids.report_id];
  const call = (name: string, args: object) => ({
    path: '/mcp',
    init: {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
    },
  });
  return [
    { path: `/v1/workflows/tracked?item=${item}` },
    { path: `/v1/workflows/tracked?item=${item}&days=365&format=csv` },
    { path: '/v1/workflows/campaigns' },
    { path: `/v1/workflows/campaign-report?id=${campaign}` },
    { path: `/v1/workflows/campaign-report?id=${campaign}&report_id=${report}` },
    { path: `/v1/workflows/campaign-report?id=${campaign}&format=csv` },
    { path: '/v1/credit/balance' },
    call('tracked_items', { items: [item] }),
    call('campaign_report', { id: campaign }),
    call('credits', {}),
    ...['export', `tracking/${item}`, `campaigns/${campaign}`, `campaigns/${campaign}/reports/${report}`].map(
      (page) => ({
        path: `/dashboard/${page}`,
      }),
    ),
    { path: '/shared/reports/made-up' },
    { path: `/links/${ids.link_id}.csv` },
    { path: '/dashboard/links' },
  ];
}

test('no key, session or missing key shows data of another workspace, on any route that names data', async () => {
  const before = await rowsOf(setup, ann.workspace_id);
  let sent = 0;
  for (const { role, headers } of roles) {
    for (const { path, init } of requests()) {
      const answer = await setup.send(path, headers.cookie ?? '', {
        ...init,
        headers: { ...init?.headers, ...headers },
      });
      const text = await answer.text();
      sent += 1;
      expect([role, path, text.includes(marker)]).toEqual([role, path, false]);
      expect([role, path, answer.status < 500]).toEqual([role, path, true]);
    }
  }
  expect(await rowsOf(setup, ann.workspace_id)).toEqual(before);
  printFigure('requests with the ids of another workspace', sent);
});

test('the same requests with the key of the owner show the data, so that the test of other keys can fail', async () => {
  const { key } = await keyOf(ann, 'live');
  const shown = await Promise.all(
    requests().map(async ({ path, init }) => {
      const answer = await setup.send(path, ann.cookie, { ...init, headers: { ...init?.headers, 'x-api-key': key } });
      return (await answer.text()).includes(marker);
    }),
  );
  expect(shown.filter(Boolean).length).toBeGreaterThan(8);
});
