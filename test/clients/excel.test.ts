import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { freezeReport } from '../../db/campaigns/reports.ts';
import { newId } from '../../db/ids.ts';
import { createCampaign } from '../../pipeline/campaigns/campaigns.ts';
import { buildReport } from '../../pipeline/report/report.ts';
import { profileColumns } from '../../pipeline/rows/profile-row.ts';
import { reportParameters } from '../../server/workflows/campaigns.ts';
import { maxUrls, profileWorkflowParameters } from '../../server/workflows/parameters.ts';
import { utc } from '../pipeline/report/report-data.ts';
import { example } from '../pipeline/report/report-example.ts';
import { expectedReport } from '../pipeline/report/report-expected.ts';
import { inventedId, inventedUpstream } from '../server/invented-upstream.ts';
import { createTestService, type TestKeys, type TestService } from '../server/test-service.ts';
import { evaluate, parseM } from './m-language.ts';
import { CredentialsPrompt, libraryFor, type WebAnswer, type WebRequest } from './m-library.ts';
import { type MTable, tableOf, type Value } from './m-values.ts';

const server = 'https://social.example';
const folder = join(import.meta.dirname, '../../clients/excel');
const dayMs = 86_400_000;

const upstream = inventedUpstream();
let service: TestService;
let keys: TestKeys;
let requested: URL[];

beforeAll(async () => {
  service = await createTestService({ fetch: upstream.fetch });
});
beforeEach(async () => {
  requested = [];
  upstream.asked.length = 0;
  keys = await service.workspace(200, 'pro_max');
});
afterAll(() => service.close());

/** Sends a request of Web.Contents to the real service. */
async function overService({ url, headers }: WebRequest): Promise<WebAnswer> {
  const { pathname, search, origin } = new URL(url);
  expect(origin).toBe(server);
  requested.push(new URL(url));
  return service.ask(`${pathname}${search}`, headers['x-api-key']);
}

/** Returns a template with its settings filled in. */
async function fill(name: string, settings: Record<string, string>): Promise<string> {
  let text = await readFile(join(folder, name), 'utf8');
  for (const [setting, value] of Object.entries({ Server: server, ...settings })) {
    const line = new RegExp(`^    ${setting} = ".*",$`, 'm');
    expect(text).toMatch(line);
    text = text.replace(line, `    ${setting} = "${value}",`);
  }
  return text;
}

type Setting = { settings?: Record<string, string>; key?: string; web?: typeof overService; profiles?: Value[] };

async function run(name: string, { settings = {}, key = keys.live_key, web, profiles = [] }: Setting): Promise<MTable> {
  const source = await fill(name, { ApiKey: key, ...settings });
  const table = tableOf(profiles.map((url) => ({ url, note: 'mine' })));
  const content = profiles.length > 0 ? table : { ...table, columns: ['url', 'note'] };
  const workbook = tableOf([{ Name: 'Profiles', Content: content }]);
  const result = await evaluate(await parseM(source), libraryFor({ workbook, web: web ?? overService }));
  return result as MTable;
}

function rowsOf({ columns, rows }: MTable): Record<string, Value>[] {
  return rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index] ?? null])));
}

const address = (handle: string) => `https://www.instagram.com/${handle}/`;
const askProfiles = (setting: Setting) => run('profile-list.pq', setting);

describe('profile-list.pq', () => {
  test('has the columns of the workflow, with ids as text, counts as numbers, times in UTC and unknown values as null', async () => {
    const result = await askProfiles({ profiles: [` ${address('one')} `, '', null, 'https://example.com/who'] });
    const headers = result.columns.map((name) => name.replace(' (UTC)', ''));
    expect(headers).toEqual([...profileColumns]);
    const [one, who, ...more] = rowsOf(result);
    expect(more).toEqual([]);
    expect(one).toMatchObject({ url: address('one'), status: 'OK', account_id: inventedId('one'), followers: 4321 });
    expect(one).toMatchObject({ likes: null, following: 0, cached: false, credits_charged: 1 });
    expect(one?.['retrieved_at (UTC)']).toEqual(service.clock.now);
    expect(who).toMatchObject({
      status: 'INVALID_INPUT',
      followers: null,
      message: expect.stringContaining('link to a profile'),
    });
  });

  test('sends only known parameters, and no request for an empty table', async () => {
    await askProfiles({ profiles: [address('one')] });
    const known = ['url', ...Object.keys(profileWorkflowParameters)];
    expect(requested.map(({ pathname }) => pathname)).toEqual(['/v1/workflows/profile']);
    expect(known).toEqual(expect.arrayContaining([...(requested[0]?.searchParams.keys() ?? [])]));
    expect((await askProfiles({})).rows).toEqual([]);
    expect(requested).toHaveLength(1);
  });

  test('sends each URL once, in requests of the maximum size, and refreshing within a day is free', async () => {
    const profiles = Array.from({ length: maxUrls + 3 }, (_, index) => address(`row.${index}`));
    const first = rowsOf(await askProfiles({ profiles: [...profiles, address('row.0')] }));
    expect(first.map(({ url }) => url)).toEqual(profiles);
    expect(requested.map((url) => url.searchParams.getAll('url').length)).toEqual([maxUrls, 3]);
    expect(first.map((row) => row.credits_charged)).toEqual(profiles.map(() => 1));
    const again = rowsOf(await askProfiles({ profiles }));
    expect(again.map((row) => row.credits_charged)).toEqual(profiles.map(() => 0));
    expect(upstream.asked).toHaveLength(profiles.length);
  });

  test('splits long URLs over requests of at most 8 kB', async () => {
    const profiles = Array.from({ length: 20 }, (_, index) => `${address(`long.${index}`)}?igsh=${'é'.repeat(150)}`);
    const rows = rowsOf(await askProfiles({ profiles }));
    expect(rows.map(({ url }) => url)).toEqual(profiles);
    expect(requested.length).toBeGreaterThan(1);
    expect(Math.max(...requested.map(({ href }) => href.length))).toBeLessThan(8_192);
  });

  test('reads the samples of every platform with the right types', async () => {
    const profiles = [
      'https://www.instagram.com/tidemark.sample/',
      'https://www.tiktok.com/@tidemark.sample',
      'https://www.youtube.com/@tidemark.sample',
    ];
    const rows = rowsOf(await askProfiles({ profiles, key: keys.test_key }));
    expect(rows.map(({ status, platform }) => [status, platform])).toEqual([
      ['OK', 'photo'],
      ['OK', 'shortvideo'],
      ['OK', 'longvideo'],
    ]);
    expect(rows[2]?.['created_at_platform (UTC)']).toBeInstanceOf(Date);
  });

  const refusal = '{"error":{"code":"INSUFFICIENT_CREDITS","message":"The balance is 0."}}';
  test.each([
    ['an error of the API', { status: 402, text: refusal }, 'INSUFFICIENT_CREDITS', 'The balance is 0.'],
    ['a rate limit that outlasted the retries', { status: 429, text: '{}' }, 'SERVER_UNREACHABLE', '429'],
    ['a page instead of JSON', { status: 200, text: '<html>' }, 'SERVER_UNREACHABLE', 'JSON'],
    [
      'another object',
      { status: 200, text: '{"data":null,"error":"no"}' },
      'SERVER_ANSWER_UNREADABLE',
      'not the requested table',
    ],
    [
      'a row too few',
      { status: 200, text: '{"data":{"columns":[],"rows":[]}}' },
      'SERVER_ANSWER_UNREADABLE',
      'not the',
    ],
  ])('shows %s in the status of the rows, with all other values unknown', async (_, answer, status, message) => {
    const profiles = [address('one'), address('two')];
    const rows = rowsOf(await askProfiles({ profiles, web: async () => answer }));
    expect(rows.map((row) => row.url)).toEqual(profiles);
    for (const { url: _url, ...row } of rows) {
      expect(row).toMatchObject({ status, message: expect.stringContaining(message), followers: null, cached: null });
      expect(Object.values(row).filter((cell) => cell !== null)).toHaveLength(2);
    }
  });

  test('makes Excel ask for credentials when the key is wrong', async () => {
    await expect(askProfiles({ profiles: [address('one')], key: 'wrong' })).rejects.toThrow(CredentialsPrompt);
  });
});

describe('campaign-report.pq', () => {
  let campaignId: string;
  let reportId: string;

  beforeEach(async () => {
    const owner = { workspace_id: keys.workspace_id, tier: 'pro_max' as const, now: service.clock.now };
    const params = { name: 'Autumn', starts_on: '2026-11-02', ends_on: null, item_ids: [] };
    campaignId = await createCampaign(service.db.sql, owner, params);
    reportId = newId();
    const periodStart = utc('2026-11-09T00:00:00');
    await freezeReport(service.db.sql, {
      workspace_id: keys.workspace_id,
      campaign_id: campaignId,
      report_id: reportId,
      period_start: periodStart,
      period_end: new Date(periodStart.getTime() + 7 * dayMs),
      body: JSON.stringify(buildReport(example)),
    });
  });

  const askReport = (settings: Record<string, string> = {}, more: Setting = {}) =>
    run('campaign-report.pq', { settings: { CampaignId: campaignId, ...settings }, ...more });

  test('gives a row for each item with every count of the report, unknown values as null and times in UTC', async () => {
    const rows = rowsOf(await askReport());
    expect(rows).toHaveLength(expectedReport.items.length);
    expectedReport.items.forEach((item, index) => {
      const row = rows[index];
      expect(row).toMatchObject({ status: 'OK', final: true, item_id: item.item_id, item_status: item.status });
      expect(row?.['period_start (UTC)']).toEqual(new Date(expectedReport.period_start));
      expect(row?.gaps).toBe(item.gaps.length);
      for (const [metric, { start, end, change, change_percent, quality }] of Object.entries(item.metrics)) {
        const cells = ['start', 'end', 'change', 'change_percent', 'quality'].map((part) => row?.[`${metric}_${part}`]);
        expect(cells).toEqual([start, end, change, change_percent, quality]);
      }
      expect(row?.total_views_end).toBe(null);
    });
  });

  test('gives the totals, the series of every metric and the notes as sections', async () => {
    const totals = rowsOf(await askReport({ Section: 'totals' }));
    expect(totals.map(({ metric, end, items_missing }) => [metric, end, items_missing])).toEqual(
      Object.entries(expectedReport.totals).map(([metric, total]) => [metric, total.end, total.items_missing]),
    );
    const points = rowsOf(await askReport({ Section: 'series' }));
    const expected = expectedReport.series.flatMap((series) =>
      series.points.map(({ at, value }) => [series.metric, series.step, new Date(at), value]),
    );
    expect(points.map((row) => [row.metric, row.step, row['at (UTC)'], row.value])).toEqual(expected);
    const notes = rowsOf(await askReport({ Section: 'notes' }));
    expect(notes.map(({ note }) => note)).toEqual(expectedReport.notes);
  });

  test('sends only known parameters, with and without a report id', async () => {
    await askReport();
    await askReport({ ReportId: reportId });
    expect(requested.map(({ pathname }) => pathname)).toEqual(Array(2).fill('/v1/workflows/campaign-report'));
    expect(requested.map(({ searchParams }) => [...searchParams.keys()])).toEqual([['id'], ['id', 'report_id']]);
    expect(Object.keys(reportParameters)).toEqual(expect.arrayContaining(['id', 'report_id']));
  });

  test('handles a campaign without items, an unknown report and a failed request', async () => {
    const owner = { workspace_id: keys.workspace_id, tier: 'pro_max' as const, now: service.clock.now };
    const params = { name: 'Empty', starts_on: '2026-11-02', ends_on: null, item_ids: [] };
    const empty = await createCampaign(service.db.sql, owner, params);
    expect((await askReport({ CampaignId: empty })).rows).toEqual([]);
    const [missing, ...more] = rowsOf(await askReport({ ReportId: newId() }));
    expect(more).toEqual([]);
    expect(missing).toMatchObject({
      status: 'RESOURCE_NOT_FOUND',
      message: expect.stringContaining('no such campaign'),
    });
    expect(rowsOf(await askReport({ Section: 'notes', CampaignId: 'x' }))[0]).toMatchObject({
      status: 'INVALID_INPUT',
    });
    expect(rowsOf(await askReport({}, { web: async () => ({ status: 502, text: '' }) }))[0]).toMatchObject({
      status: 'SERVER_UNREACHABLE',
    });
  });
});
