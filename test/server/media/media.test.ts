import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../../db/ids.ts';
import { itemsWithPicture, keepPicture } from '../../../db/media/pictures.ts';
import { createCheckRecorder, createClaims } from '../../../db/tracking/checks.ts';
import { addItem, removeItem } from '../../../db/tracking/items.ts';
import { deleteWorkspace } from '../../../db/workspace-data/deletion.ts';
import { exportPages } from '../../../db/workspace-data/export.ts';
import { exportParts } from '../../../db/workspace-data/export-parts.ts';
import { keepPictures } from '../../../pipeline/jobs/keep-pictures.ts';
import { type MediaAddresses, openMediaAddresses } from '../../../pipeline/media/addresses.ts';
import { createFetcher } from '../../../pipeline/network/fetcher.ts';
import type { JobContext } from '../../../pipeline/queue/job.ts';
import { metricValues, packQuality } from '../../../pipeline/tracking/metrics.ts';
import { startUpstream, type Upstream } from '../../pipeline/upstream.ts';
import { createTestDatabase, silentLog, type TestDatabase } from '../../setup/test-database.ts';
import { createTestService } from '../test-service.ts';

const png = Buffer.from('\x89PNG\r\n\x1a\n invented', 'latin1');
const pictureUrl = (name: string) => `https://scontent-frt3-1.cdninstagram.com/v/${name}.jpg?oe=F0000000&oh=one`;

let db: TestDatabase;
let upstream: Upstream;
let service: Awaited<ReturnType<typeof createTestService>>;
let addresses: MediaAddresses;
let context: JobContext;
/** Names of the pictures for which the fake platform returns 403. */
const expired = new Set<string>();
const requested: string[] = [];

beforeAll(async () => {
  db = await createTestDatabase();
  upstream = await startUpstream((request, response) => {
    const name = /\/v\/(.*)\.jpg/.exec(request.url ?? '')?.[1] ?? '';
    requested.push(name);
    if (expired.has(name)) response.writeHead(403).end('URL signature expired');
    else response.end(name.startsWith('large') ? Buffer.concat([png, Buffer.alloc(600_000)]) : png);
  });
  const fetch = createFetcher({ dispatcher: upstream.dispatcher });
  service = await createTestService({ db, fetch });
  addresses = await openMediaAddresses(db.sql);
  const signal = new AbortController().signal;
  context = { db, now: () => service.clock.now, sources: { fetch }, log: silentLog, signal } as unknown as JobContext;
});
beforeEach(() => {
  service.clock.now = new Date('2026-11-20T10:00:00.000Z');
  expired.clear();
  requested.length = 0;
});
afterAll(async () => {
  await upstream.close();
  await service.close();
});

const keep = () => keepPictures.run([{ key: 'tick', data: {} }], context);

async function show(path: string | null) {
  const response = await service.app.request(`http://tidemark.test${path}`);
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}

async function newItem(handle: string, workspaceId: string) {
  const url = `https://www.instagram.com/${handle}/`;
  const added = await addItem(
    db.sql,
    workspaceId,
    { platform: 'photo', kind: 'profile', url, identifier: handle },
    200,
  );
  if (added.outcome === 'full') throw new Error('full');
  return { workspace_id: workspaceId, item_id: added.item_id };
}

/** Stores a successful tracking check of an item. The check found the item's picture at `seenUrl`. */
async function check(item: { workspace_id: string; item_id: string }, seenUrl: string | null): Promise<void> {
  const now = service.clock.now;
  const attempt = { ...item, attempt_id: newId(now) };
  await createClaims(db.sql)({ ...attempt, now });
  const observation = {
    platform_id: null,
    name: null,
    values: metricValues({ followers: 5 }),
    quality: packQuality({}),
  };
  const recorded = await createCheckRecorder(db.sql)({
    ...attempt,
    charge_id: attempt.attempt_id,
    attempted_at: now,
    trigger: 'scheduled',
    outcome: 'OK',
    duration_ms: 1,
    message: null,
    observation: { ...observation, source: 'invented', picture_url: seenUrl },
  });
  expect(recorded).toMatchObject({ outcome: 'OK', credits: 1 });
}

function later(days: number): void {
  service.clock.now = new Date(service.clock.now.getTime() + days * 86_400_000 + 60_000);
}

test('the picture proxy answers without a session, lets browsers cache the picture and forbids scripts in it', async () => {
  const { response, bytes } = await show(addresses.mediaAddress(pictureUrl('plain')));
  expect(response.status).toBe(200);
  expect(bytes).toEqual(png);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'public, max-age=86400',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  });
});

test('ten simultaneous requests for one picture fetch it once, and later requests find it in memory', async () => {
  const path = addresses.mediaAddress(pictureUrl('shared'));
  await Promise.all(Array.from({ length: 10 }, () => show(path)));
  await show(path);
  expect(requested).toEqual(['shared']);
});

test('for a picture that cannot be fetched, the answer is a gray picture that browsers cache for one minute', async () => {
  expired.add('gone');
  const path = addresses.mediaAddress(pictureUrl('gone'));
  const { response, bytes } = await show(path);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('image/png');
  expect(response.headers.get('cache-control')).toBe('public, max-age=60');
  expect(bytes.length).toBeLessThan(100);
  await show(path);
  expect(requested).toEqual(['gone']);
});

test('a picture address that this server did not sign gets 404, and nothing is fetched', async () => {
  const target = Buffer.from(pictureUrl('foreign')).toString('base64url');
  for (const path of [`/media/${'A'.repeat(22)}/url.${target}`, `/media/x/url.${target}`])
    expect((await show(path)).response.status).toBe(404);
  expect(requested).toEqual([]);
});

test('the picture of a tracked item is stored and shown after its address has expired, even by the expired address', async () => {
  const { workspace_id } = await service.workspace(10, 'ultra');
  const item = await newItem('kept', workspace_id);
  await check(item, pictureUrl('kept'));
  await keep();
  expired.add('kept');
  later(30);
  expect((await show(addresses.itemPictureAddress(item))).bytes).toEqual(png);
  const old = pictureUrl('kept').replace('oh=one', 'oh=two');
  expect((await show(addresses.mediaAddress(old))).bytes).toEqual(png);
});

test('the picture of an item is shown before the job has stored it', async () => {
  const { workspace_id } = await service.workspace(10, 'ultra');
  const item = await newItem('young', workspace_id);
  await check(item, pictureUrl('young'));
  expect((await show(addresses.itemPictureAddress(item))).bytes).toEqual(png);
  await keep();
});

test('a stored picture is fetched again after a week, not before', async () => {
  const { workspace_id } = await service.workspace(10, 'ultra');
  const item = await newItem('weekly', workspace_id);
  for (const name of ['w0', 'w1', 'w2']) {
    await check(item, pictureUrl(name));
    await keep();
    later(4);
  }
  expect(requested).toEqual(['w0', 'w2']);
});

test('a new picture address that has expired leaves the stored picture, and the next check names another one', async () => {
  const { workspace_id } = await service.workspace(10, 'ultra');
  const item = await newItem('again', workspace_id);
  await check(item, pictureUrl('a0'));
  await keep();
  later(8);
  expired.add('a1');
  await check(item, pictureUrl('a1'));
  await keep();
  await keep();
  expect((await show(addresses.itemPictureAddress(item))).bytes).toEqual(png);
  later(1);
  await check(item, pictureUrl('a2'));
  await keep();
  expect(requested).toEqual(['a0', 'a1', 'a2']);
});

test('when one picture cannot be stored, the pictures in progress are stored before the job fails', async () => {
  const { workspace_id } = await service.workspace(10, 'ultra');
  const items = [await newItem('fails', workspace_id), await newItem('held', workspace_id)];
  await check(items[0] ?? expect.fail(), pictureUrl('fails'));
  await check(items[1] ?? expect.fail(), pictureUrl('held'));
  const held = Promise.withResolvers<void>();
  const order: string[] = [];
  const now = () => {
    order.push(order.length === 0 ? 'not stored' : 'stored');
    if (order.length > 1) return service.clock.now;
    setImmediate(held.resolve);
    throw new Error('invented');
  };
  const fetch: JobContext['sources']['fetch'] = async (request, signal) => {
    if (request.url.includes('held')) await held.promise;
    return context.sources.fetch(request, signal);
  };
  const run = keepPictures.run([], { ...context, now, sources: { ...context.sources, fetch } });
  await run.catch(({ message }: Error) => order.push(message));
  expect(order).toEqual(['not stored', 'stored', 'invented']);
  await keep();
});

test('a picture over 512 kB is not stored', async () => {
  const { workspace_id } = await service.workspace(10, 'ultra');
  const item = await newItem('large', workspace_id);
  await check(item, pictureUrl('large'));
  await keep();
  expect(await itemsWithPicture(db.sql, workspace_id, [item.item_id])).toEqual(new Set());
});

test('a workspace at its limit of pictures does not store more pictures, and another workspace still does', async () => {
  const [full, other] = [await service.workspace(10, 'ultra'), await service.workspace(10, 'ultra')];
  const items = [
    await newItem('first', full.workspace_id),
    await newItem('second', full.workspace_id),
    await newItem('third', other.workspace_id),
  ];
  const isKept = [];
  for (const item of items) {
    const pendingUrl = pictureUrl('limited');
    await check(item, pendingUrl);
    const picture = { type: 'image/png', bytes: png, picture_key: 'limited', now: service.clock.now };
    isKept.push(
      await keepPicture(db.sql, { ...item, ...picture, pending_url: pendingUrl, workspace_bytes: png.length }),
    );
  }
  expect(isKept).toEqual([true, false, true]);
  await db.sql`update item_pictures set pending_url = null`;
});

test('pictures are part of the export, and are deleted with their item and with their workspace', async () => {
  const { workspace_id } = await service.workspace(10, 'ultra');
  const [one, two] = [await newItem('one', workspace_id), await newItem('two', workspace_id)];
  await check(one, pictureUrl('one'));
  await check(two, pictureUrl('two'));
  await keep();
  const part = exportParts.find(({ name }) => name === 'pictures');
  if (!part) throw new Error('the export has no pictures');
  const exported = (await Array.fromAsync(exportPages(db.sql, workspace_id, part))).flat();
  expect(exported.map(({ bytes, type }) => ({ bytes, type }))).toEqual(
    Array(2).fill({ bytes: png, type: 'image/png' }),
  );
  const stored = async () => {
    const rows = await db.sql`select item_id from item_pictures where workspace_id = ${workspace_id}`;
    return rows.map(({ item_id }) => item_id);
  };
  await removeItem(db.sql, workspace_id, one.item_id);
  expect(await stored()).toEqual([two.item_id]);
  await deleteWorkspace(db.sql, workspace_id);
  expect(await stored()).toEqual([]);
});
