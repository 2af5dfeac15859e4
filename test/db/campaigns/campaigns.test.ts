import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createWorkspace } from '../../../db/accounts/workspaces.ts';
import {
  archiveCampaign,
  changeCampaign,
  endCampaigns,
  insertCampaign,
  listCampaigns,
  moveCampaign,
} from '../../../db/campaigns/campaigns.ts';
import { freezeReport, frozenReport, listReports } from '../../../db/campaigns/reports.ts';
import { newId } from '../../../db/ids.ts';
import { alone, inTransaction } from '../../../db/transaction.ts';
import { CampaignError } from '../../../pipeline/campaigns/campaign-fields.ts';
import {
  archive,
  attachToCampaign,
  type CampaignOwner,
  createCampaign,
  detachFromCampaign,
  editCampaign,
  pauseCampaign,
  reactivate,
  readCampaign,
  resumeCampaign,
} from '../../../pipeline/campaigns/campaigns.ts';
import { keepItem, utc } from '../../pipeline/report/report-data.ts';
import { countLockWaits } from '../../setup/lock-waits.ts';
import { until } from '../../setup/processes.ts';
import { createTestDatabase, type TestDatabase } from '../../setup/test-database.ts';

const now = utc('2026-11-20T10:00:00');
let db: TestDatabase;
let owner: CampaignOwner;
let stranger: CampaignOwner;

beforeAll(async () => {
  db = await createTestDatabase();
});
beforeEach(async () => {
  owner = await createOwner('pro_max');
  stranger = await createOwner('pro_max');
});
afterAll(() => db.close());

async function createOwner(tier: CampaignOwner['tier']): Promise<CampaignOwner> {
  const made = await inTransaction(db.sql, (tx) => createWorkspace(tx, { name: 'test', credits: 0, tier }));
  return { workspace_id: made.workspace_id, tier, now };
}

type CampaignInput = Parameters<typeof createCampaign>[2];
const input: CampaignInput = { name: 'Spring', starts_on: '2026-11-01', ends_on: null };
const create = (more: Partial<CampaignInput> = {}, by = owner) => createCampaign(db.sql, by, { ...input, ...more });
const read = (campaignId: string) => readCampaign(db.sql, owner.workspace_id, campaignId);

async function refusalOf(work: Promise<unknown>): Promise<CampaignError> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof CampaignError)) throw new Error(`not refused: ${String(error)}`);
  return error;
}

describe('campaign slots of a tier', () => {
  test.each([
    ['pro', 1],
    ['pro_max', 5],
    ['ultra', 20],
  ] as const)('the tier %s allows %i active or paused campaigns', async (tier, slots) => {
    const by = await createOwner(tier);
    const ids = [];
    for (let made = 0; made < slots; made += 1) ids.push(await create({}, by));
    await pauseCampaign(db.sql, by.workspace_id, ids[0] as string);
    expect(await refusalOf(create({}, by))).toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('archive'),
    });
  });

  test('the tier Air allows no campaigns: PAID_ACCESS_REQUIRED', async () => {
    expect((await refusalOf(create({}, await createOwner('air')))).code).toBe('PAID_ACCESS_REQUIRED');
  });

  test('concurrent requests create exactly as many campaigns as the tier has slots', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 24 }, () => create()));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  });

  test('a request that waits for another one counts the campaign that the other request created', async () => {
    const by = await createOwner('pro');
    const held = Promise.withResolvers<void>();
    const waited = Promise.withResolvers<void>();
    const first = alone(db.sql, by.workspace_id, async (tx) => {
      held.resolve();
      await waited.promise;
      return insertCampaign(tx, by.workspace_id, { ...input, report_name: null }, { slots: 1, total: 10 });
    });
    await held.promise;
    const second = refusalOf(create({}, by));
    await until(async () => (await countLockWaits(db.sql)) > 0);
    waited.resolve();
    expect(await first).toBeTypeOf('string');
    expect((await second).code).toBe('INVALID_INPUT');
    expect(await listCampaigns(db.sql, by.workspace_id)).toHaveLength(1);
  });

  test('when concurrent creations and a reactivation compete for the last campaign slot, only one succeeds', async () => {
    const by = await createOwner('pro');
    const old = await create({}, by);
    await archive(db.sql, by, old);
    const outcomes = await Promise.allSettled([
      ...Array.from({ length: 6 }, () => create({}, by)),
      reactivate(db.sql, by, old, null),
    ]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('archiving or ending a campaign frees its slot', async () => {
    const by = await createOwner('pro');
    const first = await create({}, by);
    await archive(db.sql, by, first);
    await create({ ends_on: '2026-11-21' }, by);
    expect((await refusalOf(create({}, by))).code).toBe('INVALID_INPUT');
    await endCampaigns(db.sql, '2026-11-22');
    await create({}, by);
    const campaigns = await listCampaigns(db.sql, by.workspace_id);
    expect(campaigns.map(({ status }) => status)).toEqual(['active', 'ended', 'archived']);
  });
});

describe('the status of a campaign', () => {
  test('a campaign can be paused, resumed, archived and reactivated with a new last day', async () => {
    const id = await create({ ends_on: '2026-12-24' });
    await pauseCampaign(db.sql, owner.workspace_id, id);
    expect((await read(id)).status).toBe('paused');
    await resumeCampaign(db.sql, owner.workspace_id, id);
    expect((await read(id)).status).toBe('active');
    await pauseCampaign(db.sql, owner.workspace_id, id);
    await archive(db.sql, owner, id);
    expect(await read(id)).toMatchObject({ status: 'archived', ends_on: '2026-11-20' });
    await reactivate(db.sql, owner, id, '2026-12-31');
    expect(await read(id)).toMatchObject({ status: 'active', ends_on: '2026-12-31' });
  });

  test.each([
    ['paused', pauseCampaign, 'paused'],
    ['active', resumeCampaign, 'resumed'],
  ] as const)('a campaign that is already %s cannot get this state again', async (status, move, action) => {
    const id = await create();
    if (status === 'paused') await pauseCampaign(db.sql, owner.workspace_id, id);
    const refusal = await refusalOf(move(db.sql, owner.workspace_id, id));
    expect(refusal).toMatchObject({
      code: 'INVALID_INPUT',
      message: `This campaign is ${status}: it cannot be ${action}.`,
    });
  });

  test('an active or paused campaign becomes ended on the day after ends_on', async () => {
    const active = await create({ ends_on: '2026-11-21' });
    const paused = await create({ ends_on: '2026-11-21' });
    await pauseCampaign(db.sql, owner.workspace_id, paused);
    const open = await create();
    await endCampaigns(db.sql, '2026-11-21');
    expect((await read(active)).status).toBe('active');
    await endCampaigns(db.sql, '2026-11-22');
    expect((await read(active)).status).toBe('ended');
    expect((await read(paused)).status).toBe('ended');
    expect((await read(open)).status).toBe('active');
  });

  test('an ended campaign can be archived, which keeps its last day, but not resumed', async () => {
    const id = await create({ ends_on: '2026-11-20' });
    await endCampaigns(db.sql, '2026-11-21');
    expect((await refusalOf(resumeCampaign(db.sql, owner.workspace_id, id))).code).toBe('INVALID_INPUT');
    await archive(db.sql, { ...owner, now: utc('2026-11-30T00:00:00') }, id);
    expect(await read(id)).toMatchObject({ status: 'archived', ends_on: '2026-11-20' });
  });

  test('a campaign that is archived before its first day ends on its first day', async () => {
    const id = await create({ starts_on: '2026-12-01' });
    await archive(db.sql, owner, id);
    expect(await read(id)).toMatchObject({ status: 'archived', starts_on: '2026-12-01', ends_on: '2026-12-01' });
  });
});

describe('a campaign with invalid fields is refused', () => {
  test.each<[string, Partial<CampaignInput>, string]>([
    ['a first day that does not exist', { starts_on: '2026-02-30' }, 'starts_on must be a real date'],
    ['a first day in words', { starts_on: 'tomorrow' }, 'starts_on must be a real date'],
    ['a last day that does not exist', { ends_on: '2026-13-01' }, 'ends_on must be a real date'],
    ['a last day before the first', { starts_on: '2026-12-10', ends_on: '2026-12-09' }, 'before starts_on'],
    ['a last day in the past', { ends_on: '2026-11-19' }, 'in the past'],
    ['a first day before the oldest history', { starts_on: '2025-11-19' }, 'before 2025-11-20'],
    ['a first day in more than ten years', { starts_on: '2037-01-01' }, 'at most ten years after today'],
    ['no name', { name: ' ' }, 'name must have 1 to'],
    ['a name of two lines', { name: 'a\nb' }, 'one line'],
    ['a name with half a character', { name: 'a\ud800' }, 'one line'],
    ['a name that is too long', { name: 'a'.repeat(121) }, 'name must have 1 to'],
    ['an item that is not an id', { item_ids: ['1; drop table'] }, 'the ID of each item'],
    ['too many items', { item_ids: Array.from({ length: 201 }, () => newId()) }, 'at most 200'],
  ])('a campaign is refused with %s', async (_, more, message) => {
    const refusal = await refusalOf(create(more));
    expect(refusal.code).toBe('INVALID_INPUT');
    expect(refusal.message).toContain(message);
    expect(await listCampaigns(db.sql, owner.workspace_id)).toEqual([]);
  });

  test('a campaign of one day is accepted', async () => {
    await create({ starts_on: '2026-11-20', ends_on: '2026-11-20' });
    expect(await listCampaigns(db.sql, owner.workspace_id)).toHaveLength(1);
  });

  test('changed dates of a campaign follow the rules for new ones, and an archived campaign keeps its dates', async () => {
    const id = await create({ ends_on: '2026-12-24' });
    await editCampaign(db.sql, owner, id, { ends_on: '2026-12-26' });
    expect(await read(id)).toMatchObject({ starts_on: '2026-11-01', ends_on: '2026-12-26' });
    expect((await refusalOf(editCampaign(db.sql, owner, id, { starts_on: '2027-01-01' }))).code).toBe('INVALID_INPUT');
    await archive(db.sql, owner, id);
    expect((await refusalOf(editCampaign(db.sql, owner, id, { ends_on: null }))).code).toBe('INVALID_INPUT');
    await editCampaign(db.sql, owner, id, { name: 'Renamed' });
    expect((await read(id)).name).toBe('Renamed');
  });
});

test('a custom report name of a campaign needs one of the two highest tiers', async () => {
  const id = await create({ report_name: ' For the board ' });
  expect((await read(id)).report_name).toBe('For the board');
  await editCampaign(db.sql, owner, id, { report_name: null });
  expect((await read(id)).report_name).toBeNull();
  const pro = await createOwner('pro');
  expect((await refusalOf(create({ report_name: 'Mine' }, pro))).message).toContain('Pro Max or Ultra');
  expect(await create({ report_name: 'Ours' }, await createOwner('ultra'))).toBeTypeOf('string');
});

describe('items of a campaign', () => {
  test('campaign items are attached once, counted and detached, and stay tracked', async () => {
    const items = [await keepItem(db.sql, owner.workspace_id), await keepItem(db.sql, owner.workspace_id)];
    const id = await create({ item_ids: items });
    await attachToCampaign(db.sql, owner.workspace_id, id, [items[0] as string, items[0] as string]);
    expect(await listCampaigns(db.sql, owner.workspace_id)).toMatchObject([{ items: 2 }]);
    expect(await detachFromCampaign(db.sql, owner.workspace_id, id, items.slice(1))).toBe(1);
    expect(await detachFromCampaign(db.sql, owner.workspace_id, id, items.slice(1))).toBe(0);
    expect(await listCampaigns(db.sql, owner.workspace_id)).toMatchObject([{ items: 1 }]);
    const kept = await db.sql`select item_id from tracked_items where workspace_id = ${owner.workspace_id}`;
    expect(kept).toHaveLength(2);
  });

  test('items of another workspace are not found, and then no item is attached and no campaign is created', async () => {
    const own = await keepItem(db.sql, owner.workspace_id);
    const foreign = await keepItem(db.sql, stranger.workspace_id);
    const refusal = await refusalOf(create({ item_ids: [own, foreign] }));
    expect(refusal).toMatchObject({ code: 'RESOURCE_NOT_FOUND', message: expect.stringContaining(foreign) });
    expect(await listCampaigns(db.sql, owner.workspace_id)).toEqual([]);
    const id = await create();
    expect((await refusalOf(attachToCampaign(db.sql, owner.workspace_id, id, [own, foreign]))).code).toBe(
      'RESOURCE_NOT_FOUND',
    );
    expect(await listCampaigns(db.sql, owner.workspace_id)).toMatchObject([{ items: 0 }]);
  });
});

describe('a campaign of another workspace', () => {
  test('another workspace can neither read nor change a campaign', async () => {
    const id = await create();
    const ownItem = await keepItem(db.sql, stranger.workspace_id);
    const { workspace_id } = stranger;
    const attempts: (() => Promise<unknown>)[] = [
      () => readCampaign(db.sql, workspace_id, id),
      () => pauseCampaign(db.sql, workspace_id, id),
      () => archive(db.sql, stranger, id),
      () => reactivate(db.sql, stranger, id, null),
      () => editCampaign(db.sql, stranger, id, { name: 'Mine now' }),
      () => attachToCampaign(db.sql, workspace_id, id, [ownItem]),
      () => detachFromCampaign(db.sql, workspace_id, id, [ownItem]),
    ];
    for (const attempt of attempts) expect((await refusalOf(attempt())).code).toBe('RESOURCE_NOT_FOUND');
    const statements = [
      moveCampaign(db.sql, workspace_id, id, { from: ['active'], to: 'paused' }),
      archiveCampaign(db.sql, workspace_id, id, '2026-11-20'),
      changeCampaign(db.sql, workspace_id, id, { name: 'Mine now' }),
    ];
    expect(await Promise.all(statements)).toEqual([false, false, false]);
    expect(await read(id)).toMatchObject({ name: 'Spring', status: 'active' });
    expect(await listCampaigns(db.sql, workspace_id)).toEqual([]);
  });
});

test('campaigns are listed newest first, and can be filtered by status', async () => {
  const first = await create({ name: 'first' });
  await create({ name: 'second' });
  await pauseCampaign(db.sql, owner.workspace_id, first);
  const names = async (status?: 'active' | 'paused' | 'archived') =>
    (await listCampaigns(db.sql, owner.workspace_id, status)).map(({ name }) => name);
  expect(await names()).toEqual(['second', 'first']);
  expect(await names('paused')).toEqual(['first']);
  expect(await names('archived')).toEqual([]);
});

test('the report of a campaign week is stored unchangeably once, and is readable only in its own workspace', async () => {
  const { workspace_id } = owner;
  const campaignId = await create();
  const period = { period_start: utc('2026-11-09T00:00:00'), period_end: utc('2026-11-16T00:00:00') };
  const texts = Array.from({ length: 8 }, (_, index) => `{"n":${index}, "kept" : "as written"}`);
  const stored = await Promise.all(
    texts.map((body) =>
      freezeReport(db.sql, { workspace_id, campaign_id: campaignId, report_id: newId(), ...period, body }),
    ),
  );
  expect(stored.filter(Boolean)).toHaveLength(1);
  const [kept] = await listReports(db.sql, workspace_id, campaignId);
  const text = texts[stored.indexOf(true)];
  expect(await frozenReport(db.sql, workspace_id, campaignId)).toBe(text);
  expect(await frozenReport(db.sql, workspace_id, campaignId, { report_id: kept?.report_id ?? null })).toBe(text);
  expect(await frozenReport(db.sql, stranger.workspace_id, campaignId)).toBeNull();
  expect(await listCampaigns(db.sql, workspace_id)).toMatchObject([{ newest_report_id: kept?.report_id }]);
});
