import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../db/ids.ts';
import { changeWorkSettings } from '../../db/work-settings.ts';
import { createDashboardBench, type DashboardBench, type Member } from './dashboard-bench.ts';
import { observedItem } from './observed.ts';

let bench: DashboardBench;
beforeAll(async () => {
  bench = await createDashboardBench();
});
afterAll(() => bench.close());

const hour_ms = 3_600_000;
const overviewOf = async (member: Member) =>
  (await (await member.get('/dashboard')).text()).replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
const hoursAgo = (hours: number) => new Date(bench.clock.now.getTime() - hours * hour_ms);
const tracked = (member: Member, identifier: string, outcome: string) =>
  observedItem(
    bench.db.sql,
    member.workspace_id,
    { platform: 'photo', kind: 'profile', url: 'https://www.instagram.com/', identifier, since: hoursAgo(72) },
    [
      { at: hoursAgo(30), followers: 3 },
      { at: hoursAgo(6), followers: 3, outcome },
    ],
  );

describe('the overview', () => {
  test('leads a new workspace through its first steps, and nothing needs attention', async () => {
    const ann = await bench.member();
    const words = await overviewOf(ann);
    expect(words).toContain('First steps');
    expect(words).toContain('Balance 100');
    expect(words).toContain('Nothing: everything goes its way.');
    expect(words).not.toContain('Done:');
    await ann.post('/dashboard/keys', { name: 'first', kind: 'live' });
    expect(await overviewOf(ann)).toContain('Done: Make a key');
  });

  test('names what needs attention: balance, pause, cap, batches and items whose last check gave nothing', async () => {
    const ann = await bench.member({ tier: 'pro', credits: 40 });
    const { workspace_id } = ann;
    await tracked(ann, 'works', 'OK');
    await tracked(ann, 'locked', 'SOURCE_RESTRICTED');
    const paused = await tracked(ann, 'resting', 'SOURCE_TIMEOUT');
    await ann.post(`/dashboard/tracking/${paused}/pause`, {});
    const settings = { paused: true, monthly_cap: 0, low_balance_alert: 50 };
    await changeWorkSettings(bench.db.sql, workspace_id, settings, bench.clock.now);
    await bench.db.sql`
      insert into batches (workspace_id, batch_id, name, status, waiting_for, created_at)
      values (${workspace_id}, ${newId()}, 'Autumn', 'paused', 'CAP_REACHED', ${bench.clock.now})`;
    const words = await overviewOf(ann);
    expect(words).toContain('The balance is low: 40 credits.');
    expect(words).toContain('All scheduled work is paused.');
    expect(words).toContain('The monthly cap of 0 credits is reached');
    expect(words).toContain('Bulk analysis Autumn waits: the monthly cap is reached.');
    expect(words).toMatch(/Photo profile locked : the source restricts access/);
    expect(words).toContain('Tracked items that are paused : 1');
    expect(words).not.toContain('Photo profile works');
    expect(words).not.toContain('Photo profile resting');
  });

  test('counts the items that fail beyond those it names', async () => {
    const ann = await bench.member({ tier: 'pro' });
    for (let n = 0; n < 7; n += 1) await tracked(ann, `fails.${n}`, 'SOURCE_TIMEOUT');
    const words = await overviewOf(ann);
    expect(words.split('the source did not answer in time').length - 1).toBe(5);
    expect(words).toContain('Further items whose last check gave nothing : 2');
  });

  test('shows the month as the usage counts it, and nothing of another workspace', async () => {
    const [ann, bob] = [await bench.member({ tier: 'pro' }), await bench.member({ name: 'Bob', tier: 'pro' })];
    await tracked(ann, 'secret.of.ann', 'SOURCE_TIMEOUT');
    await bench.db.sql`
      insert into usage (workspace_id, day, key_id, route, outcome, requests, credits) values
        (${ann.workspace_id}, '2026-11-02', ${newId()}, '/v1/photo/profile', 'OK', 12, 24),
        (${ann.workspace_id}, '2026-10-31', ${newId()}, '/v1/photo/profile', 'OK', 99, 99)`;
    expect(await overviewOf(ann)).toContain('Requests this month 12 24 credits');
    const other = await overviewOf(bob);
    expect(other).toContain('Requests this month 0 0 credits');
    expect(other).not.toContain('secret.of.ann');
  });
});
