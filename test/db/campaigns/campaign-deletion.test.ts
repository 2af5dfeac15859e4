import { beforeEach, describe, expect, test } from 'vitest';
import { addRecipient, changeRecipient, listRecipients } from '../../../db/alerts/recipients.ts';
import { addRule, changeRule, listRules, type NewRule } from '../../../db/alerts/rules.ts';
import { archiveCampaign, findCampaign, insertCampaign } from '../../../db/campaigns/campaigns.ts';
import { deleteCampaign } from '../../../db/campaigns/deletion.ts';
import { addShare } from '../../../db/campaigns/report-shares.ts';
import { readCampaignItems } from '../../../db/campaigns/reports.ts';
import { newId } from '../../../db/ids.ts';
import { listItems } from '../../../db/tracking/items.ts';
import { removeItems } from '../../../db/tracking/removals.ts';
import { alone, inTransaction } from '../../../db/transaction.ts';
import { attachToCampaign, detachFromCampaign } from '../../../pipeline/campaigns/campaigns.ts';
import { collide, untilLockWaits } from '../../setup/lock-waits.ts';
import { openLockSetup } from '../lock-setup.ts';

const setup = await openLockSetup();
const { sql, now } = setup;
const today = '2026-11-20';
let workspaceId: string;
let campaignId: string;
let items: string[];
beforeEach(async () => {
  workspaceId = await setup.workspace();
  campaignId = await archived();
  items = [await setup.item(workspaceId, 'a'), await setup.item(workspaceId, 'b')].toSorted();
  for (const item of items) await attachToCampaign(sql, workspaceId, campaignId, [item]);
});

/** Creates an archived campaign. */
async function archived(): Promise<string> {
  const campaign = { name: 'Spring', report_name: null, starts_on: '2026-11-01', ends_on: null };
  const limits = { slots: 20, total: 100 };
  const id = await alone(sql, workspaceId, (tx) => insertCampaign(tx, workspaceId, campaign, limits));
  await archiveCampaign(sql, workspaceId, id ?? '', today);
  return id ?? expect.fail('no campaign');
}

const remove = (id = campaignId) => deleteCampaign(sql, workspaceId, id);
const lockCampaign = (tx: typeof sql) =>
  tx`select from campaigns where workspace_id = ${workspaceId} and campaign_id = ${campaignId} for update`;
const memberships = () => readCampaignItems(sql, workspaceId, campaignId);
const ruleOf = (id: string): NewRule => ({
  ...{ name: 'Gone', scope: 'campaign', scope_id: id, condition: 'not_found', metric: null, direction: null },
  ...{ amount: null, days: null, checks: null, cooldown_hours: 0, recipient_ids: [] },
});

async function recipient(address: string, topics: string[], campaigns: string[]): Promise<string> {
  const added = await addRecipient(
    sql,
    workspaceId,
    { channel: 'slack', address, label: address, topics, campaign_ids: campaigns },
    now,
  );
  return added.outcome === 'added' ? added.recipient_id : expect.fail(added.outcome);
}

describe('the deletion of a campaign', () => {
  test('two simultaneous deletions of a campaign delete it once', async () => {
    const results = await collide(sql, lockCampaign, remove, remove);
    expect(results).toEqual(['deleted', 'unknown']);
    expect(await findCampaign(sql, workspaceId, campaignId)).toBeNull();
    expect((await listItems(sql, workspaceId)).map(({ item_id }) => item_id).toSorted()).toEqual(items.toSorted());
  });

  test('a campaign that is reactivated while its deletion waits is not deleted', async () => {
    const [result] = await collide(
      sql,
      async (tx) => {
        await lockCampaign(tx);
        await tx`update campaigns set status = 'paused' where campaign_id = ${campaignId}`;
      },
      remove,
      remove,
    );
    expect(result).toBe('paused');
    expect(await memberships()).toHaveLength(2);
  });

  test('the deletion of a campaign deletes its alert rules and no others', async () => {
    const other = await archived();
    for (const id of [campaignId, other]) await addRule(sql, workspaceId, ruleOf(id), now);
    await addRule(sql, workspaceId, { ...ruleOf(campaignId), scope: 'all', scope_id: null }, now);
    expect(await remove()).toBe('deleted');
    const left = (await listRules(sql, workspaceId)).map(({ scope_id }) => scope_id);
    expect(left.toSorted()).toEqual([other, null].toSorted());
  });

  test('a recipient who had chosen only the deleted campaign gets no weekly reports, and others keep theirs', async () => {
    const other = await archived();
    const topics = ['failures', 'weekly_report'];
    await recipient('only', topics, [campaignId, campaignId]);
    await recipient('both', topics, [campaignId, other]);
    await recipient('other', topics, [other]);
    await recipient('all', topics, []);
    expect(await remove()).toBe('deleted');
    const left = await listRecipients(sql, workspaceId);
    expect(Object.fromEntries(left.map((one) => [one.label, [one.topics, one.campaign_ids]]))).toEqual({
      ...{ only: [['failures'], []], both: [topics, [other]], other: [topics, [other]], all: [topics, []] },
    });
  });
});

describe('a change while a campaign is deleted', () => {
  test('a recipient cannot choose only a campaign that is being deleted, because that would mean all campaigns', async () => {
    const id = await recipient('late', [], []);
    const chosen = { topics: ['weekly_report'], campaign_ids: [campaignId] };
    const [, isSaved] = await collide(sql, lockCampaign, remove, () => changeRecipient(sql, workspaceId, id, chosen));
    expect(isSaved).toBe(false);
    expect(await listRecipients(sql, workspaceId)).toMatchObject([{ topics: [], campaign_ids: [] }]);
  });

  test('an alert rule cannot be changed to watch a campaign that is being deleted', async () => {
    const all = { ...ruleOf(campaignId), scope: 'all', scope_id: null } as const;
    const ruleId = (await addRule(sql, workspaceId, all, now)) ?? '';
    const change = () => changeRule(sql, workspaceId, ruleId, ruleOf(campaignId));
    const [, isChanged] = await collide(sql, lockCampaign, remove, change);
    expect(isChanged).toBe(false);
    expect(await listRules(sql, workspaceId)).toMatchObject([{ scope: 'all' }]);
  });

  test('items and share links cannot be added to a campaign that is being deleted', async () => {
    const added = await setup.item(workspaceId, 'c');
    const attach = () => attachToCampaign(sql, workspaceId, campaignId, [added]).catch(({ code }) => code);
    expect(await collide(sql, lockCampaign, remove, attach)).toEqual(['deleted', 'RESOURCE_NOT_FOUND']);
    campaignId = await archived();
    const link = { campaign_id: campaignId, report_id: null, expires_at: new Date(now.getTime() + 1_000), label: '' };
    const share = () => addShare(sql, workspaceId, link, 'key', now);
    expect(await collide(sql, lockCampaign, remove, share)).toEqual(['deleted', { token: null, reason: 'unknown' }]);
  });

  test('items can be removed at the same time, although their removal deletes their rows in a different order', async () => {
    await setup.removeInReverse(items);
    await collide(
      sql,
      (tx) => tx`
        select from campaign_items where workspace_id = ${workspaceId} and item_id = ${items[1] ?? ''} for update`,
      () => removeItems(sql, workspaceId, items, now),
      remove,
    );
    expect(await findCampaign(sql, workspaceId, campaignId)).toBeNull();
    expect(await listItems(sql, workspaceId)).toEqual([]);
  });

  test('a deletion that waits for the removal of an item holds no alert rule, for which that removal may wait', async () => {
    const ruleId = (await addRule(sql, workspaceId, ruleOf(campaignId), now)) ?? '';
    const { deletion } = await inTransaction(sql, async (tx) => {
      await tx`
        select from tracked_items where workspace_id = ${workspaceId} and item_id = ${items[1] ?? ''} for update`;
      const started = { deletion: remove() };
      await untilLockWaits(sql, 1);
      await tx`
        select from alert_rules where workspace_id = ${workspaceId} and rule_id = ${ruleId} for key share nowait`;
      return started;
    });
    expect(await deletion).toBe('deleted');
  });

  test('items that are taken out of a campaign that is being deleted wait for the deletion', async () => {
    const detach = () => detachFromCampaign(sql, workspaceId, campaignId, items);
    expect(await collide(sql, lockCampaign, remove, detach)).toEqual(['deleted', 0]);
  });

  test('a campaign of another workspace is not deleted', async () => {
    expect(await deleteCampaign(sql, await setup.workspace(), campaignId)).toBe('unknown');
    expect(await deleteCampaign(sql, workspaceId, newId())).toBe('unknown');
    expect(await memberships()).toHaveLength(2);
  });
});
