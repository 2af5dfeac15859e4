import type { Admission } from '../../db/requests/admission.ts';
import type { UsageEvent } from '../../db/requests/usage.ts';
import { errorTable } from '../../pipeline/errors.ts';
import { type Entry, type Gate, rateHeaders } from './authenticate.ts';
import { asRequestError, errorBody, type RequestError } from './errors.ts';
import { type Query, readQuery } from './query.ts';
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

/** Answers a request that did not arrive over HTTP. It is authenticated by the given gate and cancelled by the signal. */
export type AnswerThrough = (request: Request, through: Pick<ReplyDeps, 'gate' | 'signal'>) => Promise<Response>;

export interface RequestLog {
  request_id: string;
  method: string;
  route: string;
  status: number;
  code: string | null;
  duration_ms: number;
  workspace_id: string | null;
  credits_charged: number;
  error?: unknown;
}

export interface ReplyDeps {
  now: () => Date;
  gate: Gate;
  requests_per_minute: number;
  base_url: string;
  count(event: UsageEvent): void;
  metrics: RequestMetrics;
  log(entry: RequestLog): void;
  /** See {@link Call}. */
  signal?: AbortSignal;
}

const json = 'application/json; charset=utf-8';
const requestIdPattern = /^[A-Za-z0-9_-]{1,64}$/;

/** Returns the caller's request id when it is well formed, else a new one. */
export function requestIdOf(headers: Headers): string {
  const sent = headers.get('x-request-id');
  return sent !== null && requestIdPattern.test(sent) ? sent : `req_${crypto.randomUUID().replaceAll('-', '')}`;
}

/** Answers a request to a route that needs a key: authenticates, limits the rate and calls the handler. An error charges nothing. */
export async function answerKeyed(
  request: Request,
  route: string,
  handler: KeyedHandler,
  deps: ReplyDeps,
): Promise<Response> {
  const started = performance.now();
  const requestId = requestIdOf(request.headers);
  let entry: Entry | null = null;
  let reply: Reply | null = null;
  let failure: unknown = null;
  deps.metrics.entered();
  try {
    entry = await deps.gate(request.headers);
    if (entry.refused) throw entry.refused;
    const { headers } = request;
    const call = { request_id: requestId, query: readQuery(request.url), headers, admission: entry.admission };
    reply = await handler(deps.signal ? { ...call, signal: deps.signal } : call);
  } catch (error) {
    failure = error;
  }
  const error = reply ? null : asRequestError(failure);
  const admission = entry?.admission ?? null;
  const outcome = error ? error.code : outcomeOf(reply as Reply, admission as Admission);
  const credits = reply?.credits_charged ?? 0;
  deps.metrics.answered(route, outcome, credits);
  if (admission) {
    const { workspace_id, key_id } = admission;
    deps.count({ workspace_id, key_id, route, outcome, credits });
  }
  deps.log({
    request_id: requestId,
    method: request.method,
    route,
    status: error ? errorTable[error.code].status : 200,
    code: error?.code ?? null,
    duration_ms: Math.round((performance.now() - started) * 10) / 10,
    workspace_id: admission?.workspace_id ?? null,
    credits_charged: credits,
    ...(failure === null ? {} : { error: failure }),
  });
  return error
    ? errorResponse(error, requestId, admission, deps)
    : okResponse(reply as Reply, requestId, admission as Admission, deps);
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
  return new Response(errorBody(error, { request_id: requestId, sandbox, base_url: deps.base_url }), {
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
}

export function commonHeaders(requestId: string): Record<string, string> {
  return {
    'x-request-id': requestId,
    'x-credits-charged': '0',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
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
