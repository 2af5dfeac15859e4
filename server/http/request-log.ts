import { asRequestError } from './errors.ts';

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

/** The outcome of a request, for its log entry. */
export interface Outcome {
  status: number;
  code?: string | null;
  workspace_id?: string | null;
  credits_charged?: number;
  /** The thrown value, if any. */
  error?: unknown;
}

export interface StartedRequest {
  request_id: string;
  method: string;
  /** The path pattern: values of parameters are not logged. */
  route: string;
}

const requestIdPattern = /^[A-Za-z0-9_-]{1,64}$/;

/** Returns the caller's request id when it is well formed, else a new one. */
export function requestIdOf(headers: Headers): string {
  const sent = headers.get('x-request-id');
  return sent !== null && requestIdPattern.test(sent) ? sent : newRequestId();
}

export function newRequestId(): string {
  return `req_${crypto.randomUUID().replaceAll('-', '')}`;
}

/** Starts the clock of a request. Returns the function that logs it, which is called once, when the answer is known. */
export function startRequest(request: StartedRequest, log: WriteLog): (outcome: Outcome) => void {
  const started = performance.now();
  return ({ status, code = null, workspace_id = null, credits_charged = 0, error }) => {
    const { request_id, method, route } = request;
    const durationMs = Math.round((performance.now() - started) * 10) / 10;
    const entry = { request_id, method, route, status, code, duration_ms: durationMs, workspace_id, credits_charged };
    log(error === undefined ? entry : { ...entry, error });
  };
}

/** A request while it is answered. The code that answers it sets the workspace once it is known. */
export interface Exchange {
  readonly request_id: string;
  workspace_id: string | null;
}

export interface AnsweredRequest {
  request: Request;
  route: string;
  log: WriteLog;
  answer(exchange: Exchange): Promise<Response>;
  /** Turns anything thrown into the answer. */
  failed(error: unknown, exchange: Exchange): Response | Promise<Response>;
}

/** Answers a request with what `answer` returns, or with what `failed` makes of its error, and logs it with its request id. */
export async function answerRequest({ request, route, log, answer, failed }: AnsweredRequest): Promise<Response> {
  const exchange: Exchange = { request_id: requestIdOf(request.headers), workspace_id: null };
  const finish = startRequest({ request_id: exchange.request_id, method: request.method, route }, log);
  let error: unknown;
  const response = await answer(exchange).catch((thrown: unknown) => {
    error = thrown;
    return failed(thrown, exchange);
  });
  const outcome = { status: response.status, workspace_id: exchange.workspace_id };
  finish(response.status < 500 ? outcome : { ...outcome, code: asRequestError(error).code, error });
  return response;
}
