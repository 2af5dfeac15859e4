import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorkspace } from '../../../db/accounts/workspaces.ts';
import { freezeReport } from '../../../db/campaigns/reports.ts';
import {
  addTarget,
  campaignSpreadsheets,
  dueTargets,
  listedItems,
  listTargets,
  recordPush,
  removeTarget,
  reportsToWrite,
} from '../../../db/deliveries/sheet-targets.ts';
import { newId } from '../../../db/ids.ts';
import { addList, moveItems, removeList } from '../../../db/tracking/lists.ts';
import { inTransaction } from '../../../db/transaction.ts';
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

async function campaign(workspaceId: string, status = 'active'): Promise<string> {
  const row = { workspace_id: workspaceId, campaign_id: newId(), name: 'Autumn', status, starts_on: '2030-01-01' };
  await db.sql`insert into campaigns ${db.sql(row)}`;
  return row.campaign_id;
}

async function report(workspaceId: string, campaignId: string, periodEnd: Date): Promise<string> {
  const reportId = newId();
  const periodStart = new Date(periodEnd.getTime() - 7 * 86_400_000);
  await freezeReport(db.sql, {
    workspace_id: workspaceId,
    campaign_id: campaignId,
    report_id: reportId,
    period_start: periodStart,
    period_end: periodEnd,
    body: reportId,
  });
  return reportId;
}

const place = { spreadsheet_id: 'invented-spreadsheet-0001', sheet_name: 'Report', mode: 'append' } as const;
const add = async (workspaceId: string, of: Partial<Parameters<typeof addTarget>[2]>) => {
  const { target_id } = await addTarget(db.sql, workspaceId, { campaign_id: null, list_id: null, ...place, ...of });
  return target_id ?? expect.fail('no target');
};
const target = async (workspaceId: string, targetId: string) =>
  (await listTargets(db.sql, workspaceId)).find((one) => one.target_id === targetId) ?? expect.fail('no target');
const pushed = (workspaceId: string, targetId: string, pushedAt: Date | null) =>
  recordPush(db.sql, workspaceId, targetId, {
    outcome: pushedAt ? 'OK' : 'NOT_SHARED',
    message: 'm',
    pushed_at: pushedAt,
  });
const due = async (targetId: string) => {
  const [target] = (await dueTargets(db.sql, today)).filter((one) => one.target_id === targetId);
  if (target) {
    expect(await dueTargets(db.sql, today, target)).toContainEqual(target);
    expect(await dueTargets(db.sql, today, { ...target, workspace_id: newId() })).toEqual([]);
    expect(await dueTargets(db.sql, today, { ...target, spreadsheet_id: 'another' })).toEqual([]);
  }
  return target !== undefined;
};

describe('a sheet target (a spreadsheet that receives data)', () => {
  test('a sheet target belongs to a campaign or list of its workspace', async () => {
    const [mine, other] = [await workspace(), await workspace()];
    const campaignId = await campaign(mine);
    const listId = await addList(db.sql, mine, 'Rivals', 5);
    const none = { target_id: null, reason: 'unknown' };
    expect(await addTarget(db.sql, other, { ...place, campaign_id: campaignId, list_id: null })).toEqual(none);
    expect(await addTarget(db.sql, other, { ...place, campaign_id: null, list_id: listId })).toEqual(none);
    const targetId = await add(mine, { campaign_id: campaignId });
    expect(await removeTarget(db.sql, other, targetId)).toBe(false);
    await add(mine, { campaign_id: campaignId, sheet_name: 'Another tab' });
    expect(await campaignSpreadsheets(db.sql, other, campaignId)).toEqual([]);
    expect(await campaignSpreadsheets(db.sql, mine, campaignId)).toEqual([
      { workspace_id: mine, spreadsheet_id: place.spreadsheet_id },
    ]);
    expect(await removeTarget(db.sql, mine, targetId)).toBe(true);
    expect(await listTargets(db.sql, mine)).toMatchObject([{ sheet_name: 'Another tab' }]);
    expect(await listTargets(db.sql, other)).toEqual([]);
  });

  test('a workspace with twenty sheet targets gets no more, even when many are added at the same time', async () => {
    const workspaceId = await workspace();
    const newTarget = { ...place, campaign_id: await campaign(workspaceId), list_id: null };
    const added = await Promise.all(Array.from({ length: 30 }, () => addTarget(db.sql, workspaceId, newTarget)));
    expect(added.filter(({ target_id }) => target_id !== null)).toHaveLength(20);
    expect(added.find(({ target_id }) => target_id === null)).toEqual({ target_id: null, reason: 'full' });
  });

  test('a sheet target shows its last push, and a failed push keeps the time of the last successful push', async () => {
    const workspaceId = await workspace();
    const targetId = await add(workspaceId, { campaign_id: await campaign(workspaceId) });
    await pushed(workspaceId, targetId, today);
    await pushed(workspaceId, targetId, null);
    expect(await listTargets(db.sql, workspaceId)).toMatchObject([
      { last_outcome: 'NOT_SHARED', last_message: 'm', last_pushed_at: today },
    ]);
  });
});

describe('a tracking list with a sheet target', () => {
  test('a tracking list is due for a push until it was pushed on that day', async () => {
    const workspaceId = await workspace();
    const targetId = await add(workspaceId, { list_id: await addList(db.sql, workspaceId, 'Rivals', 5) });
    expect(await due(targetId)).toBe(true);
    await pushed(workspaceId, targetId, new Date(today.getTime() - 1));
    expect(await due(targetId)).toBe(true);
    await pushed(workspaceId, targetId, null);
    expect(await due(targetId)).toBe(true);
    await pushed(workspaceId, targetId, today);
    expect(await due(targetId)).toBe(false);
  });

  test('a removed tracking list is not due for a push', async () => {
    const workspaceId = await workspace();
    const listId = (await addList(db.sql, workspaceId, 'Rivals', 5)) ?? '';
    const targetId = await add(workspaceId, { list_id: listId });
    await removeList(db.sql, workspaceId, listId);
    expect(await due(targetId)).toBe(false);
  });

  test('a tracking list gives its own items to a push, each with the last observation since a given time', async () => {
    const workspaceId = await workspace();
    const listId = (await addList(db.sql, workspaceId, 'Rivals', 5)) ?? '';
    const a = await keepItem(db.sql, workspaceId, { name: 'a' });
    const b = await keepItem(db.sql, workspaceId, { created_at: utc('2026-01-02T00:00:00') });
    await keepItem(db.sql, workspaceId);
    await moveItems(db.sql, workspaceId, [a, b], listId);
    await keepObservations(db.sql, workspaceId, [
      observed(a, '2026-11-18T10:00:00', { followers: 1 }),
      observed(a, '2026-11-19T10:00:00', { followers: 2 }),
      observed(b, '2026-10-01T10:00:00', { followers: 3 }),
    ]);
    const items = await listedItems(db.sql, workspaceId, listId, utc('2026-11-01T00:00:00'));
    expect(items.map(({ item_id, followers }) => ({ item_id, followers }))).toEqual([
      { item_id: a, followers: 2 },
      { item_id: b, followers: null },
    ]);
    expect(items[0]).toMatchObject({ list_name: 'Rivals', name: 'a', observed_at: utc('2026-11-19T10:00:00') });
    expect(items[1]?.observed_at).toBeNull();
  });
});

describe('the reports of a campaign with a sheet target', () => {
  const monday = (day: number) => utc(`2030-11-${String(day).padStart(2, '0')}T00:00:00`);

  test('reports since the last push are due, oldest first, and a new target or one that shows one report gets only the newest', async () => {
    const workspaceId = await workspace();
    const campaignId = await campaign(workspaceId);
    const targetId = await add(workspaceId, { campaign_id: campaignId });
    expect(await due(targetId)).toBe(false);
    const [first, second, third] = [
      await report(workspaceId, campaignId, monday(4)),
      await report(workspaceId, campaignId, monday(11)),
      await report(workspaceId, campaignId, monday(18)),
    ];
    expect(first).not.toBe(second);
    expect(await due(targetId)).toBe(true);
    expect(await reportsToWrite(db.sql, await target(workspaceId, targetId))).toEqual([third]);
    await pushed(workspaceId, targetId, monday(5));
    const after = await target(workspaceId, targetId);
    expect(await reportsToWrite(db.sql, after)).toEqual([second, third]);
    expect(await reportsToWrite(db.sql, { ...after, mode: 'replace' })).toEqual([third]);
    await pushed(workspaceId, targetId, monday(19));
    expect(await reportsToWrite(db.sql, await target(workspaceId, targetId))).toEqual([]);
    expect(await due(targetId)).toBe(false);
  });

  test('reports are not due for a push while the campaign is paused', async () => {
    const workspaceId = await workspace();
    const campaignId = await campaign(workspaceId, 'paused');
    const targetId = await add(workspaceId, { campaign_id: campaignId });
    await report(workspaceId, campaignId, monday(4));
    expect(await due(targetId)).toBe(false);
  });
});
