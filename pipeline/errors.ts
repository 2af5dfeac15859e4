export interface ErrorRow {
  status: number;
  /** True for the codes that a source can answer with. */
  from_source?: true;
  /** Reserved identifier of the sandbox that answers with this code: three letters or digits, and four digits. */
  sandbox?: readonly [suffix: string, number: string];
  /** Whether the same request can succeed soon without being changed. One error may say no where its code says yes. */
  retryable: boolean;
  /** Seconds to wait before a retry where nothing more exact is known. Every retryable code has them. */
  retry_after_seconds?: number;
  /** The sentence used when the place that raises the error has nothing more exact to say. */
  message: string;
}

/** Every error code of the service, one row for each. The types and lists of codes are derived from these rows. */
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
    message: 'The source restricts access to this resource.',
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
    message: 'A sheet key opens only the workflow routes and the balance: use a production key for this route.',
  },
  RESOURCE_NOT_FOUND: {
    status: 404,
    from_source: true,
    sandbox: ['404', '0404'],
    retryable: false,
    message: 'The source says that this resource does not exist or was removed.',
  },
  ROUTE_NOT_FOUND: { status: 404, retryable: false, message: 'There is no such path.' },
  METHOD_NOT_ALLOWED: { status: 405, retryable: false, message: 'Use GET: every route of this service only reads.' },
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
    message: 'The answer of the source has a shape that we cannot normalize.',
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
    message: 'The source is throttling us or our queue for it is full: try again later.',
  },
  REQUEST_TOO_LARGE: {
    status: 431,
    retryable: false,
    message: 'Address and headers of the request are over 16 kB together: send fewer or shorter parameters.',
  },
  INTERNAL: {
    status: 500,
    sandbox: ['500', '0500'],
    retryable: true,
    retry_after_seconds: 5,
    message: 'An error of ours: it is logged under this request id, and nothing was charged.',
  },
  SOURCE_NOT_IMPLEMENTED: {
    status: 501,
    sandbox: ['501', '0501'],
    retryable: false,
    message: 'This route is planned and has no source yet.',
  },
  SOURCE_UNAVAILABLE: {
    status: 503,
    from_source: true,
    sandbox: ['503', '0503'],
    retryable: true,
    retry_after_seconds: 30,
    message: 'No source can serve this at present.',
  },
  SOURCE_NOT_CONFIGURED: {
    status: 503,
    from_source: true,
    sandbox: ['cfg', '1503'],
    retryable: false,
    message: 'The only sources of this route need credentials that the operator has not set.',
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof errorTable;

/** The codes that a source can answer with. */
export type SourceErrorCode = {
  [Code in ErrorCode]: (typeof errorTable)[Code] extends { from_source: true } ? Code : never;
}[ErrorCode];

/** Of whom a refusal speaks, see {@link SourceErrorOptions.about}. */
export type Blame = 'resource' | 'us' | 'reach' | 'wall' | 'operator';

export interface SourceErrorOptions {
  /**
   * `resource`: the source speaks of the thing asked for (missing, private, removed); it is final.
   * `us`: the source failed for us (throttle, time-out, changed answer); the next source is asked.
   * `reach`: the source works and does not show this (too old, without some part); the next source is asked.
   * `wall`: it turns the caller away (challenge, login); final, for another door of the same platform would be a way round it.
   * `operator`: credentials that are set are refused; final, for another source would hide what the operator has to mend.
   */
  about?: Blame;
  /** One plain sentence for the customer; never an upstream URL, token or stack. */
  message?: string;
  /** What was seen, for the log only. */
  reason?: string;
  retry_after_seconds?: number;
  /** False when the same request cannot succeed soon, although the code is one that can. */
  retryable?: false;
  cause?: unknown;
}

const aboutTheResource: ReadonlySet<SourceErrorCode> = new Set(['RESOURCE_NOT_FOUND', 'INVALID_INPUT']);

/** Why a source gave no record. `about` defaults by code: not found and invalid input speak of the resource, the rest of us. */
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
