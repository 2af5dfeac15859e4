import type { ErrorRow } from './errors/row.ts';
import { serverErrors } from './errors/server-errors.ts';
import { sourceErrors } from './errors/source-errors.ts';

/** The error codes that a source (the code that reads one page or API of a platform) can throw. */
export type SourceErrorCode = keyof typeof sourceErrors;

export type ErrorCode = SourceErrorCode | keyof typeof serverErrors;

/**
 * All error codes of the service with their texts, sorted by HTTP status. The codes are defined in two tables:
 * `sourceErrors` and `serverErrors`.
 */
export const errorTable: Readonly<Record<ErrorCode, ErrorRow>> = byStatus({ ...sourceErrors, ...serverErrors });

function byStatus<T extends Record<string, ErrorRow>>(rows: T): T {
  return Object.fromEntries(Object.entries(rows).toSorted(([, a], [, b]) => a.status - b.status)) as T;
}

/**
 * Returns the error message to show in a table row. Rows have no field for the request ID, so a message that mentions
 * "the request id" gets the ID itself. With `requestId` null (the row was not fetched by a request), the message asks
 * only to tell the administrator.
 */
export function messageForRow(message: string, requestId: string | null): string {
  if (requestId !== null) return message.replace(/\b(?:the|this) request id\b/i, `the request id ${requestId}`);
  return message.replace('send your Tidemark administrator the request id', 'tell your Tidemark administrator');
}

/**
 * Says who or what caused an error of a source (the code that reads one page or API of a platform). {@link
 * SourceErrorOptions.about} explains each value.
 */
export type Blame = 'resource' | 'us' | 'reach' | 'block' | 'operator';

export interface SourceErrorOptions {
  /**
   * Who or what caused the error. Several sources can return the same data in order of preference, and this value
   * decides whether the next source is tried.
   * `resource`: the requested account or post is missing, private or removed. No other source is tried.
   * `us`: our request failed (throttled, timed out, unreadable answer). The next source is tried.
   * `reach`: the source works but does not cover this resource (too old, incomplete). The next source is tried.
   * `block`: the platform blocks us (challenge, login). No other source is tried, because that would circumvent the
   * block.
   * `operator`: the source refuses the configured credentials. No other source is tried, because that would hide the
   * misconfiguration.
   */
  about?: Blame;
  /** One plain sentence for the customer. The sentence never contains the fetched URL, a token or a stack trace. */
  message?: string;
  /** Details about the error for the server's log, never shown to customers. */
  reason?: string;
  retry_after_seconds?: number;
  /** Set to false when a retry will not succeed soon, although errors with this code can usually be retried. */
  retryable?: false;
  cause?: unknown;
}

/**
 * The message of the error SOURCE_NOT_CONFIGURED when the operator has set credentials of a platform but the platform
 * refuses them.
 */
export const credentialsRefused =
  'The platform refuses the credentials of this server: ask your Tidemark administrator to renew them.';

const aboutTheResource: ReadonlySet<SourceErrorCode> = new Set(['RESOURCE_NOT_FOUND', 'INVALID_INPUT']);

/**
 * Thrown by a source (the code that reads one page or API of a platform) when the source cannot return a record.
 * `about` says who or what caused the error. The default of `about` is `resource` for RESOURCE_NOT_FOUND and
 * INVALID_INPUT, and `us` for all other codes.
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

/**
 * Returns the error for an answer of a platform in an unknown format. `reason` is for the log and says what is unknown.
 */
export function responseChanged(reason: string): SourceError {
  return new SourceError('SOURCE_RESPONSE_CHANGED', { reason });
}

/** The options of the error for an account whose posts only its followers can see. */
export const privateAccountOptions = {
  about: 'resource',
  message: 'This account is private: only its followers see its posts. Remove it from your list, or ask its owner.',
} satisfies SourceErrorOptions;

/** Returns the error for a private account, see {@link privateAccountOptions}. */
export function privateAccount(): SourceError {
  return new SourceError('SOURCE_RESTRICTED', privateAccountOptions);
}
