import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { listBatches } from '../../../db/deliveries/batches.ts';
import { checkLedger } from '../../../db/money/ledger.ts';
import {
  BatchError,
  batchResults,
  cancelBatch,
  maxBatchNameLength,
  readBatch,
  resumeBatch,
} from '../../../pipeline/batches/batches.ts';
import { answerKey } from '../../../pipeline/collect/answer-key.ts';
import { profileColumns } from '../../../pipeline/rows/columns.ts';
import { csvOf } from '../../../pipeline/rows/csv.ts';
import { parseProfileAddress } from '../../../pipeline/rows/profile-address.ts';
import { rowRoutes } from '../../../pipeline/rows/row-routes.ts';
import { tiers } from '../../../pipeline/tiers.ts';
import { catalog } from '../../../server/data/catalog.ts';
import { createCursorSeal } from '../../../server/data/cursor.ts';
import { cacheKeyOf } from '../../../server/data/meter.ts';
import { readRequest } from '../../../server/data/request.ts';
import type { SourcedRoute } from '../../../server/data/route.ts';
import { createTestService } from '../../server/test-service.ts';
import { address, addresses, type BatchSetup, createBatchSetup } from './batch-workspace.ts';

let setup: BatchSetup;

beforeAll(async () => {
  setup = await createBatchSetup();
});
beforeEach(() => setup.reset());
afterAll(async () => {
  expect((await checkLedger(setup.db.sql)).mismatches).toEqual([]);
  await setup.close();
});

async function refusalOf(work: Promise<unknown>): Promise<BatchError> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof BatchError)) throw new Error(`expected a BatchError: ${String(error)}`);
  return error;
}

const batchesOf = async (workspaceId: string) =>
  (await setup.db.sql`select from batches where workspace_id = ${workspaceId}`).length;

describe('a batch', () => {
  test('a batch has one row for each line in order, and reports malformed lines without stopping the rest', async () => {
    const workspaceId = await setup.workspace(10);
    const lines = [' https://www.instagram.com/one/ ', '', 'nonsense', address('two'), '\t', 'https://example.com/x'];
    const batch = await setup.create(workspaceId, lines, 'pro', ' Spring ');
    expect(batch).toMatchObject({ name: 'Spring', status: 'queued', total: 4, answered: 2, ok: 0, failed: 2 });
    await setup.run(batch);
    const { lines: numbers } = await batchResults(setup.db.sql, workspaceId, batch.batch_id);
    expect(numbers).toEqual([1, 3, 4, 6]);
    expect(await setup.column(batch, 'url')).toEqual([
      address('one'),
      'nonsense',
      address('two'),
      'https://example.com/x',
    ]);
    expect(await setup.column(batch, 'status')).toEqual(['OK', 'INVALID_INPUT', 'OK', 'INVALID_INPUT']);
    expect(await setup.column(batch, 'credits_charged')).toEqual([1, 0, 1, 0]);
    expect(await setup.read(batch)).toMatchObject({ status: 'finished', answered: 4, ok: 2, failed: 2, credits: 2 });
  });

  test.each([
    ['@handle', 'profile link'],
    ['https://www.instagram.com/p/CExample123/', 'post'],
    ['https://www.tiktok.com/tag/sea', 'hashtag'],
    ['https://vm.tiktok.com/ZMexample/', 'short link'],
    ['https://www.youtube.com/watch?v=example0001', 'video'],
    ['https://user:secret@www.instagram.com/who/', 'without user name'],
    ['\0\ud800', 'link to a profile'],
    [`https://www.instagram.com/${'x'.repeat(2_048)}/`, 'at most 2048 characters'],
  ])('a batch reports line %j as invalid and says what to send instead', async (line, words) => {
    const workspaceId = await setup.workspace(1);
    const batch = await setup.create(workspaceId, [line]);
    await setup.run(batch);
    expect(await setup.column(batch, 'status')).toEqual(['INVALID_INPUT']);
    expect((await setup.column(batch, 'message'))[0]).toContain(words);
    expect(await setup.read(batch)).toMatchObject({ status: 'finished', failed: 1, credits: 0 });
    expect(setup.upstream.asked).toHaveLength(0);
  });

  test.each([
    ['air', 5],
    ['pro', 25],
    ['pro_max', 100],
    ['ultra', 200],
  ] as const)(
    'a batch of the tier %s can have at most %i profile URLs, not counting blank lines',
    async (tier, limit) => {
      const workspaceId = await setup.workspace(0, tier);
      const lines = addresses(limit, 'limit').flatMap((line) => [line, '']);
      expect((await setup.create(workspaceId, lines, tier)).total).toBe(limit);
      const refusal = await refusalOf(setup.create(workspaceId, [...lines, address('more')], tier));
      expect(refusal.code).toBe('INVALID_INPUT');
      expect(refusal.message).toContain(`tier ${tiers[tier].name} allows at most ${limit} per bulk analysis`);
      expect(await batchesOf(workspaceId)).toBe(1);
    },
  );

  test('lines without a profile do not count toward the limit of profile URLs of a batch, but have their own', async () => {
    const workspaceId = await setup.workspace(0, 'air');
    const others = ['Profile link', ...Array.from({ length: 199 }, (_, n) => `note ${n}`)];
    const batch = await setup.create(workspaceId, [...others, ...addresses(5, 'noted')], 'air');
    expect([batch.total, batch.failed]).toEqual([205, 200]);
    const refusal = await refusalOf(setup.create(workspaceId, [...others, 'one more', address('noted')], 'air'));
    expect(refusal.message).toContain('201 lines without a profile link');
    const repeated = await refusalOf(setup.create(workspaceId, Array(6).fill(address('noted')), 'air'));
    expect(repeated.message).toContain('This list has 6 profile URLs.');
  });

  test.each([
    ['no line', [], undefined],
    ['blank lines only', ['', ' \r', '\ufeff'], undefined],
    ['more text than a batch may have', ['', '\n'.repeat(1_000_000)], undefined],
    ['a name of two lines', [address('named')], 'two\nlines'],
    ['too long a name', [address('named')], 'x'.repeat(maxBatchNameLength + 1)],
  ])('a batch is not created with %s', async (_, lines, name) => {
    const workspaceId = await setup.workspace(1);
    expect((await refusalOf(setup.create(workspaceId, lines, 'pro', name))).code).toBe('INVALID_INPUT');
    expect(await batchesOf(workspaceId)).toBe(0);
  });

  test('a batch is queued when it is created, and only then', async () => {
    const workspaceId = await setup.workspace(1);
    expect(await setup.queued(await setup.create(workspaceId, [address('queued')]))).toBe(1);
    await expect(setup.create('00000000-0000-0000-0000-000000000000', [address('lost')])).rejects.toThrow();
    const [row] = await setup.db.sql`
      select count(*)::int as n from jobs.job where data->'data'->>'workspace_id' = '00000000-0000-0000-0000-000000000000'`;
    expect(row?.n).toBe(0);
  });

  test('a batch fetches an account once for all spellings of its URL, and duplicate rows keep their own URL and are free', async () => {
    const workspaceId = await setup.workspace(10);
    const same = ['instagram.com/Twin', 'https://m.instagram.com/twin/reels/', address('twin')];
    const batch = await setup.create(workspaceId, [...same, address('single')]);
    await setup.run(batch);
    expect(setup.upstream.asked).toHaveLength(2);
    expect(await setup.column(batch, 'url')).toEqual([...same, address('single')]);
    expect(await setup.column(batch, 'username')).toEqual(['twin', 'twin', 'twin', 'single']);
    expect(await setup.column(batch, 'credits_charged')).toEqual([1, 0, 0, 1]);
    expect(await setup.column(batch, 'cached')).toEqual([false, true, true, false]);
    expect(await setup.read(batch)).toMatchObject({ total: 4, answered: 4, ok: 4, failed: 0, credits: 2 });
    expect(await setup.balance(workspaceId)).toBe(8);
  });

  test('duplicate rows of an account that fails have its error code in a batch', async () => {
    const workspaceId = await setup.workspace(10);
    setup.upstream.answer = () => ({ status: 404, body: Buffer.from('{}') });
    const batch = await setup.create(workspaceId, [address('gone'), address('gone')]);
    await setup.run(batch);
    expect(await setup.column(batch, 'status')).toEqual(['RESOURCE_NOT_FOUND', 'RESOURCE_NOT_FOUND']);
    expect(await setup.column(batch, 'cached')).toEqual([false, false]);
    expect(await setup.read(batch)).toMatchObject({ status: 'finished', ok: 0, failed: 2, credits: 0 });
  });

  test('a batch of another workspace is not found, like a batch that does not exist', async () => {
    const [mine, other] = [await setup.workspace(1), await setup.workspace(1)];
    const { batch_id } = await setup.create(mine, [address('mine')]);
    for (const id of [batch_id, 'nonsense', '00000000-0000-0000-0000-000000000000']) {
      const calls = [
        () => readBatch(setup.db.sql, other, id),
        () => batchResults(setup.db.sql, other, id),
        () => cancelBatch(setup.context, other, id),
        () => resumeBatch(setup.context, other, id),
      ];
      for (const call of calls) expect((await refusalOf(call())).code).toBe('RESOURCE_NOT_FOUND');
    }
    expect((await readBatch(setup.db.sql, mine, batch_id)).status).toBe('queued');
    await setup.run({ workspace_id: other, batch_id });
    expect(setup.upstream.asked).toHaveLength(0);
  });
});

describe('the results of a batch', () => {
  test('the results of a batch have the columns of the profile workflow, and unfinished rows are empty', async () => {
    const workspaceId = await setup.workspace(1);
    const batch = await setup.create(workspaceId, [address('early')]);
    const { columns, rows } = await batchResults(setup.db.sql, workspaceId, batch.batch_id);
    expect(columns).toEqual(profileColumns);
    const empty = { ...Object.fromEntries(profileColumns.map((column) => [column, null])), url: address('early') };
    expect(Object.fromEntries(columns.map((column, index) => [column, rows[0]?.[index]]))).toEqual({
      ...empty,
      cached: false,
      credits_charged: 0,
    });
  });

  test('the results of a batch equal the answers of the profile workflow, and each uses the cache of the other for free', async () => {
    const service = await createTestService({ fetch: setup.upstream.fetch, db: setup.db });
    onTestFinished(() => service.stop());
    const keys = await service.workspace(10, 'ultra');
    const [kept, fetched] = [address('kept.by.server'), address('kept.by.batch')];
    const ask = (url: string, more = '') =>
      service.ask(`/v1/workflows/profile?url=${encodeURIComponent(url)}${more}`, keys.live_key);
    await ask(kept);
    const batch = await setup.create(keys.workspace_id, [kept, fetched]);
    await setup.run(batch);
    expect(await setup.column(batch, 'cached')).toEqual([true, false]);
    expect(await setup.column(batch, 'credits_charged')).toEqual([0, 1]);
    expect(setup.upstream.asked).toHaveLength(2);

    const { columns, rows } = await batchResults(setup.db.sql, keys.workspace_id, batch.batch_id);
    const answer = await ask(fetched);
    expect(answer.json.meta).toMatchObject({ cached: true, credits_charged: 0, credits_remaining: 8 });
    const paid = columns.map((column) => ['cached', 'credits_charged'].includes(column));
    const shown = (row: unknown[] | undefined) => row?.filter((_, index) => !paid[index]);
    expect(shown(answer.json.data.rows[0])).toEqual(shown(rows[1]));
    const results = await batchResults(setup.db.sql, keys.workspace_id, batch.batch_id);
    const [header, first] = csvOf(results.columns, results.rows).split('\r\n');
    expect([header, first, ''].join('\r\n')).toBe((await ask(kept, '&format=csv')).text);
    expect(first).toContain(`"'=HYPERLINK`);
  });

  test.each([
    ['https://www.instagram.com/Some.One/', '/v1/photo/profile'],
    ['https://www.tiktok.com/@Some.One', '/v1/shortvideo/profile'],
    ['https://www.youtube.com/@Someone', '/v1/longvideo/channel'],
    ['https://www.youtube.com/channel/UCexample000000000000000', '/v1/longvideo/channel'],
    ['https://www.youtube.com/user/SomeOne', '/v1/longvideo/channel'],
    ['https://www.youtube.com/c/Some%20One', '/v1/longvideo/channel'],
    ['https://www.youtube.com/c/SomeOne', '/v1/longvideo/channel'],
  ])('the results of a batch for %s are cached under the key of %s', (url, path) => {
    const parsed = parseProfileAddress(url);
    const route = catalog.find((row) => row.path === path) as SourcedRoute;
    const request = () =>
      readRequest(
        route,
        { url: [url] },
        createCursorSeal('00'.repeat(32), () => new Date(0)),
      );
    if (!parsed.ok) return expect(request).toThrow();
    const { platform, params } = parsed.profile;
    expect(rowRoutes.profiles[platform].path).toBe(path);
    expect(answerKey({ path, params, limit: null, position: null })).toBe(cacheKeyOf(request()));
  });
});

describe('a batch that has ended', () => {
  test('a batch that has ended cannot be cancelled or resumed', async () => {
    const workspaceId = await setup.workspace(1);
    const batch = await setup.create(workspaceId, [address('over')]);
    expect((await refusalOf(resumeBatch(setup.context, workspaceId, batch.batch_id))).message).toContain('queued');
    await setup.run(batch);
    for (const change of [cancelBatch, resumeBatch]) {
      const refusal = await refusalOf(change(setup.context, workspaceId, batch.batch_id));
      expect(refusal).toMatchObject({ code: 'INVALID_INPUT', message: expect.stringContaining('finished') });
    }
  });

  test('a batch that was cancelled before its first run does not call a source', async () => {
    const workspaceId = await setup.workspace(1);
    const batch = await setup.create(workspaceId, [address('never')]);
    const cancelled = await cancelBatch(setup.context, workspaceId, batch.batch_id);
    expect(cancelled).toMatchObject({ status: 'cancelled', finished_at: setup.clock.now, answered: 0 });
    await setup.run(batch);
    expect(setup.upstream.asked).toHaveLength(0);
    expect((await setup.read(batch)).status).toBe('cancelled');
  });
});

describe('the number of batches', () => {
  test('a workspace can have 20 batches that have not ended, even when they are started at the same time', async () => {
    const workspaceId = await setup.workspace(1);
    const start = (name: string) => setup.create(workspaceId, [address(name)]);
    const started = await Promise.allSettled(Array.from({ length: 25 }, (_, n) => start(`open${n}`)));
    expect(started.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
    const message = 'At most 20 can be unfinished: wait until one has finished, or cancel one.';
    const refusal = await refusalOf(start('more'));
    expect(refusal).toMatchObject({ code: 'INVALID_INPUT', message: expect.stringContaining(message) });
    const [open] = await listBatches(setup.db.sql, workspaceId);
    await cancelBatch(setup.context, workspaceId, open?.batch_id ?? '');
    expect(await start('again')).toMatchObject({ status: 'queued' });
  });

  test('a workspace can start 60 batches in an hour, and then more', async () => {
    const workspaceId = await setup.workspace(1);
    const start = async () => {
      const { batch_id } = await setup.create(workspaceId, [address('known')]);
      await cancelBatch(setup.context, workspaceId, batch_id);
    };
    for (let n = 0; n < 60; n += 1) await start();
    expect((await refusalOf(start())).message).toContain('At most 60 can be started in an hour: try again in 60 min.');
    setup.clock.now = new Date(setup.clock.now.getTime() + 3_600_000);
    await start();
  });
});
