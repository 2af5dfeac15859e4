import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorkspace, inTransaction } from '../../../db/accounts/workspaces.ts';
import { freezeReport } from '../../../db/campaigns/reports.ts';
import {
  addTarget,
  campaignSpreadsheets,
  dueReports,
  dueTargets,
  listedItems,
  listTargets,
  type NewTarget,
  recordPush,
  removeTarget,
} from '../../../db/deliveries/sheet-targets.ts';
import { newId } from '../../../db/ids.ts';
import { addList, moveItem, removeList } from '../../../db/tracking/items.ts';
import { keepItem, keepObservations, observed, utc } from '../../pipeline/report/report-data.ts';
import { createTestDatabase, type TestDatabase } from '../../setup/test-database.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.close());

const today = utc('2030-11-20T00:00:00');
const workspace = async () =>
  (await inTransaction(db.sql, (tx) => createWorkspace(tx, { name: 'test', credits: 0 }))).workspace_id;

async function campaign(workspace_id: string, status = 'active'): Promise<string> {
  const row = { workspace_id, campaign_id: newId(), name: 'Autumn', status, starts_on: '2030-01-01' };
  await db.sql`insert into campaigns ${db.sql(row)}`;
  return row.campaign_id;
}

async function report(workspace_id: string, campaign_id: string, period_end: Date): Promise<string> {
  const report_id = newId();
  const period_start = new Date(period_end.getTime() - 7 * 86_400_000);
  await freezeReport(db.sql, { workspace_id, campaign_id, report_id, period_start, period_end, body: report_id });
  return report_id;
}

const place = { spreadsheet_id: 'invented-spreadsheet-0001', sheet_name: 'Report', mode: 'append' } as const;
const add = async (workspace_id: string, of: Partial<NewTarget>) => {
  const { target_id } = await addTarget(db.sql, workspace_id, { campaign_id: null, list_id: null, ...place, ...of });
  return target_id ?? expect.fail('no target');
};
const target = async (workspace_id: string, target_id: string) =>
  (await listTargets(db.sql, workspace_id)).find((one) => one.target_id === target_id) ?? expect.fail('no target');
const pushed = (workspace_id: string, target_id: string, pushed_at: Date | null) =>
  recordPush(db.sql, workspace_id, target_id, { outcome: pushed_at ? 'OK' : 'NOT_SHARED', message: 'm', pushed_at });
const due = async (target_id: string) => {
  const [target] = (await dueTargets(db.sql, today)).filter((one) => one.target_id === target_id);
  if (target) {
    expect(await dueTargets(db.sql, today, target)).toContainEqual(target);
    expect(await dueTargets(db.sql, today, { ...target, workspace_id: newId() })).toEqual([]);
    expect(await dueTargets(db.sql, today, { ...target, spreadsheet_id: 'another' })).toEqual([]);
  }
  return target !== undefined;
};

describe('a target', () => {
  test('belongs to a campaign or list of its workspace', async () => {
    const [mine, other] = [await workspace(), await workspace()];
    const campaign_id = await campaign(mine);
    const list_id = await addList(db.sql, mine, 'Rivals', 5);
    const none = { target_id: null, reason: 'unknown' };
    expect(await addTarget(db.sql, other, { ...place, campaign_id, list_id: null })).toEqual(none);
    expect(await addTarget(db.sql, other, { ...place, campaign_id: null, list_id })).toEqual(none);
    const target_id = await add(mine, { campaign_id });
    expect(await removeTarget(db.sql, other, target_id)).toBe(false);
    await add(mine, { campaign_id, sheet_name: 'Another tab' });
    expect(await campaignSpreadsheets(db.sql, other, campaign_id)).toEqual([]);
    expect(await campaignSpreadsheets(db.sql, mine, campaign_id)).toEqual([
      { workspace_id: mine, spreadsheet_id: place.spreadsheet_id },
    ]);
    expect(await removeTarget(db.sql, mine, target_id)).toBe(true);
    expect(await listTargets(db.sql, mine)).toMatchObject([{ sheet_name: 'Another tab' }]);
    expect(await listTargets(db.sql, other)).toEqual([]);
  });

  test('is one of twenty at most, whatever arrives at once', async () => {
    const workspace_id = await workspace();
    const wish = { ...place, campaign_id: await campaign(workspace_id), list_id: null };
    const added = await Promise.all(Array.from({ length: 30 }, () => addTarget(db.sql, workspace_id, wish)));
    expect(added.filter(({ target_id }) => target_id !== null)).toHaveLength(20);
    expect(added.find(({ target_id }) => target_id === null)).toEqual({ target_id: null, reason: 'full' });
  });

  test('shows its last push, and a failed one keeps the time of the last that succeeded', async () => {
    const workspace_id = await workspace();
    const target_id = await add(workspace_id, { campaign_id: await campaign(workspace_id) });
    await pushed(workspace_id, target_id, today);
    await pushed(workspace_id, target_id, null);
    expect(await listTargets(db.sql, workspace_id)).toMatchObject([
      { last_outcome: 'NOT_SHARED', last_message: 'm', last_pushed_at: today },
    ]);
  });
});

describe('a list', () => {
  test('is due until it was written on the day', async () => {
    const workspace_id = await workspace();
    const target_id = await add(workspace_id, { list_id: await addList(db.sql, workspace_id, 'Rivals', 5) });
    expect(await due(target_id)).toBe(true);
    await pushed(workspace_id, target_id, new Date(today.getTime() - 1));
    expect(await due(target_id)).toBe(true);
    await pushed(workspace_id, target_id, null);
    expect(await due(target_id)).toBe(true);
    await pushed(workspace_id, target_id, today);
    expect(await due(target_id)).toBe(false);
  });

  test('that was removed is not due', async () => {
    const workspace_id = await workspace();
    const list_id = (await addList(db.sql, workspace_id, 'Rivals', 5)) ?? '';
    const target_id = await add(workspace_id, { list_id });
    await removeList(db.sql, workspace_id, list_id);
    expect(await due(target_id)).toBe(false);
  });

  test('gives each item with its last observation since a moment, and none of other lists', async () => {
    const workspace_id = await workspace();
    const list_id = (await addList(db.sql, workspace_id, 'Rivals', 5)) ?? '';
    const a = await keepItem(db.sql, workspace_id, { name: 'a' });
    const b = await keepItem(db.sql, workspace_id, { created_at: utc('2026-01-02T00:00:00') });
    await keepItem(db.sql, workspace_id);
    for (const item_id of [a, b]) await moveItem(db.sql, workspace_id, item_id, list_id);
    await keepObservations(db.sql, workspace_id, [
      observed(a, '2026-11-18T10:00:00', { followers: 1 }),
      observed(a, '2026-11-19T10:00:00', { followers: 2 }),
      observed(b, '2026-10-01T10:00:00', { followers: 3 }),
    ]);
    const items = await listedItems(db.sql, workspace_id, list_id, utc('2026-11-01T00:00:00'));
    expect(items.map(({ item_id, followers }) => ({ item_id, followers }))).toEqual([
      { item_id: a, followers: 2 },
      { item_id: b, followers: null },
    ]);
    expect(items[0]).toMatchObject({ list_name: 'Rivals', name: 'a', observed_at: utc('2026-11-19T10:00:00') });
    expect(items[1]?.observed_at).toBeNull();
  });
});

describe('the reports of a campaign', () => {
  const monday = (day: number) => utc(`2030-11-${String(day).padStart(2, '0')}T00:00:00`);

  test('that came after the last push are due, oldest first; of a new target and of one that holds a single report, the newest', async () => {
    const workspace_id = await workspace();
    const campaign_id = await campaign(workspace_id);
    const target_id = await add(workspace_id, { campaign_id });
    expect(await due(target_id)).toBe(false);
    const [first, second, third] = [
      await report(workspace_id, campaign_id, monday(4)),
      await report(workspace_id, campaign_id, monday(11)),
      await report(workspace_id, campaign_id, monday(18)),
    ];
    expect(first).not.toBe(second);
    expect(await due(target_id)).toBe(true);
    expect(await dueReports(db.sql, await target(workspace_id, target_id))).toEqual([third]);
    await pushed(workspace_id, target_id, monday(5));
    const after = await target(workspace_id, target_id);
    expect(await dueReports(db.sql, after)).toEqual([second, third]);
    expect(await dueReports(db.sql, { ...after, mode: 'replace' })).toEqual([third]);
    await pushed(workspace_id, target_id, monday(19));
    expect(await dueReports(db.sql, await target(workspace_id, target_id))).toEqual([]);
    expect(await due(target_id)).toBe(false);
  });

  test('are not due while it is paused', async () => {
    const workspace_id = await workspace();
    const campaign_id = await campaign(workspace_id, 'paused');
    const target_id = await add(workspace_id, { campaign_id });
    await report(workspace_id, campaign_id, monday(4));
    expect(await due(target_id)).toBe(false);
  });
});
