import type { Admission } from '../../db/requests/admission.ts';
import type { UsageEvent } from '../../db/requests/usage.ts';
import { errorTable } from '../../pipeline/errors.ts';
import { type Entry, type Gate, rateHeaders } from './authenticate.ts';
import { asRequestError, creditsCharged, errorBody, type RequestError } from './errors.ts';
import { type Query, readQuery } from './query.ts';
import { requestIdOf, startRequest, type WriteLog } from './request-log.ts';
import type { RequestMetrics } from './request-metrics.ts';

/** An authenticated request that is within the rate limit. */
export interface Call {
  request_id: string;
  query: Query;
  headers: Headers;
  admission: Admission;
  /** Aborts when the caller no longer waits. Default: the answer is always completed. */
  signal?: AbortSignal;
}

/** A successful answer (status 200) of a route that needs a key. */
export interface Reply {
  body: string;
  headers?: Record<string, string>;
  cached: boolean;
  credits_charged: number;
  credits_remaining: number;
}

export type KeyedHandler = (call: Call) => Promise<Reply>;

/** Answers a request as if it carried the key with this hash: with the same rate limit, charge, usage count and errors. */
export type AnswerAs = (keyHash: string, request: Request) => Promise<Response>;

/** A request to a route that needs a key, without its HTTP message. */
export interface KeyedRequest {
  request_id: string;
  /** As the request log shows it. */
  method: string;
  route: string;
  query: Query;
  headers: Headers;
}

/** The outcome of a keyed request: a reply or an error. `admission` is null when the key is not known. */
export type KeyedAnswer = { request_id: string } & (
  | { reply: Reply; error: null; admission: Admission }
  | { reply: null; error: RequestError; admission: Admission | null }
);

export interface ReplyDeps {
  now: () => Date;
  gate: Gate;
  requests_per_minute: number;
  base_url: string;
  count(event: UsageEvent): void;
  metrics: RequestMetrics;
  log: WriteLog;
  /** See {@link Call}. */
  signal?: AbortSignal;
}

const json = 'application/json; charset=utf-8';

/** Answers an HTTP request to a route that needs a key: authenticates, limits the rate and calls the handler. An error charges nothing. */
export async function answerKeyed(
  request: Request,
  route: string,
  handler: KeyedHandler,
  deps: ReplyDeps,
): Promise<Response> {
  const { method, headers, url } = request;
  const keyed = { request_id: requestIdOf(headers), method, route, query: readQuery(url), headers };
  const { request_id, reply, error, admission } = await serveKeyed(keyed, handler, deps);
  return error ? errorResponse(error, request_id, admission, deps) : okResponse(reply, request_id, admission, deps);
}

/** Authenticates, checks the rate limit and runs the handler, then counts and logs the request. Never throws: an error charged nothing, except perhaps CHARGE_UNCONFIRMED. */
export async function serveKeyed(request: KeyedRequest, handler: KeyedHandler, deps: ReplyDeps): Promise<KeyedAnswer> {
  const { request_id, route, query, headers } = request;
  const finish = startRequest(request, deps.log);
  let entry: Entry | null = null;
  let answer: KeyedAnswer;
  let failure: unknown;
  deps.metrics.entered();
  try {
    entry = await deps.gate(headers);
    if (entry.refused) throw entry.refused;
    const { admission } = entry;
    const call = { request_id, query, headers, admission };
    const reply = await handler(deps.signal ? { ...call, signal: deps.signal } : call);
    answer = { request_id, reply, error: null, admission };
  } catch (thrown) {
    failure = thrown;
    answer = { request_id, reply: null, error: asRequestError(thrown), admission: entry?.admission ?? null };
  }
  const { reply, error, admission } = answer;
  const outcome = error ? error.code : outcomeOf(reply, admission);
  const credits = reply?.credits_charged ?? 0;
  deps.metrics.answered(route, outcome, credits);
  if (admission) {
    const { workspace_id, key_id } = admission;
    deps.count({ workspace_id, key_id, route, outcome, credits });
  }
  finish({
    status: error ? errorTable[error.code].status : 200,
    code: error?.code ?? null,
    workspace_id: admission?.workspace_id ?? null,
    credits_charged: credits,
    error: failure,
  });
  return answer;
}

function outcomeOf(reply: Reply, admission: Admission): string {
  if (admission.kind === 'test') return 'SANDBOX';
  return reply.cached ? 'HIT' : 'OK';
}

function okResponse(reply: Reply, requestId: string, admission: Admission, deps: ReplyDeps): Response {
  return new Response(reply.body, {
    status: 200,
    headers: {
      'content-type': json,
      ...commonHeaders(requestId),
      ...keyHeaders(admission, deps),
      'x-cache': reply.cached ? 'HIT' : 'MISS',
      'x-credits-charged': String(reply.credits_charged),
      'x-credits-remaining': String(reply.credits_remaining),
      ...reply.headers,
    },
  });
}

/** Returns the response of an error on any route. `admission` is null for an unknown key. */
export function errorResponse(
  error: RequestError,
  requestId: string,
  admission: Admission | null,
  deps: Pick<ReplyDeps, 'base_url' | 'requests_per_minute' | 'now'>,
): Response {
  const sandbox = admission?.kind === 'test';
  const response = new Response(errorBody(error, { request_id: requestId, sandbox, base_url: deps.base_url }), {
    status: errorTable[error.code].status,
    headers: {
      'content-type': json,
      ...commonHeaders(requestId),
      ...(admission ? keyHeaders(admission, deps) : {}),
      ...(error.retry_after_seconds === null ? {} : { 'retry-after': String(error.retry_after_seconds) }),
      ...(error.code === 'INVALID_API_KEY' ? { 'www-authenticate': 'Bearer realm="tidemark"' } : {}),
      ...error.headers,
    },
  });
  if (creditsCharged(error) === null) {
    for (const unknown of ['x-credits-charged', 'x-credits-remaining']) response.headers.delete(unknown);
  }
  return response;
}

export function commonHeaders(requestId: string): Record<string, string> {
  return {
    'x-request-id': requestId,
    'x-credits-charged': '0',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  };
}

function keyHeaders(
  admission: Admission,
  deps: Pick<ReplyDeps, 'requests_per_minute' | 'now'>,
): Record<string, string> {
  return {
    'x-data-mode': admission.kind === 'test' ? 'sandbox' : 'live',
    'x-credits-remaining': String(admission.balance),
    ...rateHeaders(admission, deps.requests_per_minute, deps.now()),
  };
}
