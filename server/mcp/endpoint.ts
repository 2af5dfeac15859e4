import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  originValidationResponse,
  readRequestBody,
  type Server,
} from '@modelcontextprotocol/server';
import { errorTable } from '../../pipeline/errors.ts';
import { rateHeaders } from '../http/authenticate.ts';
import { asRequestError, invalidInput, RequestError } from '../http/errors.ts';
import { errorResponse, type ReplyDeps, requestIdOf } from '../http/responses.ts';
import type { Caller, Door } from './authenticate.ts';

/** Addresses of the endpoint: `?tools=all`, and the plain one. */
export type ToolsAsked = 'small' | 'all';

/** A request that was let in. */
export interface Visit {
  caller: Caller;
  tools: ToolsAsked;
  /** The id of the call when there is one; those of a batch get one each. */
  request_id: string | null;
}

export interface EndpointDeps extends Pick<ReplyDeps, 'base_url' | 'now' | 'requests_per_minute' | 'log' | 'metrics'> {
  door: Door;
  /** A server for one exchange. */
  serverOf(visit: Visit): Server;
  /** A message that ends a call of an earlier request. */
  cancel(caller: Caller, id: unknown): void;
}

const maxBodyBytes = 256 * 1024;
const maxBatchMessages = 10;
const jsonRpc = { parse_error: -32_700, invalid_request: -32_600, server_error: -32_000 };

/** `POST /mcp`: Streamable HTTP without sessions. Host and origin first, then key, size, shape; then the protocol. */
export function createEndpoint(deps: EndpointDeps): (request: Request) => Promise<Response> {
  const visits = new WeakMap<object, Visit>();
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const visit = authInfo && visits.get(authInfo);
      if (!visit) throw new Error('a request that nobody let in');
      return deps.serverOf(visit);
    },
    { maxRequestBodySize: maxBodyBytes, maxSubscriptions: 0 },
  );
  const names = [...localhostAllowedHostnames(), new URL(deps.base_url).hostname];

  async function serve(request: Request, arrival: Arrival): Promise<Response> {
    if (request.method !== 'POST') throw onlyPost();
    const strange = hostRefusal(request, names) ?? originValidationResponse(request, names);
    if (strange) return strange;
    const hash = await deps.door.hashOf(request.headers);
    const tools = toolsAsked(request.url);
    const body = await readBody(request);
    if (body instanceof Response) return body;
    const calls = body.messages.filter((message) => methodOf(message) === 'tools/call').length;
    const caller = await deps.door.enter(hash, calls);
    arrival.caller = caller;
    for (const message of body.messages) {
      if (methodOf(message) === 'notifications/cancelled') deps.cancel(caller, cancelledId(message));
    }
    const authInfo = { token: '', clientId: '', scopes: [] };
    visits.set(authInfo, { caller, tools, request_id: calls === 1 ? arrival.request_id : null });
    return handler.fetch(request, { authInfo, parsedBody: body.parsed });
  }

  return async (request) => answered(request, serve, deps);
}

/** A request as it comes in; `caller` once it was let in. */
interface Arrival {
  request_id: string;
  caller: Caller | null;
}

type Serve = (request: Request, arrival: Arrival) => Promise<Response>;

/** Whatever goes wrong is an error in our own form; calls of tools are logged and counted as requests of their own. */
async function answered(request: Request, serve: Serve, deps: EndpointDeps): Promise<Response> {
  const started = performance.now();
  const requestId = requestIdOf(request.headers);
  const arrival: Arrival = { request_id: requestId, caller: null };
  deps.metrics.entered();
  let failure: unknown = null;
  let response: Response;
  try {
    response = await serve(request, arrival);
  } catch (error) {
    failure = error;
    response = errorResponse(asRequestError(error), requestId, null, deps);
  }
  const code = failure === null ? null : asRequestError(failure).code;
  const admission = arrival.caller?.entry?.admission ?? null;
  deps.metrics.answered('/mcp', code ?? 'OK', 0);
  deps.log({
    request_id: requestId,
    method: request.method,
    route: '/mcp',
    status: code ? errorTable[code].status : response.status,
    code,
    duration_ms: Math.round((performance.now() - started) * 10) / 10,
    workspace_id: admission?.workspace_id ?? null,
    credits_charged: 0,
    ...(failure === null ? {} : { error: failure }),
  });
  const rate = admission ? rateHeaders(admission, deps.requests_per_minute, deps.now()) : {};
  const ours = { ...rate, 'x-request-id': requestId, 'x-content-type-options': 'nosniff' };
  for (const [name, value] of Object.entries(ours)) response.headers.set(name, value);
  if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'no-store');
  return response;
}

function onlyPost(): RequestError {
  const message = 'Use POST: this is the address of a tool protocol (MCP), without sessions and streams of its own.';
  return new RequestError('METHOD_NOT_ALLOWED', { message, headers: { allow: 'POST' } });
}

/** A page that has its own name point at this machine sends that name; an address by number cannot be turned so. */
function hostRefusal(request: Request, names: string[]): Response | undefined {
  const host = request.headers.get('host') ?? new URL(request.url).host;
  if (/^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]+\])(?::\d+)?$/i.test(host)) return undefined;
  return hostHeaderValidationResponse(new Request(request.url, { headers: { host } }), names);
}

function toolsAsked(url: string): ToolsAsked {
  const asked = new URL(url).searchParams.getAll('tools');
  if (asked.length === 0) return 'small';
  if (asked.length === 1 && asked[0] === 'all') return 'all';
  throw invalidInput([{ parameter: 'tools', message: 'must be all, or left out for the small set' }]);
}

async function readBody(request: Request): Promise<Response | { parsed: unknown; messages: readonly unknown[] }> {
  const read = await readRequestBody(request, maxBodyBytes);
  if (read.tooLarge) return refusal(413, jsonRpc.server_error, `The body must be at most ${maxBodyBytes} bytes.`);
  let parsed: unknown;
  try {
    parsed = JSON.parse(read.text);
  } catch {
    return refusal(400, jsonRpc.parse_error, 'The body must be one JSON-RPC message, as JSON.');
  }
  const messages = Array.isArray(parsed) ? parsed : [parsed];
  if (messages.length > 0 && messages.length <= maxBatchMessages) return { parsed, messages };
  return refusal(400, jsonRpc.invalid_request, `A batch must hold 1 to ${maxBatchMessages} messages.`);
}

function refusal(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status });
}

function methodOf(message: unknown): unknown {
  return typeof message === 'object' && message !== null && 'method' in message ? message.method : null;
}

function cancelledId(message: unknown): unknown {
  if (typeof message !== 'object' || message === null || !('params' in message)) return null;
  const { params } = message;
  return typeof params === 'object' && params !== null && 'requestId' in params ? params.requestId : null;
}
