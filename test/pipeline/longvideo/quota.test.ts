import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { createQuotaLedger, type QuotaLedger, type QuotaUse, readQuota } from '../../../db/requests/quota.ts';
import { readSourcesConfig } from '../../../pipeline/collect/sources.ts';
import {
  createMemoryQuota,
  type DataApiMethod,
  quotaReset,
  spendBucket,
  takeUnits,
  useOf,
} from '../../../pipeline/longvideo/data-api/quota.ts';
import { createTestDatabase, type TestDatabase } from '../../setup/test-database.ts';
import { invented, key, refusalOf, sourceOf } from './upstream.ts';

const source = 'youtube-data-api';
const noon = new Date('2026-11-20T20:00:00.000Z');
const beforeReset = new Date('2026-11-21T07:59:59.500Z');
const afterReset = new Date('2026-11-21T08:00:00.000Z');
const config = readSourcesConfig({ YOUTUBE_DAILY_UNITS: '3', YOUTUBE_DAILY_SEARCHES: '1' });
const use = (method: DataApiMethod, now: Date): QuotaUse => useOf(source, method, config, now);

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
beforeEach(() => db.sql.unsafe('truncate quota_usage'));
afterAll(() => db.close());

describe('the quota of the official YouTube source', () => {
  it.each([
    ['in winter', '2026-11-20T10:00:00.000Z', '2026-11-21T08:00:00.000Z'],
    ['just before midnight', '2026-11-21T07:59:59.999Z', '2026-11-21T08:00:00.000Z'],
    ['at midnight', '2026-11-21T08:00:00.000Z', '2026-11-22T08:00:00.000Z'],
    ['in summer', '2026-07-01T00:00:00.000Z', '2026-07-01T07:00:00.000Z'],
    ['on the long day when summer time ends', '2026-11-01T12:00:00.000Z', '2026-11-02T08:00:00.000Z'],
    ['on the short day when summer time begins', '2026-03-08T09:00:00.000Z', '2026-03-09T07:00:00.000Z'],
    ['at the end of a year', '2026-12-31T20:00:00.000Z', '2027-01-01T08:00:00.000Z'],
  ])('the YouTube quota resets at midnight Pacific time %s', (_when, now, reset) => {
    expect(quotaReset(new Date(now)).toISOString()).toBe(reset);
  });
});

describe.each<[string, () => QuotaLedger]>([
  ['in the database', () => createQuotaLedger(db.sql)],
  ['in one process', createMemoryQuota],
])('a daily budget that is counted %s', (_where, create) => {
  const take = (ledger: QuotaLedger, method: DataApiMethod, now: Date) => takeUnits(ledger, use(method, now), now);

  it('a spent YouTube quota stops the calls of its bucket, and only those, until midnight Pacific time', async () => {
    const ledger = create();
    for (const method of ['videos.list', 'channels.list', 'videos.list'] as const) await take(ledger, method, noon);
    const spent = { code: 'SOURCE_CAPACITY', about: 'us' };
    await expect(take(ledger, 'comments.list', noon)).rejects.toMatchObject({ ...spent, retry_after_seconds: 43_200 });
    await expect(take(ledger, 'videos.list', beforeReset)).rejects.toMatchObject({ ...spent, retry_after_seconds: 1 });
    await take(ledger, 'search.list', noon);
    await expect(take(ledger, 'search.list', noon)).rejects.toMatchObject(spent);
    await take(ledger, 'comments.list', afterReset);
  });

  it('the YouTube quota is spent when the source says so, even with few counted units', async () => {
    const ledger = create();
    await take(ledger, 'videos.list', noon);
    const error = await spendBucket(ledger, use('videos.list', noon), noon);
    expect(error).toMatchObject({ code: 'SOURCE_CAPACITY', about: 'us', retry_after_seconds: 43_200 });
    await expect(take(ledger, 'channels.list', noon)).rejects.toMatchObject({ code: 'SOURCE_CAPACITY' });
    await take(ledger, 'search.list', noon);
    await take(ledger, 'channels.list', afterReset);
  });

  it('a YouTube quota of 0 refuses every call', async () => {
    const closed = { ...use('search.list', noon), budget: 0 };
    await expect(takeUnits(create(), closed, noon)).rejects.toMatchObject({ code: 'SOURCE_CAPACITY' });
  });
});

describe('requests to the official YouTube source', () => {
  const found = {
    body: { kind: 'youtube#videoListResponse', items: [{ id: 'invented001', snippet: { title: 'One' } }] },
  };
  const failing = { status: 500, body: { error: { errors: [{ reason: 'backendError' }] } } };
  const process = (answer: object, budgets: { general?: number } = {}) =>
    invented({ videos: answer as typeof found }, { keyless: false, budgets, quota: createQuotaLedger(db.sql) });
  const ask = ({ collectors, context }: ReturnType<typeof process>) =>
    sourceOf(collectors.longvideoVideo, source).collect({ id: 'invented001' }, context);
  const today = () => readQuota(db.sql, source, '2026-11-20');

  it('the official YouTube source gets no request above the budget, summed over all processes', async () => {
    const processes = [process(found, { general: 2 }), process(found, { general: 2 }), process(found, { general: 2 })];
    const [one, two, three] = processes as [(typeof processes)[0], (typeof processes)[0], (typeof processes)[0]];
    expect((await ask(one)).record.id).toBe('invented001');
    expect((await ask(two)).record.id).toBe('invented001');
    expect(await refusalOf(ask(three))).toMatchObject({ code: 'SOURCE_CAPACITY', retry_after_seconds: 22 * 3600 });
    expect(processes.map((each) => each.requests.length)).toEqual([1, 1, 0]);
    expect(await today()).toEqual([{ bucket: 'general', units: 2, methods: { 'videos.list': 2 } }]);
  });

  it('calls of the official YouTube source are counted by method, including failed calls and retries', async () => {
    await refusalOf(ask(process(failing)));
    expect(await today()).toEqual([{ bucket: 'general', units: 2, methods: { 'videos.list': 2 } }]);
  });

  it('the official YouTube source gets no request of any process for the rest of the day after its quota is exceeded', async () => {
    const exceeded = { status: 403, body: { error: { errors: [{ reason: 'quotaExceeded' }] } } };
    await refusalOf(ask(process(exceeded)));
    const other = process(found);
    expect(await refusalOf(ask(other))).toMatchObject({ code: 'SOURCE_CAPACITY' });
    expect(other.requests).toEqual([]);
    expect(await today()).toEqual([{ bucket: 'general', units: 10_000, methods: { 'videos.list': 1 } }]);
    expect(JSON.stringify(await today())).not.toContain(key);
  });

  it('a call of the official YouTube source spends the quota of the day of the request, even when it answers after midnight', async () => {
    let now = beforeReset;
    const exceeded = () => {
      now = afterReset;
      return { status: 403, body: { error: { errors: [{ reason: 'quotaExceeded' }] } } };
    };
    const quota = createQuotaLedger(db.sql);
    const late = invented({ videos: [exceeded, found] }, { keyless: false, now: () => now, quota });
    expect(await refusalOf(ask(late))).toMatchObject({ retry_after_seconds: 1 });
    expect((await ask(late)).record.id).toBe('invented001');
  });
});

test('without settings, the YouTube budgets are those of a new Google project', () => {
  const unset = readSourcesConfig({});
  expect(useOf(source, 'videos.list', unset, noon)).toMatchObject({ bucket: 'general', budget: 10_000 });
  expect(useOf(source, 'search.list', unset, noon)).toMatchObject({ bucket: 'search', budget: 100 });
  expect(use('search.list', noon)).toEqual({
    source,
    bucket: 'search',
    day: '2026-11-20',
    budget: 1,
    method: 'search.list',
    units: 1,
  });
});
