import type { KeptAnswer } from '../../db/requests/responses.ts';
import { type LinkResolver, resolveAll } from '../../pipeline/collect/share-links.ts';
import { invalidInput, RequestError } from '../http/errors.ts';
import { estimateMediaType } from '../http/media-types.ts';
import type { Call, KeyedHandler, Reply } from '../http/responses.ts';
import type { CursorSeal } from './cursor.ts';
import { ageSeconds, answerBody } from './envelope.ts';
import { cacheKeyOf, type Meter } from './meter.ts';
import { type DataRequest, type Query, readRequest } from './request.ts';
import type { Route, SourcedRoute } from './route.ts';

export interface DataDeps {
  now: () => Date;
  meter: Meter;
  cursors: CursorSeal;
  /** Follows share links; development keys never ask the network. */
  links: LinkResolver;
  cached(cacheKey: string, maxAgeSeconds: number): Promise<KeptAnswer | null>;
  /** The rows that a workspace was charged for with an earlier page, null when the cursor names none. */
  bought(request: DataRequest, workspaceId: string): Promise<KeptAnswer | null>;
}

/** The handler of one row of the catalog. */
export function dataHandler(route: Route, deps: DataDeps): KeyedHandler {
  return async (call) => {
    if (call.admission.kind === 'sheet') throw new RequestError('SHEET_KEY_RESTRICTED');
    if (route.availability === 'planned') throw new RequestError('SOURCE_NOT_IMPLEMENTED');
    const query = call.admission.kind === 'test' ? call.query : await resolved(call.query, deps.links);
    const request = readRequest(route, query, deps.cursors);
    if (request.estimate) return estimated(request, call, deps);
    return metered(request, call, deps);
  };
}

/** Puts the addresses that share links lead to in their place. */
async function resolved(query: Query, links: LinkResolver): Promise<Query> {
  return query.url === undefined ? query : { ...query, url: await resolveAll(query.url, links) };
}

async function metered(request: DataRequest, call: Call, deps: DataDeps): Promise<Reply> {
  const { admission, request_id, signal } = call;
  const idempotencyKey = idempotencyKeyOf(call.headers);
  const asked = { request, admission, request_id, idempotency_key: idempotencyKey };
  const answer = await deps.meter(signal ? { ...asked, signal } : asked);
  const { cached, credits_charged, credits_remaining } = answer;
  const now = deps.now();
  const headers: Record<string, string> = {};
  if (cached) headers.age = String(ageSeconds(answer, now));
  if (answer.replayed) headers['x-idempotent-replay'] = 'true';
  return { body: answerBody(request, answer, request_id, now), headers, cached, credits_charged, credits_remaining };
}

const anyAgeSeconds = 30 * 86_400;

/** What the request would cost now: no source is asked and nothing is charged. */
async function estimated(request: DataRequest, call: Call, deps: DataDeps): Promise<Reply> {
  const { admission, request_id } = call;
  const sandbox = admission.kind === 'test';
  const bought = sandbox ? null : await deps.bought(request, admission.workspace_id);
  const age_seconds = request.max_age_seconds ?? anyAgeSeconds;
  const kept = bought ?? (sandbox ? null : await deps.cached(cacheKeyOf(request), age_seconds));
  const route: SourcedRoute = request.route;
  const free = sandbox || bought !== null || (kept !== null && request.max_age_seconds !== null);
  const data = {
    cost: free ? 0 : route.cost,
    cached: kept !== null,
    cache_age_seconds: kept && ageSeconds(kept, deps.now()),
    availability: route.availability,
  };
  const meta = { request_id, cached: false, credits_charged: 0, credits_remaining: admission.balance, sandbox };
  const body = JSON.stringify({ data, meta });
  return {
    body,
    headers: { 'content-type': `${estimateMediaType}; charset=utf-8` },
    cached: false,
    credits_charged: 0,
    credits_remaining: admission.balance,
  };
}

const maxIdempotencyKeyLength = 128;

/** The caller's Idempotency-Key, null without one; throws INVALID_INPUT when it is empty, too long or not printable. */
export function idempotencyKeyOf(headers: Headers): string | null {
  const key = headers.get('idempotency-key');
  if (key === null) return null;
  if (key.length <= maxIdempotencyKeyLength && /^[\x21-\x7e]+$/.test(key)) return key;
  const message = `must be 1 to ${maxIdempotencyKeyLength} printable characters without spaces`;
  throw invalidInput([{ parameter: 'Idempotency-Key', message }]);
}
