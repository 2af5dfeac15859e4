import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connectClients, parseDatabaseUrl } from '../../../db/connect.ts';
import { createQuotaLedger, type QuotaUse, readQuota } from '../../../db/requests/quota.ts';
import { createTestDatabase, type TestDatabase } from '../../setup/test-database.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
beforeEach(() => db.sql.unsafe('truncate quota_usage'));
afterAll(() => db.close());

const use = (changes: Partial<QuotaUse> = {}): QuotaUse => ({
  source: 'invented-api',
  bucket: 'general',
  day: '2026-11-20',
  budget: 50,
  method: 'tides.list',
  units: 1,
  ...changes,
});
const read = (day = '2026-11-20') => readQuota(db.sql, 'invented-api', day);

describe('the daily quota of a source', () => {
  test('a daily quota is used up to its last unit and never exceeded by concurrent processes', async () => {
    const other = connectClients(parseDatabaseUrl(db.database_url), 'test-other');
    const ledgers = [createQuotaLedger(db.sql), createQuotaLedger(other.sql)];
    const spends = Array.from({ length: 40 }, (_, index) => ledgers.map((ledger) => ({ ledger, index }))).flat();
    const granted = await Promise.all(
      spends.map(({ ledger, index }) => ledger.spend(use({ method: index % 2 ? 'tides.list' : 'pools.list' }))),
    );
    await other.close();
    expect(granted.filter(Boolean)).toHaveLength(50);
    const [row, ...others] = await read();
    expect([row?.units, others]).toEqual([50, []]);
    const { 'tides.list': tides = 0, 'pools.list': pools = 0, ...more } = row?.methods ?? {};
    expect([tides + pools, tides > 0, pools > 0, more]).toEqual([50, true, true, {}]);
  });

  test('a daily quota refuses units over its budget and does not count them', async () => {
    const ledger = createQuotaLedger(db.sql);
    expect(await ledger.spend(use({ units: 51 }))).toBe(false);
    expect(await read()).toEqual([]);
    expect(await ledger.spend(use({ units: 49 }))).toBe(true);
    expect(await ledger.spend(use({ units: 2 }))).toBe(false);
    expect(await ledger.spend(use({ units: 1 }))).toBe(true);
    expect(await read()).toEqual([{ bucket: 'general', units: 50, methods: { 'tides.list': 50 } }]);
  });

  test('a daily quota is counted separately by source, bucket and day', async () => {
    const ledger = createQuotaLedger(db.sql);
    const days = [{}, { bucket: 'search' }, { day: '2026-11-21' }, { source: 'other-api' }];
    for (const day of days) expect(await ledger.spend(use({ ...day, budget: 1 }))).toBe(true);
    for (const day of days) expect(await ledger.spend(use({ ...day, budget: 1 }))).toBe(false);
    expect((await read()).map(({ bucket }) => bucket)).toEqual(['general', 'search']);
    expect((await read('2026-11-21')).map(({ bucket }) => bucket)).toEqual(['general']);
  });

  test('a daily quota has no units left when the source says that it is used up, and keeps its counts', async () => {
    const ledger = createQuotaLedger(db.sql);
    await ledger.exhaust(use({ bucket: 'search' }));
    expect(await ledger.spend(use({ bucket: 'search' }))).toBe(false);
    await ledger.spend(use({ units: 7 }));
    await ledger.exhaust(use());
    expect(await ledger.spend(use())).toBe(false);
    await ledger.exhaust(use({ budget: 3 }));
    expect(await read()).toEqual([
      { bucket: 'general', units: 50, methods: { 'tides.list': 7 } },
      { bucket: 'search', units: 50, methods: {} },
    ]);
  });

  test('a daily quota follows its budget when the operator changes it', async () => {
    const ledger = createQuotaLedger(db.sql);
    await ledger.spend(use({ units: 10 }));
    expect(await ledger.spend(use({ budget: 5 }))).toBe(false);
    expect(await ledger.spend(use({ budget: 11 }))).toBe(true);
  });
});
