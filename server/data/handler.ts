import type { KeptAnswer } from '../../db/requests/responses.ts';
import { type LinkResolver, resolveAll } from '../../pipeline/collect/share-links.ts';
import { invalidInput, RequestError } from '../http/errors.ts';
import { estimateMediaType } from '../http/media-types.ts';
import type { Query } from '../http/query.ts';
import type { Call, KeyedHandler, Reply } from '../http/responses.ts';
import type { CursorSeal } from './cursor.ts';
import { ageSeconds, answerBody } from './envelope.ts';
import { cacheKeyOf, type Meter } from './meter.ts';
import { type DataRequest, readRequest } from './request.ts';
import type { Route } from './route.ts';

export interface DataDeps {
  now: () => Date;
  meter: Meter;
  cursors: CursorSeal;
  /** Follows share links. It is not called for development keys, which never use the network. */
  links: LinkResolver;
  cached(cacheKey: string, maxAgeSeconds: number): Promise<KeptAnswer | null>;
  /** Returns the rows that a workspace was already charged for with an earlier page, or null. */
  bought(request: DataRequest, workspaceId: string): Promise<KeptAnswer | null>;
}

/** Returns the handler of one data route. */
export function dataHandler(route: Route, deps: DataDeps): KeyedHandler {
  return async (call) => {
    if (call.admission.kind === 'sheet') throw new RequestError('SHEET_KEY_RESTRICTED');
    if (route.availability === 'planned') throw new RequestError('SOURCE_NOT_IMPLEMENTED');
    const query = call.admission.kind === 'test' ? call.query : await resolveLinks(call.query, deps.links);
    const request = readRequest(route, query, deps.cursors);
    if (request.estimate) return estimateReply(request, call, deps);
    return meteredReply(request, call, deps);
  };
}

/** Replaces share links by the URLs they lead to. */
async function resolveLinks(query: Query, links: LinkResolver): Promise<Query> {
  return query.url === undefined ? query : { ...query, url: await resolveAll(query.url, links) };
}

async function meteredReply(request: DataRequest, call: Call, deps: DataDeps): Promise<Reply> {
  const { admission, request_id, signal } = call;
  const idempotencyKey = idempotencyKeyOf(call.headers);
  const input = { request, admission, request_id, idempotency_key: idempotencyKey };
  const answer = await deps.meter(signal ? { ...input, signal } : input);
  const { cached, credits_charged, credits_remaining } = answer;
  const now = deps.now();
  const headers: Record<string, string> = {};
  if (cached) headers.age = String(ageSeconds(answer, now));
  if (answer.replayed) headers['x-idempotent-replay'] = 'true';
  return { body: answerBody(request, answer, request_id, now), headers, cached, credits_charged, credits_remaining };
}

const anyAgeSeconds = 30 * 86_400;

/** Returns what the request would cost now. No source is asked and nothing is charged. */
async function estimateReply(request: DataRequest, call: Call, deps: DataDeps): Promise<Reply> {
  const { admission, request_id } = call;
  const sandbox = admission.kind === 'test';
  const bought = sandbox ? null : await deps.bought(request, admission.workspace_id);
  const maxAgeSeconds = request.max_age_seconds ?? anyAgeSeconds;
  const known = bought ?? (sandbox ? null : await deps.cached(cacheKeyOf(request), maxAgeSeconds));
  const { route } = request;
  const isFree = sandbox || bought !== null || (known !== null && request.max_age_seconds !== null);
  const data = {
    cost: isFree ? 0 : route.cost,
    cached: known !== null,
    cache_age_seconds: known && ageSeconds(known, deps.now()),
    availability: route.availability,
  };
  const sum = { cached: false, credits_charged: 0, credits_remaining: admission.balance };
  const headers = { 'content-type': `${estimateMediaType}; charset=utf-8` };
  return { body: JSON.stringify({ data, meta: { request_id, ...sum, sandbox } }), headers, ...sum };
}

const maxIdempotencyKeyLength = 128;

/** Returns the caller's Idempotency-Key, or null. Throws INVALID_INPUT when it is empty, too long or not printable. */
export function idempotencyKeyOf(headers: Headers): string | null {
  const key = headers.get('idempotency-key');
  if (key === null) return null;
  if (key.length <= maxIdempotencyKeyLength && /^[\x21-\x7e]+$/.test(key)) return key;
  const message = `must be 1 to ${maxIdempotencyKeyLength} printable characters without spaces`;
  throw invalidInput([{ parameter: 'Idempotency-Key', message }]);
}
