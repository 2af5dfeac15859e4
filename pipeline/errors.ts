export interface ErrorRow {
  status: number;
  /** True for the codes that a source can answer with. */
  from_source?: true;
  /** Reserved identifier of the sandbox that answers with this code: three letters or digits, and four digits. */
  sandbox?: readonly [suffix: string, number: string];
  /** True when the same request can succeed soon without changes. A single error can override true with false. */
  retryable: boolean;
  /** Default number of seconds to wait before a retry. Every retryable code has one. */
  retry_after_seconds?: number;
  /** Default message, used when the error has no message of its own. */
  message: string;
}

/** Lists every error code of the service, one row each. The types and lists of codes are derived from these rows. */
export const errorTable = {
  INVALID_INPUT: {
    status: 400,
    from_source: true,
    sandbox: ['400', '0400'],
    retryable: false,
    message: 'The request is not valid: see details for what to send instead.',
  },
  CURSOR_EXPIRED: {
    status: 400,
    sandbox: ['exp', '1400'],
    retryable: false,
    message: 'This cursor is older than ten minutes: start again without cursor.',
  },
  INVALID_API_KEY: {
    status: 401,
    sandbox: ['401', '0401'],
    retryable: false,
    message: 'Send a valid API key in the header x-api-key.',
  },
  INSUFFICIENT_CREDITS: {
    status: 402,
    sandbox: ['402', '0402'],
    retryable: false,
    message: 'The balance is below the cost of this request: add credits and send it again.',
  },
  PAID_ACCESS_REQUIRED: {
    status: 402,
    sandbox: ['pay', '1402'],
    retryable: false,
    message: 'This report needs a purchased tier: buy any credit pack to open it.',
  },
  SOURCE_RESTRICTED: {
    status: 403,
    from_source: true,
    sandbox: ['403', '0403'],
    retryable: false,
    message:
      'The platform does not show this to the public: it is private, restricted, or blocked for this server. Sending the request again does not help.',
  },
  PRODUCTION_KEY_REQUIRED: {
    status: 403,
    sandbox: ['key', '1403'],
    retryable: false,
    message: 'This route needs a production key: a development key never returns live data.',
  },
  SHEET_KEY_RESTRICTED: {
    status: 403,
    sandbox: ['sht', '2403'],
    retryable: false,
    message: 'A sheet key works only for the workflow routes and the balance: use a production key for this route.',
  },
  RESOURCE_NOT_FOUND: {
    status: 404,
    from_source: true,
    sandbox: ['404', '0404'],
    retryable: false,
    message: 'The platform says that this does not exist or was removed: check the handle, ID or URL.',
  },
  ROUTE_NOT_FOUND: { status: 404, retryable: false, message: 'This path does not exist: see /docs for all paths.' },
  METHOD_NOT_ALLOWED: {
    status: 405,
    retryable: false,
    message: 'Use GET: every route of this service only reads.',
  },
  SOURCE_TIMEOUT: {
    status: 408,
    from_source: true,
    sandbox: ['408', '0408'],
    retryable: true,
    retry_after_seconds: 5,
    message: 'The source did not answer in time: try again.',
  },
  SOURCE_RESPONSE_CHANGED: {
    status: 422,
    from_source: true,
    sandbox: ['422', '0422'],
    retryable: false,
    message:
      'The platform answered in a format that we cannot read. Sending the request again does not help: tell the operator the request id.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    sandbox: ['idm', '1422'],
    retryable: false,
    message: 'This Idempotency-Key was used with another request: use a new one.',
  },
  RATE_LIMITED: {
    status: 429,
    sandbox: ['429', '0429'],
    retryable: true,
    retry_after_seconds: 60,
    message: 'Too many requests in this minute: wait for the seconds in Retry-After.',
  },
  SOURCE_CAPACITY: {
    status: 429,
    from_source: true,
    sandbox: ['cap', '1429'],
    retryable: true,
    retry_after_seconds: 30,
    message: 'The source limits our requests, or too many of them are waiting: try again later.',
  },
  REQUEST_TOO_LARGE: {
    status: 431,
    retryable: false,
    message: 'The URL and the headers of the request are over 16 kB together: send fewer or shorter parameters.',
  },
  INTERNAL: {
    status: 500,
    sandbox: ['500', '0500'],
    retryable: true,
    retry_after_seconds: 5,
    message: 'Something failed on our side, and nothing was charged. We logged it under this request id: try again.',
  },
  SOURCE_NOT_IMPLEMENTED: {
    status: 501,
    sandbox: ['501', '0501'],
    retryable: false,
    message: 'This route is planned and has no source yet: see /docs for the routes that work.',
  },
  SOURCE_UNAVAILABLE: {
    status: 503,
    from_source: true,
    sandbox: ['503', '0503'],
    retryable: true,
    retry_after_seconds: 30,
    message: 'No source is available for this request now: try again after the seconds in Retry-After.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    retryable: true,
    retry_after_seconds: 5,
    message:
      'The service cannot reach its database now, and nothing was charged: try again after the seconds in Retry-After.',
  },
  SOURCE_NOT_CONFIGURED: {
    status: 503,
    from_source: true,
    sandbox: ['cfg', '1503'],
    retryable: false,
    message:
      'The sources of this route need credentials that are not set on this server: ask the operator to add them.',
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof errorTable;

/** The codes that a source can answer with. */
export type SourceErrorCode = {
  [Code in ErrorCode]: (typeof errorTable)[Code] extends { from_source: true } ? Code : never;
}[ErrorCode];

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
