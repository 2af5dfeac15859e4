import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { postColumns, profileColumns } from '../../addon/formulas/fields.ts';
import { emptySetup, type FakeApiLog, type RawAnswer, type Setup } from './fake-api-process.ts';

/** Query parameters that the fake API logs. fake-api-process.ts starts the fake API in a separate process. */
const parameterNames = new Set([
  'url',
  'item',
  'id',
  'fields',
  'limit',
  'metric',
  'days',
  'cache_max_age',
  'fresh',
  'estimate',
  'platform',
]);
const trackedColumns = [
  'item_id',
  'url',
  'status',
  'name',
  'metric',
  'observed_at',
  'value',
  'quality',
  'source',
  'message',
];
/** The kind of each API key, unless a test sets another one. */
const sheetKey = { kind: 'sheet', monthly_cap: 500 };
const maxAges = new Set(['1d', '3d', '7d', '14d', '30d']);

type Row = Record<string, unknown>;
/** `replays`: the row that was returned for an Idempotency-Key and a URL. */
type State = Setup & { kept: Set<string>; replays: Map<string, Row>; log: FakeApiLog };
type Request = { parameters: URLSearchParams; path: string; key: string | null; idempotency_key: string | null };

let state: State = newState(emptySetup);

function newState(setup: Setup): State {
  return { ...setup, kept: new Set(), replays: new Map(), log: { requests: [], credits_charged: 0 } };
}

const server = createServer((request, response) => {
  const breaks = request.url === '/fake-api' ? 'never' : state.breaks.shift();
  if (breaks === 'before') return void request.destroy();
  serve(request, breaks === 'after').then(
    (answer) => (breaks === 'after' ? void request.destroy() : send(response, answer)),
    (error: unknown) => send(response, json(500, { fault: String(error) })),
  );
});
// Keeps idle connections open without a limit, because the test process may be blocked for longer than Node's default.
server.keepAliveTimeout = 0;
// Ends this process when stdin closes, which also happens when the test process is killed.
process.stdin.on('end', () => process.exit()).resume();
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: (server.address() as AddressInfo).port })));

/**
 * Returns the answer to a request. `isLost`: the client will not receive the answer. Then returns the normal answer, so
 * that `answers` stay for later requests.
 */
async function serve(message: IncomingMessage, isLost: boolean): Promise<RawAnswer> {
  const url = new URL(message.url ?? '/', 'http://fake-api');
  if (url.pathname === '/fake-api' && message.method === 'POST') {
    state = newState(JSON.parse(Buffer.concat(await message.toArray()).toString()));
    return json(200, {});
  }
  if (url.pathname === '/fake-api') return json(200, state.log);
  const header = (name: string): string | null => message.headers[name]?.toString() ?? null;
  const [key, idempotencyKey] = [header('x-api-key'), header('idempotency-key')];
  const request = { parameters: url.searchParams, path: url.pathname, key, idempotency_key: idempotencyKey };
  state.log.requests.push({
    path: url.pathname,
    url_characters: `http://${message.headers.host}${message.url}`.length,
    ...{ key, idempotency_key: idempotencyKey },
    parameters: Object.fromEntries([...parameterNames].map((name) => [name, url.searchParams.getAll(name)])),
  });
  return (isLost ? undefined : state.answers.shift()) ?? answer(request);
}

/**
 * A route of the fake API that returns a table. `name`: the parameter, which a request may repeat up to `values_max`
 * times. `rows`: returns the table rows for one value of the parameter.
 */
type TableRoute = {
  name: 'url' | 'item';
  values_max: number;
  columns: readonly string[];
  rows: (value: string, request: Request) => Row[];
};

const tableRoutes: Record<string, TableRoute> = {
  '/v1/workflows/profile': {
    ...{ name: 'url', values_max: 50, columns: profileColumns.known },
    rows: (url, request) => [bought(url, request, state.people[url])],
  },
  '/v1/workflows/post': {
    ...{ name: 'url', values_max: 50, columns: postColumns.known },
    rows: (url, request) => [bought(url, request, state.post[url])],
  },
  '/v1/workflows/posts': { ...{ name: 'url', values_max: 1, columns: postColumns.known }, rows: latestPosts },
  '/v1/workflows/tracked': {
    ...{ name: 'item', values_max: 20, columns: trackedColumns },
    rows: (item) => state.observations[item] ?? [{ item_id: item, status: 'RESOURCE_NOT_FOUND' }],
  },
};

function answer(request: Request): RawAnswer {
  if (request.key === null || !state.keys.includes(request.key)) return failure(401, 'INVALID_API_KEY', 'No such key.');
  const askedOf = request.parameters.get('url') ?? request.parameters.get('item') ?? request.path;
  const refusals = state.refusals[askedOf] ?? 0;
  if (refusals > 0) {
    state.refusals[askedOf] = refusals - 1;
    const refused = failure(429, 'RATE_LIMITED', 'More than 60 requests in this minute: wait 3 seconds.');
    return { ...refused, headers: { 'retry-after': '3' } };
  }
  const { parameters, path } = request;
  const unknown = [...parameters.keys()].find((name) => !parameterNames.has(name));
  if (unknown !== undefined) return failure(400, 'INVALID_INPUT', `Unknown parameter ${unknown}.`);
  if (path === '/v1/credit/balance')
    return json(200, envelope({ credits_remaining: 9_000, key: sheetKey, ...state.balance }));
  if (path === '/v1/workflows/campaigns') return json(200, envelope({ items: state.campaigns }));
  if (path === '/v1/workflows/campaign-report') {
    const report = state.reports[parameters.get('id') ?? ''];
    return report === undefined
      ? failure(404, 'RESOURCE_NOT_FOUND', 'This workspace has no such campaign.')
      : json(200, envelope(report));
  }
  const route = tableRoutes[path];
  return route === undefined ? failure(404, 'ROUTE_NOT_FOUND', 'No such route.') : table(route, request);
}

function table(route: TableRoute, request: Request): RawAnswer {
  const { parameters } = request;
  const maxAge = parameters.get('cache_max_age');
  if (maxAge !== null && !maxAges.has(maxAge)) return failure(400, 'INVALID_INPUT', 'cache_max_age is not known.');
  const values = parameters.getAll(route.name);
  if (values.length === 0 || values.length > route.values_max) {
    return failure(400, 'INVALID_INPUT', `${route.name}: 1 to ${route.values_max}.`);
  }
  if (parameters.get('estimate') === 'true') return json(200, envelope(estimate(values)));
  const fields = parameters.get('fields')?.split(',');
  const columns = route.columns.filter((name) => fields?.includes(name) ?? true);
  const chargedBefore = state.log.credits_charged;
  const rows = values.flatMap((value) => route.rows(value, request));
  const data = { columns, rows: rows.map((cells) => columns.map((name) => cells[name] ?? null)) };
  return json(200, envelope(data, state.warnings, state.log.credits_charged - chargedBefore));
}

function estimate(urls: readonly string[]): Record<string, number> {
  const cachedRows = urls.filter((url) => state.kept.has(url)).length;
  const unreadableRows = urls.filter((url) => !url.startsWith('https://')).length;
  return {
    rows: urls.length,
    cached_rows: cachedRows,
    unreadable_rows: unreadableRows,
    cost: urls.length - cachedRows - unreadableRows,
  };
}

/**
 * Returns the row of a URL. Charges for each URL once and then answers from the cache, which never expires here. A row
 * that was returned for an Idempotency-Key is free when the request is repeated with that key.
 */
function bought(url: string, { parameters, idempotency_key }: Request, cells: Row | undefined): Row {
  if (cells === undefined) return { url, status: 'RESOURCE_NOT_FOUND', message: 'There is no such account.' };
  const replay = `${idempotency_key} ${url}`;
  const isKept = parameters.get('fresh') !== 'true' && state.kept.has(url);
  const cached = isKept || (idempotency_key !== null && state.replays.has(replay));
  const creditsCharged = cached ? 0 : 1;
  state.kept.add(url);
  const row = state.replays.get(replay) ?? { url, status: 'OK', ...cells };
  state.replays.set(replay, row);
  state.log.credits_charged += creditsCharged;
  return { cached, credits_charged: creditsCharged, ...row };
}

function latestPosts(url: string, request: Request): Row[] {
  const posts = state.posts[url];
  const first = bought(url, request, posts && {});
  if (posts === undefined) return [first];
  const limit = Number(request.parameters.get('limit') ?? 3);
  return posts
    .slice(0, limit)
    .map((cells, index) => ({ ...first, ...(index > 0 && { credits_charged: 0 }), ...cells }));
}

function envelope(data: unknown, warnings: string[] = [], credits = 0): unknown {
  const meta = { request_id: 'req_invented', cached: false, credits_charged: credits, sandbox: false, warnings };
  return { data, meta };
}

function failure(status: number, code: string, message: string): RawAnswer {
  return json(status, { error: { code, message, status }, meta: { credits_charged: 0, sandbox: false } });
}

function json(status: number, body: unknown): RawAnswer {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

function send(response: ServerResponse, { status, headers = {}, body }: RawAnswer): void {
  response.writeHead(status, headers).end(body);
}
