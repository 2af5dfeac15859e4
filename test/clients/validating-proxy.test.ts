import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '../../clients/typescript/src/client.ts';
import { createKey } from '../../db/accounts/keys.ts';
import { createWorkspace } from '../../db/accounts/workspaces.ts';
import { inTransaction } from '../../db/transaction.ts';
import { createRecordedFetcher } from '../../pipeline/network/recorded-fetcher.ts';
import { catalog } from '../../server/data/catalog.ts';
import type { Route, SourcedRoute } from '../../server/data/route.ts';
import { recordShape } from '../../server/mcp/projection.ts';
import { openApi } from '../../server/openapi/document.ts';
import { identifierFamilies, reservedIdentifiers } from '../../server/sandbox/scenarios.ts';
import { workflows } from '../../server/workflows/catalog.ts';
import { startRecordingProxy } from '../docs/recording-proxy.ts';
import { type ApiDocument, documentCheck } from '../harness/document-check.ts';
import { type ListeningOptions, type ListeningService, listeningService } from '../harness/listening-service.ts';
import { describeRecorded, recordedManifest } from '../recorded.ts';
import { exampleQuery } from '../server/data/queries.ts';
import { inventedUpstream } from '../server/invented-upstream.ts';
import type { TestKeys } from '../server/test-service.ts';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.ts';

const problemsOf = documentCheck(openApi('http://tidemark.test') as unknown as ApiDocument);
const proxy = await startRecordingProxy();
const upstream = inventedUpstream();
const services: ListeningService[] = [];
let db: TestDatabase;
let keys: TestKeys;

beforeAll(async () => {
  db = await createTestDatabase();
  keys = await inTransaction(db.sql, (tx) => createWorkspace(tx, { name: 'proxy', credits: 10_000 }));
});
afterAll(async () => {
  await Promise.all(services.map((service) => service.close()));
  await proxy.close();
  await db.close();
});

async function forwardToService(options: Partial<ListeningOptions> = {}): Promise<void> {
  const service = await listeningService({ database_url: db.database_url, fetch: upstream.fetch, ...options });
  services.push(service);
  proxy.setTarget(service.base_url);
}

/** Requests each address through a proxy that validates answers. Returns the differences from the OpenAPI document. */
async function differences(addresses: readonly string[], key: string, headers = {}): Promise<string[]> {
  proxy.exchanges.length = 0;
  const sent = { headers: { 'x-api-key': key, ...headers } };
  await Promise.all(addresses.map((address) => fetch(proxy.base_url + address, sent)));
  expect(proxy.exchanges).toHaveLength(addresses.length);
  return undocumented();
}

const undocumented = () =>
  proxy.exchanges.flatMap((exchange) =>
    problemsOf(exchange).map(
      (problem) => `${exchange.status} ${exchange.url.pathname}${exchange.url.search}: ${problem}`,
    ),
  );

const statuses = () => [...new Set(proxy.exchanges.map(({ status }) => status))].sort();

/**
 * Values of the parameter `fields` that select a part of a field. Each value is sent to the routes whose record has the
 * field.
 */
const deepPaths = [
  'avatar_variants.url',
  'caption_tracks.language',
  'children.media_url',
  'hashtags.name',
  'live.is_live_now',
  'localized.title',
  'media_assets.width',
  'music.title',
  'region_restriction.allowed',
  'segments.start',
  'thumbnails.url',
];

const isSourced = (route: Route): route is SourcedRoute => route.availability !== 'planned';

/** Returns addresses of a route, one for each parameter that changes the format of the answer. */
function variants(route: SourcedRoute, address: string): string[] {
  const names = Object.keys(recordShape(route));
  const deep = deepPaths.filter((path) => names.includes(path.split('.')[0] as string));
  const fields = [names.at(-1), ...deep].join(',');
  const narrow = ['trim=true', `fields=${fields}`, `fields=${fields}&trim=true`, 'estimate=true', 'cache_max_age=1d'];
  const paged = route.container === 'items' ? ['limit=20', 'limit=1&trim=true'] : [];
  const compact = route.compact ? ['format=compact'] : [];
  return [address, ...[...narrow, ...paged, ...compact].map((query) => `${address}&${query}`)];
}

/** Returns the addresses of the sandbox scenarios (invented answers and errors) of a route, with and without trim. */
function scenarioAddresses(route: SourcedRoute): string[] {
  const [name, parameter] = Object.entries(route.identifiers)[0] ?? [];
  const families = identifierFamilies.map(reservedIdentifiers);
  const ids = families.find((all) => all.every((id) => parameter?.schema.safeParse(id).success)) ?? [];
  return ids.flatMap((id) => {
    const query = new URLSearchParams(exampleQuery(route));
    query.set(name ?? '', id);
    return [`${route.path}?${query}`, `${route.path}?${query}&trim=true`];
  });
}

describe('a validating proxy between a client and the sandbox', () => {
  beforeAll(() => forwardToService());

  test.each(catalog.filter(isSourced).map((route) => [route.path, route] as const))(
    'the proxy finds nothing undocumented in any answer of %s',
    async (_, route) => {
      const address = `${route.path}?${exampleQuery(route)}`;
      const addresses = [...variants(route, address), ...scenarioAddresses(route), `${address}&unknown=1`];
      expect(await differences(addresses, keys.test_key)).toEqual([]);
      expect(statuses()).toEqual(expect.arrayContaining([200, 400]));
    },
  );

  test('the validating proxy finds nothing undocumented in the answers of planned routes, workflows and the account', async () => {
    const planned = catalog.filter((route) => !isSourced(route)).map((route) => `${route.path}?${exampleQuery(route)}`);
    const tables = workflows.flatMap(({ path, required, parameters }) => {
      const address = `${path}?${required}=${encodeURIComponent(parameters[required]?.example ?? '')}`;
      const estimate = Object.hasOwn(parameters, 'estimate') ? [`${address}&estimate=true`] : [];
      return [address, `${address}&format=csv`, `${address}&unknown=1`, ...estimate];
    });
    const others = ['/v1/credit/balance', '/v1/workflows/campaigns', '/v1/workflows/campaign-report', '/v1/status'];
    expect(await differences([...planned, ...tables, ...others], keys.test_key)).toEqual([]);
    expect(statuses()).toEqual([200, 400, 403, 501]);
  });

  test('the validating proxy finds nothing undocumented in the answers to the TypeScript client', async () => {
    proxy.exchanges.length = 0;
    const client = createClient({ apiKey: keys.test_key, baseUrl: proxy.base_url });
    const handle = 'tidemark.sample';
    await client.get('/v1/photo/profile', { handle, fields: 'followers', trim: true });
    await client.estimate('/v1/photo/profile', { handle });
    await Array.fromAsync(client.items('/v1/photo/posts', { handle, limit: 10, trim: true }));
    await client.csv('/v1/workflows/profile', { url: ['https://www.instagram.com/tidemark.sample/'] });
    expect([undocumented(), proxy.exchanges.length]).toEqual([[], 6]);
  });
});

describe('a validating proxy between a client and live answers', () => {
  beforeAll(() => forwardToService());

  test('the validating proxy finds nothing undocumented in fresh, cached and replayed answers', async () => {
    const photo = catalog.filter(isSourced).filter(({ path }) => /^\/v1\/photo\/(?:profile|posts)$/.test(path));
    const addresses = photo.flatMap((route) => variants(route, `${route.path}?handle=paper.kite`));
    expect(await differences(addresses, keys.live_key)).toEqual([]);
    expect(await differences(addresses, keys.live_key)).toEqual([]);
    expect(proxy.exchanges.some(({ headers }) => headers.has('age'))).toBe(true);
    const once = { 'idempotency-key': 'proxy-1' };
    expect(await differences(addresses.slice(0, 1), keys.live_key, once)).toEqual([]);
    expect(await differences(addresses.slice(0, 1), keys.live_key, once)).toEqual([]);
    expect(proxy.exchanges[0]?.headers.get('x-idempotent-replay')).toBe('true');
    expect(await differences(addresses.slice(1, 2), keys.live_key, once)).toEqual([]);
    expect(statuses()).toEqual([422]);
  });

  test('the validating proxy finds nothing undocumented in refusals (key, credits, sheet key) and internal errors', async () => {
    const everything = [...catalog.map((route) => `${route.path}?${exampleQuery(route)}`), '/v1/credit/balance'];
    expect(await differences(everything, 'no key')).toEqual([]);
    expect(statuses()).toEqual([401]);
    const poor = await inTransaction(db.sql, (tx) => createWorkspace(tx, { name: 'poor', credits: 0 }));
    expect(await differences(['/v1/photo/profile?handle=a'], poor.live_key)).toEqual([]);
    expect(statuses()).toEqual([402]);
    const sheet = await createKey(db.sql, keys.workspace_id, { kind: 'sheet', name: 'sheet', monthly_cap: 5 });
    const data = catalog.map((route) => `${route.path}?${exampleQuery(route)}`);
    expect(await differences(data, sheet.key)).toEqual([]);
    expect(statuses()).toEqual([403]);
    upstream.answer = () => {
      throw new Error('invented failure');
    };
    expect(await differences(['/v1/photo/profile?handle=broken'], keys.live_key)).toEqual([]);
    upstream.answer = null;
    expect(statuses()).toEqual([500]);
  });

  test('a refusal by the rate limit is fully described in the OpenAPI document', async () => {
    const other = await inTransaction(db.sql, (tx) => createWorkspace(tx, { name: 'limited', credits: 9 }));
    await forwardToService({ requests_per_minute: 1 });
    const paths = [...catalog.map((route) => `${route.path}?${exampleQuery(route)}`), '/v1/credit/balance'];
    // Uses a production key, because a development key gets samples, which are free answers and have a higher limit.
    expect(await differences(['/v1/credit/balance'], other.live_key)).toEqual([]);
    expect(await differences(paths, other.live_key)).toEqual([]);
    expect(statuses()).toEqual([429]);
    expect(proxy.exchanges.every(({ headers }) => Number(headers.get('retry-after')) > 0)).toBe(true);
  });
});

/**
 * The handles and IDs for which answers of the platforms are recorded, by route. Some return records, others errors.
 */
const recorded: Readonly<Record<string, readonly string[]>> = {
  '/v1/photo/profile?handle=': ['megadeth', 'replay.nobody'],
  '/v1/photo/posts?handle=': ['maynel_baby_shop'],
  '/v1/photo/post?id=': ['CAnqPB-Jzcj', 'Chm_-tPJqpd', 'DTc0zASEdfy', 'DEWKjVHsYUb', 'ReplayGone1'],
  '/v1/photo/post/children?id=': ['CAnqPB-Jzcj'],
  '/v1/shortvideo/profile?handle=': ['tiktok', 'huxleythepandapuppy', 'alcaldiasa', 'replay.challenge'],
  '/v1/shortvideo/video?id=': [
    '7608826249200356630',
    '7603995605354040594',
    '6718335390845095173',
    '7134059641968872746',
  ],
  '/v1/shortvideo/comments?id=': ['7000000000000000001'],
  '/v1/longvideo/video?id=': ['rCAS2eD-mcw', 'rwcfPqbAx-0', 'D-lhorsDlUQ', 'c7_kqMFDE8c', 'errNotFound', 'replaySorry'],
  '/v1/longvideo/transcript?id=': ['rCAS2eD-mcw', 'rwcfPqbAx-0', 'D-lhorsDlUQ'],
  '/v1/longvideo/comments?id=': ['rwcfPqbAx-0', 'D-lhorsDlUQ'],
  '/v1/longvideo/channel?handle=': ['gronkh', '@replay-nobody'],
  '/v1/longvideo/channel/videos?channel_id=': ['UCTwECeGqMZee77BjdoYtI2Q', 'UC_x5XG1OV2P6uZZ5FSM9Ttw'],
  '/v1/longvideo/channel/playlists?channel_id=': ['UCTwECeGqMZee77BjdoYtI2Q', 'UC_x5XG1OV2P6uZZ5FSM9Ttw'],
  '/v1/longvideo/playlist?playlist_id=': ['PLoumn5BIsUDeGF1vy5Nylf_RJKn5aL_nr'],
  '/v1/longvideo/playlist/items?playlist_id=': ['PLoumn5BIsUDeGF1vy5Nylf_RJKn5aL_nr'],
  '/v1/longvideo/search?q=': ['test'],
};

describeRecorded('between a client and recorded answers', () => {
  beforeAll(() => forwardToService({ fetch: createRecordedFetcher(recordedManifest) }));

  test.each(Object.entries(recorded))(
    'the proxy finds nothing undocumented in any answer of %s',
    async (path, values) => {
      const route = catalog.filter(isSourced).find((row) => path.startsWith(`${row.path}?`)) as SourcedRoute;
      const addresses = values.flatMap((value) => variants(route, path + encodeURIComponent(value)));
      expect(await differences(addresses, keys.live_key)).toEqual([]);
      expect(statuses()).toContain(200);
    },
  );
});
