import type { components } from './schema.ts';

type ApiError = components['schemas']['Error'];

/** The codes that the server answers with. */
export type ApiErrorCode = ApiError['error']['code'];
/** Why there was no answer of the API at all. */
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

/** Why a call gave no answer. An error of the API charged nothing; one of the connection leaves that open, so send it again with the same Idempotency-Key. */
export class TidemarkError extends Error {
  override readonly name = 'TidemarkError';
  readonly code: ErrorCode;
  /** Null when no answer came. */
  readonly status: number | null;
  /** Whether the same call can succeed later without being changed. */
  readonly retryable: boolean;
  readonly retryAfterSeconds: number | null;
  /** Every bad parameter at once. */
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

/** Statuses that a proxy in front of the server gives when the server is away or busy. */
const passingStatuses: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);

/** The error of an answer that is not a success; `body` is what it carried, whoever wrote it. */
export function errorOf(response: Response, body: unknown, now: number): TidemarkError {
  const { status, headers } = response;
  const waits = retryAfterSeconds(headers, now);
  if (!isApiError(body)) return unreadable(response, waits);
  const { error, meta } = body;
  return new TidemarkError({
    code: error.code,
    message: error.message,
    status,
    retryable: error.retryable,
    retryAfterSeconds: waits ?? error.retry_after_seconds,
    details: error.details,
    requestId: meta.request_id,
    documentationUrl: error.documentation_url,
  });
}

/** The error of an answer that is not of this API: a page of a proxy, a login, a redirect. */
export function unreadable(response: Response, waits: number | null = null): TidemarkError {
  const { status, headers, type } = response;
  const redirects = type === 'opaqueredirect' || (status >= 300 && status < 400);
  const what = redirects ? 'a redirect' : `${headers.get('content-type') ?? 'no content type'} and status ${status}`;
  return new TidemarkError({
    code: 'SERVER_ANSWER_UNREADABLE',
    message: `The answer is not one of the API but ${what}: check that baseUrl is the address of the server itself.`,
    status,
    retryable: passingStatuses.has(status),
    retryAfterSeconds: waits,
    requestId: headers.get('x-request-id'),
  });
}

function isApiError(body: unknown): body is ApiError {
  if (typeof body !== 'object' || body === null || !('error' in body) || !('meta' in body)) return false;
  const { error, meta } = body;
  const isError = typeof error === 'object' && error !== null && 'code' in error && 'message' in error;
  return isError && typeof meta === 'object' && meta !== null;
}

/** Seconds of Retry-After, which proxies may write as a date; null without one. */
function retryAfterSeconds(headers: Headers, now: number): number | null {
  const written = headers.get('retry-after');
  if (written === null) return null;
  if (/^\d+$/.test(written)) return Number(written);
  const at = Date.parse(written);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1000));
}
