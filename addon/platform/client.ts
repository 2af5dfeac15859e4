/** The longest URL that UrlFetchApp sends. */
const urlCharactersMax = 2_082;
/** Of the 30 s that a formula may run, what its requests may take; the rest is for starting and for the table. */
const budgetMs = 26_000;
/** No request is begun with less time than this. */
const requestLeastMs = 3_000;
const attemptsMax = 4;
const retryWaitMaxMs = 8_000;
/** Cells that were refused together must not come back together. */
const jitterMaxMs = 1_500;

export type HttpRequest = { url: string; headers: Record<string, string>; timeout_ms: number };
export type HttpAnswer = { status: number; headers: Record<string, string>; text: string };

/** What the client needs of the platform. `fetchAll` blocks, answers in order, and throws when a host is not reached. */
export type Network = {
  fetchAll: (requests: HttpRequest[]) => HttpAnswer[];
  sleep: (waitMs: number) => void;
  now: () => number;
  random: () => number;
  log: (message: string) => void;
};

/** `retry_after_ms` where the server said when it answers again. */
export type Failure = { code: string; message: string; retry_after_ms?: number };
/** `warnings` are the server's sentences on an answer as a whole. */
export type Answer = { ok: true; data: unknown; warnings: string[] } | { ok: false; failure: Failure };
/** `key` is null when none was saved. */
export type Server = { origin: string; key: string | null; network: Network };
/** `values`: those of the repeated parameter that this URL carries, in order. */
export type PackedRequest = { url: string; values: string[] };

/**
 * Spreads the values of a repeated parameter over as few requests as the platform's URL length and the server's count
 * allow, in order.
 *
 * @param head the URL up to and with its first query parameter.
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

/** {@link packRequests} for the profile workflow. */
export function packProfiles(head: string, profiles: readonly string[]) {
  const { requests, unsent } = packRequests(head, { name: 'url', per_request_max: 50 }, profiles);
  return { requests: requests.map(({ url, values }) => ({ url, profiles: values })), unsent };
}

/** A lone half of a surrogate pair makes `encodeURIComponent` throw. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD');
}

/** What one call may take. `deadline_ms`: Unix ms. `at_once`: how many requests go out together; all, when not said. */
export type AskLimits = { deadline_ms?: number; at_once?: number };

/**
 * Sends requests together and answers them in order; never throws. A request refused with 429 and a short `Retry-After`
 * is sent again while the formula's time allows, and what no time is left for is not sent.
 *
 * @param limits a formula that asks more than once gives all of it one {@link deadlineOf}.
 */
export function askAll(
  urls: readonly string[],
  key: string,
  network: Network,
  { deadline_ms = deadlineOf(network), at_once = urls.length }: AskLimits = {},
): Answer[] {
  const answers = new Map<string, Answer>();
  let pending = [...urls];
  for (let attempt = 1; attempt <= attemptsMax && pending.length > 0; attempt++) {
    const replies = askInWaves(pending, key, network, { deadline_ms, at_once });
    const refused: string[] = [];
    let waitMs = 0;
    pending.forEach((url, index) => {
      const reply = replies[index] ?? unreachable;
      answers.set(url, 'code' in reply ? { ok: false, failure: reply } : readAnswer(reply));
      const askedWaitMs = 'code' in reply ? null : retryWait(reply);
      if (askedWaitMs === null) return;
      refused.push(url);
      waitMs = Math.max(waitMs, askedWaitMs);
    });
    waitMs += network.random() * jitterMaxMs;
    if (refused.length === 0 || network.now() + waitMs + requestLeastMs > deadline_ms) break;
    if (attempt < attemptsMax) network.sleep(waitMs);
    pending = refused;
  }
  return urls.map((url) => answers.get(url) ?? { ok: false, failure: unreachable });
}

/** When a formula that begins now must have all its answers, Unix ms. */
export function deadlineOf(network: Network): number {
  return network.now() + budgetMs;
}

function askInWaves(
  urls: readonly string[],
  key: string,
  network: Network,
  { deadline_ms, at_once }: Required<AskLimits>,
): (HttpAnswer | Failure)[] {
  const replies: (HttpAnswer | Failure)[] = [];
  for (let begin = 0; begin < urls.length; begin += at_once) {
    replies.push(...ask(urls.slice(begin, begin + at_once), key, deadline_ms - network.now(), network));
  }
  return replies;
}

function ask(
  urls: readonly string[],
  key: string,
  timeoutMs: number,
  network: Network,
): readonly (HttpAnswer | Failure)[] {
  if (timeoutMs < requestLeastMs) return urls.map(() => notInTime);
  try {
    return network.fetchAll(urls.map((url) => ({ url, headers: { 'x-api-key': key }, timeout_ms: timeoutMs })));
  } catch (error) {
    network.log(`The server was not reached: ${String(error)}`);
    return urls.map(() => unreachable);
  }
}

/** How long a 429 asks to wait, in ms; null when the request should not be repeated now. */
function retryWait(reply: HttpAnswer): number | null {
  const waitMs = reply.status === 429 ? retryAfter(reply) : null;
  return waitMs !== null && waitMs <= retryWaitMaxMs ? waitMs : null;
}

function retryAfter(reply: HttpAnswer): number | null {
  const retry_after = header(reply, 'retry-after');
  return retry_after !== null && /^\d{1,4}$/.test(retry_after) ? Number(retry_after) * 1000 : null;
}

/** Header names come back in no dependable case. */
function header(reply: HttpAnswer, name: string): string | null {
  const found = Object.entries(reply.headers).find(([key]) => key.toLowerCase() === name);
  return found === undefined ? null : found[1].trim();
}

const unreachable: Failure = {
  code: 'SERVER_UNREACHABLE',
  message: 'The server could not be reached in time.',
};
const notInTime: Failure = {
  code: 'NOT_IN_TIME',
  message: 'The time of the formula was used up: run it again, what was answered before is free.',
};

function readAnswer(reply: HttpAnswer): Answer {
  const body = parseObject(reply.text);
  if (reply.status === 200 && body !== null && 'data' in body) {
    return { ok: true, data: body.data, warnings: readWarnings(body.meta) };
  }
  const failure = saidFailure(body) ?? silentFailure(reply.status);
  const retryAfterMs = retryAfter(reply);
  return { ok: false, failure: retryAfterMs === null ? failure : { ...failure, retry_after_ms: retryAfterMs } };
}

function readWarnings(meta: unknown): string[] {
  const warnings = asObject(meta)?.warnings;
  return Array.isArray(warnings) ? warnings.filter((one) => typeof one === 'string') : [];
}

/** The failure as the server itself names it. */
function saidFailure(body: Record<string, unknown> | null): Failure | null {
  const error = asObject(body?.error);
  if (error === null || typeof error.code !== 'string' || !/^[A-Z][A-Z0-9_]{0,63}$/.test(error.code)) return null;
  return { code: error.code, message: typeof error.message === 'string' ? error.message : '' };
}

/** What stands between us and the server (a proxy, a login page) answers without our error body. */
function silentFailure(status: number): Failure {
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

/** The value as an object whose members can be looked at; null for anything else. */
export function asObject(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
}
