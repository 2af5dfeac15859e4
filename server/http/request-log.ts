import { type ErrorCode, errorTable } from '../../pipeline/errors.ts';
import { asRequestError } from './errors.ts';
import type { RequestMetrics } from './request-metrics.ts';

/** The log entry of an answered request. */
export interface RequestLog {
  request_id: string;
  method: string;
  route: string;
  status: number;
  /** The error code of the answer. */
  code: string | null;
  duration_ms: number;
  workspace_id: string | null;
  credits_charged: number;
  error?: unknown;
}

export type WriteLog = (entry: RequestLog) => void;

const requestIdPattern = /^[A-Za-z0-9_-]{1,64}$/;

/** Returns the caller's request id when it is well formed, else a new one. */
export function requestIdOf(headers: Headers): string {
  const sent = headers.get('x-request-id');
  return sent !== null && requestIdPattern.test(sent) ? sent : newRequestId();
}

export function newRequestId(): string {
  return `req_${crypto.randomUUID().replaceAll('-', '')}`;
}

/** A request while it is answered. The code that answers it sets the workspace once it is known. */
export interface Exchange {
  readonly request_id: string;
  workspace_id: string | null;
}

/** The outcome of a request, for its log entry and the metrics. */
export interface Outcome {
  status: number;
  credits_charged?: number;
  /** The label of a success in the metrics. Default: OK. */
  label?: string;
}

export interface HandledRequest<T> {
  request_id: string;
  method: string;
  /** The path pattern: values of parameters are not logged. */
  route: string;
  log: WriteLog;
  /** Without it, the request is logged but not counted. */
  metrics?: RequestMetrics;
  answer(exchange: Exchange): Promise<T>;
  /** Turns anything thrown into the answer. */
  failed(error: unknown, exchange: Exchange): T | Promise<T>;
  outcomeOf(answer: T): Outcome;
}

/** Answers a request with what `answer` returns, or with what `failed` makes of its error; measures, counts and logs it. */
export async function handleRequest<T>(handled: HandledRequest<T>): Promise<T> {
  const { request_id, method, route, log, metrics } = handled;
  const exchange: Exchange = { request_id, workspace_id: null };
  const started = performance.now();
  metrics?.started();
  let answer: T;
  let error: unknown;
  try {
    answer = await handled.answer(exchange);
  } catch (thrown) {
    error = thrown;
    answer = await handled.failed(thrown, exchange);
  }
  const { status, credits_charged = 0, label = 'OK' } = handled.outcomeOf(answer);
  const code = error === undefined ? null : codeOf(error, status);
  const durationMs = Math.round((performance.now() - started) * 10) / 10;
  const { workspace_id } = exchange;
  metrics?.answered(route, code ?? label, credits_charged);
  const entry = { request_id, method, route, status, code, duration_ms: durationMs, workspace_id, credits_charged };
  log(code === null ? entry : { ...entry, error });
  return answer;
}

/** Returns the code of an error. An answer with another status has none, such as 404 for a page that does not exist; 500 is INTERNAL. */
function codeOf(error: unknown, status: number): ErrorCode | null {
  const { code } = asRequestError(error);
  if (errorTable[code].status === status) return code;
  return status >= 500 ? 'INTERNAL' : null;
}

export interface AnsweredRequest
  extends Pick<HandledRequest<Response>, 'route' | 'log' | 'metrics' | 'answer' | 'failed'> {
  request: Request;
}

/** Answers an HTTP request; see {@link handleRequest}. */
export async function answerRequest({ request, ...handled }: AnsweredRequest): Promise<Response> {
  const { method, headers } = request;
  const response = await handleRequest({ ...handled, request_id: requestIdOf(headers), method, outcomeOf });
  // The rest of a body that is too large is not read, so the connection cannot carry another request.
  if (response.status === bodyTooLarge) response.headers.set('connection', 'close');
  return response;
}

const bodyTooLarge = errorTable.BODY_TOO_LARGE.status;

const outcomeOf = ({ status }: Response): Outcome => ({ status });
