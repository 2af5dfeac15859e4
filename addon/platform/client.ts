/** The longest URL that UrlFetchApp sends. */
const urlCharactersMax = 2_082;
/** The time for the requests of a formula. A formula may run 30 s; the rest is for its start and for the table. */
const budgetMs = 26_000;
/** A request needs at least this much time left to start. */
const requestLeastMs = 3_000;
const attemptsMax = 4;
const retryWaitMaxMs = 8_000;
/** Spreads the retries of formulas that were refused at the same time. */
const jitterMaxMs = 1_500;

export type HttpRequest = { url: string; headers: Record<string, string>; timeout_ms: number };
export type HttpAnswer = { status: number; headers: Record<string, string>; text: string };

/** The platform services of the client. `fetchAll` blocks, returns answers in order, and throws for an unreachable host. */
export type Network = {
  fetchAll: (requests: HttpRequest[]) => HttpAnswer[];
  sleep: (waitMs: number) => void;
  now: () => number;
  random: () => number;
  log: (message: string) => void;
};

/** `retry_after_ms`: set when the server sent `Retry-After`. */
export type Failure = { code: string; message: string; retry_after_ms?: number };
/** `warnings`: sentences of the server about the whole answer. */
export type Answer = { ok: true; data: unknown; warnings: string[] } | { ok: false; failure: Failure };
/** `key` is null when no key is saved. */
export type Server = { origin: string; key: string | null; network: Network };
/** `values`: the values of the repeated parameter in this URL, in order. */
export type PackedRequest = { url: string; values: string[] };

/**
 * Distributes the values of a repeated parameter over as few requests as possible, in order, within the URL length of
 * the platform and the count that the server accepts.
 *
 * @param head the URL up to and including its first query parameter.
 * @returns `unsent`: values too long for any request.
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

/** Replaces lone surrogates, for which `encodeURIComponent` throws. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD');
}

/** `deadline_ms`: Unix ms. `at_once`: the most requests in flight; default: all. */
export type FetchLimits = { deadline_ms?: number; at_once?: number };

/**
 * Sends requests in parallel and returns their answers in order. Never throws. Retries a request that was refused with
 * 429 and a short `Retry-After` while the formula has time; sends no request for which no time is left.
 *
 * @param limits a formula that calls this more than once must pass the same {@link deadlineOf} each time.
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

/** Returns the time by which a formula that starts now must have all its answers, Unix ms. */
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
    return urls.map(() => unreachable);
  }
}

/** Returns the wait of a 429 in ms; null when the request should not be retried now. */
function retryWait(reply: HttpAnswer): number | null {
  const waitMs = reply.status === 429 ? retryAfter(reply) : null;
  return waitMs !== null && waitMs <= retryWaitMaxMs ? waitMs : null;
}

function retryAfter(reply: HttpAnswer): number | null {
  const seconds = header(reply, 'retry-after');
  return seconds !== null && /^\d{1,4}$/.test(seconds) ? Number(seconds) * 1000 : null;
}

/** Compares header names without case, because the platform does not normalize it. */
function header(reply: HttpAnswer, name: string): string | null {
  const found = Object.entries(reply.headers).find(([key]) => key.toLowerCase() === name);
  return found === undefined ? null : found[1].trim();
}

const unreachable: Failure = {
  code: 'SERVER_UNREACHABLE',
  message: 'The server could not be reached in time. Try again in a minute.',
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

/** Returns the error in the body; null when the body has none. */
function bodyFailure(body: Record<string, unknown> | null): Failure | null {
  const error = asObject(body?.error);
  if (error === null || typeof error.code !== 'string' || !/^[A-Z][A-Z0-9_]{0,63}$/.test(error.code)) return null;
  return { code: error.code, message: typeof error.message === 'string' ? error.message : '' };
}

/** Returns the failure of an answer without an error body, such as that of a proxy or a login page. */
function statusFailure(status: number): Failure {
  const message = `Something other than the API answered, with status ${status}.`;
  if (status === 401) return { code: 'INVALID_API_KEY', message };
  if (status === 402) return { code: 'INSUFFICIENT_CREDITS', message };
  if (status === 429) return { code: 'RATE_LIMITED', message };
  return { code: status >= 500 ? 'SERVER_UNAVAILABLE' : 'SERVER_ANSWER_UNREADABLE', message };
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Returns the value as an object with unknown members; null when it is not an object. */
export function asObject(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
}
