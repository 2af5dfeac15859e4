import { beforeEach, describe, expect, test } from 'vitest';
import { insertCampaign } from '../../../db/campaigns/campaigns.ts';
import { readCampaignItems } from '../../../db/campaigns/reports.ts';
import { listItems } from '../../../db/tracking/items.ts';
import { removeItems } from '../../../db/tracking/removals.ts';
import { alone, inTransaction } from '../../../db/transaction.ts';
import { attachToCampaign, detachFromCampaign } from '../../../pipeline/campaigns/campaigns.ts';
import { collide, untilLockWaits } from '../../setup/lock-waits.ts';
import { openLockSetup } from '../lock-setup.ts';

const setup = await openLockSetup();
const { sql, now } = setup;
let workspaceId: string;
let campaignId: string;
let items: string[];
beforeEach(async () => {
  workspaceId = await setup.workspace();
  const campaign = { name: 'Spring', report_name: null, starts_on: '2026-11-01', ends_on: null };
  const limits = { slots: 20, total: 100 };
  campaignId = (await alone(sql, workspaceId, (tx) => insertCampaign(tx, workspaceId, campaign, limits))) ?? '';
  items = [await setup.item(workspaceId, 'a'), await setup.item(workspaceId, 'b')].toSorted();
});

const remove = (ids: readonly string[]) => removeItems(sql, workspaceId, ids, now);
const attach = (ids: readonly string[]) => attachToCampaign(sql, workspaceId, campaignId, ids);
const members = async () => (await readCampaignItems(sql, workspaceId, campaignId)).map(({ item_id }) => item_id);

describe('items that are added to a campaign while one of them is removed', () => {
  test('are refused with the same sentence as after the removal, and none is added', async () => {
    const [removed = '', kept = ''] = items;
    const refused = () => attach([kept, removed]).catch((error: unknown) => error);
    const [, error] = await collide(
      sql,
      (tx) => tx`select from tracked_items where workspace_id = ${workspaceId} and item_id = ${removed} for update`,
      () => remove([removed]),
      refused,
    );
    expect(error).toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
    expect(error).toEqual(await refused());
    expect(await members()).toEqual([]);
  });

  test('are added when the removal of another item waits', async () => {
    const [removed = '', kept = ''] = items;
    await collide(
      sql,
      (tx) => tx`select from tracked_items where workspace_id = ${workspaceId} for update`,
      () => remove([removed]),
      () => attach([kept]),
    );
    expect(await members()).toEqual([kept]);
  });
});

test.each<[string, () => Promise<unknown>]>([
  ['added to', () => attach(items)],
  ['taken out of', () => detachFromCampaign(sql, workspaceId, campaignId, items)],
])('items that are %s a campaign wait for their removal without a lock of the campaign', async (_, change) => {
  const waiting = await inTransaction(sql, async (tx) => {
    await tx`select from tracked_items where workspace_id = ${workspaceId} for update`;
    const changed = change();
    await untilLockWaits(sql, 1);
    await tx`select from campaigns where workspace_id = ${workspaceId} and campaign_id = ${campaignId} for update nowait`;
    return { changed };
  });
  await waiting.changed;
});

test('items that are taken out of a campaign while they are removed cause no deadlock', async () => {
  for (const item of items) await attach([item]);
  await setup.removeInReverse(items);
  await collide(
    sql,
    (tx) => tx`
      select from campaign_items where workspace_id = ${workspaceId} and item_id = ${items[1] ?? ''} for update`,
    () => remove(items),
    () => detachFromCampaign(sql, workspaceId, campaignId, items),
  );
  expect(await listItems(sql, workspaceId)).toEqual([]);
});
