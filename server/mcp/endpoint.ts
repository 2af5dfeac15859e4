import { AsyncLocalStorage } from 'node:async_hooks';
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  originValidationResponse,
  readRequestBody,
  type Server,
} from '@modelcontextprotocol/server';
import { boundedJson } from '../../pipeline/parse/bounded-json.ts';
import { rateHeaders } from '../http/authenticate.ts';
import { asRequestError, invalidInput, RequestError } from '../http/errors.ts';
import { answerRequest, type Exchange } from '../http/handle-request.ts';
import type { ReplyDeps } from '../http/keyed.ts';
import { errorResponse } from '../http/responses.ts';
import type { McpAuth, McpCaller } from './authenticate.ts';

/** The MCP tools that a client can use: `all` when the URL has `?tools=all`, else `small`. */
export type ToolSet = 'small' | 'all';

/** The client of a request and the set of tools that it can call. */
export interface ToolSession {
  caller: McpCaller;
  tools: ToolSet;
  /** Request id of a single tool call. Null for a JSON-RPC batch, in which each call gets its own id. */
  request_id: string | null;
}

/** Answers a request to /mcp. `address` returns the IP address of the client. */
export type ServeMcp = (request: Request, address: () => string) => Promise<Response>;

interface EndpointDeps extends Pick<ReplyDeps, 'base_url' | 'now' | 'requests_per_minute' | 'log' | 'metrics'> {
  auth: McpAuth;
  /** Creates the MCP server object that answers one HTTP request. */
  serverOf(session: ToolSession): Server | Promise<Server>;
  /** Cancels a tool call that the same client sent in an earlier request. */
  cancel(caller: McpCaller, id: unknown): void;
}

const maxBodyBytes = 256 * 1024;
const maxJsonRpcBatchMessages = 10;
const jsonRpc = { parse_error: -32_700, invalid_request: -32_600, server_error: -32_000 };

/**
 * Creates the handler of `POST /mcp`: MCP over Streamable HTTP without sessions. The handler checks host, origin, key,
 * size and format of a request before the MCP library answers the request.
 */
export function createMcpEndpoint(deps: EndpointDeps): ServeMcp {
  const sessions = new WeakMap<object, ToolSession>();
  // The request in progress. The MCP library reports errors without naming the request that caused them.
  const exchanges = new AsyncLocalStorage<Exchange>();
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const session = authInfo && sessions.get(authInfo);
      if (!session) throw new Error('An unauthenticated request reached the MCP server.');
      return deps.serverOf(session);
    },
    {
      maxRequestBodySize: maxBodyBytes,
      maxSubscriptions: 0,
      onerror(error) {
        const exchange = exchanges.getStore();
        if (exchange) exchange.error = error;
      },
    },
  );
  const names = [...localhostAllowedHostnames(), new URL(deps.base_url).hostname];

  async function serve(request: Request, address: () => string, exchange: Exchange): Promise<Response> {
    if (request.method !== 'POST') throw onlyPost();
    const refused = hostRefusal(request, names) ?? originValidationResponse(request, names);
    if (refused) return withHeaders(refused, uncharged);
    const hash = await deps.auth.keyHashOf(request.headers);
    const tools = readToolSet(request.url);
    const body = await readBody(request);
    if (body instanceof Response) return withHeaders(body, uncharged);
    const calls = body.messages.filter((message) => methodOf(message) === 'tools/call').length;
    const caller = await deps.auth.admit(hash, { calls, others: body.messages.length - calls }, address);
    const { admission = null, refused: error = null } = caller.authenticated ?? {};
    exchange.workspace_id = admission?.workspace_id ?? null;
    if (calls === 0 && error) {
      exchange.error = error;
      return errorResponse(error, exchange.request_id, admission, deps);
    }
    for (const message of error ? [] : body.messages) {
      if (methodOf(message) === 'notifications/cancelled') deps.cancel(caller, cancelledId(message));
    }
    const authInfo = { token: '', clientId: '', scopes: [] };
    sessions.set(authInfo, { caller, tools, request_id: calls === 1 ? exchange.request_id : null });
    const response = await exchanges.run(exchange, () => handler.fetch(request, { authInfo, parsedBody: body.parsed }));
    const cost = calls === 0 || !response.ok ? uncharged : {};
    if (admission === null) return withHeaders(response, cost);
    const mode = admission.kind === 'test' ? 'sandbox' : 'live';
    return withHeaders(response, {
      ...cost,
      ...(calls === 0 ? { 'x-credits-remaining': String(admission.balance) } : {}),
      'x-data-mode': mode,
      ...rateHeaders(admission, deps.requests_per_minute, deps.now()),
    });
  }

  const { log, metrics } = deps;
  // Logs and counts the HTTP request as the route /mcp. The tool calls in the request are logged and counted
  // separately.
  return (request, address) =>
    answerRequest({
      request,
      route: '/mcp',
      log,
      metrics,
      answer: async (exchange) => withCommonHeaders(await serve(request, address, exchange)),
      failed: (error, { request_id }) => errorResponse(asRequestError(error), request_id, null, deps),
    });
}

/**
 * Header of an answer in which no tool was called. The headers of an answer with tool calls are sent before their costs
 * are known, so the result of each call states its own cost.
 */
const uncharged = { 'x-credits-charged': '0' };

function withCommonHeaders(response: Response): Response {
  // The MCP library sends `no-cache, no-transform` with a stream. An answer to a request with a key must not be stored
  // at all.
  const cacheControl = response.headers.get('cache-control')?.replace('no-cache', 'no-store') ?? 'no-store';
  return withHeaders(response, { 'x-content-type-options': 'nosniff', 'cache-control': cacheControl });
}

function withHeaders(response: Response, headers: Record<string, string>): Response {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

function onlyPost(): RequestError {
  const message =
    'Use POST: this is an MCP server (Streamable HTTP) without sessions, so it does not accept GET or DELETE.';
  return new RequestError('METHOD_NOT_ALLOWED', { message, headers: { allow: 'POST' } });
}

/**
 * Returns an error when the Host header has an unknown host name, to protect against DNS rebinding. Any IP address is
 * allowed, because DNS rebinding needs a host name.
 */
function hostRefusal(request: Request, names: string[]): Response | undefined {
  const host = request.headers.get('host') ?? new URL(request.url).host;
  if (/^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]+\])(?::\d+)?$/i.test(host)) return undefined;
  return hostHeaderValidationResponse(new Request(request.url, { headers: { host } }), names);
}

function readToolSet(url: string): ToolSet {
  const values = new URL(url).searchParams.getAll('tools');
  if (values.length === 0) return 'small';
  if (values.length === 1 && values[0] === 'all') return 'all';
  throw invalidInput([
    { parameter: 'tools', message: 'must be "all". To get only the fifteen main tools, leave out the parameter tools' },
  ]);
}

async function readBody(request: Request): Promise<Response | { parsed: unknown; messages: readonly unknown[] }> {
  const read = await readRequestBody(request, maxBodyBytes);
  if (read.tooLarge) return refusal(413, jsonRpc.server_error, `The body must be at most ${maxBodyBytes} bytes.`);
  let parsed: unknown;
  try {
    parsed = boundedJson(read.text);
  } catch (error) {
    const limit = error instanceof RangeError ? ` ${error.message}` : '';
    return refusal(400, jsonRpc.parse_error, `The body must be one JSON-RPC message, as JSON.${limit}`);
  }
  const messages = Array.isArray(parsed) ? parsed : [parsed];
  if (messages.length === 0 || messages.length > maxJsonRpcBatchMessages)
    return refusal(400, jsonRpc.invalid_request, `A batch must contain 1 to ${maxJsonRpcBatchMessages} messages.`);
  // The MCP library sends only one answer for each id, so further tool calls with the same id would be charged without
  // an answer.
  const ids = messages.map(idOf).filter((id) => id !== undefined);
  if (new Set(ids).size === ids.length) return { parsed, messages };
  return refusal(400, jsonRpc.invalid_request, 'Each request of a batch must have its own id.');
}

function idOf(message: unknown): unknown {
  return typeof message === 'object' && message !== null && 'id' in message ? message.id : undefined;
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
