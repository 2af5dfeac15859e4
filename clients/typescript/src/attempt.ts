import type { Client } from 'openapi-fetch';
import { errorOf, TidemarkError, unreadable } from './errors.ts';
import type { Metering } from './routes.ts';

/**
 * The paths of the API for the HTTP client, which reads every answer as text. The types of parameters and answers are
 * in routes.ts.
 */
export interface TextPaths {
  [path: `/${string}`]: {
    get: {
      parameters: { query?: Record<string, unknown> };
      responses: { 200: { content: { 'text/plain': string } } };
    };
  };
}

export interface ApiRequest {
  path: `/${string}`;
  query: Record<string, unknown>;
  accept: 'application/json' | 'text/csv';
  idempotencyKey: string;
  signal: AbortSignal | undefined;
}

/** The text of a successful answer, and its cost. */
export interface Success {
  text: string;
  metering: Metering;
}

/** Sends a request once. Throws a TidemarkError; throws the reason of the signal when the caller aborts. */
export async function attempt(
  http: Client<TextPaths>,
  request: ApiRequest,
  { attempts, limitMs, now }: { attempts: number; limitMs: number; now: number },
): Promise<Success> {
  const { response, data, error } = await withTimeout(limitMs, request.signal, (signal) =>
    http.GET(request.path, {
      params: { query: request.query },
      headers: { accept: request.accept, 'idempotency-key': request.idempotencyKey },
      parseAs: 'text',
      redirect: 'manual',
      signal,
    }),
  );
  if (!response.ok) throw errorOf(response, error, now);
  if (data === undefined || !response.headers.get('content-type')?.startsWith(request.accept))
    throw unreadable(response);
  return { text: data, metering: meteringOf(response.headers, attempts) };
}

/** Returns the parsed JSON of a successful answer. Throws SERVER_ANSWER_UNREADABLE when the text is not valid JSON. */
export function parseAnswer<T>({ text, metering }: Success): T {
  try {
    return JSON.parse(text) as T;
  } catch (cause) {
    const message =
      'The content type of the answer is JSON, but its text is not valid JSON: check whether a proxy between client and server changes answers.';
    const { requestId } = metering;
    throw new TidemarkError({ code: 'SERVER_ANSWER_UNREADABLE', message, status: 200, requestId, cause });
  }
}

/** Runs the work for at most `limitMs`, then throws SERVER_TIMEOUT. A failed connection throws SERVER_UNREACHABLE. */
async function withTimeout<T>(
  limitMs: number,
  callerSignal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  callerSignal?.throwIfAborted();
  const controller = new AbortController();
  const abort = () => controller.abort(callerSignal?.reason);
  callerSignal?.addEventListener('abort', abort, { once: true });
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    controller.abort();
  }, limitMs);
  try {
    return await work(controller.signal);
  } catch (cause) {
    callerSignal?.throwIfAborted();
    throw timedOut ? timeout(limitMs, cause) : unreachable(cause);
  } finally {
    clearTimeout(timer);
    callerSignal?.removeEventListener('abort', abort);
  }
}

function timeout(limitMs: number, cause: unknown): TidemarkError {
  const message = `The server did not answer within ${Math.round(limitMs)} ms: send the call again with the same idempotencyKey, or raise the limits in retry.`;
  return new TidemarkError({ code: 'SERVER_TIMEOUT', message, retryable: true, cause });
}

function unreachable(cause: unknown): TidemarkError {
  const message =
    'The server could not be reached, or the connection broke before the answer was complete: check baseUrl and the network.';
  return new TidemarkError({ code: 'SERVER_UNREACHABLE', message, retryable: true, cause });
}

/** Returns the number in a header, or null when the answer does not have the header. */
function numberIn(headers: Headers, name: string): number | null {
  const value = headers.get(name);
  return value === null ? null : Number(value);
}

function meteringOf(headers: Headers, attempts: number): Metering {
  return {
    requestId: headers.get('x-request-id') ?? '',
    creditsCharged: numberIn(headers, 'x-credits-charged'),
    creditsRemaining: numberIn(headers, 'x-credits-remaining'),
    cached: headers.get('x-cache') === 'HIT',
    replayed: headers.get('x-idempotent-replay') === 'true',
    sandbox: headers.get('x-data-mode') === 'sandbox',
    attempts,
  };
}
