import type { Client } from 'openapi-fetch';
import { errorOf, TidemarkError, unreadable } from './errors.ts';
import type { Metering } from './routes.ts';

/** The API as its bare texts; what a route takes and gives is typed in routes.ts. */
export interface TextPaths {
  [path: `/${string}`]: {
    get: {
      parameters: { query?: Record<string, unknown> };
      responses: { 200: { content: { 'text/plain': string } } };
    };
  };
}

export interface Ask {
  path: `/${string}`;
  query: Record<string, unknown>;
  accept: 'application/json' | 'text/csv';
  idempotencyKey: string;
  signal: AbortSignal | undefined;
}

/** The text of a success, and what it cost. */
export interface Success {
  text: string;
  metering: Metering;
}

/** Sends a request once. Throws a TidemarkError, or the reason of the caller's own signal. */
export async function attempt(
  http: Client<TextPaths>,
  ask: Ask,
  { attempts, limitMs, now }: { attempts: number; limitMs: number; now: number },
): Promise<Success> {
  const { response, data, error } = await withLimit(limitMs, ask.signal, (signal) =>
    http.GET(ask.path, {
      params: { query: ask.query },
      headers: { accept: ask.accept, 'idempotency-key': ask.idempotencyKey },
      parseAs: 'text',
      redirect: 'manual',
      signal,
    }),
  );
  if (!response.ok) throw errorOf(response, error, now);
  if (data === undefined || !response.headers.get('content-type')?.startsWith(ask.accept)) throw unreadable(response);
  return { text: data, metering: meteringOf(response.headers, attempts) };
}

/** Parses the JSON of a success; throws SERVER_ANSWER_UNREADABLE when it was cut short. */
export function parsed<T>({ text, metering }: Success): T {
  try {
    return JSON.parse(text) as T;
  } catch (cause) {
    const message = 'The answer says that it is JSON and is not: something on the way has changed it.';
    const { requestId } = metering;
    throw new TidemarkError({ code: 'SERVER_ANSWER_UNREADABLE', message, status: 200, requestId, cause });
  }
}

/** Ends the work after `limitMs` with SERVER_TIMEOUT; a failure of the connection becomes SERVER_UNREACHABLE. */
async function withLimit<T>(
  limitMs: number,
  callers: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  callers?.throwIfAborted();
  const controller = new AbortController();
  const stop = () => controller.abort(callers?.reason);
  callers?.addEventListener('abort', stop, { once: true });
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    controller.abort();
  }, limitMs);
  try {
    return await work(controller.signal);
  } catch (cause) {
    callers?.throwIfAborted();
    throw late ? timeout(limitMs, cause) : unreachable(cause);
  } finally {
    clearTimeout(timer);
    callers?.removeEventListener('abort', stop);
  }
}

function timeout(limitMs: number, cause: unknown): TidemarkError {
  const message = `The server did not answer within ${Math.round(limitMs)} ms.`;
  return new TidemarkError({ code: 'SERVER_TIMEOUT', message, retryable: true, cause });
}

function unreachable(cause: unknown): TidemarkError {
  const message = 'The server could not be reached, or the connection broke before the whole answer was there.';
  return new TidemarkError({ code: 'SERVER_UNREACHABLE', message, retryable: true, cause });
}

function meteringOf(headers: Headers, attempts: number): Metering {
  const remaining = headers.get('x-credits-remaining');
  return {
    requestId: headers.get('x-request-id') ?? '',
    creditsCharged: Number(headers.get('x-credits-charged') ?? 0),
    creditsRemaining: remaining === null ? null : Number(remaining),
    cached: headers.get('x-cache') === 'HIT',
    replayed: headers.get('x-idempotent-replay') === 'true',
    sandbox: headers.get('x-data-mode') === 'sandbox',
    attempts,
  };
}
