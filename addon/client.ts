/** The longest URL that UrlFetchApp sends. */
const url_characters_max = 2_082;
/** The most `url=` parameters that the server takes in one request. */
const urls_per_request_max = 50;
/** Of the 30 s that a formula may run, what its requests may take; the rest is for starting and for the table. */
const budget_ms = 26_000;
/** No request is begun with less time than this. */
const request_least_ms = 3_000;
const attempts_max = 4;
const retry_wait_max_ms = 8_000;
/** Cells that were refused together must not come back together. */
const jitter_max_ms = 1_500;

export type HttpRequest = { url: string; headers: Record<string, string>; timeout_ms: number };
export type HttpAnswer = { status: number; headers: Record<string, string>; text: string };

/** What the client needs of the platform. `fetchAll` blocks, answers in order, and throws when a host is not reached. */
export type Network = {
  fetchAll: (requests: HttpRequest[]) => HttpAnswer[];
  sleep: (wait_ms: number) => void;
  now: () => number;
  random: () => number;
  log: (message: string) => void;
};

export type Failure = { code: string; message: string };
export type Answer = { ok: true; data: unknown } | { ok: false; failure: Failure };
export type PackedRequest = { url: string; profiles: string[] };

/**
 * Spreads profiles over as few requests as the platform's URL length and the server's count allow, in order.
 *
 * @param head the URL up to and with its first query parameter.
 * @returns `unsent`: profiles too long for any request.
 */
export function packProfiles(
  head: string,
  profiles: readonly string[],
): { requests: PackedRequest[]; unsent: string[] } {
  const requests: PackedRequest[] = [];
  const unsent: string[] = [];
  for (const profile of profiles) {
    const parameter = `&url=${encodeURIComponent(wellFormed(profile))}`;
    const last = requests[requests.length - 1];
    if (head.length + parameter.length > url_characters_max) {
      unsent.push(profile);
    } else if (last !== undefined && fits(last, parameter)) {
      last.url += parameter;
      last.profiles.push(profile);
    } else {
      requests.push({ url: head + parameter, profiles: [profile] });
    }
  }
  return { requests, unsent };
}

function fits(request: PackedRequest, parameter: string): boolean {
  return request.profiles.length < urls_per_request_max && request.url.length + parameter.length <= url_characters_max;
}

/** A lone half of a surrogate pair makes `encodeURIComponent` throw. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD');
}

/**
 * Sends all requests at once and answers them in order; never throws. A request refused with 429 and a short
 * `Retry-After` is sent again while the formula's time allows.
 */
export function askAll(urls: readonly string[], key: string, network: Network): Answer[] {
  const deadline_ms = network.now() + budget_ms;
  const answers = new Map<string, Answer>();
  let pending = [...urls];
  for (let attempt = 1; attempt <= attempts_max && pending.length > 0; attempt++) {
    const replies = ask(pending, key, deadline_ms - network.now(), network);
    const refused: string[] = [];
    let wait_ms = 0;
    pending.forEach((url, index) => {
      const reply = replies?.[index];
      answers.set(url, reply === undefined ? unreachable : readAnswer(reply));
      const asked_wait_ms = reply === undefined ? null : retryWait(reply);
      if (asked_wait_ms === null) return;
      refused.push(url);
      wait_ms = Math.max(wait_ms, asked_wait_ms);
    });
    wait_ms += network.random() * jitter_max_ms;
    if (refused.length === 0 || network.now() + wait_ms + request_least_ms > deadline_ms) break;
    if (attempt < attempts_max) network.sleep(wait_ms);
    pending = refused;
  }
  return urls.map((url) => answers.get(url) ?? unreachable);
}

/** The replies in order, or null when the server was not reached. */
function ask(urls: readonly string[], key: string, timeout_ms: number, network: Network): HttpAnswer[] | null {
  try {
    return network.fetchAll(urls.map((url) => ({ url, headers: { 'x-api-key': key }, timeout_ms })));
  } catch (error) {
    network.log(`The server was not reached: ${String(error)}`);
    return null;
  }
}

/** How long a 429 asks to wait, in ms; null when the request should not be repeated now. */
function retryWait(reply: HttpAnswer): number | null {
  const retry_after = header(reply, 'retry-after');
  if (reply.status !== 429 || retry_after === null || !/^\d{1,4}$/.test(retry_after)) return null;
  const wait_ms = Number(retry_after) * 1000;
  return wait_ms <= retry_wait_max_ms ? wait_ms : null;
}

/** Header names come back in no dependable case. */
function header(reply: HttpAnswer, name: string): string | null {
  const found = Object.entries(reply.headers).find(([key]) => key.toLowerCase() === name);
  return found === undefined ? null : found[1].trim();
}

const unreachable: Answer = {
  ok: false,
  failure: { code: 'SERVER_UNREACHABLE', message: 'The server could not be reached in time.' },
};

function readAnswer(reply: HttpAnswer): Answer {
  const body = parseObject(reply.text);
  if (reply.status === 200 && body !== null && 'data' in body) return { ok: true, data: body.data };
  return { ok: false, failure: saidFailure(body) ?? silentFailure(reply.status) };
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
