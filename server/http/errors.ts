import { daySeconds, hourSeconds } from '../../db/durations.ts';
import { systemErrorCode } from '../../db/start-error.ts';
import { isRemovedMeanwhile, isUnavailable } from '../../db/unavailable.ts';
import type { ErrorRow } from '../../pipeline/errors/row.ts';
import { type ErrorCode, errorTable, SourceError } from '../../pipeline/errors.ts';

export interface ErrorDetail {
  parameter: string;
  message: string;
}

interface RequestErrorOptions {
  message?: string;
  details?: ErrorDetail[];
  /** Seconds to wait before a retry. Default: the value for the error code in `errorTable`. */
  retry_after_seconds?: number | null;
  /** False when the same request cannot succeed soon. Default: the value for the error code in `errorTable`. */
  retryable?: boolean;
  headers?: Record<string, string>;
}

/**
 * Maximum seconds to wait for a retryable error. An error with a longer wait is not retryable, but still states the
 * wait, up to `maxWaitSeconds`.
 */
const maxRetryWaitSeconds = hourSeconds;
const maxWaitSeconds = daySeconds;

/**
 * An error that is sent as the answer to a request. The request was not charged, except perhaps with
 * CHARGE_UNCONFIRMED.
 */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly code: ErrorCode;
  readonly details: ErrorDetail[];
  readonly retry_after_seconds: number | null;
  readonly retryable: boolean;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, options: RequestErrorOptions = {}) {
    super(options.message ?? errorTable[code].message);
    this.code = code;
    this.details = options.details ?? [];
    const row: ErrorRow = errorTable[code];
    const canSucceed = options.retryable ?? row.retryable;
    const wait = options.retry_after_seconds ?? null;
    const seconds = wait === null ? null : Math.min(wait, maxWaitSeconds);
    this.retry_after_seconds = canSucceed ? (seconds ?? row.retry_after_seconds ?? null) : seconds;
    this.retryable = canSucceed && this.retry_after_seconds !== null && this.retry_after_seconds <= maxRetryWaitSeconds;
    this.headers = options.headers ?? {};
  }
}

const removedMeanwhile =
  'Data that this request uses was removed at the same moment. Nothing was charged: send the request again.';

const brokenUpload = 'The connection was closed before the whole request had arrived: send it again.';

/**
 * Returns true for the error that Node throws when a client disconnects before it has sent the whole body of its
 * request.
 */
function isBrokenUpload(error: unknown): boolean {
  return error instanceof Error && error.message === 'aborted' && systemErrorCode(error) === 'ECONNRESET';
}

/** Converts any thrown value into the error to answer with. An unknown error becomes INTERNAL, without details. */
export function asRequestError(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  if (error instanceof SourceError) {
    const { code, message, retry_after_seconds, retryable } = error;
    return new RequestError(code, { message, retry_after_seconds, retryable });
  }
  if (isRemovedMeanwhile(error)) return new RequestError('SERVICE_UNAVAILABLE', { message: removedMeanwhile });
  if (isBrokenUpload(error)) return new RequestError('INVALID_INPUT', { message: brokenUpload });
  return new RequestError(isUnavailable(error) ? 'SERVICE_UNAVAILABLE' : 'INTERNAL');
}

/** Returns one INVALID_INPUT error that names every bad parameter. */
export function invalidInput(details: ErrorDetail[]): RequestError {
  const sentences = details.map(({ parameter, message }) => (parameter === '' ? message : `${parameter}: ${message}`));
  const message = sentences.join('; ');
  return new RequestError('INVALID_INPUT', { message: /[.!?]$/.test(message) ? message : `${message}.`, details });
}

interface ErrorMeta {
  request_id: string;
  sandbox: boolean;
  base_url: string;
}

/** Returns the JSON body of an error. */
export function errorBody(error: RequestError, { request_id, sandbox, base_url }: ErrorMeta): string {
  const meta = JSON.stringify({ request_id, credits_charged: creditsCharged(error), sandbox });
  return `{"error":${errorText(error, base_url)},"meta":${meta}}`;
}

/**
 * JSON texts of error objects, so that each text is created only once. While a workspace is over its rate limit, one
 * error object answers all of its requests within the same second.
 */
const texts = new WeakMap<RequestError, { base_url: string; text: string }>();

function errorText(error: RequestError, baseUrl: string): string {
  const known = texts.get(error);
  if (known?.base_url === baseUrl) return known.text;
  const { code, message, retryable, retry_after_seconds, details } = error;
  const { status } = errorTable[code];
  const documentation = { documentation_url: `${baseUrl}/docs/errors#${code}` };
  const text = JSON.stringify({ code, message, status, retryable, retry_after_seconds, ...documentation, details });
  texts.set(error, { base_url: baseUrl, text });
  return text;
}

/** Returns the credits that a failed request cost: 0, or null when it is not known whether the request was charged. */
export function creditsCharged({ code }: RequestError): 0 | null {
  return errorTable[code].may_be_charged ? null : 0;
}
