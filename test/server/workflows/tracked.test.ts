import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../../db/ids.ts';
import { readBalance } from '../../../db/money/ledger.ts';
import { addItem } from '../../../db/tracking/items.ts';
import { packQuality } from '../../../pipeline/tracking/metrics.ts';
import { trackedColumns } from '../../../pipeline/tracking/tracked-row.ts';
import { keepObservations, observed } from '../../pipeline/report/report-data.ts';
import { column, workflowPath } from '../data/tables.ts';
import { inventedUpstream } from '../invented-upstream.ts';
import { createTestService, type TestKeys, type TestService } from '../test-service.ts';

let service: TestService;
let keys: TestKeys;
let itemId: string;

const url = 'https://www.instagram.com/invented/';

beforeAll(async () => {
  service = await createTestService({ fetch: inventedUpstream().fetch });
});
beforeEach(async () => {
  keys = await service.workspace(7, 'ultra');
  itemId = await track(keys, { platform: 'photo', kind: 'profile', url, identifier: 'invented' });
});
afterAll(() => service.close());

async function track(of: TestKeys, item: Parameters<typeof addItem>[2]): Promise<string> {
  const added = await addItem(service.db.sql, of.workspace_id, item, 10);
  if (added.outcome !== 'added') throw new Error(added.outcome);
  return added.item_id;
}

const keep = (...rows: ReturnType<typeof observed>[]) => keepObservations(service.db.sql, keys.workspace_id, rows);
const tracked = (items: readonly string[], more = '') => workflowPath('tracked', 'item', items, more);

describe('GET /v1/workflows/tracked', () => {
  test('the tracked workflow gives one row for each observation and metric, oldest first, and costs nothing', async () => {
    await keep(
      observed(itemId, '2026-11-18T09:00:00', { followers: 130 }, { quality: packQuality({ followers: 'rounded' }) }),
      observed(itemId, '2026-11-15T09:00:00', { followers: 0, posts: 7 }),
    );
    const answer = await service.ask(tracked([itemId], '&metric=posts,followers'), keys.live_key);
    expect(answer.json.data.columns).toEqual([...trackedColumns]);
    const common = [itemId, url, 'OK', null];
    expect(answer.json.data.rows).toEqual([
      [...common, 'posts', '2026-11-15T09:00:00.000Z', 7, 'exact', 'invented-web', null],
      [...common, 'followers', '2026-11-15T09:00:00.000Z', 0, 'exact', 'invented-web', null],
      [...common, 'posts', '2026-11-18T09:00:00.000Z', null, 'not_exposed', 'invented-web', null],
      [...common, 'followers', '2026-11-18T09:00:00.000Z', 130, 'rounded', 'invented-web', null],
    ]);
    expect(answer.json.meta).toEqual({
      ...{ request_id: expect.any(String), cached: false, credits_charged: 0, credits_remaining: 7, sandbox: false },
      warnings: [],
    });
    expect(await readBalance(service.db.sql, keys.workspace_id)).toBe(7);
  });

  test('null values of the tracked workflow stay null with their quality: hidden is never 0', async () => {
    await keep(observed(itemId, '2026-11-18T09:00:00', {}, { quality: packQuality({ followers: 'hidden' }) }));
    const answer = await service.ask(tracked([itemId], '&metric=followers'), keys.live_key);
    expect([column(answer, 'value'), column(answer, 'quality')]).toEqual([[null], ['hidden']]);
  });

  test('the tracked workflow without the parameter metric returns all metrics that the item can have', async () => {
    await keep(observed(itemId, '2026-11-18T09:00:00', { followers: 1 }));
    const answer = await service.ask(tracked([itemId]), keys.live_key);
    expect(column(answer, 'metric')).toEqual(['followers', 'following', 'posts']);
  });

  test('the tracked workflow finds an item by its id and by any of its URLs, and shows the item once', async () => {
    await keep(observed(itemId, '2026-11-18T09:00:00', { followers: 1 }));
    for (const name of [itemId.toUpperCase(), `\u200b${itemId}\ufeff`, url, 'instagram.com/Invented?hl=de']) {
      const answer = await service.ask(tracked([name], '&metric=followers'), keys.live_key);
      expect(column(answer, 'item_id')).toEqual([itemId]);
    }
    const both = await service.ask(tracked([itemId, url], '&metric=followers'), keys.live_key);
    expect(both.json.data.rows).toHaveLength(1);
  });

  test('the tracked workflow finds a channel by its handle and, after its first check, by its id too', async () => {
    const named = {
      platform: 'longvideo',
      kind: 'channel',
      url: 'https://www.youtube.com/@shore',
      identifier: '@shore',
    };
    const channel = await track(keys, named);
    const id = 'UCinvented00000000000001';
    await service.db.sql`update tracked_items set platform_id = ${id} where item_id = ${channel}`;
    await keep(observed(channel, '2026-11-18T09:00:00', { followers: 1 }));
    for (const name of ['https://www.youtube.com/@Shore', `https://www.youtube.com/channel/${id}`]) {
      const answer = await service.ask(tracked([name], '&metric=followers'), keys.live_key);
      expect(column(answer, 'item_id')).toEqual([channel]);
    }
  });

  test('an unknown item of the tracked workflow is one row with RESOURCE_NOT_FOUND, even if another workspace tracks it', async () => {
    const stranger = await service.workspace(0, 'ultra');
    const item = { platform: 'photo', kind: 'profile', url: 'https://www.instagram.com/theirs/', identifier: 'theirs' };
    const theirs = await track(stranger, item);
    await keepObservations(service.db.sql, stranger.workspace_id, [
      observed(theirs, '2026-11-18T09:00:00', { followers: 1 }),
    ]);
    const answer = await service.ask(tracked([theirs, newId(), item.url]), keys.live_key);
    expect(column(answer, 'status')).toEqual(Array(3).fill('RESOURCE_NOT_FOUND'));
    expect(new Set(column(answer, 'message')).size).toBe(1);
    expect(column(answer, 'item_id').slice(0, 1)).toEqual([theirs]);
    expect(column(answer, 'url')).toEqual([null, null, item.url]);
    expect(column(answer, 'value')).toEqual([null, null, null]);
  });

  test.each([
    ['', 'Use the ID of a tracked item'],
    ['nonsense', 'Use the ID of a tracked item'],
    ['https://example.com/x', 'on Instagram, TikTok or YouTube'],
    ['https://www.tiktok.com/tag/tide', 'cannot be tracked'],
  ])(
    'a text that is neither id nor URL is one row with INVALID_INPUT that says what to send: "%s"',
    async (name, words) => {
      await keep(observed(itemId, '2026-11-18T09:00:00', { followers: 1 }));
      const answer = await service.ask(tracked([name, itemId], '&metric=followers'), keys.live_key);
      expect(column(answer, 'status')).toEqual(['INVALID_INPUT', 'OK']);
      expect(column(answer, 'message')[0]).toContain(words);
    },
  );

  test('in the tracked workflow, a day without an observation has no row, and an item without any is in meta.warnings', async () => {
    const answer = await service.ask(tracked([itemId]), keys.live_key);
    expect(answer.json.data.rows).toEqual([]);
    expect(answer.json.meta.warnings).toEqual([`${itemId} was not observed in the last 30 days.`]);
  });

  test('the days of the tracked workflow are 30 by default and at most the whole days of the tier, with a warning', async () => {
    await keep(
      observed(itemId, '2026-02-20T09:00:00', { followers: 1 }),
      observed(itemId, '2026-10-22T10:00:00', { followers: 2 }),
      observed(itemId, '2026-11-13T10:00:00', { followers: 3 }),
      observed(itemId, '2026-11-14T00:00:00', { followers: 4 }),
    );
    const values = async (more: string) => {
      const answer = await service.ask(tracked([itemId], `&metric=followers${more}`), keys.live_key);
      return [column(answer, 'value'), answer.json.meta.warnings];
    };
    expect(await values('')).toEqual([[2, 3, 4], []]);
    expect(await values('&days=7')).toEqual([[3, 4], []]);
    expect(await values('&days=365')).toEqual([[1, 2, 3, 4], []]);
    await service.db.sql`update workspaces set tier = 'air' where workspace_id = ${keys.workspace_id}`;
    expect(await values('&days=365')).toEqual([
      [4],
      ['This tier keeps 7 days of history, so days=365 was reduced to 7.'],
    ]);
  });

  test('a URL that another account took over is marked beside the observations of the earlier account', async () => {
    await keep(observed(itemId, '2026-11-18T09:00:00', { followers: 1 }));
    await service.db.sql`update tracked_items set identity_changed = true where item_id = ${itemId}`;
    const answer = await service.ask(tracked([itemId], '&metric=followers'), keys.live_key);
    expect(column(answer, 'message')).toEqual([expect.stringContaining('another account')]);
  });

  test.each([
    ['', 'item', 'is required, 1 to 20 times'],
    [`?${'item=x&'.repeat(21)}`, 'item', 'at most 20 times'],
    ['?item=x&metric=folowers', 'metric', 'did you mean followers?'],
    ['?item=x&metric=reach', 'metric', 'must be one of followers, following'],
    ['?item=x&days=0', 'days', 'from 1 to 365'],
    ['?item=x&days=366', 'days', 'from 1 to 365'],
    ['?items=x&item=y', 'items', 'did you mean item?'],
    ['?item=x&fields=vallue', 'fields', 'did you mean value?'],
  ])('the tracked workflow refuses "%s" by the name of %s', async (query, parameter, words) => {
    const answer = await service.ask(`/v1/workflows/tracked${query}`, keys.live_key);
    expect([answer.status, answer.json.error.details]).toEqual([
      400,
      [{ parameter, message: expect.stringContaining(words) }],
    ]);
  });
});

describe('a development key', () => {
  test('the tracked workflow gives a development key a fixed sample with a rounded and a null value, never live observations', async () => {
    await keep(observed(itemId, '2026-11-18T09:00:00', { followers: 999_999 }));
    const answer = await service.ask(tracked([itemId], '&metric=followers,likes'), keys.test_key);
    expect(answer.json.meta).toMatchObject({ sandbox: true, credits_charged: 0 });
    expect(new Set(column(answer, 'quality'))).toEqual(new Set(['exact', 'rounded', 'hidden']));
    expect(column(answer, 'value')).toContain(null);
    expect(column(answer, 'value')).not.toContain(999_999);
    service.clock.now = new Date(service.clock.now.getTime() + 86_400_000);
    const later = await service.ask(tracked([url], '&metric=followers,likes'), keys.test_key);
    expect(later.json.data).toEqual(answer.json.data);
  });

  test('the tracked workflow gives a development key the error of a reserved handle or id as a row', async () => {
    const items = ['https://www.instagram.com/sandbox_404/', 'https://www.youtube.com/watch?v=sandbox-403', 'nonsense'];
    const answer = await service.ask(tracked(items), keys.test_key);
    expect(column(answer, 'status')).toEqual(['RESOURCE_NOT_FOUND', 'SOURCE_RESTRICTED', 'INVALID_INPUT']);
  });
});
