import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorkspace } from '../../db/accounts/workspaces.ts';
import { checkLedger, readBalance } from '../../db/money/ledger.ts';
import { addItem } from '../../db/tracking/items.ts';
import { inTransaction } from '../../db/transaction.ts';
import { createCampaign } from '../../pipeline/campaigns/campaigns.ts';
import { createBreakers } from '../../pipeline/collect/breaker.ts';
import { readSourcesConfig } from '../../pipeline/collect/sources.ts';
import { trackCheck } from '../../pipeline/jobs/track-check.ts';
import { trackSweep } from '../../pipeline/jobs/track-sweep.ts';
import { weeklyReports } from '../../pipeline/jobs/weekly-reports.ts';
import type { JobContext, JobItem } from '../../pipeline/queue/job.ts';
import type { Report } from '../../pipeline/report/report.ts';
import { inventedId, inventedUpstream } from '../server/invented-upstream.ts';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.ts';

// This test simulates November 2026, whose first week starts on Monday the 2nd. 200 accounts are checked daily. The
// platform fails on the 11th and 12th. Account 5 is renamed on the 18th. From the 20th the address of account 6 belongs
// to another account. The last check of the 28th reaches the monthly cap.
const accounts = 200;
const outage = [11, 12];
const renamed = { account: 5, from: 18 };
const takenOver = { account: 6, from: 20 };
const daysUntilCap = 25;
const paidChecks = daysUntilCap * accounts - 9;
const credits = 6_000;

const clock = { now: new Date('2026-11-02T02:59:00.000Z') };
const now = () => clock.now;
const dayOfMonth = () => clock.now.getUTCDate();
const november = (day: number) => Date.UTC(2026, 10, day);
const handleOf = (account: number) => `account.${account}`;

/** Returns the followers of account n on day d of the month: 10,000 + 100 n + (n mod 10 + 1) d. */
const followers = (account: number, day: number) => 10_000 + 100 * account + ((account % 10) + 1) * day;

const upstream = inventedUpstream();
upstream.answer = ({ url }) => {
  const day = dayOfMonth();
  if (outage.includes(day)) return { status: 502, body: Buffer.from('') };
  const handle = new URL(url).searchParams.get('username') ?? '';
  const account = Number(handle.split('.')[1]);
  const replaced = account === takenOver.account && day >= takenOver.from;
  const moved = account === renamed.account && day >= renamed.from;
  const user = {
    id: replaced ? '1' : inventedId(handle),
    username: moved ? 'new.name' : handle,
    full_name: null,
    edge_followed_by: { count: followers(account, day) },
    edge_owner_to_timeline_media: { count: 12, page_info: {}, edges: [] },
  };
  return { body: Buffer.from(JSON.stringify({ data: { user } })) };
};

let db: TestDatabase;
let workspaceId: string;
let campaignId: string;
const itemIds: string[] = [];
const reports: Report[] = [];
const sent: string[] = [];

/** Tracking checks in the queue. The test itself runs them, as soon as they are sent. */
const waiting: JobItem[] = [];
const queue: JobContext['queue'] = {
  async send(job, items) {
    sent.push(job);
    if (job === 'track-check') waiting.push(...items);
  },
};

function context(): JobContext {
  const sources = {
    fetch: upstream.fetch,
    config: readSourcesConfig({}),
    now,
    breakers: createBreakers({ enabled: false }),
  };
  const log = { info() {}, warn() {}, error: (details: object) => expect.fail(JSON.stringify(details)) };
  return { db, now, queue, sources, base_url: 'http://tidemark.test', log, signal: new AbortController().signal };
}

async function tick(at: Date): Promise<void> {
  clock.now = at;
  await trackSweep.run([], context());
  // Runs the check of account 6 first, in its own batch. This check is never charged, but in a batch with the others it
  // would delay one of the last checks that the monthly cap allows.
  const checks = Object.groupBy(waiting.splice(0), ({ data }) =>
    data.item_id === itemIds[takenOver.account] ? 'lost' : 'others',
  );
  await trackCheck.run(checks.lost ?? [], context());
  await trackCheck.run(checks.others ?? [], context());
  await weeklyReports.run([], context());
}

beforeAll(async () => {
  db = await createTestDatabase();
  const workspace = { name: 'month', credits, tier: 'ultra' as const };
  ({ workspace_id: workspaceId } = await inTransaction(db.sql, (tx) => createWorkspace(tx, workspace)));
  for (let account = 0; account < accounts; account += 1) {
    const identifier = handleOf(account);
    const url = `https://www.instagram.com/${identifier}/`;
    const added = await addItem(db.sql, workspaceId, { platform: 'photo', kind: 'profile', url, identifier }, accounts);
    if (added.outcome !== 'added') throw new Error(added.outcome);
    itemIds.push(added.item_id);
  }
  await db.sql`insert into work_settings ${db.sql({ workspace_id: workspaceId, monthly_cap: paidChecks })}`;
  const owner = { workspace_id: workspaceId, tier: 'ultra' as const, now: clock.now };
  campaignId = await createCampaign(db.sql, owner, {
    name: 'November',
    starts_on: '2026-11-02',
    ends_on: null,
    item_ids: itemIds,
  });
  const made = new Date('2026-11-01T12:00:00Z');
  await db.sql`update tracked_items set created_at = ${made}`;
  await db.sql`update campaigns set created_at = ${made}`;
  await db.sql`update campaign_items set attached_at = ${made}`;

  for (let hour = 2; hour < 28 * 24; hour += 3) await tick(new Date(november(2) + hour * 3_600_000 + 59 * 60_000));
  await tick(new Date('2026-11-30T02:00:00Z'));
  const rows = await db.sql<{ body: string }[]>`
    select body from reports where campaign_id = ${campaignId} order by period_start`;
  reports.push(...rows.map(({ body }) => JSON.parse(body) as Report));
}, 180_000);
afterAll(() => db.close());

const itemOf = (report: Report, account: number) => report.items.find((item) => item.item_id === itemIds[account]);

describe('a simulated month of 200 tracked items', () => {
  test('a simulated month has four unchangeable weekly reports, Monday to Sunday in UTC', () => {
    expect(reports.map(({ period_start, period_end, final }) => [period_start, period_end, final])).toEqual([
      [november(2), november(9), true],
      [november(9), november(16), true],
      [november(16), november(23), true],
      [november(23), november(30), true],
    ]);
    expect(sent.filter((job) => job === 'push-sheets')).toHaveLength(4);
  });

  // For all accounts together, after d days: 200 × 10,000 + 100 × (0 + … + 199) + 20 × (1 + … + 10) × d = 3,990,000 +
  // 1,100 d. Account 6 alone has 10,600 + 7 d followers. The totals of weeks 3 and 4 do not include account 6.
  test('the reports of a simulated month have the totals that were calculated by hand', () => {
    expect(reports.map(({ totals }) => totals.followers)).toMatchObject([
      { start: 3_992_200, end: 3_998_800, change: 6_600, items: 200, items_missing: 0 },
      { start: 3_998_800, end: 4_006_500, change: 7_700, items: 200, items_missing: 0 },
      { start: 3_995_795, end: 4_003_446, change: 7_651, items: 199, items_missing: 1 },
      { start: 4_003_446, end: 4_010_004, change: 6_558, items: 199, items_missing: 1 },
    ]);
  });

  test('the reports of a simulated month have the share of days with an observation', () => {
    expect(reports.map(({ coverage }) => coverage)).toEqual([
      { expected_observations: 1_400, observations: 1_400, items: 200, items_never_observed: 0 },
      { expected_observations: 1_400, observations: 1_000, items: 200, items_never_observed: 0 },
      { expected_observations: 1_400, observations: 1_397, items: 200, items_never_observed: 0 },
      { expected_observations: 1_400, observations: 1_194, items: 200, items_never_observed: 1 },
    ]);
  });

  test('a simulated month shows the outage, the changed identity and the reached cap as gaps with their cause', () => {
    const [, second, third, fourth] = reports as [Report, Report, Report, Report];
    for (const account of [0, 77, 199]) {
      expect(itemOf(second, account)?.gaps).toEqual([
        { from: november(11), to: november(13), cause: 'SOURCE_UNAVAILABLE' },
      ]);
      expect(itemOf(fourth, account)?.gaps).toEqual([
        { from: november(29), to: november(30), cause: 'SKIPPED_CAP_REACHED' },
      ]);
    }
    expect(itemOf(third, takenOver.account)?.gaps).toEqual([
      { from: november(20), to: november(23), cause: 'IDENTITY_CHANGED' },
    ]);
  });

  test('the reports of a simulated month continue with a renamed account', () => {
    const third = reports[2] as Report;
    expect(itemOf(third, renamed.account)).toMatchObject({
      name: 'new.name',
      gaps: [],
      metrics: { followers: { start: followers(5, 15), end: followers(5, 22) } },
    });
  });

  test('the reports of a simulated month have the calculated numbers of every item', () => {
    const ends = [8, 15, 22, 28];
    const starts = [2, 8, 15, 22];
    for (const [week, report] of reports.entries()) {
      for (const account of [0, 1, 42, 150, 199]) {
        const start = followers(account, starts[week] as number);
        const end = followers(account, ends[week] as number);
        expect(itemOf(report, account)?.metrics.followers).toMatchObject({
          start,
          end,
          change: end - start,
          quality: 'exact',
        });
      }
    }
  });

  test('a simulated month made one attempt per item and day, and charged exactly 1 credit for each success', async () => {
    const [most] = await db.sql<{ n: number }[]>`
      select max(n)::int as n from (
        select count(*) as n from check_attempts where outcome not like 'SKIPPED%'
        group by item_id, date_trunc('day', attempted_at, 'UTC')) a`;
    expect(most?.n).toBe(1);
    expect(await readBalance(db.sql, workspaceId)).toBe(credits - paidChecks);
    expect((await checkLedger(db.sql)).mismatches).toEqual([]);
    const [observed] = await db.sql<{ n: number }[]>`select count(*)::int as n from observations`;
    expect(observed?.n).toBe(paidChecks);
  });

  test('a simulated month does not create a stored report again', async () => {
    const before = await db.sql`select report_id, body from reports order by period_start`;
    await weeklyReports.run([], context());
    expect([...(await db.sql`select report_id, body from reports order by period_start`)]).toEqual([...before]);
  });
});
