import type { ErrorRow } from './errors/row.ts';
import { serverErrors } from './errors/server-errors.ts';
import { sourceErrors } from './errors/source-errors.ts';

/** The codes that a source can answer with. */
export type SourceErrorCode = keyof typeof sourceErrors;

export type ErrorCode = SourceErrorCode | keyof typeof serverErrors;

/** Every error code of the service, by status. Each has one row in one of the two tables. */
export const errorTable: Readonly<Record<ErrorCode, ErrorRow>> = byStatus({ ...sourceErrors, ...serverErrors });

function byStatus<T extends Record<string, ErrorRow>>(rows: T): T {
  return Object.fromEntries(Object.entries(rows).toSorted(([, a], [, b]) => a.status - b.status)) as T;
}

/** The subject of a source's error, see {@link SourceErrorOptions.about}. */
export type Blame = 'resource' | 'us' | 'reach' | 'block' | 'operator';

export interface SourceErrorOptions {
  /**
   * `resource`: the requested resource is missing, private or removed. Final.
   * `us`: our request failed (throttle, time-out, changed answer). The next source is tried.
   * `reach`: the source works but does not cover this resource (too old, incomplete). The next source is tried.
   * `block`: the platform blocks us (challenge, login). Final, because another source of the same platform would circumvent the block.
   * `operator`: the source refuses the configured credentials. Final, because another source would hide the misconfiguration.
   */
  about?: Blame;
  /** One plain sentence for the customer, without upstream URL, token or stack. */
  message?: string;
  /** Details for the log only. */
  reason?: string;
  retry_after_seconds?: number;
  /** False when the same request cannot succeed soon, although the code is retryable in general. */
  retryable?: false;
  cause?: unknown;
}

/** The message of SOURCE_NOT_CONFIGURED when credentials are set but do not work. */
export const credentialsRefused =
  'The platform refuses the credentials of this server: tell the operator, who has to renew them.';

const aboutTheResource: ReadonlySet<SourceErrorCode> = new Set(['RESOURCE_NOT_FOUND', 'INVALID_INPUT']);

/** The error of a source that returned no record. `about` is `resource` by default for not found and invalid input, else `us`. */
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
