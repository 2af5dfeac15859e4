import type { Admission } from '../../db/requests/admission.ts';
import type { UsageEvent } from '../../db/requests/usage.ts';
import { errorTable } from '../../pipeline/errors.ts';
import type { Admitted, Authenticated } from './authenticate.ts';
import { asRequestError, type RequestError } from './errors.ts';
import { handleRequest, type Outcome, requestIdOf, type WriteLog } from './handle-request.ts';
import { type Query, readQuery } from './query.ts';
import type { AnswerObject, KeyedHandler, Reply } from './reply.ts';
import type { RequestMetrics } from './request-metrics.ts';
import { errorResponse, okResponse, type ResponseDeps } from './responses.ts';

/** A call of an API route by the dashboard. */
interface DashboardCall {
  path: string;
  query: Query;
  request_id: string;
  idempotency_key: string;
  /** IP address of the user's browser. */
  address: string;
}

/** The answer to a call by the dashboard. The response has no body when the body of the answer is an object. */
interface CalledAnswer<Body> {
  answer: KeyedAnswer<Body>;
  response: Response;
}

/**
 * Calls the handler of a route as if a user's browser had sent the request with the key that has this hash. Limits,
 * charge, usage count and log entry are the same as for an HTTP request. `bodyOf` selects the form of the body: text or
 * an object.
 */
export type CallAs = <Body extends AnswerObject | string>(
  keyHash: string,
  call: DashboardCall,
  bodyOf: (reply: Reply) => Body,
) => Promise<CalledAnswer<Body>>;

/**
 * The parts of a request to a route that needs a key. An MCP tool call has the same parts, although it is not an HTTP
 * request to that route.
 */
interface KeyedRequest {
  request_id: string;
  /** HTTP method that the request log shows. */
  method: string;
  route: string;
  /** Reads the query. This function is not called when the key or the rate limit already refuses the request. */
  query(): Query;
  headers: Headers;
  /** Finds the workspace of the key and counts the request. Throws INVALID_API_KEY. */
  authenticate(): Promise<Authenticated>;
}

/**
 * The answer to a request with a key: a reply with its body (text or an object), or an error. `admission` is null when
 * the key is not valid.
 */
export type KeyedAnswer<Body = AnswerObject | string> = { request_id: string } & (
  | { reply: Reply; body: Body; error: null; admission: Admission }
  | { reply: null; body: null; error: RequestError; admission: Admission | null }
);

/** Dependencies of the answer to a request with a key. */
export interface ReplyDeps extends ResponseDeps {
  count(event: UsageEvent): void;
  metrics: RequestMetrics;
  log: WriteLog;
  /** Aborts when the client disconnects or cancels. Without a signal, the answer is always completed. */
  signal?: AbortSignal;
}

/**
 * Answers an HTTP request to a route that needs a key: checks the key and the rate limit, then calls the handler. An
 * error is not charged.
 */
export async function answerKeyed(
  { request, route, authenticate }: Pick<KeyedRequest, 'route' | 'authenticate'> & { request: Request },
  handler: KeyedHandler,
  deps: ReplyDeps,
): Promise<Response> {
  const { method, headers, url } = request;
  const keyed = { request_id: requestIdOf(headers), method, route, query: () => readQuery(url), headers, authenticate };
  const answer = await serveKeyed(keyed, handler, (reply) => reply.text(), deps);
  return keyedResponse(answer, deps);
}

/**
 * Returns the HTTP response for an answer. When the body of a successful answer is an object, the response has no body.
 */
export function keyedResponse(answer: KeyedAnswer, deps: ReplyDeps): Response {
  const { request_id, error, admission } = answer;
  return error ? errorResponse(error, request_id, admission, deps) : okResponse(answer, deps);
}

/**
 * Checks the key and the rate limit, calls the handler, makes the body with `bodyOf`, then counts and logs the request.
 * Never throws: a failure is returned as `error`. A failed request was not charged, except perhaps with
 * CHARGE_UNCONFIRMED.
 */
export async function serveKeyed<Body extends AnswerObject | string>(
  request: KeyedRequest,
  handler: KeyedHandler,
  bodyOf: (reply: Reply) => Body,
  deps: ReplyDeps,
): Promise<KeyedAnswer<Body>> {
  const { request_id, method, route, query, headers } = request;
  const { log, metrics } = deps;
  let authenticated: Authenticated | null = null;
  const answer = await handleRequest<KeyedAnswer<Body>>({
    request_id,
    method,
    route,
    headers,
    log,
    metrics,
    async answer(exchange) {
      authenticated = await request.authenticate();
      const { admission, refused } = authenticated;
      exchange.workspace_id = admission.workspace_id;
      // Returns the error, which is faster than throwing it. A client over its rate limit gets this answer repeatedly.
      if (refused && admission.claim === null)
        return { request_id, reply: null, body: null, error: refused, admission };
      try {
        if (refused) throw refused;
        const call = { request_id, query: query(), headers, admission };
        const reply = await handler(deps.signal ? { ...call, signal: deps.signal } : call);
        return { request_id, reply, body: bodyOf(reply), error: null, admission };
      } catch (thrown) {
        throw await countedError(thrown, admission);
      }
    },
    failed: (thrown) => {
      const admission = authenticated?.admission ?? null;
      return { request_id, reply: null, body: null, error: asRequestError(thrown), admission };
    },
    outcomeOf,
  });
  if (answer.admission) {
    const { workspace_id, key_id } = answer.admission;
    const { label, credits_charged: credits } = outcomeOf(answer);
    deps.count({ workspace_id, key_id, route, outcome: label, credits });
  }
  return answer;
}

/**
 * Counts a failed request toward the rate limit, unless the failure is the server's own. Returns `thrown`, or
 * RATE_LIMITED when the request is over the limit.
 */
async function countedError(thrown: unknown, { claim }: Admitted): Promise<unknown> {
  const { code } = asRequestError(thrown);
  if (claim === null || code === 'INTERNAL' || code === 'SERVICE_UNAVAILABLE') return thrown;
  return claim().then(
    () => thrown,
    (refused: unknown) => refused,
  );
}

function outcomeOf({ reply, error, admission }: KeyedAnswer): Required<Outcome> {
  if (error) return { status: errorTable[error.code].status, credits_charged: 0, label: error.code, error };
  const { cached, credits_charged } = reply.metering;
  const success = cached ? 'HIT' : 'OK';
  return {
    status: 200,
    credits_charged,
    label: admission.kind === 'test' ? 'SANDBOX' : success,
    error: undefined,
  };
}
