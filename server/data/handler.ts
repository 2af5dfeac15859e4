import { cachedSeconds, type StoredAnswer } from '../../db/requests/responses.ts';
import { type LinkResolver, resolveAll, sandboxLinks } from '../../pipeline/collect/short-links.ts';
import type { CollectedAnswer } from '../../pipeline/collect/stored-answer.ts';
import { invalidInput, RequestError } from '../http/errors.ts';
import { idempotencyKeyOf } from '../http/idempotency-key.ts';
import type { Query } from '../http/query.ts';
import { type Call, estimateReply, type KeyedHandler, type Reply, replayHeader } from '../http/reply.ts';
import { type CursorSeal, checkCursorKind } from './cursor.ts';
import { ageSeconds, answerBody, answerObject } from './envelope.ts';
import { cacheKeyOf, type Meter } from './meter.ts';
import { type DataRequest, requestReader } from './request.ts';
import type { Route, SourcedRoute } from './route.ts';

export interface DataDeps {
  now: () => Date;
  meter: Meter;
  cursors: CursorSeal;
  /**
   * Replaces short links with the URLs that they lead to. Development keys use `sandboxLinks` instead, because their
   * requests never use the network.
   */
  links: LinkResolver;
  cached(cacheKey: string, maxAgeSeconds: number): Promise<StoredAnswer | null>;
  /** Returns the rows that the workspace already paid for with an earlier page of the list, or null. */
  prepaid(request: DataRequest, workspaceId: string): Promise<CollectedAnswer | null>;
  /**
   * Returns the error for a route for which this server cannot fetch new data, else null. Such a request is never
   * charged.
   */
  unservableError(route: SourcedRoute): RequestError | null;
}

/** Returns the function that handles the requests to one data route. */
export function dataHandler(route: Route, deps: DataDeps): KeyedHandler {
  const read = route.availability === 'planned' ? null : requestReader(route, deps.cursors);
  return async (call) => {
    if (call.admission.kind === 'sheet') throw new RequestError('SHEET_KEY_RESTRICTED');
    if (read === null) throw new RequestError('SOURCE_NOT_IMPLEMENTED');
    const query = await resolveLinks(call.query, call.admission.kind === 'test' ? sandboxLinks : deps.links);
    const request = read(query);
    checkCursorKind(request.cursor, call.admission.kind === 'test');
    if (request.estimate) return estimateReply(await estimateOf(request, call, deps), call);
    return meteredReply(request, call, deps);
  };
}

/**
 * Returns the query with each short link replaced with the URL that the link leads to. Throws an error when a link
 * cannot be followed now, or not with this key.
 */
async function resolveLinks(query: Query, links: LinkResolver): Promise<Query> {
  if (query.url === undefined) return query;
  const { texts, failures } = await resolveAll(query.url, links);
  for (const failure of failures.values()) {
    const { code, message } = failure;
    throw code === 'INVALID_INPUT' ? invalidInput([{ parameter: 'url', message }]) : failure;
  }
  return { ...query, url: texts };
}

async function meteredReply(request: DataRequest, call: Call, deps: DataDeps): Promise<Reply> {
  const { admission, request_id, signal } = call;
  const idempotencyKey = idempotencyKeyOf(call.headers);
  const input = { request, admission, request_id, idempotency_key: idempotencyKey };
  const metered = await deps.meter(signal ? { ...input, signal } : input);
  const { metering, replayed } = metered;
  const now = deps.now();
  const headers: Record<string, string> = {};
  if (metering.cached) headers.age = String(ageSeconds(metered, now));
  if (replayed) headers[replayHeader] = 'true';
  return {
    text: () => answerBody(request, metered, request_id, now),
    object: () => answerObject(request, metered, request_id, now),
    headers,
    metering,
  };
}

/** Returns what the request would cost now, without a request to a source and without a charge. */
async function estimateOf(request: DataRequest, { admission }: Call, deps: DataDeps): Promise<object> {
  const sandbox = admission.kind === 'test';
  const prepaid = sandbox ? null : await deps.prepaid(request, admission.workspace_id);
  const maxAgeSeconds = request.max_age_seconds ?? cachedSeconds;
  const known = prepaid?.answer ?? (sandbox ? null : await deps.cached(cacheKeyOf(request), maxAgeSeconds));
  const { route } = request;
  const isCached = prepaid !== null || (known !== null && request.max_age_seconds !== null);
  const isFree = sandbox || isCached || deps.unservableError(route) !== null;
  return {
    cost: isFree ? 0 : route.cost,
    cached: known !== null,
    cache_age_seconds: known && ageSeconds({ answer: known, sandbox }, deps.now()),
    availability: route.availability,
  };
}
