import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { exportWorkspace } from '../../../db/workspace-data/export.ts';
import { exportParts } from '../../../db/workspace-data/export-parts.ts';
import { documentOf } from '../../../server/dashboard/settings/export.ts';
import { keepItem } from '../../pipeline/report/report-data.ts';
import { createDashboardSetup, type DashboardSetup, type Member } from '../dashboard-server.ts';
import { hostileName, populate } from '../populated.ts';

let setup: DashboardSetup;
beforeAll(async () => {
  setup = await createDashboardSetup();
});
afterAll(() => setup.close());
afterEach(() => expect(setup.errors).toEqual([]));

type Exported = { workspace: Record<string, unknown> } & Record<string, Record<string, unknown>[]>;

async function exported(member: Member) {
  const answer = await member.get('/dashboard/settings/export');
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="tidemark-2026-11-20.json"');
  const text = await answer.text();
  return { text, all: JSON.parse(text) as Exported };
}

describe('the data export of a workspace', () => {
  test('the export has all data of the workspace, no secrets, and no data of another workspace', async () => {
    const [ann, bob] = [await setup.member({ tier: 'ultra', name: hostileName }), await setup.member({ name: 'Bob' })];
    const [anns, bobs] = [await populate(setup, ann), await populate(setup, bob, 'Bob')];
    const { text, all } = await exported(ann);
    for (const part of exportParts) expect(all[part.name]?.length, part.name).toBeGreaterThan(0);
    for (const id of Object.values(anns.ids)) expect(text).toContain(id);
    expect(all.workspace).toMatchObject({
      name: hostileName,
      tier: 'ultra',
      monthly_cap: 5_000,
      low_balance_alert: 10,
    });
    expect(all.workspace.members).toEqual([
      { name: hostileName, email: ann.email, role: 'owner', since: expect.any(String) },
    ]);
    for (const secret of [...anns.secrets, ...Object.values(bobs.ids), bob.email]) expect(text).not.toContain(secret);
    const hashes = await setup.db.sql<{ hash: string }[]>`
      select hash from api_keys union select token_hash from report_shares union select token from auth_sessions`;
    for (const { hash } of hashes) expect(text).not.toContain(hash);
  });

  test('the export keeps null and 0 apart, marks rounded and hidden values, and has stored reports unchanged', async () => {
    const ann = await setup.member({ tier: 'ultra' });
    const { ids } = await populate(setup, ann, 'Ann');
    const { all } = await exported(ann);
    const seen = all.observations?.find(({ item_id }) => item_id === ids.item_id);
    expect(seen).toMatchObject({ followers: expect.any(Number), views: null, quality: { followers: 'rounded' } });
    const [stored] = await setup.db.sql`select body from reports where report_id = ${ids.report_id ?? ''}`;
    expect(all.reports?.[0]?.body).toEqual(JSON.parse(stored?.body));
    expect(all.ledger?.map(({ credits, balance_after }) => [credits, balance_after])).toEqual([[100, 100]]);
  });

  test('the export of a workspace leaves out only the listed columns', async () => {
    const columns = await setup.db.sql<{ table: string; column: string }[]>`
      select c.table_name as table, c.column_name as column from information_schema.columns c
      where c.table_schema = 'public' and c.table_name !~ '^observations_' and c.column_name <> 'workspace_id'
        and exists (select from information_schema.columns w where w.table_schema = 'public'
          and w.table_name = c.table_name and w.column_name = 'workspace_id')`;
    // The export reads `observation_months` together with `observations`.
    const whole = ['workspaces', 'credit_balances', 'work_settings', 'members', 'observation_months'];
    const passing = [
      'rate_windows',
      'replays',
      'removed_attempts',
      'removed_items',
      'invitations',
      'session_workspaces',
    ];
    const leftOut = columns
      .filter(({ table }) => ![...whole, ...passing].includes(table))
      .filter(({ table, column }) => !exportParts.find((part) => part.table === table)?.fields.includes(column));
    expect(leftOut.map(({ table, column }) => `${table}.${column}`).sort()).toEqual([
      'alert_recipients.address',
      'api_keys.hash',
      'check_attempts.alerts_pending',
      'connections.grant_id',
      'data_links.token_hash',
      'data_links.window_ends_at',
      'data_links.window_reads',
      'item_pictures.pending_since',
      'item_pictures.pending_url',
      'report_shares.token_hash',
      'tracked_items.attempt_id',
      'tracked_items.retry_at',
      'webhook_endpoints.secret',
    ]);
  });

  test('the documentation describes every field of the export', async () => {
    const page = await readFile(resolve('docs/export.md'), 'utf8');
    const undocumented = exportParts.filter(
      ({ name, fields }) => !page.includes(`| \`${name}\` | ${fields.join(', ')} |`),
    );
    expect(undocumented.map(({ name }) => name)).toEqual([]);
    const head = await exportWorkspace(setup.db.sql, (await setup.member()).workspace_id);
    expect(page).toContain(`| \`workspace\` | ${Object.keys(head ?? {}).join(', ')} |`);
  });

  test('the export streams 200 items x 365 days in small parts and waits for a slow reader', async () => {
    const { sql } = setup.db;
    const { workspace_id } = await setup.member({ tier: 'ultra' });
    for (let n = 0; n < 200; n += 1) await keepItem(sql, workspace_id);
    await sql`
      insert into observations (workspace_id, item_id, observed_at, followers, quality, source)
      select workspace_id, item_id, ${setup.clock.now}::timestamptz - n * interval '1 day', n, 0, 'invented-web'
      from tracked_items, generate_series(0, 364) n where workspace_id = ${workspace_id}`;
    const head = (await exportWorkspace(sql, workspace_id)) ?? expect.fail('no workspace');
    let largest = 0;
    let observations = 0;
    let queries = 0;
    const counting = new Proxy(sql, {
      apply(target, self, args) {
        if (/^\s*select /.test(String(args[0]))) queries += 1;
        return Reflect.apply(target as never, self, args);
      },
    });
    for await (const piece of documentOf(counting, head, '2026-11-20T10:00:00.000Z')) {
      // The export must not read the next page from the database before the reader needs it.
      expect(queries).toBeLessThanOrEqual(1);
      queries = 0;
      largest = Math.max(largest, piece.length);
      observations += piece.match(/"observed_at"/g)?.length ?? 0;
    }
    expect(observations).toBe(200 * 365);
    expect(largest).toBeLessThan(600_000);
  });

  test('the export is limited to 20 per hour', async () => {
    const ann = await setup.member();
    const statuses = new Set<number>();
    for (let n = 0; n < 21; n += 1) {
      const answer = await ann.get('/dashboard/settings/export');
      await answer.arrayBuffer();
      statuses.add(answer.status);
    }
    expect([...statuses]).toEqual([200, 429]);
  });

  test('an export that breaks off at any point is never valid JSON', async () => {
    const { workspace_id } = await setup.member();
    const head = (await exportWorkspace(setup.db.sql, workspace_id)) ?? expect.fail('no workspace');
    let text = '';
    for await (const piece of documentOf(setup.db.sql, head, '2026-11-20T10:00:00.000Z')) {
      expect(() => JSON.parse(text)).toThrow();
      text += piece;
    }
    expect(JSON.parse(text).workspace.workspace_id).toBe(workspace_id);
  });
});
