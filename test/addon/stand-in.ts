import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { known_fields } from '../../addon/fields.ts';
import type { RawAnswer, Setup, StandInLog } from './stand-in-process.ts';

/** A stand-in of the API that speaks the contract for two routes, run as a process of its own by stand-in-process.ts. */
const urls_max = 50;
const parameter_names = new Set(['url', 'fields', 'cache_max_age', 'fresh']);
const max_ages = new Set(['1d', '3d', '7d', '14d', '30d']);

type State = Setup & { kept: Set<string>; log: StandInLog };
type Request = { parameters: URLSearchParams; path: string; key: string | null };

let state: State = newState({ keys: [], people: {}, answers: [] });

function newState(setup: Setup): State {
  return { ...setup, kept: new Set(), log: { requests: [], credits_charged: 0 } };
}

const server = createServer((request, response) => {
  serve(request).then(
    (answer) => send(response, answer),
    (error: unknown) => send(response, json(500, { fault: String(error) })),
  );
});
// A test process that was killed closes this pipe: nobody else would stop us then.
process.stdin.on('end', () => process.exit()).resume();
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: (server.address() as AddressInfo).port })));

async function serve(message: IncomingMessage): Promise<RawAnswer> {
  const url = new URL(message.url ?? '/', 'http://stand-in');
  if (url.pathname === '/stand-in' && message.method === 'POST') {
    state = newState(JSON.parse((await message.toArray()).join('')));
    return json(200, {});
  }
  if (url.pathname === '/stand-in') return json(200, state.log);
  const key = message.headers['x-api-key'];
  const request = { parameters: url.searchParams, path: url.pathname, key: typeof key === 'string' ? key : null };
  state.log.requests.push({
    path: url.pathname,
    url_characters: `http://${message.headers.host}${message.url}`.length,
    key: request.key,
    parameters: Object.fromEntries([...parameter_names].map((name) => [name, url.searchParams.getAll(name)])),
  });
  return state.answers.shift() ?? answer(request);
}

function answer(request: Request): RawAnswer {
  if (request.key === null || !state.keys.includes(request.key)) return failure(401, 'INVALID_API_KEY', 'No such key.');
  if (request.path === '/v1/credit/balance') return json(200, envelope({ credits_remaining: 9_000 }));
  if (request.path !== '/v1/workflows/profile') return failure(404, 'ROUTE_NOT_FOUND', 'No such route.');
  const { parameters } = request;
  const unknown = [...parameters.keys()].find((name) => !parameter_names.has(name));
  if (unknown !== undefined) return failure(400, 'INVALID_INPUT', `Unknown parameter ${unknown}.`);
  const max_age = parameters.get('cache_max_age');
  if (max_age !== null && !max_ages.has(max_age)) return failure(400, 'INVALID_INPUT', 'cache_max_age is not known.');
  const urls = parameters.getAll('url');
  if (urls.length === 0 || urls.length > urls_max) return failure(400, 'INVALID_INPUT', 'url: 1 to 50.');
  const fields = parameters.get('fields')?.split(',');
  const columns = known_fields.filter((name) => fields?.includes(name) ?? true);
  const rows = urls.map((url) => row(url, parameters.get('fresh') === 'true'));
  return json(200, envelope({ columns, rows: rows.map((cells) => columns.map((name) => cells[name] ?? null)) }));
}

/** Charged once, then kept: a day is never over here. */
function row(url: string, fresh: boolean): Record<string, unknown> {
  const person = state.people[url];
  if (person === undefined) return { url, status: 'RESOURCE_NOT_FOUND', message: 'There is no such account.' };
  const cached = !fresh && state.kept.has(url);
  const credits_charged = cached ? 0 : 1;
  state.kept.add(url);
  state.log.credits_charged += credits_charged;
  return { url, status: 'OK', cached, credits_charged, ...person };
}

function envelope(data: unknown): unknown {
  return { data, meta: { request_id: 'req_invented', cached: false, credits_charged: 0, sandbox: false } };
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
