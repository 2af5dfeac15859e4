import type { ErrorRow } from './errors/row.ts';
import { serverErrors } from './errors/server-errors.ts';
import { sourceErrors } from './errors/source-errors.ts';

/** The error codes that a source can throw. */
export type SourceErrorCode = keyof typeof sourceErrors;

export type ErrorCode = SourceErrorCode | keyof typeof serverErrors;

/** All error codes of the service, sorted by HTTP status. Each code is defined in one of two tables: `sourceErrors` or `serverErrors`. */
export const errorTable: Readonly<Record<ErrorCode, ErrorRow>> = byStatus({ ...sourceErrors, ...serverErrors });

function byStatus<T extends Record<string, ErrorRow>>(rows: T): T {
  return Object.fromEntries(Object.entries(rows).toSorted(([, a], [, b]) => a.status - b.status)) as T;
}

/** Identifies who or what caused a source's error. {@link SourceErrorOptions.about} explains each value. */
export type Blame = 'resource' | 'us' | 'reach' | 'block' | 'operator';

export interface SourceErrorOptions {
  /**
   * Who or what caused the error. This decides whether the next source is tried; after a final error, none is tried.
   * `resource`: the requested resource is missing, private or removed. Final.
   * `us`: our request failed (throttle, time-out, changed answer). The next source is tried.
   * `reach`: the source works but does not cover this resource (too old, incomplete). The next source is tried.
   * `block`: the platform blocks us (challenge, login). Final, because another source of the same platform would circumvent the block.
   * `operator`: the source refuses the configured credentials. Final, because another source would hide the misconfiguration.
   */
  about?: Blame;
  /** One plain sentence for the customer. It never contains a URL of the source, a token or a stack trace. */
  message?: string;
  /** Details for the log. Customers never see them. */
  reason?: string;
  retry_after_seconds?: number;
  /** False when the same request will not succeed soon, although errors with this code usually can be retried. */
  retryable?: false;
  cause?: unknown;
}

/** The message of SOURCE_NOT_CONFIGURED when credentials are set but do not work. */
export const credentialsRefused =
  'The platform refuses the credentials of this server: tell the operator, who has to renew them.';

const aboutTheResource: ReadonlySet<SourceErrorCode> = new Set(['RESOURCE_NOT_FOUND', 'INVALID_INPUT']);

/**
 * Error of a source that returned no record. The default of `about` is `resource` for RESOURCE_NOT_FOUND and INVALID_INPUT, and
 * `us` for other codes.
 */
export class SourceError extends Error {
  override readonly name = 'SourceError';
  readonly code: SourceErrorCode;
  readonly about: Blame;
  readonly reason: string | null;
  readonly retry_after_seconds: number | null;
  readonly retryable: boolean;

  constructor(code: SourceErrorCode, options: SourceErrorOptions = {}) {
    super(options.message ?? errorTable[code].message, { cause: options.cause });
    this.code = code;
    this.about = options.about ?? (aboutTheResource.has(code) ? 'resource' : 'us');
    this.reason = options.reason ?? null;
    this.retry_after_seconds = options.retry_after_seconds ?? null;
    this.retryable = options.retryable ?? errorTable[code].retryable;
  }
}
