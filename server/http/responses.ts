import type { Admission } from '../../db/requests/admission.ts';
import { errorTable } from '../../pipeline/errors.ts';
import { rateHeaders } from './authenticate.ts';
import { creditsCharged, errorBody, type RequestError } from './errors.ts';
import { knownCredits, type Reply } from './reply.ts';

export interface ResponseDeps {
  now: () => Date;
  requests_per_minute: number;
  base_url: string;
}

/** A successful answer. `body` is an object when the answer is not sent over HTTP. */
interface OkAnswer {
  request_id: string;
  reply: Reply;
  body: object | string;
  admission: Admission;
}

const json = 'application/json; charset=utf-8';
const cacheControl = 'no-store';
const contentPolicy = "default-src 'none'; frame-ancestors 'none'";

/** Returns the response for a successful answer. When the body of the answer is an object, the response has no body. */
export function okResponse(answer: OkAnswer, deps: ResponseDeps): Response {
  const { reply, body, request_id: requestId, admission } = answer;
  const { cached, credits_remaining } = reply.metering;
  const credits = knownCredits(reply.metering);
  const headers = keyHeaders(requestId, admission, deps);
  headers['x-cache'] = cached ? 'HIT' : 'MISS';
  if (credits === null) delete headers['x-credits-charged'];
  else headers['x-credits-charged'] = String(credits);
  headers['x-credits-remaining'] = String(credits_remaining);
  return new Response(typeof body === 'string' ? body : null, {
    status: 200,
    headers: Object.assign(headers, reply.headers),
  });
}

/** Returns the response for an error on any route. `admission` is null when the key is not valid. */
export function errorResponse(
  error: RequestError,
  requestId: string,
  admission: Admission | null,
  deps: ResponseDeps,
): Response {
  const sandbox = admission?.kind === 'test';
  const headers = admission
    ? keyHeaders(requestId, admission, deps)
    : { 'content-type': json, ...commonHeaders(requestId) };
  if (error.retry_after_seconds !== null) headers['retry-after'] = String(error.retry_after_seconds);
  if (error.code === 'INVALID_API_KEY') headers['www-authenticate'] = 'Bearer realm="tidemark"';
  Object.assign(headers, error.headers);
  if (creditsCharged(error) === null) delete headers['x-credits-charged'];
  if (creditsRemaining(error, admission) === null) delete headers['x-credits-remaining'];
  const body = errorBody(error, { request_id: requestId, sandbox, base_url: deps.base_url });
  return new Response(body, { status: errorTable[error.code].status, headers });
}

/** Returns the balance to report with an error, or null when it is not known or the client must not know it. */
export function creditsRemaining(error: RequestError, admission: Admission | null): number | null {
  // The key may be stolen, so a client outside of the key's networks does not get the balance.
  const isHidden = error.code === 'ADDRESS_NOT_ALLOWED' || creditsCharged(error) === null;
  return admission === null || isHidden ? null : Number(error.headers['x-credits-remaining'] ?? admission.balance);
}

/** Returns the headers of every answer of the API. `x-credits-charged` is 0 unless the caller replaces it. */
export function commonHeaders(requestId: string): Record<string, string> {
  return {
    'x-request-id': requestId,
    'x-credits-charged': '0',
    'cache-control': cacheControl,
    'x-content-type-options': 'nosniff',
    'content-security-policy': contentPolicy,
  };
}

/**
 * Returns the headers of an answer to a request with a valid API key. The object is one literal, because merging
 * several objects is slower.
 */
function keyHeaders(
  requestId: string,
  admission: Admission,
  { requests_per_minute, now }: ResponseDeps,
): Record<string, string> {
  const rate = rateHeaders(admission, requests_per_minute, now());
  return {
    'content-type': json,
    'x-request-id': requestId,
    'x-credits-charged': '0',
    'cache-control': cacheControl,
    'x-content-type-options': 'nosniff',
    'content-security-policy': contentPolicy,
    'x-data-mode': admission.kind === 'test' ? 'sandbox' : 'live',
    'x-credits-remaining': String(admission.balance),
    'ratelimit-policy': rate['ratelimit-policy'],
    ratelimit: rate.ratelimit,
    'x-ratelimit-limit': rate['x-ratelimit-limit'],
    'x-ratelimit-remaining': rate['x-ratelimit-remaining'],
    'x-ratelimit-reset': rate['x-ratelimit-reset'],
  };
}
