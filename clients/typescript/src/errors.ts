import type { components } from './schema.ts';

type ApiError = components['schemas']['Error'];

/** The error codes of the server. */
export type ApiErrorCode = ApiError['error']['code'];
/** The error codes of calls that got no answer from the API. */
export type ConnectionErrorCode = 'SERVER_UNREACHABLE' | 'SERVER_TIMEOUT' | 'SERVER_ANSWER_UNREADABLE';
export type ErrorCode = ApiErrorCode | ConnectionErrorCode;

export interface ErrorDetail {
  parameter: string;
  message: string;
}

export interface ErrorFacts {
  code: ErrorCode;
  message: string;
  status?: number | null;
  retryable?: boolean;
  retryAfterSeconds?: number | null;
  details?: readonly ErrorDetail[];
  requestId?: string | null;
  documentationUrl?: string | null;
  cause?: unknown;
}

/**
 * The error of a failed call. After an error of the API, nothing was charged, except perhaps with CHARGE_UNCONFIRMED.
 * After a connection error, the call may have been charged: send it again with the same Idempotency-Key.
 */
export class TidemarkError extends Error {
  override readonly name = 'TidemarkError';
  readonly code: ErrorCode;
  /** HTTP status; null when there was no answer. */
  readonly status: number | null;
  /** True when the same call may succeed if it is sent again. */
  readonly retryable: boolean;
  readonly retryAfterSeconds: number | null;
  /** All invalid parameters of the request. */
  readonly details: readonly ErrorDetail[];
  readonly requestId: string | null;
  readonly documentationUrl: string | null;

  constructor(facts: ErrorFacts) {
    super(facts.message, { cause: facts.cause });
    this.code = facts.code;
    this.status = facts.status ?? null;
    this.retryable = facts.retryable ?? false;
    this.retryAfterSeconds = facts.retryAfterSeconds ?? null;
    this.details = facts.details ?? [];
    this.requestId = facts.requestId ?? null;
    this.documentationUrl = facts.documentationUrl ?? null;
  }
}

/** HTTP statuses that a proxy sends while the server is down or busy. */
const temporaryStatuses: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);

/** Returns the error for an answer that is not successful. `body` can come from the API or from a proxy. */
export function errorOf(response: Response, body: unknown, now: number): TidemarkError {
  const { status, headers } = response;
  const waitSeconds = retryAfterSeconds(headers, now);
  if (!isApiError(body)) return unreadable(response, waitSeconds);
  const { error, meta } = body;
  return new TidemarkError({
    code: error.code,
    message: error.message,
    status,
    retryable: error.retryable,
    retryAfterSeconds: waitSeconds ?? error.retry_after_seconds,
    details: error.details,
    requestId: meta.request_id,
    documentationUrl: error.documentation_url,
  });
}

/**
 * Returns the error for an answer that does not come from the API, such as a page of a proxy, a login page or a
 * redirect.
 */
export function unreadable(response: Response, waitSeconds: number | null = null): TidemarkError {
  const { status, headers, type } = response;
  const isRedirect = type === 'opaqueredirect' || (status >= 300 && status < 400);
  const description = isRedirect
    ? 'a redirect'
    : `${headers.get('content-type') ?? 'no content type'} and status ${status}`;
  return new TidemarkError({
    code: 'SERVER_ANSWER_UNREADABLE',
    message: `The answer does not come from the API, it is ${description}: check that baseUrl is the address of the server.`,
    status,
    retryable: temporaryStatuses.has(status),
    retryAfterSeconds: waitSeconds,
    requestId: headers.get('x-request-id'),
  });
}

function isApiError(body: unknown): body is ApiError {
  if (typeof body !== 'object' || body === null || !('error' in body) || !('meta' in body)) return false;
  const { error, meta } = body;
  const isError = typeof error === 'object' && error !== null && 'code' in error && 'message' in error;
  return isError && typeof meta === 'object' && meta !== null;
}

/** Returns the number of seconds in Retry-After, which a proxy may send as a date; null when the header is missing. */
function retryAfterSeconds(headers: Headers, now: number): number | null {
  const value = headers.get('retry-after');
  if (value === null) return null;
  if (/^\d+$/.test(value)) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1000));
}
