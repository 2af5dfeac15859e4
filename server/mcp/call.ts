import type { CallToolResult } from '@modelcontextprotocol/server';
import { errorTable } from '../../pipeline/errors.ts';
import type { Authenticated } from '../http/authenticate.ts';
import { creditsCharged, invalidInput, RequestError } from '../http/errors.ts';
import { newRequestId } from '../http/handle-request.ts';
import { idempotencyKeyProblem } from '../http/idempotency-key.ts';
import { type KeyedAnswer, type ReplyDeps, serveKeyed } from '../http/keyed.ts';
import type { Query } from '../http/query.ts';
import {
  type AnswerObject,
  jsonReply,
  type KeyedHandler,
  knownCredits,
  replayHeader,
  unchargedMetering,
} from '../http/reply.ts';
import { creditsRemaining } from '../http/responses.ts';
import type { Json } from '../openapi/parts.ts';
import { readArguments } from './arguments.ts';
import { minimalFieldsOf, shortened } from './projection.ts';
import type { McpTool, Projection, ToolTarget } from './tool.ts';

/**
 * Maximum milliseconds of a tool call: longer than the deadline of the sources and shorter than the 60 seconds that MCP
 * clients wait.
 */
const deadlineMs = 45_000;
const maxErrorCharacters = 4_000;
/** Route for the log and the metrics when a tool call uses no route of the API. */
const ownRoute = '/mcp';

export interface CallDeps extends ReplyDeps {
  /** The request handlers of the API by path. The HTTP server uses the same handlers. */
  handlers: Readonly<Record<string, KeyedHandler>>;
}

interface ToolCall {
  tool: McpTool;
  input: Readonly<Record<string, unknown>>;
  /**
   * The idempotency key in `_meta` of the call. When the argument `idempotency_key` is sent too, the argument is used.
   */
  idempotency_key: string | null;
  request_id: string | null;
  /** Authenticates the client and counts the call toward the rate limit of its workspace. */
  authenticate(): Promise<Authenticated>;
  /** Aborts when the client cancels the call or disconnects. */
  signal: AbortSignal;
}

/** The API request that a tool call makes. */
interface PreparedCall {
  route: string;
  query: Query;
  headers: Headers;
  handler: KeyedHandler;
  /** True when only the most important fields of the answer are returned. */
  minimal: boolean;
}

/**
 * Calls the handler of the route that a tool call uses. Rate limit, charge, usage count and log entry are the same as
 * for an HTTP request.
 */
export async function callTool(call: ToolCall, deps: CallDeps): Promise<CallToolResult> {
  const signal = AbortSignal.any([call.signal, AbortSignal.timeout(deadlineMs)]);
  const { route, query, headers, handler, minimal } = prepare(call, deps.handlers);
  const requestId = call.request_id ?? newRequestId();
  const { authenticate } = call;
  const request = { request_id: requestId, method: 'GET', route, query: () => query, headers, authenticate };
  const answer = await serveKeyed(request, handler, (reply) => reply.object(), { ...deps, signal });
  return resultOf(answer, minimal ? route : null);
}

/**
 * Reads the arguments and returns the API request. For a malformed call, returns a request whose handler fails, so that
 * the malformed call also counts toward the rate limit.
 */
function prepare(call: ToolCall, handlers: CallDeps['handlers']): PreparedCall {
  const headers = new Headers();
  const ownCall = { route: ownRoute, query: {}, headers, minimal: false };
  try {
    const { values, projection, idempotency_key } = readArguments(call.tool, call.input);
    const key = idempotency_key ?? call.idempotency_key;
    if (key !== null) headers.set('idempotency-key', requireKey(key));
    const target = call.tool.target(values, call.input);
    if (target.path === null) return { ...ownCall, handler: handlerOfData(target.data) };
    const handler = handlers[target.path];
    if (!handler) throw new RequestError('ROUTE_NOT_FOUND');
    return { route: target.path, ...projected(target, projection), headers, handler };
  } catch (error) {
    return { ...ownCall, handler: () => Promise.reject(error) };
  }
}

/**
 * Returns a valid idempotency key from `_meta`. Throws INVALID_INPUT for an invalid one. Keys in arguments are checked
 * earlier.
 */
function requireKey(key: string): string {
  const problem = idempotencyKeyProblem(key, '_meta.idempotency_key');
  if (problem) throw invalidInput([problem]);
  return key;
}

/**
 * Returns the query for a tool call. When the caller asks for a minimal answer, adds the most important fields of the
 * route as `fields`. Does not change a query that has `fields` or `estimate`.
 */
function projected(
  target: ToolTarget & { path: string },
  projection: Projection,
): Pick<PreparedCall, 'query' | 'minimal'> {
  const { path, query } = target;
  if (projection === 'full' || query.fields || query.estimate) return { query, minimal: false };
  const fields = minimalFieldsOf(path);
  return { query: fields ? { ...query, fields: [fields.join(',')] } : query, minimal: true };
}

/** Returns a handler that answers with this data for 0 credits. */
function handlerOfData(data: Json): KeyedHandler {
  return async (call) => jsonReply(data, call, unchargedMetering(call.admission));
}

/** Returns the result of a tool call. When `minimalPath` is set, shortens the answer of the route with this path. */
function resultOf(outcome: KeyedAnswer<AnswerObject>, minimalPath: string | null): CallToolResult {
  if (outcome.error) return errorResult(outcome);
  const answer = minimalPath === null ? outcome.body : shortened(minimalPath, outcome.body);
  const content = [{ type: 'text' as const, text: JSON.stringify(answer) }];
  return { content, structuredContent: { ...answer }, _meta: { ...metaOf(outcome) } };
}

/** The cost and the origin of an answer, as in the headers of an HTTP answer. */
interface ResultMeta {
  request_id: string;
  cached: boolean;
  /** Null when it is not known whether the call was charged. */
  credits_charged: number | null;
  /** Null when the balance is not known, or when the client must not know it. */
  credits_remaining: number | null;
  sandbox: boolean;
  /** True for the same answer as to an earlier call with the same idempotency key. */
  idempotent_replay: boolean;
}

function metaOf({ request_id, reply, error, admission }: KeyedAnswer): ResultMeta {
  const sandbox = admission?.kind === 'test';
  if (error) {
    const credits = { credits_charged: creditsCharged(error), credits_remaining: creditsRemaining(error, admission) };
    return { request_id, cached: false, ...credits, sandbox, idempotent_replay: false };
  }
  const { cached, credits_remaining } = reply.metering;
  const credits = { credits_charged: knownCredits(reply.metering), credits_remaining };
  const replayed = reply.headers?.[replayHeader] === 'true';
  return { request_id, cached, ...credits, sandbox, idempotent_replay: replayed };
}

function errorResult(outcome: KeyedAnswer & { error: RequestError }): CallToolResult {
  const { error, request_id } = outcome;
  const { code, retryable, retry_after_seconds } = error;
  const message = error.message.slice(0, maxErrorCharacters);
  const wait = retry_after_seconds === null ? '' : ` Wait ${retry_after_seconds} seconds first.`;
  const charged = creditsCharged(error);
  const cost = charged === null ? 'not known' : `${charged} credits`;
  const text = `${code}: ${message} ${errorTable[code].next_step}${wait} Cost: ${cost} (request ${request_id}).`;
  const details = { code, message, retryable, retry_after_seconds };
  return { isError: true, content: [{ type: 'text', text }], _meta: { error: details, ...metaOf(outcome) } };
}
