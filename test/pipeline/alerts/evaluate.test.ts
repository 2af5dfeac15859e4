import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { evaluateChecks } from '../../../db/alerts/evaluate.ts';
import { lockPending } from '../../../db/alerts/pending.ts';
import { listRules } from '../../../db/alerts/rules.ts';
import { listDeliveries } from '../../../db/deliveries/webhook-deliveries.ts';
import { foldPastMonths } from '../../../db/observations/fold-months.ts';
import { addList, moveItems } from '../../../db/tracking/lists.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { evaluateAlerts } from '../../../pipeline/jobs/evaluate-alerts.ts';
import { type AlertSetup, createAlertSetup, type Found, start } from './alert-workspace.ts';

let setup: AlertSetup;
let mine: string;
let item: string;

beforeAll(async () => {
  setup = await createAlertSetup();
});
afterAll(() => setup.db.close());
beforeEach(async () => {
  setup.clock.now = start;
  mine = await setup.workspace(100);
  item = await setup.item(mine);
});

const followers = (...values: (number | null)[]): Found[] => values.map((value, day) => ({ day, followers: value }));
const failed = (...outcomes: string[]): Found[] => outcomes.map((outcome, day) => ({ day, outcome, followers: 5 }));

describe('an alert rule about a change in per cent', () => {
  test('a rule about a change in per cent raises an alert on the day of the rise or fall, and not before', async () => {
    await setup.rule(mine, { amount: 10, days: 1 });
    expect(await setup.alertDays(mine, item, followers(1_000, 1_099, 1_209, 1_088))).toEqual([2, 3]);
  });

  test('a rule about a change in per cent compares with the number of the chosen days ago', async () => {
    await setup.rule(mine, { amount: 10, days: 3 });
    expect(await setup.alertDays(mine, item, followers(1_000, 1_040, 1_070, 1_100, 1_120))).toEqual([3]);
  });

  test('a rule about a change in per cent ignores falls when only rises are chosen, and the other way round', async () => {
    await setup.rule(mine, { direction: 'up' });
    expect(await setup.alertDays(mine, item, followers(1_000, 500, 1_000))).toEqual([2]);
    const other = await setup.workspace(100);
    const theirs = await setup.item(other);
    await setup.rule(other, { direction: 'down' });
    expect(await setup.alertDays(other, theirs, followers(1_000, 500, 1_000))).toEqual([1]);
  });

  test('a rule about a change raises no alert for a missing number, never reads it as 0, and stores the reason', async () => {
    await setup.rule(mine);
    expect(await setup.alertDays(mine, item, followers(1_000, null, 1_000))).toEqual([]);
    expect((await listRules(setup.db.sql, mine))[0]).toMatchObject({ quiet_reason: 'missing' });
  });

  test('a rule about a change raises no alert for an exact and a rounded number, and stores the reason', async () => {
    await setup.rule(mine);
    const founds = [
      { day: 0, followers: 1_000 },
      { day: 1, followers: 2_000, rounded: true },
    ];
    expect(await setup.alertDays(mine, item, founds)).toEqual([]);
    expect((await listRules(setup.db.sql, mine))[0]).toMatchObject({ quiet_reason: 'exactness' });
  });

  test('a rule about a change raises no alert when the earlier number was 0, because a change from 0 has no percentage', async () => {
    await setup.rule(mine);
    expect(await setup.alertDays(mine, item, followers(0, 10))).toEqual([]);
  });

  test('an alert rule does not raise a second alert for the same item during its cool-down', async () => {
    await setup.rule(mine, { cooldown_hours: 47 });
    expect(await setup.alertDays(mine, item, followers(100, 200, 400, 800, 1_600))).toEqual([1, 3]);
  });
});

describe('an alert rule about a threshold', () => {
  test('a rule about a threshold raises one alert each time the number crosses it', async () => {
    await setup.rule(mine, { condition: 'above', amount: 1_000, days: null, direction: null });
    expect(await setup.alertDays(mine, item, followers(999, 1_001, 1_002, 1_000, 1_001))).toEqual([1, 4]);
  });

  test('a rule about a threshold raises the alert even when a number is missing between the two numbers', async () => {
    await setup.rule(mine, { condition: 'below', amount: 1_000, days: null, direction: null });
    expect(await setup.alertDays(mine, item, followers(1_001, null, 999))).toEqual([2]);
  });

  test('a rule about a threshold raises no alert when a rounded number crosses it', async () => {
    await setup.rule(mine, { condition: 'above', amount: 1_195_000, days: null, direction: null });
    const founds = [
      { day: 0, followers: 1_190_001 },
      { day: 1, followers: 1_200_000, rounded: true },
      { day: 2, followers: 1_190_002 },
      { day: 3, followers: 1_195_001 },
    ];
    expect(await setup.alertDays(mine, item, founds)).toEqual([3]);
  });

  test('a rule about a threshold raises no second alert when exact numbers follow the rounded ones that crossed it', async () => {
    await setup.rule(mine, { condition: 'above', amount: 99, days: null, direction: null });
    const founds = [
      { day: 0, followers: 90 },
      { day: 1, followers: 80, rounded: true },
      { day: 2, followers: 100, rounded: true },
      { day: 3, followers: 133 },
      { day: 4, followers: 99 },
      { day: 5, followers: 100 },
    ];
    expect(await setup.alertDays(mine, item, founds)).toEqual([2, 5]);
  });
});

describe('an alert rule about failed checks', () => {
  const state = { metric: null, direction: null, amount: null, days: null } as const;

  test('a rule about failed checks raises one alert when an item is not found, until it is found again', async () => {
    await setup.rule(mine, { condition: 'not_found', ...state });
    const gone = 'RESOURCE_NOT_FOUND';
    expect(await setup.alertDays(mine, item, failed('OK', gone, gone, 'OK', gone))).toEqual([1, 4]);
  });

  test('a rule about failed checks raises one alert when the handle belongs to another account', async () => {
    await setup.rule(mine, { condition: 'handle_changed', ...state });
    expect(await setup.alertDays(mine, item, failed('OK', 'IDENTITY_CHANGED', 'IDENTITY_CHANGED'))).toEqual([1]);
  });

  test('a rule about failed checks raises one alert after the chosen number of failures in a row', async () => {
    await setup.rule(mine, { condition: 'failing', checks: 2, ...state });
    const [fail, ok] = ['SOURCE_UNAVAILABLE', 'OK'];
    expect(await setup.alertDays(mine, item, failed(fail, ok, fail, 'SOURCE_TIMEOUT', fail, ok, fail, fail))).toEqual([
      3, 7,
    ]);
  });
});

describe('alert rules', () => {
  test('an alert rule applies to all items, to one item or to the items of one list', async () => {
    const { sql } = setup.db;
    const other = await setup.item(mine, 'bob');
    const list = (await addList(sql, mine, 'Friends', 5)) as string;
    await moveItems(sql, mine, [other], list);
    await setup.rule(mine, { name: 'all' });
    await setup.rule(mine, { name: 'one', scope: 'item', scope_id: item });
    await setup.rule(mine, { name: 'list', scope: 'list', scope_id: list });
    for (const id of [item, other]) await setup.alertDays(mine, id, followers(100, 200));
    const rows = await sql`
      select r.name, array_agg(a.item_id::text) as items from alerts a join alert_rules r using (workspace_id, rule_id)
      where workspace_id = ${mine} group by 1`;
    const items = Object.fromEntries(rows.map((row) => [row.name, row.items.toSorted()]));
    expect(items).toEqual({ all: [item, other].toSorted(), one: [item], list: [other] });
  });

  test('an alert rule never applies to items of another workspace', async () => {
    const other = await setup.workspace(100);
    await setup.rule(other);
    const theirs = await setup.rule(other, { scope: 'item', scope_id: item });
    expect(theirs).toBeNull();
    expect(await setup.alertDays(mine, item, followers(100, 200))).toEqual([]);
  });

  test('an alert rule sends one message about all items that raised an alert together, and a webhook event for each', async () => {
    await setup.endpoint(mine, 'https://hooks.example/', ['alert.raised']);
    const recipient = await setup.recipient(mine);
    await setup.rule(mine, { recipient_ids: [recipient] });
    const other = await setup.item(mine, 'bob');
    for (const found of followers(100, 200)) {
      for (const id of [item, other]) await setup.check(mine, id, found);
      await setup.evaluate();
    }
    const [message, ...more] = await setup.messages(mine);
    expect(more).toEqual([]);
    expect(message?.subject).toBe('2 alerts: My rule');
    expect(message?.tables?.[0]?.rows).toEqual([
      ['https://www.instagram.com/ann/', 'followers +100% in 1 day: 100 → 200'],
      ['https://www.instagram.com/bob/', 'followers +100% in 1 day: 100 → 200'],
    ]);
    expect(await listDeliveries(setup.db.sql, mine)).toHaveLength(2);
  });

  test('alert rules are evaluated once for a check: an interrupted evaluation is repeated, a finished one is not', async () => {
    await setup.rule(mine, { recipient_ids: [await setup.recipient(mine)] });
    for (const found of followers(100, 200)) await setup.check(mine, item, found);
    const interrupted = inTransaction(setup.db.sql, async (tx) => {
      await evaluateChecks(tx, (await lockPending(tx, { workspaces: [], since: null })).locked, setup.clock.now);
      throw new Error('killed');
    });
    await expect(interrupted).rejects.toThrow('killed');
    await setup.evaluate();
    await setup.evaluate();
    expect(await setup.messages(mine)).toHaveLength(1);
    const [row] = await setup.db.sql`select count(*)::int as n from alerts where workspace_id = ${mine}`;
    expect(row?.n).toBe(1);
  });

  test('each alert is raised once when several processes evaluate the same checks', async () => {
    await setup.rule(mine, { recipient_ids: [await setup.recipient(mine)] });
    for (const found of followers(100, 200, 400)) await setup.check(mine, item, found);
    await Promise.all(Array.from({ length: 4 }, setup.evaluate));
    const [row] = await setup.db.sql`select count(*)::int as n from alerts where workspace_id = ${mine}`;
    expect(row?.n).toBe(2);
  });

  test('an alert rule keeps its cool-down when several checks of one item are evaluated together', async () => {
    await setup.rule(mine, { cooldown_hours: 48 });
    for (const found of followers(100, 200, 400)) await setup.check(mine, item, found);
    await setup.evaluate();
    const [row] = await setup.db.sql`select count(*)::int as n from alerts where workspace_id = ${mine}`;
    expect(row?.n).toBe(1);
  });

  test('an alert about an item with a long name of emoji is stored, and its subject ends with a whole character', async () => {
    await setup.rule(mine, { recipient_ids: [await setup.recipient(mine)] });
    await setup.db.sql`update tracked_items set name = ${`a${'🌊'.repeat(100)}`} where item_id = ${item}`;
    for (const found of followers(100, 200)) await setup.check(mine, item, found);
    await setup.evaluate();
    const [message] = await setup.messages(mine);
    expect(message?.subject).toBe(`a${'🌊'.repeat(74)}`);
  });
});

describe('checks that are evaluated late', () => {
  test('checks of a month that are evaluated together send one message, newest day first, with the time of each late check', async () => {
    await setup.rule(mine, { recipient_ids: [await setup.recipient(mine)] });
    for (const found of followers(100, 200, 150, 150, 300)) await setup.check(mine, item, found);
    await setup.evaluate();
    const [message, ...more] = await setup.messages(mine);
    expect(more).toEqual([]);
    const name = 'https://www.instagram.com/ann/';
    expect(message?.tables?.[0]?.rows).toEqual([
      [name, 'followers +100% in 1 day: 150 → 300'],
      [name, 'followers −25% in 1 day: 200 → 150 (4 Nov 2026, 10:00 UTC)'],
      [name, 'followers +100% in 1 day: 100 → 200 (3 Nov 2026, 10:00 UTC)'],
    ]);
  });

  test('the newest alert of several items comes first, even when another item has more late checks', async () => {
    await setup.rule(mine, { recipient_ids: [await setup.recipient(mine)] });
    for (const found of followers(100, 200, 400, 800)) await setup.check(mine, item, found);
    const other = await setup.item(mine, 'zoe');
    const [, , before, newest] = followers(100, 100, 100, 300);
    for (const found of [before, newest]) if (found) await setup.check(mine, other, found);
    await setup.evaluate();
    const [message] = await setup.messages(mine);
    const names = message?.tables?.[0]?.rows.map(([name]) => name);
    const [ann, zoe] = ['https://www.instagram.com/ann/', 'https://www.instagram.com/zoe/'];
    expect(names).toEqual([expect.anything(), expect.anything(), ann, ann]);
    expect(names?.slice(0, 2).toSorted()).toEqual([ann, zoe]);
  });

  test('checks whose evaluation takes long are evaluated in several runs, and each alert is raised and sent once', async () => {
    await setup.rule(mine, { recipient_ids: [await setup.recipient(mine)] });
    for (const found of followers(100, 200, 150, 150, 300)) await setup.check(mine, item, found);
    let seconds = 0;
    const now = () => {
      seconds += 1;
      return new Date(setup.clock.now.getTime() + 1_000 * seconds);
    };
    const left: number[] = [];
    while (left.at(-1) !== 0) {
      await evaluateAlerts.run([], { ...setup.context, now });
      const pending = await setup.db.sql`
        select from check_attempts where workspace_id = ${mine} and alerts_pending`;
      left.push(pending.length);
    }
    expect(left).toEqual([2, 0]);
    const [row] = await setup.db.sql`select count(*)::int as n from alerts where workspace_id = ${mine}`;
    expect([row?.n, (await setup.messages(mine)).length]).toEqual([3, 2]);
  });

  test('a check raises its alert even when its month was moved before the check was evaluated', async () => {
    await setup.rule(mine, { condition: 'above', amount: 1_000, days: null, direction: null });
    for (const found of followers(999, 1_001, 1_002)) await setup.check(mine, item, found);
    setup.clock.now = new Date('2027-01-15T10:00:00Z');
    await foldPastMonths(setup.db.sql, setup.clock.now, new AbortController().signal);
    await setup.evaluate();
    const raised = await setup.db.sql`select previous, value from alerts where workspace_id = ${mine}`;
    expect([...raised]).toEqual([{ previous: 999, value: 1_001 }]);
  });
});
