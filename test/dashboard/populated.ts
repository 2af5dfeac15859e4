import { addAudit } from '../../db/accounts/audit.ts';
import { addConnection, grantOfUser } from '../../db/accounts/connections.ts';
import { createKey } from '../../db/accounts/keys.ts';
import { throttle } from '../../db/accounts/throttle.ts';
import { renameWorkspace } from '../../db/accounts/workspaces.ts';
import { addRecipient } from '../../db/alerts/recipients.ts';
import { addRule } from '../../db/alerts/rules.ts';
import { saveBrand } from '../../db/campaigns/report-brands.ts';
import { addShare } from '../../db/campaigns/report-shares.ts';
import { addDataLink } from '../../db/deliveries/data-links.ts';
import { endRun } from '../../db/deliveries/sheet-import-ends.ts';
import { startRun } from '../../db/deliveries/sheet-import-runs.ts';
import { addImport, findImport } from '../../db/deliveries/sheet-imports.ts';
import { addTarget } from '../../db/deliveries/sheet-targets.ts';
import { addDeliveries, recordAttempt } from '../../db/deliveries/webhook-deliveries.ts';
import { newId } from '../../db/ids.ts';
import { addList, moveItems } from '../../db/tracking/lists.ts';
import { changeWorkSettings } from '../../db/tracking/work-settings.ts';
import { createBatch } from '../../pipeline/batches/batches.ts';
import { noLinkFailures } from '../../pipeline/collect/short-links.ts';
import { publicAddresses } from '../../pipeline/network/outbound.ts';
import { notify } from '../../pipeline/notify/notify.ts';
import { createEndpoint, webhookEvents } from '../../pipeline/notify/webhooks.ts';
import { storeLines } from '../../pipeline/sheets/import-runs.ts';
import { readImportSettings } from '../../pipeline/sheets/import-settings.ts';
import { newImport } from '../../server/dashboard/sheets/import-form.ts';
import { freezeWeek, keepCampaign } from './campaigns/campaign-workspace.ts';
import type { DashboardSetup, Member } from './dashboard-server.ts';

/** A hostile name, which pages must escape: markup, quotes and right-to-left characters. */
export const hostileName = `<script>alert(1)</script>"'><img src=x onerror=alert(2)>\u202egnp.exe & מחר`;
/** Parts of the hostile name that must never appear unescaped on a page. */
export const rawMarkers = ['<script>alert', '<img src=x', `"'><img`, '"onerror'] as const;

export interface Populated {
  /** One id of each kind in the workspace, by the name of the path parameter, such as `key_id`. */
  ids: Record<string, string>;
  /** Keys, tokens and secrets of the workspace, which no page may show again. */
  secrets: string[];
}

/** Fills a workspace with data of every kind, such as a key, a campaign and a batch, all named `name`. */
export async function populate(setup: DashboardSetup, member: Member, name = hostileName): Promise<Populated> {
  const { sql } = setup.db;
  const { workspace_id } = member;
  const now = setup.clock.now;
  await renameWorkspace(sql, workspace_id, name);
  await changeWorkSettings(sql, workspace_id, { monthly_cap: 5_000, low_balance_alert: 10 }, now);
  const key = await createKey(sql, workspace_id, { kind: 'live', name });
  const { campaign_id, item_ids } = await keepCampaign(setup, member, {
    items: 6,
    name,
    item_name: (n) => `${name} ${n}`,
    report_name: name,
  });
  const itemId = item_ids[0] ?? '';
  await sql`update tracked_items set identifier = 'someone' where workspace_id = ${workspace_id} and item_id = ${itemId}`;
  const reportId = await freezeWeek(setup, member, campaign_id);
  const listId = (await addList(sql, workspace_id, name.slice(0, 80), 10)) ?? '';
  await moveItems(sql, workspace_id, [itemId], listId);
  const expiresAt = new Date(now.getTime() + 86_400_000);
  await saveBrand(sql, workspace_id, { logo: null, color: '#0a5f73', footer: name.slice(0, 80) }, now);
  const share = await addShare(
    sql,
    workspace_id,
    { campaign_id, report_id: reportId, expires_at: expiresAt, label: name.slice(0, 80) },
    'test key',
    now,
  );
  const dataLink = await addDataLink(
    sql,
    workspace_id,
    {
      label: name.slice(0, 80),
      content: { kind: 'profiles', urls: ['https://www.instagram.com/someone/'], fields: null },
      refresh: { max_age: '7d', monthly_cap: 50 },
      expires_at: null,
    },
    now,
  );
  if (dataLink.token === null) throw new Error(dataLink.reason);
  const target = { list_id: null, spreadsheet_id: 'a'.repeat(44), sheet_name: name, mode: 'append' } as const;
  const { target_id } = await addTarget(sql, workspace_id, { ...target, campaign_id });
  const deps = { db: setup.db, queue: setup.queue, now: () => now };
  const addresses = ['https://www.instagram.com/someone/', `https://example.com/${name}`];
  const { batch_id } = await createBatch(deps, workspace_id, 'ultra', addresses, { name: name.slice(0, 100) });
  const importId = await keepImport(setup, member, name);
  const webhook = await keepWebhook(setup, member, name);
  await keepRecords(setup, member, { key_id: key.key_id, item_id: itemId, name });
  const alerts = await keepAlerts(setup, member, { item_id: itemId, name });
  const clientId = await keepConnection(setup, member, name);
  const [shared] = await sql<
    { share_id: string }[]
  >`select share_id from report_shares where workspace_id = ${workspace_id}`;
  return {
    ids: {
      key_id: key.key_id,
      item_id: itemId,
      list_id: listId,
      campaign_id,
      report_id: reportId,
      share_id: shared?.share_id ?? '',
      link_id: dataLink.link_id,
      target_id: target_id ?? '',
      batch_id,
      import_id: importId.import_id,
      run_id: importId.run_id,
      client_id: clientId,
      endpoint_id: webhook.endpoint_id,
      delivery_id: webhook.delivery_id,
      ...alerts.ids,
    },
    secrets: [key.key, share.token ?? '', webhook.secret, dataLink.token, alerts.slack],
  };
}

/** Creates a sheet import with a failed run. Uses `name` as the error message and as the only input line. */
async function keepImport({ db, clock, queue }: DashboardSetup, { workspace_id }: Member, name: string) {
  const settings = readImportSettings(
    {
      ...newImport,
      label: name.slice(0, 80),
      spreadsheet: 'a'.repeat(44),
      source_range: '',
      source_list: name,
      target_sheet: name.slice(0, 80),
    },
    clock.now,
  );
  const importId = (await addImport(db.sql, workspace_id, settings, clock.now)) ?? '';
  const run = await startRun(db.sql, workspace_id, importId, clock.now);
  const made = await findImport(db.sql, workspace_id, importId, clock.now);
  if (!run || !made) throw new Error('the run was not started');
  await storeLines({ db, queue, now: () => clock.now }, run, made, {
    lines: [{ row_no: 1, cells: [name] }],
    failures: noLinkFailures,
  });
  await endRun(db.sql, run, { outcome: 'REFUSED', message: name, written_rows: null, now: clock.now });
  return { import_id: importId, run_id: run.run_id };
}

/** Creates a webhook with a failed delivery, whose receiver answered with the text `name`. */
async function keepWebhook(setup: DashboardSetup, { workspace_id }: Member, name: string) {
  const { sql } = setup.db;
  const input = { url: 'https://receiver.example/hook', events: webhookEvents };
  const made = await createEndpoint(sql, workspace_id, input, publicAddresses);
  if (!made.ok) throw new Error(made.message);
  const { endpoint_id, secret } = made;
  const body = JSON.stringify({ type: 'report.ready', timestamp: setup.clock.now, data: { campaign_name: name } });
  const message = { event: 'report.ready', body, created_at: setup.clock.now, endpoint_id };
  const [deliveryId = ''] = await addDeliveries(sql, workspace_id, message);
  await recordAttempt(
    sql,
    { workspace_id, delivery_id: deliveryId, endpoint_id, attempts: 0, body, url: input.url, secret, enabled: true },
    { status: 'failed', attempted: true, last_status: 500, last_message: name, at: setup.clock.now },
  );
  return { endpoint_id, delivery_id: deliveryId, secret };
}

const greyPixel = Buffer.from('R0lGODlhAQABAIAAAMLCwgAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');

/** Inserts rows that the service normally writes while it runs, such as ledger entries of charges. */
async function keepRecords(
  setup: DashboardSetup,
  { workspace_id, email }: Member,
  { key_id, item_id, name }: { key_id: string; item_id: string; name: string },
): Promise<void> {
  const { sql } = setup.db;
  const now = setup.clock.now;
  const day = now.toISOString().slice(0, 10);
  await sql`insert into usage ${sql({ workspace_id, day, key_id, route: '/v1/photo/profile', outcome: 'OK', requests: 3, credits: 3 })}`;
  await sql`insert into purchases ${sql({ workspace_id, payment_id: `pi_${newId()}`, pack: 'ultra', credits: 100, amount: 1200, currency: 'usd', created_at: now })}`;
  await sql`insert into replays ${sql({ workspace_id, mode: 'live', idempotency_key: 'once', fingerprint: newId(), body: '{}', meta: '{}', retrieved_at: now, created_at: now })}`;
  await sql`insert into rate_windows ${sql({ workspace_id, ends_at: now, used: 1 })}`;
  await sql`insert into check_attempts ${sql({ workspace_id, item_id, attempt_id: newId(), attempted_at: now, trigger: 'manual', outcome: 'SOURCE_TIMEOUT', credits: 0, duration_ms: 12, message: name })}`;
  await sql`insert into item_pictures ${sql({ workspace_id, item_id, picture_key: name, type: 'image/gif', bytes: greyPixel, kept_at: now })}`;
  await addAudit(sql, workspace_id, { actor: email, action: 'created a key', subject: name, device: name }, now);
  await throttle(sql, `sign-in address ${email}`, { limit: 10, window_seconds: 60 }, now);
}

/** Creates a connected OAuth client with a token and returns its id. */
async function keepConnection(setup: DashboardSetup, { workspace_id, user_id }: Member, name: string): Promise<string> {
  const { sql } = setup.db;
  const clientId = newId();
  await sql`
    insert into oauth_clients (id, client_id, name, redirect_uris)
    values (${newId()}, ${clientId}, ${name}, ${['http://127.0.0.1:9/callback']})`;
  await addConnection(sql, workspace_id, { client_id: clientId, name }, setup.clock.now);
  const grant = await grantOfUser(sql, user_id, clientId);
  await sql`
    insert into oauth_access_tokens (id, token, client_id, user_id, reference_id, scopes)
    values (${newId()}, ${newId()}, ${clientId}, ${user_id}, ${grant}, ${['mcp']})`;
  await sql`
    insert into oauth_consents (id, client_id, user_id, reference_id, scopes)
    values (${newId()}, ${clientId}, ${user_id}, ${grant}, ${['mcp']})`;
  return clientId;
}

/** Returns every row of a workspace as text, by table name. Tests compare the rows before and after an action. */
export async function rowsOf({ db }: DashboardSetup, workspaceId: string): Promise<Record<string, string[]>> {
  const { sql } = db;
  const tables = await sql<{ name: string }[]>`
    select c.table_name as name from information_schema.columns c
    join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
    where c.table_schema = 'public' and c.column_name = 'workspace_id' and t.table_type = 'BASE TABLE'
      and c.table_name <> 'rate_windows' and c.table_name !~ '^observations_'
    order by 1`;
  const rows: Record<string, string[]> = {};
  for (const { name } of tables) {
    const found = await sql<{ row: string }[]>`
      select t::text as row from ${sql(name)} t where workspace_id = ${workspaceId} order by 1`;
    rows[name] = found.map(({ row }) => row);
  }
  return rows;
}

/** Creates a Slack recipient, an alert rule with an alert, and a notification in the log. */
async function keepAlerts(
  { db, clock, queue }: DashboardSetup,
  { workspace_id }: Member,
  kept: { item_id: string; name: string },
) {
  const { item_id, name } = kept;
  const now = clock.now;
  const slack = `https://hooks.slack.com/services/${newId()}`;
  const recipient = {
    channel: 'slack',
    address: slack,
    label: name.slice(0, 80),
    topics: ['failures'],
    campaign_ids: [],
  } as const;
  const added = await addRecipient(db.sql, workspace_id, recipient, now);
  if (added.outcome !== 'added') throw new Error(added.outcome);
  const { recipient_id } = added;
  const unused = { metric: null, direction: null, amount: null, days: null, checks: null };
  const rule = {
    name: name.slice(0, 80),
    scope: 'item',
    scope_id: item_id,
    condition: 'not_found',
    ...unused,
  } as const;
  const ruleId =
    (await addRule(db.sql, workspace_id, { ...rule, cooldown_hours: 24, recipient_ids: [recipient_id] }, now)) ?? '';
  await db.sql`
    insert into alerts (workspace_id, alert_id, rule_id, item_id, attempt_id, attempted_at)
    values (${workspace_id}, ${newId()}, ${ruleId}, ${item_id}, ${newId()}, ${now})`;
  const notice = { kind: 'alert', subject_key: 'kept', message: { subject: name, lines: [name] } };
  await notify({ queue, now: () => now }, db.sql, workspace_id, { recipient_ids: [recipient_id] }, notice);
  const [log] = await db.sql<{ notification_id: string }[]>`
    select notification_id from notifications where workspace_id = ${workspace_id}`;
  return { slack, ids: { recipient_id, rule_id: ruleId, notification_id: log?.notification_id ?? '' } };
}
