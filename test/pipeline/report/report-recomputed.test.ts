import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorkspace } from '../../../db/accounts/workspaces.ts';
import { dayMs } from '../../../db/durations.ts';
import { newId } from '../../../db/ids.ts';
import { foldPastMonths } from '../../../db/observations/fold-months.ts';
import { metrics } from '../../../db/schema/metrics.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { ReportInput } from '../../../pipeline/report/input.ts';
import { loadReport } from '../../../pipeline/report/load.ts';
import { buildReport } from '../../../pipeline/report/report.ts';
import { tiers } from '../../../pipeline/tiers.ts';
import { createTestDatabase, type TestDatabase } from '../../setup/test-database.ts';
import { metricsByKind, numbersOf, recompute } from './recomputed-report.ts';
import { item, observed, utc } from './report-data.ts';
import { example } from './report-example.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.close());

const seed = 20_261_109;
/** Weeks with a change of daylight saving time, in the middle of a year, and at its end. */
const mondays = ['2026-03-23', '2026-11-09', '2026-12-28'].map((day) => utc(`${day}T00:00:00`).getTime());
const count = fc.option(fc.oneof(fc.nat(20), fc.nat(2_000_000_000)), { freq: 3 });
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
const often = <T>(usual: T, other: T) => fc.nat(6).map((n) => (n === 0 ? other : usual));

const check = fc.record({
  day: fc.integer({ min: -45, max: 7 }),
  ms: fc.oneof(fc.constantFrom(0, dayMs - 1), fc.nat(dayMs - 1)),
  counts: fc.record(Object.fromEntries(metrics.map((metric) => [metric, count]))),
  quality: fc.nat(2 ** (2 * metrics.length) - 1),
});

const tracked = fc.record({
  kind: fc.constantFrom(...Object.keys(metricsByKind)),
  created: often(-100, -3),
  identity_changed: often(false, true),
  checks: fc.uniqueArray(check, { maxLength: 40, size: 'max', selector: ({ day }) => day }),
});

const input = fc
  .record({
    period_start: fc.constantFrom(...mondays),
    starts: fc.integer({ min: -40, max: 6 }),
    length: fc.option(fc.nat(50)),
    made: fc.oneof(fc.constantFrom(0, 7 * dayMs + 3_900_000), fc.nat(60 * dayMs)),
    tier: fc.constantFrom('pro' as const, 'pro_max' as const, 'ultra' as const),
    histories: fc.array(tracked, { maxLength: 5 }),
  })
  .map(({ period_start, starts, length, made, tier, histories }) => {
    const startsAt = period_start + starts * dayMs;
    const endsOn = length === null ? null : dayOf(startsAt + length * dayMs);
    const dates = { campaign_id: newId(), starts_on: dayOf(startsAt), ends_on: endsOn };
    const entries = histories.map(({ kind: named, created, identity_changed, checks }) => {
      const [platform = '', kind = ''] = named.split(' ');
      const createdAt = new Date(period_start + created * dayMs);
      const own = item({ item_id: newId(), platform, kind, identity_changed, created_at: createdAt });
      const observations = checks.flatMap(({ day, ms, counts, quality }) => {
        const at = new Date(period_start + day * dayMs + ms).toISOString().slice(0, -1);
        const known = (metricsByKind[named] ?? []).map((metric) => [metric, counts[metric]]);
        return day < created ? [] : [observed(own.item_id, at, Object.fromEntries(known), { quality })];
      });
      return { item: own, observations };
    });
    return {
      ...{ report_id: null, final: false, period_start, tier, history_days: tiers[tier].history_days },
      ...{ generated_at: period_start + made, campaign: { ...example.campaign, ...dates }, missed: [] },
      items: entries.map((entry) => entry.item),
      observations: entries.flatMap((entry) => entry.observations),
    } satisfies ReportInput & { tier: string };
  });

test('every number of a random report equals the number computed in the simplest way from the guide', () => {
  const property = fc.property(input, (one) => {
    expect(numbersOf(buildReport(one))).toEqual(recompute(one));
  });
  fc.assert(property, { numRuns: 300, seed });
});

test('every number of a random report from the database, with past months as arrays, equals the number computed from the guide', async () => {
  const { sql } = db;
  const { workspace_id } = await inTransaction(sql, (tx) =>
    createWorkspace(tx, { name: 'test', credits: 0, tier: 'ultra' }),
  );
  const cases = fc.sample(input, { numRuns: 60, seed });
  for (const { campaign, items, observations } of cases) {
    const { campaign_id } = campaign;
    const insert = async (table: string, rows: readonly object[]) => {
      const own = rows.map((row) => ({ workspace_id, ...row }));
      if (own.length > 0) await sql`insert into ${sql(table)} ${sql(own)}`;
    };
    await insert('campaigns', [campaign]);
    await insert(
      'tracked_items',
      items.map((one) => ({ ...one, identifier: one.item_id, check_minute: 0 })),
    );
    await insert(
      'campaign_items',
      items.map(({ item_id }) => ({ campaign_id, item_id })),
    );
    await insert('observations', observations);
  }
  const folded = await foldPastMonths(sql, utc('2027-02-01T00:00:00'), new AbortController().signal);
  expect(folded).toBeGreaterThan(1_000);
  for (const one of cases) {
    const { campaign, tier, generated_at } = one;
    const owner = { workspace_id, campaign_id: campaign.campaign_id, tier, now: new Date(generated_at) };
    const report = await loadReport(sql, owner, one);
    expect(report && numbersOf(report)).toEqual(recompute(one));
  }
});
