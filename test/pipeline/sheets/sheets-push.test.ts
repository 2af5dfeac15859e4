import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { deleteCampaign } from '../../../db/campaigns/deletion.ts';
import { freezeReport } from '../../../db/campaigns/reports.ts';
import { listTargets } from '../../../db/deliveries/sheet-targets.ts';
import { newId } from '../../../db/ids.ts';
import { metrics } from '../../../db/schema/metrics.ts';
import { addList, moveItems } from '../../../db/tracking/lists.ts';
import { createPushSheets } from '../../../pipeline/jobs/push-sheets.ts';
import { startQueue } from '../../../pipeline/queue/queue.ts';
import { reportColumns } from '../../../pipeline/report/csv.ts';
import { buildReport } from '../../../pipeline/report/report.ts';
import { fieldLabel } from '../../../pipeline/rows/field-labels.ts';
import { listTable } from '../../../pipeline/sheets/tables.ts';
import { createTarget } from '../../../pipeline/sheets/targets.ts';
import { until } from '../../setup/processes.ts';
import { silentLog } from '../../setup/test-database.ts';
import { createJobSetup } from '../notify/webhook-receiver.ts';
import { keepItem, keepObservations, observed, utc } from '../report/report-data.ts';
import { example } from '../report/report-example.ts';
import { formulasOf, type Tab, tableOf } from './sheets-grid.ts';
import { clientEmail, errorBody, type SheetsServer, startSheetsServer } from './sheets-server.ts';

const spreadsheet = 'invented-spreadsheet-0001';
const report = buildReport(example);

let setup: Awaited<ReturnType<typeof createJobSetup>>;
let server: SheetsServer;
let tabs: Tab[];
beforeAll(async () => {
  setup = await createJobSetup();
});
afterAll(() => setup.db.close());
beforeEach(async () => {
  server = await startSheetsServer();
  tabs = server.share(spreadsheet);
  setup.clock.now = utc('2026-11-20T00:11:00');
  setup.queued.length = 0;
});
afterEach(() => server.close());

const contents = () => tableOf(tabs.find(({ title }) => title === 'Numbers') ?? expect.fail('no tab'));
const job = () => createPushSheets(server.client);
const run = (data: Record<string, string>) => job().run([{ key: 'one', data }], setup.context);
const outcome = async (workspaceId: string) => {
  const { last_outcome, last_message, last_pushed_at } = (await listTargets(setup.db.sql, workspaceId))[0] ?? {};
  return { last_outcome, last_message, last_pushed_at };
};

/** Creates a sheet target (a spreadsheet that receives data), and returns the data for its job. */
async function target(workspaceId: string, of: Partial<Parameters<typeof createTarget>[2]>, mode = 'append') {
  server.allow(spreadsheet, workspaceId);
  const made = await createTarget(setup.db.sql, workspaceId, { spreadsheet, sheet_name: 'Numbers', mode, ...of });
  return made.ok ? { workspace_id: workspaceId, spreadsheet_id: spreadsheet } : expect.fail(made.message);
}

/** Creates a campaign with a sheet target and one stored report. */
async function campaign(mode = 'append', workspace?: string) {
  const workspaceId = workspace ?? (await setup.workspace());
  const campaignId = newId();
  const row = { workspace_id: workspaceId, campaign_id: campaignId, name: 'Autumn', starts_on: '2026-11-02' };
  await setup.db.sql`insert into campaigns ${setup.db.sql(row)}`;
  const ids = await target(workspaceId, { campaign_id: campaignId }, mode);
  const freeze = async (reportId = newId(), weeks = 0) => {
    const [periodStart, periodEnd] = [report.period_start, report.period_end].map(
      (at) => new Date(at + weeks * 604_800_000),
    ) as [Date, Date];
    const body = JSON.stringify({ ...report, report_id: reportId });
    await freezeReport(setup.db.sql, {
      workspace_id: workspaceId,
      campaign_id: campaignId,
      report_id: reportId,
      period_start: periodStart,
      period_end: periodEnd,
      body,
    });
    return reportId;
  };
  return { ids, workspace_id: workspaceId, campaign_id: campaignId, freeze, report_id: await freeze() };
}

/** Creates a tracking list of two items with a sheet target. */
async function list(mode = 'append') {
  const workspaceId = await setup.workspace();
  const listId = (await addList(setup.db.sql, workspaceId, 'Rivals', 5)) ?? expect.fail('no list');
  const items = [
    await keepItem(setup.db.sql, workspaceId, { name: '=cmd' }),
    await keepItem(setup.db.sql, workspaceId, { created_at: utc('2026-01-02T00:00:00') }),
  ];
  await moveItems(setup.db.sql, workspaceId, items, listId);
  const seen = { quality: 0b01 };
  await keepObservations(setup.db.sql, workspaceId, [
    observed(items[0] ?? '', '2026-11-19T10:00:00', { followers: 1_200_000, posts: 0 }, seen),
  ]);
  return {
    ids: await target(workspaceId, { list_id: listId }, mode),
    workspace_id: workspaceId,
    list_id: listId,
    items,
  };
}

describe('the pushed table of a list', () => {
  test('the pushed table of a list has one row per item, and an unknown number is empty and not 0', async () => {
    const { ids, list_id, items } = await list();
    await run(ids);
    const [header = [], first = [], second = []] = contents();
    const cell = (row: unknown[], column: string) => row[header.indexOf(column)];
    expect(header).toEqual(listTable('', [], setup.clock.now).columns);
    expect(cell(first, 'Snapshot ID')).toBe(`${list_id}/2026-11-20`);
    expect(cell(first, 'Name')).toBe('=cmd');
    expect(cell(first, 'Followers')).toBe(1_200_000);
    expect(cell(first, 'Followers: exact or rounded')).toBe('rounded');
    expect(cell(first, 'Posts')).toBe(0);
    expect(cell(first, 'Likes')).toBe('');
    // The source did not return the number of followed accounts, and accounts have no views.
    expect(cell(first, 'Following: exact or rounded')).toBe('not_exposed');
    expect(cell(first, 'Views: exact or rounded')).toBe('');
    expect(cell(first, 'Observed at (UTC)')).toBe(Date.parse('2026-11-19T10:00:00Z') / 86_400_000 + 25_569);
    expect(cell(second, 'Item ID')).toBe(items[1]);
    expect(metrics.map((metric) => cell(second, fieldLabel(metric)) ?? '')).toEqual(metrics.map(() => ''));
    expect(tabs.flatMap(formulasOf)).toEqual([]);
  });

  test('the table of a list is pushed once a day by the hourly job', async () => {
    const { ids, workspace_id } = await list();
    const tick = async () => {
      setup.queued.length = 0;
      await run({});
      return setup.queued.filter(({ data }) => data.workspace_id === workspace_id);
    };
    expect(await tick()).toMatchObject([{ data: ids, job: 'push-sheets' }]);
    await run(ids);
    await run(ids);
    expect(await tick()).toEqual([]);
    expect(contents()).toHaveLength(3);
    setup.clock.now = utc('2026-11-21T00:11:00');
    expect(await tick()).toHaveLength(1);
    await run(ids);
    expect(contents()).toHaveLength(5);
    expect(await outcome(workspace_id)).toEqual({
      last_outcome: 'OK',
      last_message: '2 rows written.',
      last_pushed_at: setup.clock.now,
    });
  });
});

describe('the pushed table of a report', () => {
  test('the table of a report is pushed to the spreadsheets of its campaign when the report is stored', async () => {
    const { workspace_id, campaign_id, report_id } = await campaign();
    const { sql } = setup.db;
    const queue = await startQueue({
      sql,
      jobs: [job()],
      log: silentLog,
      work: (queue) => ({ ...setup.context, queue }),
    });
    onTestFinished(() => queue.stop());
    await queue.send('push-sheets', [{ key: report_id, data: { workspace_id, campaign_id, report_id } }]);
    await until(async () => (await outcome(workspace_id)).last_outcome === 'OK');
    expect(contents()).toHaveLength(report.items.length + 2);
  });

  test('the table of a report is not pushed twice when the process died before it recorded the push', async () => {
    const { ids, workspace_id } = await campaign();
    await run(ids);
    const rows = contents().length;
    await setup.db.sql`update sheet_targets set last_pushed_at = null where workspace_id = ${workspace_id}`;
    await run(ids);
    expect(contents()).toHaveLength(rows);
    expect(await outcome(workspace_id)).toMatchObject({
      last_outcome: 'OK',
      last_message: 'Nothing new to write.',
    });
  });

  test('the table of a report is not pushed twice when the answer to the append was lost', async () => {
    const { ids, workspace_id } = await campaign();
    server.mishaps.push({ path: /:append$/, status: 0, lost: true });
    await expect(run(ids)).rejects.toMatchObject({ problem: 'TRY_AGAIN' });
    expect(await outcome(workspace_id)).toMatchObject({ last_outcome: 'TRY_AGAIN', last_pushed_at: null });
    await run(ids);
    expect(contents()).toHaveLength(report.items.length + 2);
    expect((await outcome(workspace_id)).last_outcome).toBe('OK');
  });

  test('the tables of reports are pushed later, in order, when the spreadsheet has been shared', async () => {
    const { ids, workspace_id, freeze, report_id } = await campaign();
    await run(ids);
    server.hidden.add(spreadsheet);
    const later = [await freeze(newId(), 1), await freeze(newId(), 2)];
    setup.clock.now = utc('2026-12-02T10:00:00');
    await run(ids);
    expect(await outcome(workspace_id)).toMatchObject({
      last_outcome: 'NOT_SHARED',
      last_message: `Share the spreadsheet with ${clientEmail} as an editor.`,
      last_pushed_at: utc('2026-11-20T00:11:00'),
    });
    server.hidden.delete(spreadsheet);
    await run({});
    expect(setup.queued.some(({ data }) => data.workspace_id === workspace_id)).toBe(true);
    await run(ids);
    const column = reportColumns.indexOf('report_id');
    expect([...new Set(contents().map((row) => row[column]))]).toEqual(['Report ID', report_id, ...later]);
  });

  test('the table of a report of another campaign is pushed to the same tab under the same header', async () => {
    const { ids, workspace_id, report_id } = await campaign();
    const other = await campaign('append', workspace_id);
    await run(ids);
    const column = reportColumns.indexOf('report_id');
    const held = contents().map((row) => row[column]);
    expect(new Set(held)).toEqual(new Set(['Report ID', report_id, other.report_id]));
    expect(held.filter((cell) => cell === 'Report ID')).toHaveLength(1);
    await run({ workspace_id, campaign_id: other.campaign_id });
    expect(setup.queued).toMatchObject([{ data: ids }]);
  });

  test('the table of a report replaces the older table in replace mode', async () => {
    const { ids, freeze } = await campaign('replace');
    await run(ids);
    const next = await freeze(newId(), 1);
    await run(ids);
    const column = reportColumns.indexOf('report_id');
    expect([...new Set(contents().map((row) => row[column]))]).toEqual(['Report ID', next]);
  });
});

describe('a push of a deleted campaign', () => {
  test('a push ends without an error, and still writes other campaigns, when a campaign is deleted while its report is written', async () => {
    const { ids, workspace_id, campaign_id, report_id } = await campaign();
    const other = await campaign('append', workspace_id);
    await setup.db.sql`update campaigns set status = 'archived' where campaign_id = ${campaign_id}`;
    let deletion: Promise<unknown> | null = null;
    server.mishaps.push({
      path: /:append$/,
      meanwhile: () => {
        deletion = deleteCampaign(setup.db.sql, workspace_id, campaign_id);
      },
    });
    await run(ids);
    expect(await deletion).toBe('deleted');
    const column = reportColumns.indexOf('report_id');
    expect(new Set(contents().map((row) => row[column]))).toEqual(new Set(['Report ID', report_id, other.report_id]));
    const targets = await listTargets(setup.db.sql, workspace_id);
    expect(targets).toMatchObject([{ campaign_id: other.campaign_id, last_outcome: 'OK' }]);
  });

  test('a queued report is not written after its campaign was deleted', async () => {
    const { ids, workspace_id, campaign_id, report_id } = await campaign();
    await setup.db.sql`update campaigns set status = 'ended' where campaign_id = ${campaign_id}`;
    expect(await deleteCampaign(setup.db.sql, workspace_id, campaign_id)).toBe('deleted');
    await run({ workspace_id, campaign_id, report_id });
    expect(setup.queued).toEqual([]);
    await run(ids);
    expect(server.requests).toEqual([]);
  });
});

describe('a push that fails', () => {
  test('a push that fails for a temporary reason is retried by the queue and does not stop other targets', async () => {
    const { ids, workspace_id } = await campaign();
    await target(workspace_id, {
      list_id: (await addList(setup.db.sql, workspace_id, 'Rivals', 5)) ?? '',
      sheet_name: 'B',
    });
    server.mishaps.push({ path: /spreadsheets/, status: 503, body: errorBody(503, 'unavailable') });
    await expect(run(ids)).rejects.toMatchObject({ problem: 'TRY_AGAIN' });
    const outcomes = async () =>
      (await listTargets(setup.db.sql, workspace_id)).map(({ last_outcome }) => last_outcome).toSorted();
    expect(await outcomes()).toEqual(['OK', 'TRY_AGAIN']);
    await run(ids);
    expect(await outcomes()).toEqual(['OK', 'OK']);
  });

  test('a push without a service account says what to set', async () => {
    const { ids, workspace_id } = await campaign();
    await createPushSheets(null).run([{ key: 'one', data: ids }], setup.context);
    expect(await outcome(workspace_id)).toEqual({
      last_outcome: 'NOT_CONFIGURED',
      last_message:
        'This server has no Google service account: ask your Tidemark administrator to set GOOGLE_SERVICE_ACCOUNT.',
      last_pushed_at: null,
    });
  });
});
