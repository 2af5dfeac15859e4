import { type Failure, failureSentence } from './failure-sentence.ts';
import { googleCause } from './google-errors.ts';

export type { Failure };

/** Maximum number of characters of a URL that UrlFetchApp (the HTTP client of Apps Script) sends. */
const urlCharactersMax = 2_082;
/**
 * Milliseconds that all requests of a formula may take together. Google stops a formula after 30 s; the remaining time
 * is for starting the formula and building its table.
 */
const budgetMs = 26_000;
/**
 * The minimum time, in milliseconds, that a request needs. With less time left, the request is not sent, because its
 * answer would come too late.
 */
const requestLeastMs = 3_000;
const attemptsMax = 4;
const retryWaitMaxMs = 8_000;
/**
 * Maximum random delay of a retry in milliseconds. With it, formulas that the server refused at the same time retry at
 * different times.
 */
const jitterMaxMs = 1_500;

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
  log: (message: string) => void;
};

/**
 * The answer of the API server to a request, or the reason why the request failed. `warnings`: sentences of the server
 * that apply to the whole answer.
 */
export type Answer = { ok: true; data: unknown; warnings: string[] } | { ok: false; failure: Failure };
/**
 * The cache, the lock and the neighboring cells, which the formulas of one spreadsheet share. They only reduce the
 * number of requests, so none of them throws. When a service fails, reading returns nothing and writing stores nothing.
 */
export type CellServices = {
  /** Returns the cached texts with these names, without the missing ones. */
  read: (names: string[]) => Record<string, string>;
  write: (texts: Record<string, string>, seconds: number) => void;
  /**
   * Calls a function while it holds the lock of the spreadsheet. When the lock is not free in time, calls the function
   * without the lock.
   */
  hold: <T>(work: () => T) => T;
  /**
   * Returns the texts (URLs or handles) that copies of the same formula read in the rows around the calling cell.
   * `own`: the text that the calling cell reads.
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
 * The URL of a request that contains several values of one repeated query parameter. `values`: these values, in order.
 */
type PackedRequest = { url: string; values: string[] };

/**
 * Distributes the values of a repeated query parameter over as few requests as possible, in order. Apps Script limits
 * the length of a URL, and the server limits the number of values in one request.
 *
 * @param head the URL up to and including its first query parameter.
 * @returns `unsent`: the values that are too long for any request.
 */
export function packRequests(
  head: string,
  { name, per_request_max }: { name: string; per_request_max: number },
  values: readonly string[],
): { requests: PackedRequest[]; unsent: string[] } {
  const requests: PackedRequest[] = [];
  const unsent: string[] = [];
  for (const value of values) {
    const parameter = `&${name}=${encodeURIComponent(wellFormed(value))}`;
    const last = requests[requests.length - 1];
    if (head.length + parameter.length > urlCharactersMax) {
      unsent.push(value);
    } else if (
      last !== undefined &&
      last.values.length < per_request_max &&
      last.url.length + parameter.length <= urlCharactersMax
    ) {
      last.url += parameter;
      last.values.push(value);
    } else {
      requests.push({ url: head + parameter, values: [value] });
    }
  }
  return { requests, unsent };
}

/** Replaces unpaired halves of surrogate pairs (invalid Unicode), because `encodeURIComponent` throws for them. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD');
}

/**
 * The limits for sending several requests. `deadline_ms`: the time, in Unix ms, by which all answers must have arrived.
 * `at_once`: maximum number of requests that are sent at the same time; default: no limit.
 */
type FetchLimits = { deadline_ms?: number; at_once?: number };

/**
 * Sends requests to the API server in parallel and returns their answers in order. Never throws. A request that was
 * refused with status 429 and a short `Retry-After` is sent again while time is left. A request for which no time is
 * left is not sent.
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
  const answers = new Map<string, Answer>();
  let pending = [...urls];
  for (let attempt = 1; attempt <= attemptsMax && pending.length > 0; attempt++) {
    const replies = sendInWaves(pending, key, network, { deadline_ms, at_once });
    const refused: string[] = [];
    let waitMs = 0;
    pending.forEach((url, index) => {
      const reply = replies[index] ?? unreachable;
      answers.set(url, 'code' in reply ? { ok: false, failure: reply } : readAnswer(reply));
      const retryAfterMs = 'code' in reply ? null : retryWait(reply);
      if (retryAfterMs === null) return;
      refused.push(url);
      waitMs = Math.max(waitMs, retryAfterMs);
    });
    waitMs += network.random() * jitterMaxMs;
    if (refused.length === 0 || network.now() + waitMs + requestLeastMs > deadline_ms) break;
    if (attempt < attemptsMax) network.sleep(waitMs);
    pending = refused;
  }
  return urls.map((url) => answers.get(url) ?? { ok: false, failure: unreachable });
}

/** Returns the time, in Unix ms, by which a formula that starts now must have all answers of the server. */
export function deadlineOf(network: Network): number {
  return network.now() + budgetMs;
}

function sendInWaves(
  urls: readonly string[],
  key: string,
  network: Network,
  { deadline_ms, at_once }: Required<FetchLimits>,
): (HttpAnswer | Failure)[] {
  const replies: (HttpAnswer | Failure)[] = [];
  for (let begin = 0; begin < urls.length; begin += at_once) {
    replies.push(...send(urls.slice(begin, begin + at_once), key, deadline_ms - network.now(), network));
  }
  return replies;
}

function send(
  urls: readonly string[],
  key: string,
  timeoutMs: number,
  network: Network,
): readonly (HttpAnswer | Failure)[] {
  if (timeoutMs < requestLeastMs) return urls.map(() => notInTime);
  try {
    return network.fetchAll(urls.map((url) => ({ url, headers: { 'x-api-key': key }, timeout_ms: timeoutMs })));
  } catch (error) {
    network.log(`The server could not be reached: ${String(error)}`);
    const failure = sendingFailure(String(error));
    return urls.map(() => failure);
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

/** Returns the milliseconds to wait before a refused request is sent again; null when it should not be sent again. */
function retryWait(reply: HttpAnswer): number | null {
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
    return { ok: true, data: body.data, warnings: readWarnings(body.meta) };
  }
  const failure = bodyFailure(body) ?? statusFailure(reply.status);
  const retryAfterMs = retryAfter(reply);
  return { ok: false, failure: retryAfterMs === null ? failure : { ...failure, retry_after_ms: retryAfterMs } };
}

function readWarnings(meta: unknown): string[] {
  const warnings = asObject(meta)?.warnings;
  return Array.isArray(warnings) ? warnings.filter((one) => typeof one === 'string') : [];
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

/** Returns the value when it is an object or an array, otherwise null. Its members are not checked. */
export function asObject(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
}
