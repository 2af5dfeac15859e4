import { describe, expect, it } from 'vitest';
import { dataApiAnswer, dataApiItems } from '../../../pipeline/longvideo/data-api/client.ts';
import { surfacesOfService } from '../../../pipeline/longvideo/surfaces.ts';
import { describeRecorded } from '../../recorded.ts';
import {
  bodyOf,
  exchangesOf,
  invented,
  key,
  recorded,
  refusal,
  refusalOf,
  sourceOf,
  type Upstream,
} from './upstream.ts';

const id = 'invented001';

/** Returns an error body in the format of YouTube's official API. */
function fault(code: number, reasons: string[], rest: object = {}) {
  const errors = reasons.map((reason) => ({ message: '<b>words</b>', domain: 'youtube.invented', reason }));
  return { status: code, body: { error: { code, message: '<b>words</b>', errors, ...rest } } };
}

function detailed(code: number, reason: string, detail: string, status = 'PERMISSION_DENIED') {
  const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: detail }];
  return fault(code, [reason], { status, details });
}

function video({ collectors, context }: Upstream) {
  return sourceOf(collectors.longvideoVideo, 'youtube-data-api').collect({ id }, context);
}

describe('refusals of the official YouTube source', () => {
  it.each([
    ['400 API_KEY_INVALID', detailed(400, 'badRequest', 'API_KEY_INVALID', 'INVALID_ARGUMENT'), 503, 'operator', 1],
    ['400 keyInvalid', fault(400, ['keyInvalid']), 503, 'operator', 1],
    ['400 keyExpired', fault(400, ['keyExpired']), 503, 'operator', 1],
    ['401 authError', fault(401, ['authError']), 503, 'operator', 1],
    ['403 accessNotConfigured', fault(403, ['accessNotConfigured']), 503, 'operator', 1],
    ['403 ipRefererBlocked', fault(403, ['ipRefererBlocked']), 503, 'operator', 1],
    ['403 API_KEY_SERVICE_BLOCKED', detailed(403, 'forbidden', 'API_KEY_SERVICE_BLOCKED'), 503, 'operator', 1],
    ['403 SERVICE_DISABLED', detailed(403, 'forbidden', 'SERVICE_DISABLED'), 503, 'operator', 1],
    ['403 quotaExceeded', fault(403, ['quotaExceeded']), 429, 'us', 1],
    ['403 dailyLimitExceeded', fault(403, ['dailyLimitExceeded']), 429, 'us', 1],
    ['403 rateLimitExceeded, after one retry', fault(403, ['rateLimitExceeded']), 429, 'us', 2],
    ['403 userRateLimitExceeded, after one retry', fault(403, ['userRateLimitExceeded']), 429, 'us', 2],
    ['429 rateLimitExceeded', fault(429, ['rateLimitExceeded'], { status: 'RESOURCE_EXHAUSTED' }), 429, 'us', 1],
    ['400 invalidPageToken', fault(400, ['invalidPageToken']), 400, 'resource', 1],
    ['400 processingFailure, after one retry', fault(400, ['processingFailure']), 503, 'resource', 2],
    ['400 operationNotSupported', fault(400, ['operationNotSupported']), 400, 'resource', 1],
    ['403 commentsDisabled', fault(403, ['commentsDisabled']), 403, 'resource', 1],
    ['403 forbidden', fault(403, ['forbidden']), 403, 'resource', 1],
    ['403 channelForbidden', fault(403, ['channelForbidden']), 403, 'resource', 1],
    ['403 playlistForbidden', fault(403, ['playlistForbidden']), 403, 'resource', 1],
    ['403 playlistItemsNotAccessible', fault(403, ['playlistItemsNotAccessible']), 403, 'resource', 1],
    ['403 watchLaterNotAccessible', fault(403, ['watchLaterNotAccessible']), 403, 'resource', 1],
    ['403 PERMISSION_DENIED', fault(403, ['SERVICE_UNAVAILABLE'], { status: 'PERMISSION_DENIED' }), 403, 'resource', 1],
    ['403 channelClosed', fault(403, ['channelClosed']), 404, 'resource', 1],
    ['403 channelSuspended', fault(403, ['channelSuspended']), 404, 'resource', 1],
    ['404 videoNotFound', fault(404, ['videoNotFound']), 404, 'resource', 1],
    ['404 channelNotFound', fault(404, ['channelNotFound']), 404, 'resource', 1],
    ['404 playlistNotFound', fault(404, ['playlistNotFound']), 404, 'resource', 1],
    ['404 commentThreadNotFound', fault(404, ['commentThreadNotFound']), 404, 'resource', 1],
    ['404 parentCommentNotFound', fault(404, ['parentCommentNotFound']), 404, 'resource', 1],
    ['500 backendError, after one retry', fault(500, ['backendError']), 503, 'us', 2],
    ['503 internalError, after one retry', fault(503, ['internalError']), 503, 'us', 2],
    ['502 with a page, after one retry', { status: 502, body: '<html>Bad Gateway</html>' }, 503, 'us', 2],
    ['400 of no known reason', fault(400, ['inventedReason']), 422, 'us', 1],
    ['200 with an unexpected kind', { body: { kind: 'youtube#channelListResponse', items: [] } }, 422, 'us', 1],
    ['200 that is no JSON', { body: 'null and void' }, 422, 'us', 1],
    [
      '200 that counts no items',
      { body: { kind: 'youtube#videoListResponse', pageInfo: { totalResults: 0 } } },
      404,
      'resource',
      1,
    ],
    ['200 without items', { body: { kind: 'youtube#videoListResponse' } }, 422, 'us', 1],
    ['200 with no more than an id', { body: { kind: 'youtube#videoListResponse', items: [{ id }] } }, 422, 'us', 1],
    [
      '200 without a title',
      { body: { kind: 'youtube#videoListResponse', items: [{ id, snippet: {} }] } },
      422,
      'us',
      1,
    ],
    [
      '200 with a part of an unknown name',
      { body: { kind: 'youtube#videoListResponse', items: [{ id, snippets: {} }] } },
      422,
      'us',
      1,
    ],
    ['200 with no item', { body: { kind: 'youtube#videoListResponse', items: [] } }, 404, 'resource', 1],
  ])('an answer of the YouTube Data API has its own error: %s', async (_name, answer, status, about, calls) => {
    const upstream = invented({ videos: answer }, { keyless: false });
    expect(await refusal(video(upstream))).toEqual([status, about]);
    expect(upstream.requestCount('videos')).toBe(calls);
  });

  it('the official YouTube source says that comments are turned off', async () => {
    const { context, collectors } = invented({ commentThreads: fault(403, ['commentsDisabled']) }, { keyless: false });
    const comments = sourceOf(collectors.longvideoComments, 'youtube-data-api');
    const collected = comments.collect({ id, order: 'time', limit: 20, cursor: null }, context);
    await expect(collected).rejects.toThrow(/^Comments are turned off for this video/);
  });

  it('a refusal of the official YouTube source is INVALID_INPUT only for a parameter that the customer sent', async () => {
    const answer = fault(400, ['invalidRegionCode']);
    const call = (customerParameters: string[]) => {
      const { surfaces, context } = invented({ videos: answer });
      const send = dataApiItems(
        surfaces.api,
        {
          method: 'videos.list',
          params: { part: ['id'] },
          customer_parameters: customerParameters,
        },
        context,
      );
      return refusal(send);
    };
    expect(await call(['regionCode'])).toEqual([400, 'resource']);
    expect(await call([])).toEqual([503, 'us']);
  });

  it('a refusal of the official YouTube source disappears when the retry succeeds', async () => {
    const found = { body: { kind: 'youtube#videoListResponse', items: [{ id, snippet: { title: 'One' } }] } };
    const upstream = invented({ videos: [fault(500, ['backendError']), found] }, { keyless: false });
    expect((await video(upstream)).record.id).toBe(id);
    expect(upstream.requestCount('videos')).toBe(2);
  });

  it('a time-out of the official YouTube source is 408', async () => {
    const hanging = (_request: unknown, signal: AbortSignal) =>
      new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const surfaces = { shared_deadline_ms: 1 };
    const upstream = invented({ videos: hanging }, { keyless: false, surfaces });
    expect(await refusal(video(upstream))).toEqual([408, 'us']);
  });
});

describe('the daily quota of the official YouTube source', () => {
  it('an exceeded daily quota of YouTube stops all requests until midnight Pacific time', async () => {
    let now = new Date('2026-11-20T20:00:00.000Z');
    const upstream = invented({ videos: fault(403, ['quotaExceeded']) }, { keyless: false, now: () => now });
    expect(await refusalOf(video(upstream))).toMatchObject({ retry_after_seconds: 12 * 3600 });
    now = new Date('2026-11-21T07:59:30.000Z');
    expect(await refusalOf(video(upstream))).toMatchObject({ code: 'SOURCE_CAPACITY', retry_after_seconds: 30 });
    expect(upstream.requestCount('videos')).toBe(1);
    now = new Date('2026-11-21T08:00:00.000Z');
    await refusalOf(video(upstream));
    expect(upstream.requestCount('videos')).toBe(2);
  });

  it('the daily quota of YouTube has a separate bucket for searches, which a 429 with "per day" marks as spent', async () => {
    const message = "Quota exceeded for quota metric 'Search Queries' and limit 'Search Queries per day'";
    const spent = fault(429, ['rateLimitExceeded'], { status: 'RESOURCE_EXHAUSTED', message });
    const found = { body: { kind: 'youtube#videoListResponse', items: [{ id, snippet: { title: 'One' } }] } };
    const upstream = invented({ search: spent, videos: found }, { keyless: false });
    const { surfaces, context, requestCount } = upstream;
    const search = () =>
      dataApiAnswer(surfaces.api, { method: 'search.list', params: { part: ['snippet'], q: 'tides' } }, context);
    expect(await refusalOf(search())).toMatchObject({ code: 'SOURCE_CAPACITY', retry_after_seconds: 22 * 3600 });
    expect(await refusalOf(search())).toMatchObject({ code: 'SOURCE_CAPACITY' });
    expect(requestCount('search')).toBe(1);
    expect((await video(upstream)).record.id).toBe(id);
  });

  it('the daily quota of YouTube also counts failed calls and retries', async () => {
    const upstream = invented({ videos: fault(500, ['backendError']) }, { keyless: false });
    await refusalOf(video(upstream));
    expect(upstream.units).toEqual({ 'videos.list': 2 });
  });
});

describe('the API key of the official YouTube source', () => {
  it('the API key of YouTube is sent in a header and never in a URL', async () => {
    const upstream = invented({ videos: { body: { kind: 'youtube#videoListResponse' } } }, { keyless: false });
    await refusalOf(video(upstream));
    expect(upstream.requests[0]?.headers?.['x-goog-api-key']).toBe(key);
    expect(upstream.requests[0]?.url).not.toContain(key);
  });

  it('the API key of YouTube is not in error messages either', async () => {
    const upstream = invented({}, { keyless: false });
    const error = await video(upstream).catch((thrown: unknown) => thrown);
    expect(String(error)).toContain('no invented answer for videos');
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(key);
  });
});

describeRecorded('recorded refusals of the official source', () => {
  it.each([
    ['UgReplayApiKeyNotValid0AAA', 503, 'operator'],
    ['UgReplayQuotaExceeded00AAA', 429, 'us'],
    ['UgReplayPermission00000AAA', 403, 'resource'],
  ])('answer a call about %s with the right error', async (parentId, status, about) => {
    const { surfaces, context, requestCount } = recorded();
    const call = dataApiItems(
      surfaces.api,
      { method: 'comments.list', params: { part: ['snippet'], parentId } },
      context,
    );
    expect(await refusal(call)).toEqual([status, about]);
    expect(requestCount('comments')).toBe(1);
  });

  it('a recorded refusal of a blocked key is 503, and a failed processing is 503 after one retry', async () => {
    const { surfaces, context, requestCount } = recorded();
    const search = dataApiItems(
      surfaces.api,
      { method: 'search.list', params: { part: ['id'], q: 'replay blocked key' } },
      context,
    );
    expect(await refusal(search)).toEqual([503, 'operator']);
    const threads = dataApiItems(
      surfaces.api,
      {
        method: 'commentThreads.list',
        params: { part: ['id'], videoId: 'errProcess0' },
      },
      context,
    );
    expect(await refusal(threads)).toEqual([503, 'resource']);
    expect([requestCount('search'), requestCount('commentThreads')]).toEqual([1, 2]);
  });

  it('recorded refusals do not prevent reading the recorded categories', async () => {
    const { surfaces, context } = recorded();
    const send = { method: 'videoCategories.list' } as const;
    const items = await dataApiItems(
      surfaces.api,
      { ...send, params: { part: ['snippet'], regionCode: 'US' } },
      context,
    );
    expect({ items }).toMatchObject({ items: (bodyOf(exchangesOf('videoCategories')[0]) as { items: [] }).items });
  });
});

it('two services in one process do not share the quota counter and the web session of YouTube', () => {
  const [{ context: one }, { context: other }] = [invented({}), invented({})];
  expect(surfacesOfService(one)).toBe(surfacesOfService({ ...one }));
  expect(surfacesOfService(one)).not.toBe(surfacesOfService(other));
});
