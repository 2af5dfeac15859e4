import { type Json, reference, textType } from './parts.ts';

const count = { type: 'integer', minimum: 0 };

const header = (description: string, schema: Json = textType, required = false): Json => ({
  description,
  ...(required ? { required } : {}),
  schema,
});

/**
 * The response headers of the API. The OpenAPI document describes each header once, and the responses refer to the
 * description.
 */
export const headers: Json = {
  'x-request-id': header('ID of this request, as in the log of the server', textType, true),
  'x-credits-charged': header('credits that this answer cost; 0 for every error', count, true),
  'x-credits-remaining': header(
    'credits left in the workspace; missing when the key is not valid or not allowed from your IP address, and when the database does not answer',
    count,
  ),
  'x-data-mode': header('live or sandbox; missing when the key is not valid, and when the database does not answer', {
    enum: ['live', 'sandbox'],
  }),
  'x-cache': header('HIT: a cached answer; MISS: a new answer', { enum: ['HIT', 'MISS'] }),
  'x-idempotent-replay': header(
    'true: the same answer as for an earlier request with this Idempotency-Key, for 0 credits',
    {
      type: 'string',
      enum: ['true'],
    },
  ),
  Age: header('seconds since the source answered; only on a cached answer', count),
  RateLimit: header(
    'r: requests left in this minute; t: seconds until the minute ends; `default` counts requests without a free answer, `free` counts all',
  ),
  'RateLimit-Policy': header(
    'q: requests allowed per minute; w: length of the window in seconds; `default` for requests without a free answer, `free` for all',
  ),
  'X-RateLimit-Limit': header('requests without a free answer allowed per minute', count),
  'X-RateLimit-Remaining': header('requests without a free answer left in this minute', count),
  'X-RateLimit-Reset': header('seconds until this minute ends', count),
  'Retry-After': header('seconds to wait before the same request is sent again', count),
  'WWW-Authenticate': header('how to send a key'),
};

/** Names of the headers that every response has. */
const commonHeaders = ['x-request-id', 'x-credits-charged'];
/** Names of the headers that a response has when the request's key is valid. */
const keyedHeaders = [
  ...commonHeaders,
  'x-credits-remaining',
  'x-data-mode',
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];

const referencesTo = (names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** Headers of a 200 response of a route that needs no key. */
export const openHeaders = referencesTo(commonHeaders);
const successHeaders = referencesTo([...keyedHeaders, 'x-cache']);
/** Headers of a 200 response of a spreadsheet route whose rows can cost credits. */
export const tableHeaders: Json = {
  ...successHeaders,
  Age: header('seconds since the source sent the oldest row; only when all rows are cached', count),
  'x-credits-charged': header(
    'credits that this answer cost; missing when a row has the status CHARGE_UNCONFIRMED',
    count,
  ),
};
/** Headers of a 200 response of a data route. */
export const dataHeaders = referencesTo([...keyedHeaders, 'x-cache', 'x-idempotent-replay', 'Age']);

const retryableHeaders = [...keyedHeaders, 'Retry-After'];
const errorHeaders: Readonly<Record<number, readonly string[]>> = {
  401: [...keyedHeaders, 'WWW-Authenticate'],
  408: retryableHeaders,
  429: retryableHeaders,
  500: retryableHeaders,
  503: retryableHeaders,
};

/**
 * Returns the OpenAPI description of a 200 response. `others` are media types besides `application/json`, with their
 * content.
 */
export function success(description: string, schema: Json, options: { headers?: Json; others?: Json } = {}): Json {
  const { headers = successHeaders, others = {} } = options;
  const content = { 'application/json': { schema }, ...others };
  return { 200: { description, headers, content } };
}

/** Returns references to the shared error responses of the OpenAPI document, one for each HTTP status. */
export function errorResponses(statuses: readonly number[]): Json {
  return Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/Error${status}` }]));
}

/**
 * Headers that a 503 response describes differently from other errors. With CHARGE_UNCONFIRMED, x-credits-charged is
 * missing, because the server does not know whether the request was charged.
 */
const unconfirmedHeaders: Json = {
  'x-credits-charged': header('0; missing with CHARGE_UNCONFIRMED', count),
};

/** Returns the OpenAPI description of the error response with this HTTP status. */
export function describedError(status: number, description: string): Json {
  return {
    description,
    headers: { ...referencesTo(errorHeaders[status] ?? keyedHeaders), ...(status === 503 ? unconfirmedHeaders : {}) },
    content: { 'application/json': { schema: reference('Error') } },
  };
}

/** HTTP statuses of the errors that every route with a key can return. */
export const keyedStatuses: readonly number[] = [401, 403, 429, 431, 500, 503];
