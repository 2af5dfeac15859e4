import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createWorkspace } from '../../../db/accounts/workspaces.ts';
import { findCampaign } from '../../../db/campaigns/campaigns.ts';
import { deleteCampaign } from '../../../db/campaigns/deletion.ts';
import { frozenReport, listReports } from '../../../db/campaigns/reports.ts';
import { correctFutureTimes } from '../../../db/clock/future-times.ts';
import { addEndpoint } from '../../../db/deliveries/webhooks.ts';
import { queueSchema } from '../../../db/queue.ts';
import type { Tier } from '../../../db/tier.ts';
import { inTransaction } from '../../../db/transaction.ts';

import { archive, createCampaign, pauseCampaign } from '../../../pipeline/campaigns/campaigns.ts';
import { createBreakers } from '../../../pipeline/collect/breaker.ts';
import { readSourcesConfig } from '../../../pipeline/collect/sources.ts';
import { weeklyReports } from '../../../pipeline/jobs/weekly-reports.ts';
import type { Job, JobContext } from '../../../pipeline/queue/job.ts';
import { type RunningQueue, startQueue } from '../../../pipeline/queue/queue.ts';
import type { Report } from '../../../pipeline/report/report.ts';
import { collide } from '../../setup/lock-waits.ts';
import { createTestDatabase, silentLog, type TestDatabase } from '../../setup/test-database.ts';
import { keepItem, keepObservations, observed, utc } from './report-data.ts';

const clock = { now: utc('2026-11-16T01:05:00') };
const now = () => clock.now;
let db: TestDatabase;
let queue: RunningQueue;

/** Returns a job without a schedule. Its queue stores the job data, and nothing runs the job. */
const storedOnly = (name: Job['name']): Job => ({ ...weeklyReports, name, schedule: null });

beforeAll(async () => {
  db = await createTestDatabase();
  const jobs = [storedOnly('push-sheets'), storedOnly('deliver-webhooks')];
  queue = await startQueue({ sql: db.sql, jobs, log: silentLog, work: null });
});
beforeEach(async () => {
  clock.now = utc('2026-11-16T01:05:00');
  await db.sql`delete from campaigns`;
});
afterAll(async () => {
  await queue.stop();
  await db.close();
});

function contextOf(more: Partial<JobContext> = {}): JobContext {
  return {
    db,
    now,
    queue,
    base_url: 'http://tidemark.test',
    log: silentLog,
    signal: new AbortController().signal,
    sources: {
      fetch: async () => Promise.reject(new Error('this test must not fetch anything')),
      config: readSourcesConfig({}),
      now,
      breakers: createBreakers({ now, enabled: false }),
    },
    ...more,
  };
}

const tick = (more: Partial<JobContext> = {}) => weeklyReports.run([], contextOf(more));

interface Made {
  workspace_id: string;
  campaign_id: string;
  item_id: string;
}

/** Creates a campaign with one account, at the time `clock.now`. */
async function make(input: Partial<Parameters<typeof createCampaign>[2]> = {}, tier: Tier = 'pro_max'): Promise<Made> {
  const { workspace_id } = await inTransaction(db.sql, (tx) => createWorkspace(tx, { name: 'test', credits: 0, tier }));
  const itemId = await keepItem(db.sql, workspace_id);
  const owner = { workspace_id, tier, now: clock.now };
  const campaign = { name: 'Spring', starts_on: '2026-11-09', ends_on: null, item_ids: [itemId], ...input };
  const campaignId = await createCampaign(db.sql, owner, campaign);
  await db.sql`update campaigns set created_at = ${utc('2026-11-01T00:00:00')} where workspace_id = ${workspace_id}`;
  return { workspace_id, campaign_id: campaignId, item_id: itemId };
}

const weeksOf = async ({ workspace_id, campaign_id }: Made) =>
  (await listReports(db.sql, workspace_id, campaign_id)).map(({ period_start }) =>
    period_start.toISOString().slice(0, 10),
  );

async function sent(job: Job['name'], campaignId: string): Promise<number> {
  const rows = await db.sql`
    select from ${db.sql(queueSchema)}.job where name = ${job} and data::text like ${`%${campaignId}%`}`;
  return rows.length;
}

describe('a campaign that is deleted while its weekly report is made', () => {
  test.each(['the deletion', 'the report'] as const)(
    'the weekly report job ends without an error and makes the other reports when %s comes first',
    async (first) => {
      const deleted = await make();
      const other = await make();
      const { workspace_id, campaign_id } = deleted;
      await archive(db.sql, { workspace_id, tier: 'pro_max', now: clock.now }, campaign_id);
      const works = [() => deleteCampaign(db.sql, workspace_id, campaign_id), () => tick()] as const;
      const [one, two] = first === 'the deletion' ? works : works.toReversed();
      const lock = (tx: typeof db.sql) => tx`select from workspaces where workspace_id = ${workspace_id} for update`;
      expect(await collide<unknown, unknown>(db.sql, lock, one ?? tick, two ?? tick)).toContain('deleted');
      expect(await findCampaign(db.sql, workspace_id, campaign_id)).toBeNull();
      expect(await weeksOf(deleted)).toEqual([]);
      expect(await sent('push-sheets', campaign_id)).toBe(first === 'the report' ? 1 : 0);
      expect(await weeksOf(other)).toEqual(['2026-11-09']);
    },
  );
});

describe('the weekly report job', () => {
  test('the weekly report job stores the report of a finished week once, even when several processes run it', async () => {
    const made = await make();
    await keepObservations(db.sql, made.workspace_id, [
      observed(made.item_id, '2026-11-08T10:00:00', { followers: 10 }),
      observed(made.item_id, '2026-11-15T10:00:00', { followers: 25 }),
      observed(made.item_id, '2026-11-16T00:30:00', { followers: 99 }),
    ]);
    await Promise.all([tick(), tick(), tick()]);
    expect(await weeksOf(made)).toEqual(['2026-11-09']);
    const text = await frozenReport(db.sql, made.workspace_id, made.campaign_id);
    const report = JSON.parse(text as string) as Report;
    expect(report).toMatchObject({ final: true, report_id: expect.any(String), campaign: { id: made.campaign_id } });
    expect(report.totals.followers).toMatchObject({ start: 10, end: 25, change: 15 });
    expect(await sent('push-sheets', made.campaign_id)).toBe(1);
  });

  test('the weekly report job never changes a stored report, even after new observations or a new campaign name', async () => {
    const made = await make();
    await tick();
    const before = await frozenReport(db.sql, made.workspace_id, made.campaign_id);
    await keepObservations(db.sql, made.workspace_id, [
      observed(made.item_id, '2026-11-15T10:00:00', { followers: 5 }),
    ]);
    await db.sql`update campaigns set name = 'Other' where campaign_id = ${made.campaign_id}`;
    clock.now = utc('2026-11-17T01:05:00');
    await tick();
    expect(await frozenReport(db.sql, made.workspace_id, made.campaign_id)).toBe(before);
  });

  test('the weekly report job waits one hour after the end of the week for checks in progress', async () => {
    const made = await make();
    clock.now = utc('2026-11-16T00:59:59');
    await tick();
    expect(await weeksOf(made)).toEqual([]);
    clock.now = utc('2026-11-16T01:00:00');
    await tick();
    expect(await weeksOf(made)).toEqual(['2026-11-09']);
  });

  test('the weekly report job creates the reports of all missed weeks within the history limit', async () => {
    const made = await make({ starts_on: '2026-07-01' });
    clock.now = utc('2026-11-24T12:00:00');
    await tick();
    const weeks = await weeksOf(made);
    expect(weeks[0]).toBe('2026-11-16');
    // The history limit of 90 days begins on 26 August, so the first report is the report of the week that contains
    // this day.
    expect(weeks.at(-1)).toBe('2026-08-24');
    expect(weeks).toHaveLength(13);
    await tick();
    expect(await weeksOf(made)).toHaveLength(13);
  });

  test('the weekly report job creates no report of a week without a full day within the history limit', async () => {
    const made = await make({ starts_on: '2026-07-01' }, 'pro');
    // The history limit of 30 days begins on Sunday, 25 October, at noon. The first full day after that is Monday.
    clock.now = utc('2026-11-24T12:00:00');
    await tick();
    expect((await weeksOf(made)).at(-1)).toBe('2026-10-26');
  });

  test('the weekly report job continues with other campaigns when one fails, and retries the failed campaign in the next run', async () => {
    const [first, second] = [await make(), await make()];
    const broken = {
      ...queue,
      send: async (...[job, items, options]: Parameters<RunningQueue['send']>) => {
        if (items.some(({ data }) => data.campaign_id === first.campaign_id)) throw new Error('broken');
        await queue.send(job, items, options);
      },
    };
    await expect(tick({ queue: broken })).rejects.toThrow('1 weekly reports');
    expect([await weeksOf(first), await weeksOf(second)]).toEqual([[], ['2026-11-09']]);
    await tick();
    expect(await weeksOf(first)).toEqual(['2026-11-09']);
  });

  test('the weekly report job serves more campaigns than one query returns', async () => {
    const { workspace_id } = await make({}, 'ultra');
    await db.sql`
      insert into campaigns (workspace_id, campaign_id, name, starts_on)
      select ${workspace_id}, gen_random_uuid(), 'c' || n, '2026-11-02' from generate_series(1, 230) as n`;
    await tick();
    const [kept] = await db.sql`select count(*)::int as reports from reports where workspace_id = ${workspace_id}`;
    expect(kept?.reports).toBe(1 + 230 * 2);
  });
});

describe('the weekly reports of a campaign by its status', () => {
  test('a paused campaign gets its report stored and not sent', async () => {
    const made = await make();
    await pauseCampaign(db.sql, made.workspace_id, made.campaign_id);
    await tick();
    expect(await weeksOf(made)).toEqual(['2026-11-09']);
    expect(await sent('push-sheets', made.campaign_id)).toBe(0);
  });

  test('an ended campaign has a report of its last week and none later', async () => {
    clock.now = utc('2026-11-10T09:00:00');
    const made = await make({ ends_on: '2026-11-11' });
    clock.now = utc('2026-11-12T00:05:00');
    await tick();
    expect((await findCampaign(db.sql, made.workspace_id, made.campaign_id))?.status).toBe('ended');
    clock.now = utc('2026-11-30T01:05:00');
    await tick();
    expect(await weeksOf(made)).toEqual(['2026-11-09']);
  });

  test('an archived campaign has a report of the week of its last day and none later', async () => {
    clock.now = utc('2026-11-11T09:00:00');
    const made = await make();
    await archive(db.sql, { workspace_id: made.workspace_id, tier: 'pro_max', now: clock.now }, made.campaign_id);
    clock.now = utc('2026-11-30T01:05:00');
    await tick();
    expect(await weeksOf(made)).toEqual(['2026-11-09']);
    const report = JSON.parse((await frozenReport(db.sql, made.workspace_id, made.campaign_id)) ?? '') as Report;
    expect(report.coverage.expected_observations).toBe(3);
  });

  test('a new campaign with an earlier start gets reports of weeks before its creation without notifications', async () => {
    const made = await make({ starts_on: '2026-11-02' });
    await db.sql`update campaigns set created_at = ${utc('2026-11-10T00:00:00')} where campaign_id = ${made.campaign_id}`;
    await tick();
    expect(await weeksOf(made)).toEqual(['2026-11-09', '2026-11-02']);
    expect(await sent('push-sheets', made.campaign_id)).toBe(1);
  });
});

test('a report.ready webhook is stored together with the report of the finished week', async () => {
  const made = await make();
  const endpoint = { url: 'https://hooks.example/in', secret: 'whsec_invented', events: ['report.ready'] };
  await addEndpoint(db.sql, made.workspace_id, endpoint);
  await tick();
  const [kept] = await listReports(db.sql, made.workspace_id, made.campaign_id);
  const deliveries = await db.sql<{ body: string }[]>`
    select body from webhook_deliveries where workspace_id = ${made.workspace_id}`;
  expect(deliveries.map(({ body }) => JSON.parse(body))).toEqual([
    {
      type: 'report.ready',
      timestamp: clock.now.toISOString(),
      data: {
        report_id: kept?.report_id,
        campaign_id: made.campaign_id,
        campaign_name: 'Spring',
        period_start: utc('2026-11-09T00:00:00').getTime(),
        period_end: utc('2026-11-16T00:00:00').getTime(),
      },
    },
  ]);
});

test('reports and ends of campaigns from a time when the clock was weeks ahead are corrected', async () => {
  const made = await make({ ends_on: '2026-11-25' });
  await tick();
  clock.now = utc('2026-12-10T01:05:00');
  await tick();
  expect(await weeksOf(made)).toEqual(['2026-11-23', '2026-11-16', '2026-11-09']);
  clock.now = utc('2026-11-16T03:05:00');
  await correctFutureTimes(db.sql, clock.now);
  expect(await weeksOf(made)).toEqual(['2026-11-09']);
  expect(await findCampaign(db.sql, made.workspace_id, made.campaign_id)).toMatchObject({ status: 'active' });
});
