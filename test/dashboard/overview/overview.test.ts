import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endRun } from '../../../db/deliveries/sheet-import-ends.ts';
import { startRun } from '../../../db/deliveries/sheet-import-runs.ts';
import { newId } from '../../../db/ids.ts';
import { changeWorkSettings } from '../../../db/tracking/work-settings.ts';
import { createDashboardSetup, type DashboardSetup, type Member } from '../dashboard-server.ts';
import { populate } from '../populated.ts';
import { observedItem } from '../tracking/observed.ts';

let setup: DashboardSetup;
beforeAll(async () => {
  setup = await createDashboardSetup();
});
afterAll(() => setup.close());

const hourMs = 3_600_000;
const textOf = async (member: Member, path: string) =>
  (await (await member.get(path)).text()).replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
const overviewOf = (member: Member) => textOf(member, '/dashboard');
const hoursAgo = (hours: number) => new Date(setup.clock.now.getTime() - hours * hourMs);
const tracked = (member: Member, identifier: string, outcome: string) =>
  observedItem(
    setup.db.sql,
    member.workspace_id,
    { platform: 'photo', kind: 'profile', url: 'https://www.instagram.com/', identifier, since: hoursAgo(72) },
    [
      { at: hoursAgo(30), followers: 3 },
      { at: hoursAgo(6), followers: 3, outcome },
    ],
  );

describe('the overview page', () => {
  test('the overview of a new workspace shows the first steps and nothing that needs attention', async () => {
    const ann = await setup.member();
    const text = await overviewOf(ann);
    expect(text).toContain('First steps');
    expect(text).toContain('Balance 100');
    expect(text).toContain('All good. Nothing needs your attention.');
    expect(text).not.toContain('Done:');
    await ann.post('/dashboard/keys', { name: 'first', kind: 'live' });
    expect(await overviewOf(ann)).toContain('Done: Get the add-on');
  });

  test('the overview lists low balance, pause, reached cap, waiting batches and failed checks', async () => {
    const ann = await setup.member({ tier: 'pro', credits: 40 });
    const { workspace_id } = ann;
    await tracked(ann, 'works', 'OK');
    await tracked(ann, 'locked', 'SOURCE_RESTRICTED');
    const paused = await tracked(ann, 'resting', 'SOURCE_TIMEOUT');
    await ann.post(`/dashboard/tracking/${paused}/pause`, {});
    const settings = { paused: true, monthly_cap: 0, low_balance_alert: 50 };
    await changeWorkSettings(setup.db.sql, workspace_id, settings, setup.clock.now);
    await setup.db.sql`
      insert into batches (workspace_id, batch_id, name, status, waiting_for, created_at)
      values (${workspace_id}, ${newId()}, 'Autumn', 'paused', 'CAP_REACHED', ${setup.clock.now})`;
    const text = await overviewOf(ann);
    expect(text).toContain('Your balance is low: 40 credits.');
    expect(text).toContain('Checks, analyses and imports are paused.');
    expect(text).toContain('Your monthly cap of 0 credits is reached');
    expect(text).toContain('Bulk analysis Autumn is waiting: the monthly cap is reached.');
    expect(text).toMatch(/Instagram profile locked : the platform restricts access 6 hours ago/);
    expect(text).toContain('1 tracked item is paused');
    expect(text).not.toContain('Instagram profile works');
    expect(text).not.toContain('Instagram profile resting');
  });

  test('the overview shows a sheet import whose last run failed, until a run succeeds', async () => {
    const ann = await setup.member();
    const { ids } = await populate(setup, ann, 'Not shared with us');
    expect(await overviewOf(ann)).toMatch(/Sheet import Not shared with us failed\. Not shared with us/);
    setup.clock.now = new Date(setup.clock.now.getTime() + 1_000);
    const run = await startRun(setup.db.sql, ann.workspace_id, ids.import_id ?? '', setup.clock.now);
    expect(await overviewOf(ann)).toContain('Sheet import Not shared with us failed');
    const done = { outcome: 'OK', message: '1 row written.', written_rows: 1, now: setup.clock.now };
    expect(run && (await endRun(setup.db.sql, run, done))).toMatchObject({ paused: false });
    expect(await overviewOf(ann)).not.toContain('Sheet import Not');
  });

  test('the overview counts the failed items that it does not list', async () => {
    const ann = await setup.member({ tier: 'pro' });
    for (let n = 0; n < 7; n += 1) await tracked(ann, `fails.${n}`, 'SOURCE_TIMEOUT');
    const text = await overviewOf(ann);
    expect(text.split('the platform did not answer in time').length - 1).toBe(5);
    expect(text).toContain('2 more items failed their last check');
  });

  test('the overview shows the usage of the month, and no data of another workspace', async () => {
    const [ann, bob] = [await setup.member({ tier: 'pro' }), await setup.member({ name: 'Bob', tier: 'pro' })];
    await tracked(ann, 'secret.of.ann', 'SOURCE_TIMEOUT');
    await setup.db.sql`
      insert into usage (workspace_id, day, key_id, route, outcome, requests, credits) values
        (${ann.workspace_id}, '2026-11-02', ${newId()}, '/v1/photo/profile', 'OK', 12, 24),
        (${ann.workspace_id}, '2026-10-31', ${newId()}, '/v1/photo/profile', 'OK', 99, 99)`;
    expect(await overviewOf(ann)).toContain('Requests this month 12 24 credits');
    const other = await overviewOf(bob);
    expect(other).toContain('Requests this month 0 0 credits');
    expect(other).not.toContain('secret.of.ann');
  });

  test('the overview shows the followers of all accounts, their change over accounts with both numbers, and the accounts that changed most', async () => {
    const ann = await setup.member({ tier: 'pro' });
    const add = (identifier: string, numbers: readonly [number, number | null][]) =>
      observedItem(
        setup.db.sql,
        ann.workspace_id,
        { platform: 'photo', kind: 'profile', url: 'https://www.instagram.com/', identifier, since: hoursAgo(960) },
        numbers.map(([days, followers]) => ({ at: hoursAgo(days * 24 + 1), followers })),
      );
    expect(await overviewOf(ann)).not.toContain('Followers of all accounts');
    await add('grows', [
      [30, 1_000],
      [7, 1_500],
      [0, 2_500],
    ]);
    await add('shrinks', [
      [7, 900],
      [0, 800],
    ]);
    await add('is.new', [[0, 70]]);
    await add('hides', [
      [7, 5],
      [0, null],
    ]);
    const text = await overviewOf(ann);
    expect(text).toContain('Followers of all accounts 3,370 3 accounts; 1 without data; one person can follow several');
    expect(text).not.toContain('Followers of 1 account in the last');
    expect(text).toContain('Change in 7 days ↑ +900 in the followers of 2 accounts checked then and now');
    expect(text).toContain('Change in 30 days ↑ +1,500 in the followers of 1 account checked');
    expect(text).toMatch(/Biggest gains in 7 days .*grows Instagram profile ↑ \+1,000/);
    expect(text).toMatch(/Biggest losses in 7 days .*shrinks Instagram profile ↓ −100/);
  });

  test('the overview has a chart of the followers of all accounts that have a number on each day', async () => {
    const ann = await setup.member({ tier: 'pro' });
    const item = { platform: 'photo', kind: 'profile', url: 'https://www.instagram.com/', since: hoursAgo(960) };
    const ages = Array.from({ length: 8 }, (_, age) => age);
    await observedItem(
      setup.db.sql,
      ann.workspace_id,
      { ...item, identifier: 'steady' },
      ages.toReversed().map((age) => ({ at: hoursAgo(age * 24 + 1), followers: 1_000 - 10 * age })),
    );
    await observedItem(setup.db.sql, ann.workspace_id, { ...item, identifier: 'is.new' }, [
      { at: hoursAgo(1), followers: 70 },
    ]);
    const text = await overviewOf(ann);
    expect(text).toContain('Followers of 1 account in the last 7 days');
    expect(text).toContain('20 Nov 2026 1,000 19 Nov 2026 990');
    expect(text).toContain('1 account without a number on each of these days is not counted.');
  });

  test('the overview has ≈ before a total audience and a change to which a rounded number was added', async () => {
    const ann = await setup.member({ tier: 'pro' });
    const add = (identifier: string, numbers: readonly [number, number, number?][]) =>
      observedItem(
        setup.db.sql,
        ann.workspace_id,
        { platform: 'photo', kind: 'profile', url: 'https://www.instagram.com/', identifier, since: hoursAgo(960) },
        numbers.map(([days, followers, quality = 0]) => ({ at: hoursAgo(days * 24 + 1), followers, quality })),
      );
    await add('exact', [
      [30, 1_000],
      [7, 1_500],
      [0, 2_500],
    ]);
    expect(await overviewOf(ann)).toContain(
      'Followers of all accounts 2,500 1 account; one person can follow several Change in 7 days ↑ +1,000',
    );
    await add('rounded', [
      [7, 1_100_000, 1],
      [0, 1_200_000, 1],
    ]);
    const text = await overviewOf(ann);
    expect(text).toContain(
      'Followers of all accounts ≈1.2M 2 accounts; one person can follow several; ≈ rounded by the platform',
    );
    expect(text).toContain('Change in 7 days ↑ ≈+101,000 in the followers of 2 accounts');
    expect(text).toContain('Change in 30 days ↑ +1,500 in the followers of 1 account');
    expect(text).toMatch(/rounded Instagram profile ↑ ≈\+100,000/);
    expect(text).toMatch(/Instagram profile ↑ \+1,000/);
    expect(await textOf(ann, '/dashboard/tracking')).toMatch(/rounded .*≈1,200,000 .*↑ ≈\+100,000/);
  });
});
