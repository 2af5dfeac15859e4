import { type ErrorCode, type ErrorRow, errorTable, SourceError } from '../../pipeline/errors.ts';

export interface ErrorDetail {
  parameter: string;
  message: string;
}

export interface RequestErrorOptions {
  message?: string;
  details?: ErrorDetail[];
  /** Seconds to wait; without it those of the code. */
  retry_after_seconds?: number | null;
  /** False when the same request cannot succeed soon, although the code is one that can. */
  retryable?: boolean;
  headers?: Record<string, string>;
}

/** A longer wait is no advice to retry: the error still says when. */
const soonSeconds = 3_600;

/** Why a request is answered with an error; nothing was charged for it. */
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
    const known = options.retry_after_seconds ?? null;
    this.retry_after_seconds = canSucceed ? (known ?? row.retry_after_seconds ?? null) : known;
    this.retryable = canSucceed && this.retry_after_seconds !== null && this.retry_after_seconds <= soonSeconds;
    this.headers = options.headers ?? {};
  }
}

/** Any thrown value as the error that the caller is told; what is not ours becomes INTERNAL and says nothing of itself. */
export function asRequestError(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  if (error instanceof SourceError) {
    const { code, message, retry_after_seconds, retryable } = error;
    return new RequestError(code, { message, retry_after_seconds, retryable });
  }
  return new RequestError('INTERNAL');
}

/** All bad parameters of a request at once. */
export function invalidInput(details: ErrorDetail[]): RequestError {
  const message = details.map((detail) => `${detail.parameter}: ${detail.message}`).join('; ');
  return new RequestError('INVALID_INPUT', { message: /[.!?]$/.test(message) ? message : `${message}.`, details });
}

export interface ErrorMeta {
  request_id: string;
  sandbox: boolean;
  base_url: string;
}

/** The body of every answer that is not 200 (contract, section 1). */
export function errorBody(error: RequestError, meta: ErrorMeta): string {
  const { status } = errorTable[error.code];
  return JSON.stringify({
    error: {
      code: error.code,
      message: error.message,
      status,
      retryable: error.retryable,
      retry_after_seconds: error.retry_after_seconds,
      documentation_url: `${meta.base_url}/docs/errors#${error.code}`,
      details: error.details,
    },
    meta: { request_id: meta.request_id, credits_charged: 0, sandbox: meta.sandbox },
  });
}
