import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { freezeReport } from '../../../db/campaigns/reports.ts';
import { newId } from '../../../db/ids.ts';
import type { Tier } from '../../../db/tier.ts';

import { createCampaign, pauseCampaign } from '../../../pipeline/campaigns/campaigns.ts';
import { loadReport } from '../../../pipeline/report/load.ts';
import { buildReport, type Report } from '../../../pipeline/report/report.ts';
import { openApi } from '../../../server/openapi/document.ts';
import { anyText } from '../../harness/text.ts';
import { keepItem, keepMissed, keepObservations, observed, utc } from '../../pipeline/report/report-data.ts';
import { example } from '../../pipeline/report/report-example.ts';
import { expectedCsvRows, expectedReport } from '../../pipeline/report/report-expected.ts';
import { inventedUpstream } from '../invented-upstream.ts';
import { createTestService, type TestKeys, type TestService } from '../test-service.ts';

let service: TestService;
let keys: TestKeys;
let campaignId: string;

beforeAll(async () => {
  service = await createTestService({ fetch: inventedUpstream().fetch });
});
beforeEach(async () => {
  service.clock.now = utc('2026-11-20T10:00:00');
  keys = await service.workspace(7, 'pro_max');
  campaignId = await create(keys.workspace_id);
});
afterAll(() => service.close());

function create(workspaceId: string, itemIds: string[] = [], tier: Tier = 'pro_max'): Promise<string> {
  const wish = { name: 'Spring', starts_on: '2026-11-02', ends_on: null, item_ids: itemIds };
  return createCampaign(service.db.sql, { workspace_id: workspaceId, tier, now: service.clock.now }, wish);
}

async function freeze(period: string, body: string): Promise<string> {
  const reportId = newId();
  const periodStart = utc(`${period}T00:00:00`);
  const periodEnd = new Date(periodStart.getTime() + 7 * 86_400_000);
  const frozen = {
    workspace_id: keys.workspace_id,
    campaign_id: campaignId,
    report_id: reportId,
    period_start: periodStart,
    period_end: periodEnd,
    body,
  };
  await freezeReport(service.db.sql, frozen);
  return reportId;
}

const list = '/v1/workflows/campaigns';
const report = (query: string) => `/v1/workflows/campaign-report?${query}`;

describe('GET /v1/workflows/campaign-report', () => {
  test('a campaign report without a finished week is the current period so far, with final false, and costs nothing', async () => {
    const itemId = await keepItem(service.db.sql, keys.workspace_id);
    const id = await create(keys.workspace_id, [itemId]);
    await keepObservations(service.db.sql, keys.workspace_id, [
      observed(itemId, '2026-11-15T10:00:00', { followers: 100 }),
      observed(itemId, '2026-11-19T10:00:00', { followers: 130 }),
    ]);
    const answer = await service.ask(report(`id=${id}`), keys.live_key);
    expect(answer.status).toBe(200);
    expect(answer.json.data).toMatchObject({
      report_id: null,
      final: false,
      campaign: { id, name: 'Spring', status: 'active' },
      period_start: utc('2026-11-16T00:00:00').getTime(),
      period_end: utc('2026-11-23T00:00:00').getTime(),
      generated_at: service.clock.now.getTime(),
      history_days: 90,
      totals: { followers: { start: 100, end: 130, change: 30, change_percent: 30, items: 1, items_missing: 0 } },
    });
    expect(answer.json.meta).toEqual({
      request_id: expect.any(String),
      cached: false,
      credits_charged: 0,
      credits_remaining: 7,
      sandbox: false,
    });
    expect(answer.headers.get('x-credits-charged')).toBe('0');
    expect(answer.headers.get('x-data-mode')).toBe('live');
  });

  test('a campaign report is the newest finished week, or the requested one, byte for byte as it was stored', async () => {
    const text = (name: string) => `{"kept" :  "${name}","number":1.50}`;
    const older = await freeze('2026-11-02', text('older'));
    await freeze('2026-11-09', text('newest'));
    const data = async (query: string) => {
      const answer = await service.ask(report(`id=${campaignId}${query}`), keys.live_key);
      expect(answer.status).toBe(200);
      return answer.text.slice('{"data":'.length, answer.text.lastIndexOf(',"meta":'));
    };
    expect(await data('')).toBe(text('newest'));
    expect(await data(`&report_id=${older}`)).toBe(text('older'));
    service.clock.now = utc('2026-12-31T10:00:00');
    expect(await data(`&report_id=${older}`)).toBe(text('older'));
  });

  test('a sheet key can also read a campaign report', async () => {
    const { key } = await service.key(keys.workspace_id, { kind: 'sheet', name: 'sheet', monthly_cap: 1 });
    expect((await service.ask(report(`id=${campaignId}`), key)).status).toBe(200);
    expect((await service.ask(list, key)).status).toBe(200);
  });

  test.each([
    ['a development key', 'test_key', 403, 'PRODUCTION_KEY_REQUIRED'],
    ['no key', null, 401, 'INVALID_API_KEY'],
  ] as const)('a campaign report with %s is refused', async (_, key, status, code) => {
    for (const path of [report(`id=${campaignId}`), list]) {
      const answer = await service.ask(path, key === null ? undefined : keys[key]);
      expect([answer.status, answer.json.error.code]).toEqual([status, code]);
    }
  });

  test('on the tier Air, a campaign report is PAID_ACCESS_REQUIRED, but the list of campaigns is not', async () => {
    const air = await service.workspace(100, 'air');
    const answer = await service.ask(report(`id=${campaignId}`), air.live_key);
    expect([answer.status, answer.json.error.code]).toEqual([402, 'PAID_ACCESS_REQUIRED']);
    expect((await service.ask(list, air.live_key)).json.data.items).toEqual([]);
  });

  test('a campaign, or a campaign report, of another workspace is not found', async () => {
    const reportId = await freeze('2026-11-09', '{}');
    const stranger = await service.workspace(0, 'ultra');
    const own = await create(stranger.workspace_id, [], 'ultra');
    for (const query of [
      `id=${campaignId}`,
      `id=${campaignId}&report_id=${reportId}`,
      `id=${own}&report_id=${reportId}`,
    ]) {
      const answer = await service.ask(report(query), stranger.live_key);
      expect([answer.status, answer.json.error.code]).toEqual([404, 'RESOURCE_NOT_FOUND']);
    }
    const answer = await service.ask(report(`id=${campaignId}&report_id=${newId()}`), keys.live_key);
    expect(answer.status).toBe(404);
  });

  test.each([
    ['', 'id', 'is required'],
    ['id=', 'id', 'must be the ID of a campaign'],
    ['id=42', 'id', 'must be the ID of a campaign'],
    ["id='%20or%201=1", 'id', 'must be the ID of a campaign'],
    ['id=00000000-0000-0000-0000-000000000000&report_id=x', 'report_id', 'must be the ID of a report'],
    ['id=00000000-0000-0000-0000-000000000000&format=xml', 'format', 'must be json or csv'],
    ['id=00000000-0000-0000-0000-000000000000&reportid=x', 'reportid', 'did you mean report_id?'],
  ])('the campaign report query "%s" is refused by the name of %s', async (query, parameter, words) => {
    const answer = await service.ask(report(query), keys.live_key);
    expect(answer.status).toBe(400);
    expect(answer.json.error.details).toEqual([{ parameter, message: expect.stringContaining(words) }]);
  });

  test('a campaign that ended while no report was made shows its last period', async () => {
    await service.db
      .sql`update campaigns set ends_on = '2026-11-11', status = 'ended' where campaign_id = ${campaignId}`;
    const answer = await service.ask(report(`id=${campaignId}`), keys.live_key);
    expect(answer.json.data).toMatchObject({ final: false, period_start: utc('2026-11-09T00:00:00').getTime() });
    expect(answer.json.data.notes).toContain('This week is over, but its final report is not ready yet.');
  });
});

describe('the worked example of a report, read from the database', () => {
  /**
   * Stores the worked example in the database. Returns the function `plain`, which replaces database ids with the
   * example's short names.
   */
  async function keepExample() {
    const ids = new Map<string, string>();
    for (const { item_id, ...item } of example.items) {
      ids.set(item_id, await keepItem(service.db.sql, keys.workspace_id, item));
    }
    const own = <T extends { item_id: string }>(row: T): T => ({ ...row, item_id: ids.get(row.item_id) as string });
    await keepObservations(service.db.sql, keys.workspace_id, example.observations.map(own));
    await keepMissed(service.db.sql, keys.workspace_id, example.missed.map(own));
    const wish = { ...example.campaign, item_ids: [...ids.values()] };
    const owner = { workspace_id: keys.workspace_id, tier: 'pro_max' as const, now: service.clock.now };
    const id = await createCampaign(service.db.sql, owner, wish);
    const reportId = newId();
    const names = [...ids, ['campaign-1', id], ['report-1', reportId]] as const;
    const plain = (text: string) => names.reduce((kept, [name, known]) => kept.replaceAll(known, name), text);
    return { id, report_id: reportId, plain };
  }

  async function frozenExample() {
    const { id, report_id, plain } = await keepExample();
    const { period_start, generated_at } = example;
    const question = { workspace_id: keys.workspace_id, campaign_id: id, tier: 'pro_max' as const };
    const period = { report_id, final: true, period_start };
    const made = await loadReport(service.db.sql, { ...question, now: new Date(generated_at) }, period);
    await freezeReport(service.db.sql, {
      ...question,
      report_id,
      period_start: new Date(period_start),
      period_end: utc('2026-11-16T00:00:00'),
      body: JSON.stringify(made),
    });
    return { id, plain };
  }

  test('every number in the JSON of the report equals the number in the worked example', async () => {
    const { id, plain } = await frozenExample();
    const answer = await service.ask(report(`id=${id}`), keys.live_key);
    expect((JSON.parse(plain(answer.text)) as { data: Report }).data).toEqual(expectedReport);
  });

  test('every number in the CSV of the report equals the number in the worked example; the CSV is an attachment and free', async () => {
    const { id, plain } = await frozenExample();
    const answer = await service.ask(report(`id=${id}&format=csv`), keys.live_key);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="campaign-report-2026-11-09.csv"');
    expect(answer.headers.get('x-credits-charged')).toBe('0');
    expect(plain(answer.text).split('\r\n').slice(1)).toEqual([...expectedCsvRows, '']);
  });

  test('a report from the database, which does not read every older observation, equals a report from all observations', async () => {
    const itemId = await keepItem(service.db.sql, keys.workspace_id);
    const end = utc('2026-11-16T00:00:00').getTime();
    const days = Array.from({ length: 80 }, (_, ago) => new Date(end - ago * 86_400_000 - 3_600_000));
    const rows = days.map((observedAt, index) => ({
      ...observed(itemId, '2026-01-01T00:00:00', { followers: 1_000 - index }),
      observed_at: observedAt,
    }));
    await keepObservations(service.db.sql, keys.workspace_id, rows);
    const owner = { workspace_id: keys.workspace_id, tier: 'pro_max' as const, now: service.clock.now };
    const campaign = { ...example.campaign, starts_on: '2026-09-01', item_ids: [itemId] };
    const id = await createCampaign(service.db.sql, owner, campaign);
    const question = { workspace_id: keys.workspace_id, campaign_id: id, tier: 'pro_max' as const };
    const period = { report_id: null, final: false, period_start: example.period_start };
    const read = await loadReport(service.db.sql, { ...question, now: new Date(end) }, period);
    const [item] = await service.db.sql`select * from tracked_items where item_id = ${itemId}`;
    const whole = buildReport({
      ...example,
      ...period,
      campaign: { ...campaign, campaign_id: id },
      generated_at: end,
      items: [item as never],
      observations: rows,
      missed: [],
    });
    expect(read).toEqual(whole);
    expect(read?.series.find(({ step }) => step === 'week')?.points).toHaveLength(11);
  });
});

describe('an answer about campaigns', () => {
  test('an answer about campaigns has the documented format', async () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(ajv);
    ajv.addSchema(openApi('http://tidemark.test'), 'tidemark');
    const itemId = await keepItem(service.db.sql, keys.workspace_id);
    const id = await create(keys.workspace_id, [itemId]);
    const days = [14, 15, 16, 18].map((of) => `2026-11-${of}T10:00:00`);
    const rows = days.map((at, index) => observed(itemId, at, { followers: 100 - index }, { quality: index % 2 }));
    await keepObservations(service.db.sql, keys.workspace_id, rows);
    for (const path of [list, report(`id=${id}`)]) {
      const escaped = path.replace(/\?.*/, '').replaceAll('/', '~1');
      const validate = ajv.getSchema(`tidemark#/paths/${escaped}/get/responses/200/content/application~1json/schema`);
      const { json } = await service.ask(path, keys.live_key);
      expect(validate?.(json) ? [] : validate?.errors).toEqual([]);
    }
  });

  test('no request about campaigns gives a 500', async () => {
    const name = fc.constantFrom('id', 'report_id', 'format', 'status', 'x');
    const value = fc.oneof(
      fc.constantFrom(campaignId, '00000000-0000-0000-0000-000000000000', 'csv', '', '\u0000', "' or 1=1 --"),
      anyText(60),
    );
    const pairs = fc.array(fc.tuple(name, value), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(list, '/v1/workflows/campaign-report'), pairs, async (path, query) => {
        const answer = await service.ask(`${path}?${new URLSearchParams(query)}`, keys.live_key);
        expect([200, 400, 404]).toContain(answer.status);
        expect(answer.headers.get('x-credits-charged')).toBe('0');
      }),
      { numRuns: 150 },
    );
  });
});

describe('GET /v1/workflows/campaigns', () => {
  test('the list of campaigns has those of the workspace, newest first, optionally of one status, and is free', async () => {
    const itemId = await keepItem(service.db.sql, keys.workspace_id);
    const second = await create(keys.workspace_id, [itemId]);
    const reportId = await freeze('2026-11-09', '{}');
    await pauseCampaign(service.db.sql, keys.workspace_id, second);
    const answer = await service.ask(list, keys.live_key);
    const common = {
      name: 'Spring',
      report_name: null,
      starts_on: '2026-11-02',
      ends_on: null,
      created_at: expect.any(Number),
    };
    expect(answer.json.data).toEqual({
      items: [
        { id: second, status: 'paused', items: 1, newest_report_id: null, ...common },
        { id: campaignId, status: 'active', items: 0, newest_report_id: reportId, ...common },
      ],
      pagination: { next_cursor: null, limit: 1_000 },
    });
    expect(answer.json.meta).toMatchObject({ credits_charged: 0, credits_remaining: 7 });
    const paused = await service.ask(`${list}?status=paused`, keys.live_key);
    expect(paused.json.data.items.map(({ id }) => id)).toEqual([second]);
  });

  test('the list of campaigns refuses an unknown status with an error that names the known statuses', async () => {
    const answer = await service.ask(`${list}?status=running`, keys.live_key);
    expect(answer.status).toBe(400);
    expect(answer.json.error.message).toContain('must be one of active, paused, archived, ended');
  });

  test('the list of campaigns does not have the campaigns of another workspace', async () => {
    const stranger = await service.workspace(0, 'pro');
    expect((await service.ask(list, stranger.live_key)).json.data.items).toEqual([]);
  });
});
