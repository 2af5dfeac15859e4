import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listNotifications } from '../../../db/alerts/notifications.ts';
import { insertCampaign, moveCampaign } from '../../../db/campaigns/campaigns.ts';
import { addTarget, recordPush } from '../../../db/deliveries/sheet-targets.ts';
import { newId } from '../../../db/ids.ts';
import { addList } from '../../../db/tracking/lists.ts';
import { recordSkip } from '../../../db/tracking/waiting-checks.ts';
import { alone } from '../../../db/transaction.ts';
import { sendDigests } from '../../../pipeline/jobs/send-digests.ts';
import { type AlertSetup, createAlertSetup, dayMs, start } from './alert-workspace.ts';

let setup: AlertSetup;
let mine: string;

beforeAll(async () => {
  setup = await createAlertSetup();
});
afterAll(() => setup.db.close());
beforeEach(async () => {
  setup.clock.now = start;
  await setup.db.sql`delete from workspaces`;
  mine = await setup.workspace(100);
});

const run = (time: string) => {
  setup.clock.now = new Date(time);
  return sendDigests.run([], setup.context);
};

/**
 * Stores each item's follower counts on two consecutive days, for a daily summary. `rounded` says for each day whether
 * the platform rounded the counts.
 */
async function observe(
  numbers: Record<string, [number | null, number | null]>,
  rounded: [boolean, boolean] = [false, false],
): Promise<void> {
  for (const [handle, [before, after]] of Object.entries(numbers)) {
    const item = await setup.item(mine, handle);
    await setup.check(mine, item, { day: 0, followers: before, rounded: rounded[0] });
    await setup.check(mine, item, { day: 1, followers: after, rounded: rounded[1] });
  }
}

const url = (handle: string) => `https://www.instagram.com/${handle}/`;

test('a daily summary names the items that changed most, and leaves out missing and unchanged numbers', async () => {
  await setup.recipient(mine, { topics: ['daily_digest'] });
  await observe({ up: [1_000, 1_100], down: [1_000, 500], same: [7, 7], missing: [5, null], zero: [0, 9] });
  await run('2026-11-03T11:10:00Z');
  const [message, ...more] = await setup.messages(mine);
  expect(more).toEqual([]);
  expect(message?.subject).toBe('Your daily summary: 2 changes, 0 failed checks');
  expect(message?.tables?.[0]?.rows).toEqual([
    [url('down'), '500 followers', '−50%'],
    [url('up'), '1,100 followers', '+10%'],
  ]);
});

test('a daily summary compares no rounded number with an exact one', async () => {
  await setup.recipient(mine, { topics: ['daily_digest'] });
  await observe({ up: [1_000, 1_100] }, [false, true]);
  await run('2026-11-03T11:10:00Z');
  expect(await setup.messages(mine)).toEqual([]);
});

test('a daily summary has ≈ before a number that the platform rounded, and before its change', async () => {
  await setup.recipient(mine, { topics: ['daily_digest'] });
  await observe({ up: [1_000, 1_100] }, [true, true]);
  await run('2026-11-03T11:10:00Z');
  const [message] = await setup.messages(mine);
  expect(message?.tables?.[0]?.rows).toEqual([[url('up'), '≈1,100 followers', '≈+10%']]);
});

test('a daily summary counts all changes and all failed checks, also those that it does not list', async () => {
  await setup.recipient(mine, { topics: ['daily_digest'] });
  const names = (kind: string, items: number) => Array.from({ length: items }, (_, index) => `${kind}${index}`);
  await observe(Object.fromEntries(names('up', 11).map((name) => [name, [1_000, 1_100]])));
  for (const name of names('gone', 22))
    await setup.check(mine, await setup.item(mine, name), { day: 1, outcome: 'RESOURCE_NOT_FOUND' });
  await run('2026-11-03T11:10:00Z');
  const [message] = await setup.messages(mine);
  expect(message?.subject).toBe('Your daily summary: 11 changes, 22 failed checks');
  expect([message?.lines, message?.tables?.[0]?.rows.length]).toEqual([
    ['The 10 biggest changes of the last day:'],
    10,
  ]);
  expect(message?.notes?.slice(19)).toEqual([expect.stringContaining('Failed: '), 'And 2 more failed checks.']);
});

test('a daily summary compares the likes of Instagram posts, because photos have no views', async () => {
  await setup.recipient(mine, { topics: ['daily_digest'] });
  const { sql } = setup.db;
  const item = await setup.item(mine, 'photo');
  await sql`update tracked_items set kind = 'post' where item_id = ${item}`;
  for (const [day, likes] of [1_000, 1_200].entries())
    await sql`
      insert into observations (workspace_id, item_id, observed_at, likes, source)
      values (${mine}, ${item}, ${new Date(start.getTime() + day * dayMs)}, ${likes}, 'invented')`;
  await run('2026-11-03T11:10:00Z');
  const [message] = await setup.messages(mine);
  expect(message?.tables?.[0]?.rows).toEqual([[url('photo'), '1,200 likes', '+20%']]);
});

test('a daily summary does not show a small change as 0', async () => {
  await setup.recipient(mine, { topics: ['daily_digest'] });
  await observe({ up: [1_000_000, 1_000_100] });
  await run('2026-11-03T11:10:00Z');
  const [message] = await setup.messages(mine);
  expect(message?.tables?.[0]?.rows).toEqual([[url('up'), '1,000,100 followers', '<0.1%']]);
});

test('a daily summary tells skipped checks from failed ones, and leaves out those that the user paused', async () => {
  await setup.recipient(mine, { topics: ['daily_digest'] });
  const skipped = { SKIPPED_CAP_REACHED: 'capped', SKIPPED_PAUSED: 'paused' };
  for (const [outcome, handle] of Object.entries(skipped))
    await recordSkip(setup.db.sql, {
      ...{ workspace_id: mine, item_id: await setup.item(mine, handle), outcome },
      ...{ now: start, retry_at: start },
    });
  await run('2026-11-03T09:10:00Z');
  const [message] = await setup.messages(mine);
  expect(message?.subject).toBe('Your daily summary: 0 changes, 1 failed or skipped check');
  expect(message?.lines).toEqual(['No changes are known for the last day.']);
  expect(message?.notes).toEqual([`Skipped: ${url('capped')}. The monthly cap was reached.`]);
});

test('a daily summary lists failed checks, is sent once a day from 07:00 UTC, and only when a number changed or a check failed', async () => {
  await setup.recipient(mine, { topics: ['daily_digest'] });
  await run('2026-11-02T11:10:00Z');
  expect(await setup.messages(mine)).toEqual([]);
  await setup.check(mine, await setup.item(mine, 'gone'), { day: 0.5, outcome: 'RESOURCE_NOT_FOUND' });
  await run('2026-11-03T06:10:00Z');
  expect(await setup.messages(mine)).toEqual([]);
  for (const hour of ['07', '08', '23']) await run(`2026-11-03T${hour}:10:00Z`);
  const messages = await setup.messages(mine);
  expect(messages.map(({ notes }) => notes)).toEqual([[`Failed: ${url('gone')}. Not found (deleted or renamed?).`]]);
});

test('a weekly summary is sent on Monday only', async () => {
  await setup.recipient(mine, { topics: ['weekly_digest'] });
  await setup.check(mine, await setup.item(mine, 'gone'), { day: 5, outcome: 'RESOURCE_NOT_FOUND' });
  await run('2026-11-08T12:10:00Z');
  expect(await setup.messages(mine)).toEqual([]);
  await run('2026-11-09T12:10:00Z');
  expect(await setup.messages(mine)).toHaveLength(1);
});

test('failures of scheduled work are sent once a day, with the reason', async () => {
  await setup.recipient(mine, { topics: ['failures'] });
  const target = { workspace_id: mine, target_id: newId(), list_id: newId(), spreadsheet_id: 'a', sheet_name: 'Fans' };
  const result = { mode: 'append', last_outcome: 'REFUSED', last_message: 'Share the file first.' };
  await setup.db.sql`insert into sheet_targets ${setup.db.sql({ ...target, ...result, last_pushed_at: start })}`;
  for (const hour of ['11', '12']) await run(`2026-11-02T${hour}:10:00Z`);
  const messages = await setup.messages(mine);
  expect(messages.map(({ subject, tables }) => [subject, tables?.[0]?.rows])).toEqual([
    ['1 import, spreadsheet or webhook failed', [['Spreadsheet Fans', 'Share the file first.']]],
  ]);
});

test('when more scheduled work failed than a summary lists, it lists the first by name', async () => {
  const { sql } = setup.db;
  await setup.recipient(mine, { topics: ['failures'] });
  const names = Array.from({ length: 22 }, (_, index) => `Sheet ${String.fromCharCode(97 + index)}`);
  for (const name of names.toReversed()) {
    const target = { workspace_id: mine, target_id: newId(), list_id: newId(), spreadsheet_id: 'a', sheet_name: name };
    await sql`insert into sheet_targets ${sql({ ...target, mode: 'append', last_outcome: 'REFUSED' })}`;
  }
  await run('2026-11-02T11:10:00Z');
  const [message] = await setup.messages(mine);
  expect(message?.tables?.[0]?.rows.map(([what]) => what)).toEqual(
    names.slice(0, 20).map((name) => `Spreadsheet ${name}`),
  );
});

test('a spreadsheet whose last write failed is among the failures of each day until a write succeeds', async () => {
  const { sql } = setup.db;
  await setup.recipient(mine, { topics: ['failures'] });
  const listId = await addList(sql, mine, 'Fans', 10);
  const target = {
    campaign_id: null,
    list_id: listId,
    spreadsheet_id: 'a',
    sheet_name: 'Fans',
    mode: 'append',
  } as const;
  const { target_id: targetId } = await addTarget(sql, mine, target);
  const push = (outcome: string, day: string | null) =>
    recordPush(sql, mine, targetId ?? '', { outcome, message: 'Why.', pushed_at: day === null ? null : new Date(day) });
  await push('OK', '2026-11-02T00:11:00Z');
  await push('NOT_SHARED', null);
  for (const day of ['03', '04']) await run(`2026-11-${day}T07:10:00Z`);
  expect(await setup.messages(mine)).toHaveLength(2);
  await push('OK', '2026-11-05T00:11:00Z');
  await run('2026-11-05T07:10:00Z');
  expect(await setup.messages(mine)).toHaveLength(2);
});

test('a spreadsheet of a paused campaign is not among the failures, because nothing is written into it', async () => {
  const { sql } = setup.db;
  await setup.recipient(mine, { topics: ['failures'] });
  const campaign = { name: 'Spring', report_name: null, starts_on: '2026-11-02', ends_on: null };
  const limits = { slots: 20, total: 100 };
  const campaignId = (await alone(sql, mine, (tx) => insertCampaign(tx, mine, campaign, limits))) ?? '';
  const target = {
    campaign_id: campaignId,
    list_id: null,
    spreadsheet_id: 'a',
    sheet_name: 'Fans',
    mode: 'append',
  } as const;
  const { target_id: targetId } = await addTarget(sql, mine, target);
  await recordPush(sql, mine, targetId ?? '', { outcome: 'NOT_SHARED', message: 'Why.', pushed_at: null });
  await moveCampaign(sql, mine, campaignId, { from: ['active'], to: 'paused' });
  await run('2026-11-03T07:10:00Z');
  expect(await setup.messages(mine)).toEqual([]);
  await moveCampaign(sql, mine, campaignId, { from: ['paused'], to: 'active' });
  await run('2026-11-03T08:10:00Z');
  expect(await setup.messages(mine)).toHaveLength(1);
});

test('summaries are sent only to recipients who subscribed to them and confirmed their address', async () => {
  const chosen = await setup.recipient(mine, { topics: ['daily_digest'] });
  await setup.recipient(mine, { topics: ['weekly_report'], address: 'other@example.com' });
  await setup.recipient(mine, { topics: ['daily_digest'], address: 'new@example.com' }, false);
  await observe({ up: [1_000, 1_100] });
  await run('2026-11-03T11:10:00Z');
  const log = await listNotifications(setup.db.sql, mine);
  expect(log.map(({ recipient_id, kind }) => [recipient_id, kind])).toEqual([[chosen, 'daily_digest']]);
});
