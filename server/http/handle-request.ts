import { type ErrorCode, errorTable } from '../../pipeline/errors.ts';
import { markFailed, traced } from '../../pipeline/telemetry/trace.ts';
import { asRequestError } from './errors.ts';
import type { RequestMetrics } from './request-metrics.ts';

/** The log entry of an answered request. */
export interface RequestLog {
  request_id: string;
  method: string;
  route: string;
  status: number;
  /** Error code of the answer, or null when it succeeded. */
  code: string | null;
  duration_ms: number;
  workspace_id: string | null;
  credits_charged: number;
  error?: unknown;
}

export type WriteLog = (entry: RequestLog) => void;

const requestIdPattern = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Returns the request id that the client sent in x-request-id. When the id is missing or malformed, returns a new one.
 */
export function requestIdOf(headers: Headers): string {
  const sent = headers.get('x-request-id');
  return sent !== null && requestIdPattern.test(sent) ? sent : newRequestId();
}

export function newRequestId(): string {
  return `req_${crypto.randomUUID().replaceAll('-', '')}`;
}

/** A request that is being answered. `workspace_id` is null until the handler has found the workspace. */
export interface Exchange {
  readonly request_id: string;
  workspace_id: string | null;
  /** The cause of a failure that the handler answered without throwing. The cause is logged like a thrown error. */
  error?: unknown;
}

/** The result of a request, for the log and the metrics. */
export interface Outcome {
  status: number;
  credits_charged?: number;
  /** Label of a successful answer in the metrics. Default: OK. */
  label?: string;
  /** The error of a failed request, when the handler returned the error instead of throwing it. */
  error?: unknown;
}

interface HandledRequest<T> {
  request_id: string;
  method: string;
  /**
   * Path pattern, such as `/dashboard/keys/:key_id`. The log shows this pattern, so that it contains no values from the
   * path.
   */
  route: string;
  log: WriteLog;
  /** The headers of the request. Their `traceparent` can name the trace that the request belongs to. */
  headers?: Headers;
  /** Counters for the request. When this is not set, the request is logged but not counted. */
  metrics?: RequestMetrics;
  /**
   * True for requests that are logged and counted only when an error made the status 500 or more. Such requests are
   * never traced. Default: false.
   */
  quiet?: boolean;
  answer(exchange: Exchange): Promise<T>;
  /** Returns the error answer for a value that `answer` threw. */
  failed(error: unknown, exchange: Exchange): T | Promise<T>;
  outcomeOf(answer: T): Outcome;
}

/**
 * Returns the result of `answer`. When `answer` throws, returns the result of `failed`. Measures, counts, traces and
 * logs the request.
 */
export function handleRequest<T>(handled: HandledRequest<T>): Promise<T> {
  const { request_id, method, route, headers } = handled;
  if (handled.quiet) return measureRequest(handled, () => undefined);
  const attributes = { 'http.request.method': method, 'http.route': route, 'tidemark.request_id': request_id };
  const traceparent = headers?.get('traceparent') ?? null;
  return traced({ name: `${method} ${route}`, kind: 'server', attributes, traceparent }, (span) =>
    measureRequest(handled, (status, code) => {
      span.setAttribute('http.response.status_code', status);
      if (status >= 500) markFailed(span, code ?? String(status));
    }),
  );
}

async function measureRequest<T>(
  handled: HandledRequest<T>,
  answered: (status: number, code: ErrorCode | null) => void,
): Promise<T> {
  const { request_id, method, route, log, metrics, quiet = false } = handled;
  const exchange: Exchange = { request_id, workspace_id: null };
  const started = performance.now();
  if (!quiet) metrics?.started();
  let answer: T;
  let error: unknown;
  try {
    answer = await handled.answer(exchange);
  } catch (thrown) {
    error = thrown;
    answer = await handled.failed(thrown, exchange);
  }
  const { status, credits_charged = 0, label = 'OK', error: returned } = handled.outcomeOf(answer);
  error ??= returned ?? exchange.error;
  if (quiet && (status < 500 || error === undefined)) return answer;
  if (quiet) metrics?.started();
  const code = error === undefined ? null : codeOf(error, status);
  const durationMs = Math.round((performance.now() - started) * 10) / 10;
  const { workspace_id } = exchange;
  metrics?.answered(route, code ?? label, credits_charged);
  answered(status, code);
  const entry = { request_id, method, route, status, code, duration_ms: durationMs, workspace_id, credits_charged };
  log(code === null ? entry : { ...entry, error });
  return answer;
}

/**
 * Returns the error code for the log. When the code of the error has the status of the answer, returns this code.
 * Otherwise returns INTERNAL for a status of 500 or more, and null for a lower status, such as the 404 page of the
 * dashboard.
 */
function codeOf(error: unknown, status: number): ErrorCode | null {
  const { code } = asRequestError(error);
  if (errorTable[code].status === status) return code;
  return status >= 500 ? 'INTERNAL' : null;
}

interface AnsweredRequest
  extends Pick<HandledRequest<Response>, 'route' | 'log' | 'metrics' | 'quiet' | 'answer' | 'failed'> {
  request: Request;
}

/** Answers and logs an HTTP request, as {@link handleRequest} does, and adds the request id to the answer. */
export async function answerRequest({ request, ...handled }: AnsweredRequest): Promise<Response> {
  const { method, headers } = request;
  const requestId = requestIdOf(headers);
  const response = await handleRequest({ ...handled, request_id: requestId, method, headers, outcomeOf });
  // An immutable response gets no request id, because a shared cache would send the same id to every visitor.
  if (!isImmutable(response)) response.headers.set('x-request-id', requestId);
  // Closes the connection after a body that was too large. The server does not read the rest of this body, and would
  // otherwise read that rest as the next request.
  if (response.status === bodyTooLarge) response.headers.set('connection', 'close');
  return response;
}

function isImmutable({ headers }: Response): boolean {
  return headers.get('cache-control')?.includes('immutable') ?? false;
}

const bodyTooLarge = errorTable.BODY_TOO_LARGE.status;

/** Metrics label for each status of a response that refuses a request without a thrown error, such as a 404 page. */
const refusalLabels: Readonly<Record<number, ErrorCode>> = {
  404: 'ROUTE_NOT_FOUND',
  429: 'RATE_LIMITED',
  503: 'SERVICE_UNAVAILABLE',
};

const outcomeOf = ({ status }: Response): Outcome => ({ status, label: refusalLabels[status] ?? 'OK' });
