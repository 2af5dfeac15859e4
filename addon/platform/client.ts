import { type Failure, failureSentence } from './failure-sentence.ts';
import { googleCause, isConnectionLost } from './google-errors.ts';

export type { Failure };

/**
 * Milliseconds that all requests of a formula may take together. Google stops a formula after 30 s; the remaining time
 * is for starting the formula and building its table.
 */
const budgetMs = 26_000;
/**
 * The minimum time, in milliseconds, that a request needs. With less time left, the request is not sent, because its
 * answer would come too late.
 */
const minRequestMs = 3_000;
const maxAttempts = 4;
const retryWaitMaxMs = 8_000;
/**
 * Maximum random delay of a retry in milliseconds. With this delay, formulas that the server refused at the same time
 * retry at different times.
 */
const jitterMaxMs = 1_500;
/**
 * Milliseconds to wait before each retry of a request whose connection failed. There are as many retries as wait times.
 */
const connectionWaitsMs = [1_000, 3_000];

export type HttpRequest = { url: string; headers: Record<string, string>; timeout_ms: number };
export type HttpAnswer = { status: number; headers: Record<string, string>; text: string };

/**
 * The services of Apps Script that the API client needs. `fetchAll` waits for all answers, returns them in order, and
 * throws when the server cannot be reached.
 */
export type Network = {
  fetchAll: (requests: HttpRequest[]) => HttpAnswer[];
  sleep: (waitMs: number) => void;
  now: () => number;
  random: () => number;
  /** Returns a new unique ID. */
  uuid: () => string;
  log: (message: string) => void;
};

/**
 * The answer of the API server to a request, or the reason why the request failed. `warnings`: sentences of the server
 * that apply to the whole answer. `credits`: the credits that were charged for it; null when the server does not say
 * so.
 */
export type Answer =
  | { ok: true; data: unknown; warnings: string[]; credits: number | null }
  | { ok: false; failure: Failure };
/**
 * The cache, the lock and the neighboring cells, which the formulas of one spreadsheet share. These services only
 * reduce the number of requests, so their functions never throw. When a service fails, reading returns nothing and
 * writing stores nothing.
 */
export type CellServices = {
  /** Returns the cached texts by name. Names without a cached text are left out. */
  read: (names: string[]) => Record<string, string>;
  write: (texts: Record<string, string>, seconds: number) => void;
  /**
   * Calls a function while it holds the lock of the spreadsheet. When the lock is not free in time, calls the function
   * without the lock.
   */
  hold: <T>(work: () => T) => T;
  /**
   * Returns the texts (URLs or handles) that the same formula reads in the rows around the calling cell. `own`: the
   * text that the calling cell reads.
   */
  neighbours: (name: string, own: string) => string[];
};

/**
 * The API server and the API key for it. `key`: null when no key may be used. `no_key`: the error code that a formula
 * shows when `key` is null. `cells`: the services that the formulas of one spreadsheet share; undefined outside
 * formulas.
 */
export type Server = { origin: string; key: string | null; no_key?: string; network: Network; cells?: CellServices };
/**
 * The limits for sending several requests. `deadline_ms`: the time, in Unix ms, by which all answers must have arrived.
 * `at_once`: maximum number of requests that are sent at the same time; default: no limit.
 */
type FetchLimits = { deadline_ms?: number; at_once?: number };

/**
 * A request to the API server. All attempts use the same `idempotency_key`, so that the server charges the request at
 * most once, even when the answer to an earlier attempt was lost or is still being prepared.
 */
type SentRequest = { url: string; idempotency_key: string };
/**
 * A request without an answer. `lost`: the connection failed, so the server may have received and charged the request.
 */
type NoReply = { failure: Failure; lost: boolean };

/**
 * Sends requests to the API server in parallel and returns their answers in order. Never throws. Sends a request again
 * while time is left when it was refused with status 429 and a short `Retry-After`, or when its connection failed. A
 * request for which no time is left is not sent.
 *
 * @param limits A formula that calls this function more than once must pass the same `deadline_ms` each time, see
 * {@link deadlineOf}.
 */
export function fetchAnswers(
  urls: readonly string[],
  key: string,
  network: Network,
  { deadline_ms = deadlineOf(network), at_once = urls.length }: FetchLimits = {},
): Answer[] {
  const answers = new Map<SentRequest, Answer>();
  const requests = urls.map((url): SentRequest => ({ url, idempotency_key: network.uuid() }));
  let pending = requests;
  for (let attempt = 1; attempt <= maxAttempts && pending.length > 0; attempt++) {
    const replies = sendInWaves(pending, key, network, { deadline_ms, at_once, attempt });
    const again: SentRequest[] = [];
    const jitterMs = network.random() * jitterMaxMs;
    const maxMs = deadline_ms - minRequestMs - jitterMs - network.now();
    let waitMs = 0;
    pending.forEach((request, index) => {
      const reply = replies[index] ?? { failure: unreachable, lost: false };
      answers.set(request, laterAnswer(answers.get(request), reply));
      const retryAfterMs = retryWait(reply, attempt);
      if (retryAfterMs === null || retryAfterMs > maxMs) return;
      again.push(request);
      waitMs = Math.max(waitMs, retryAfterMs);
    });
    if (again.length === 0) break;
    if (attempt < maxAttempts) network.sleep(waitMs + jitterMs);
    pending = again;
  }
  return requests.map((request) => answers.get(request) ?? { ok: false, failure: unreachable });
}

/**
 * Returns the answer to a request after one more attempt. `earlier`: the answer to the earlier attempts; undefined
 * after the first attempt.
 */
function laterAnswer(earlier: Answer | undefined, reply: HttpAnswer | NoReply): Answer {
  // An earlier failure explains more than the message that no time is left for another attempt.
  if (earlier !== undefined && 'failure' in reply && reply.failure === notInTime) return earlier;
  const answer: Answer = 'failure' in reply ? { ok: false, failure: reply.failure } : readAnswer(reply);
  if (answer.ok || earlier?.ok !== false || earlier.failure.may_be_charged !== true) return answer;
  return { ok: false, failure: { ...answer.failure, may_be_charged: true } };
}

/** Returns the time, in Unix ms, by which a formula that starts now must have all answers of the server. */
export function deadlineOf(network: Network): number {
  return network.now() + budgetMs;
}

/**
 * Sends requests, at most `at_once` at the same time, and returns their replies in order. When the connection fails
 * again in a retry, the remaining requests are not sent and count as lost. Such requests would only use up the
 * formula's time and Google's daily quota while the server cannot be reached.
 */
function sendInWaves(
  requests: readonly SentRequest[],
  key: string,
  network: Network,
  { deadline_ms, at_once, attempt }: Required<FetchLimits> & { attempt: number },
): (HttpAnswer | NoReply)[] {
  const replies: (HttpAnswer | NoReply)[] = [];
  for (let begin = 0; begin < requests.length; begin += at_once) {
    const wave = send(requests.slice(begin, begin + at_once), key, deadline_ms - network.now(), network);
    replies.push(...wave);
    const lost = wave.find((reply) => 'failure' in reply && reply.lost);
    if (attempt > 1 && lost !== undefined) return requests.map((_, index) => replies[index] ?? lost);
  }
  return replies;
}

function send(
  requests: readonly SentRequest[],
  key: string,
  timeoutMs: number,
  network: Network,
): readonly (HttpAnswer | NoReply)[] {
  if (timeoutMs < minRequestMs) return requests.map(() => ({ failure: notInTime, lost: false }));
  try {
    return network.fetchAll(
      requests.map(({ url, idempotency_key }) => {
        return { url, headers: { 'x-api-key': key, 'idempotency-key': idempotency_key }, timeout_ms: timeoutMs };
      }),
    );
  } catch (error) {
    network.log(`The server could not be reached: ${String(error)}`);
    // Google does not say which of the parallel requests failed, so all of them count as lost.
    const lost = isConnectionLost(String(error));
    const failure = sendingFailure(String(error));
    return requests.map(() => ({ failure: lost ? { ...failure, may_be_charged: true } : failure, lost }));
  }
}

/**
 * Returns the failure for an error text of UrlFetchApp (the HTTP client of Apps Script). When the text is unknown, the
 * message quotes it. Google translates its error texts, and only the English ones are known here.
 */
function sendingFailure(text: string): Failure {
  const code = googleCause(text);
  if (code === null)
    return { code: 'SERVER_UNREACHABLE', message: `${unreachable.message} Google says: “${text.slice(0, 200)}”` };
  return { code, message: failureSentence({ code, message: '' }) };
}

/** Returns the milliseconds to wait before a request is sent again; null when it should not be sent again. */
function retryWait(reply: HttpAnswer | NoReply, attempt: number): number | null {
  if ('failure' in reply) return reply.lost ? (connectionWaitsMs[attempt - 1] ?? null) : null;
  const waitMs = reply.status === 429 ? retryAfter(reply) : null;
  return waitMs !== null && waitMs <= retryWaitMaxMs ? waitMs : null;
}

function retryAfter(reply: HttpAnswer): number | null {
  const seconds = header(reply, 'retry-after');
  return seconds !== null && /^\d{1,4}$/.test(seconds) ? Number(seconds) * 1000 : null;
}

/**
 * Returns the value of a response header. Ignores upper and lower case of the name, because Apps Script keeps the names
 * as the server sent them.
 */
function header(reply: HttpAnswer, name: string): string | null {
  const found = Object.entries(reply.headers).find(([key]) => key.toLowerCase() === name);
  return found === undefined ? null : found[1].trim();
}

const unreachable: Failure = {
  code: 'SERVER_UNREACHABLE',
  message: 'Google could not connect to your server. Try again in a minute.',
};
const notInTime: Failure = {
  code: 'NOT_IN_TIME',
  message: 'The formula ran out of time. Run it again: rows that were answered before are free.',
};

function readAnswer(reply: HttpAnswer): Answer {
  const body = parseObject(reply.text);
  if (reply.status === 200 && body !== null && 'data' in body) {
    return { ok: true, data: body.data, warnings: readWarnings(body.meta), credits: readCredits(body.meta) };
  }
  const failure = bodyFailure(body) ?? statusFailure(reply.status);
  const retryAfterMs = retryAfter(reply);
  return { ok: false, failure: retryAfterMs === null ? failure : { ...failure, retry_after_ms: retryAfterMs } };
}

function readWarnings(meta: unknown): string[] {
  const warnings = asObject(meta)?.warnings;
  return Array.isArray(warnings) ? warnings.filter((one) => typeof one === 'string') : [];
}

function readCredits(meta: unknown): number | null {
  const credits = asObject(meta)?.credits_charged;
  return typeof credits === 'number' ? credits : null;
}

/** Returns the error in the body of an API response; null when the body contains no error. */
function bodyFailure(body: Record<string, unknown> | null): Failure | null {
  const error = asObject(body?.error);
  if (error === null || typeof error.code !== 'string' || !/^[A-Z][A-Z0-9_]{0,63}$/.test(error.code)) return null;
  return { code: error.code, message: typeof error.message === 'string' ? error.message : '' };
}

/**
 * HTTP status codes of redirects and refusals. A login page or a proxy in front of the API server answers with them.
 */
const loginStatuses = [301, 302, 303, 307, 308, 401, 403, 407];

/**
 * Returns the error for an HTTP response that does not come from the API, but for example from a proxy or a login page.
 */
function statusFailure(status: number): Failure {
  const code = statusCode(status);
  return { code, message: `${failureSentence({ code, message: '' })} (status ${status})` };
}

function statusCode(status: number): string {
  if (loginStatuses.includes(status)) return 'LOGIN_PAGE';
  if (status === 429) return 'RATE_LIMITED';
  return status >= 500 ? 'SERVER_UNAVAILABLE' : 'SERVER_ANSWER_UNREADABLE';
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Returns the value when it is an object or an array, otherwise null. The members are not checked. */
export function asObject(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
}
