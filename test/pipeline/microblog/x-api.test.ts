import { describe, expect, test } from 'vitest';
import { createBreakers } from '../../../pipeline/collect/breaker.ts';
import { collect } from '../../../pipeline/collect/collect.ts';
import { microblogUserPosts } from '../../../pipeline/microblog/collectors.ts';
import { microblogUserPostsParams } from '../../../pipeline/microblog/params.ts';
import { xCommunitySource, xPostSource, xProfileSource, xUserPosts } from '../../../pipeline/microblog/x-api.ts';
import { microblogCommunityRecord } from '../../../pipeline/records/microblog.ts';
import { type FixedAnswer, refusalOf, token } from '../photo/fixed-answers.ts';
import { fixedX, handle, post, postPage, problem, user, userId } from './fixtures/x.ts';

const posts = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => post(from + index));
const lookUp = { body: { data: { id: userId, username: handle, name: 'Paper Kite' } } };
const page = (limit: number, at: object | null | undefined = null) =>
  microblogUserPostsParams.parse({ handle, limit, cursor: at ? { source: 'x-api', at } : null });
const addresses = (requests: { url: string }[]) => requests.map(({ url }) => new URL(url));

describe('the requests to the X API', () => {
  test('requests to the X API have the token only in a header', async () => {
    const { context, requests } = fixedX({ body: { data: user } });
    await xProfileSource.collect({ handle: `@${handle}` }, context);
    expect(requests[0]?.headers).toEqual({ authorization: `Bearer ${token}` });
    expect(requests[0]?.url).toMatch(new RegExp(`^https://api\\.x\\.com/2/users/by/username/${handle}\\?`));
    expect(requests[0]?.url).not.toContain(token);
  });

  test('a profile, a post and a community of X take one call each', async () => {
    const community = { id: '1800000000000000001', name: 'Kites', member_count: 0, join_policy: 'Open' };
    const made = fixedX({ body: { data: user } }, { body: { data: post(0) } }, { body: { data: community } });
    await xProfileSource.collect({ handle }, made.context);
    await xPostSource.collect({ id: '9900000000000001000' }, made.context);
    const { record } = await xCommunitySource.collect({ id: community.id }, made.context);
    expect(addresses(made.requests).map(({ pathname }) => pathname)).toEqual([
      `/2/users/by/username/${handle}`,
      '/2/tweets/9900000000000001000',
      '/2/communities/1800000000000000001',
    ]);
    expect(microblogCommunityRecord.parse(record)).toEqual({
      ...community,
      description: null,
      access: null,
      created_at: null,
    });
  });

  test('the posts of an X user take two calls, because the id of the account is looked up first', async () => {
    const { context, requests } = fixedX(lookUp, { body: postPage(posts(0, 5), null) });
    await xUserPosts.collect(page(5), context);
    expect(addresses(requests).map(({ pathname }) => pathname)).toEqual([
      `/2/users/by/username/${handle}`,
      `/2/users/${userId}/tweets`,
    ]);
  });
});

describe('the posts of an X user', () => {
  test('the posts of an X user continue with next_token to the end, with one user lookup', async () => {
    const pages = [postPage(posts(0, 5), 'b26v'), postPage(posts(5, 10), 'b26w'), postPage(posts(10, 12), null)];
    const { context, requests } = fixedX(lookUp, ...pages.map((body) => ({ body })));
    const first = await xUserPosts.collect(page(5), context);
    const second = await xUserPosts.collect(page(5, first.next), context);
    const third = await xUserPosts.collect(page(5, second.next), context);
    const rows = [first, second, third].flatMap(({ record }) => record.map(({ id }) => id));
    expect(rows).toEqual(posts(0, 12).map((row) => 'id' in row && row.id));
    const tokens = addresses(requests).map(({ searchParams }) => searchParams.get('pagination_token'));
    expect(tokens).toEqual([null, null, 'b26v', 'b26w']);
    expect(third).toMatchObject({ next: null, partial: false });
  });

  test('X sends at least five posts, so the rows beyond `limit` are returned on the next page', async () => {
    const all = posts(0, 8);
    const { context, requests } = fixedX(
      lookUp,
      { body: postPage(all.slice(0, 5), 'b26v') },
      { body: postPage(all.slice(0, 6), 'b26v') },
      { body: postPage(all.slice(6), null) },
    );
    const first = await xUserPosts.collect(page(3), context);
    const second = await xUserPosts.collect(page(3, first.next), context);
    const third = await xUserPosts.collect(page(3, second.next), context);
    expect([first, second, third].map(({ record }) => record.length)).toEqual([3, 3, 2]);
    const rows = [first, second, third].flatMap(({ record }) => record.map(({ id }) => id));
    expect(rows).toEqual(all.map((row) => 'id' in row && row.id));
    const pageSizes = addresses(requests).map(({ searchParams }) => searchParams.get('max_results'));
    expect(pageSizes).toEqual([null, '5', '6', '5']);
  });

  test.each([undefined, null])('an answer of X with the posts %s is an empty list', async (data) => {
    const { context } = fixedX(lookUp, { body: { data, meta: { result_count: 0 } } });
    expect(await xUserPosts.collect(page(5), context)).toMatchObject({ record: [], next: null, partial: false });
  });

  test('a page of X posts whose next token is its own ends the list', async () => {
    const { context } = fixedX({ body: postPage(posts(0, 5), 'same') });
    const { next } = await xUserPosts.collect(page(5, { user_id: userId, after: 'same', skip: 0 }), context);
    expect(next).toBeNull();
  });

  test('a missing part of the X posts makes the answer partial', async () => {
    const errors = [{ ...problem('not-authorized-for-resource'), section: 'includes', resource_id: '1' }];
    const { context } = fixedX(lookUp, { body: postPage(posts(0, 5), null, { errors }) });
    const { record, partial } = await xUserPosts.collect(page(5), context);
    expect([record.length, partial]).toEqual([5, true]);
  });

  test('a shortened repost of X has a warning', async () => {
    const repost = post(1, { referenced_tweets: [{ type: 'retweeted', id: '5' }] });
    const { context } = fixedX(lookUp, { body: postPage([post(0), repost], null) });
    const { partial, warnings } = await xUserPosts.collect(page(5), context);
    expect([partial, warnings?.length]).toEqual([true, 1]);
    expect(warnings?.[0]).toMatch(/^1\.text is shortened/);
  });

  test('a cursor of another list is refused without a request to X', async () => {
    const { context, requests } = fixedX();
    for (const at of [{ user_id: 7 }, { user_id: '../1' }, { user_id: userId, after: 'a&b' }, { skip: -1 }]) {
      expect((await refusalOf(xUserPosts.collect(page(5, at), context))).code).toBe('INVALID_INPUT');
    }
    expect(requests).toEqual([]);
  });

  test('without a token no request is sent to X', async () => {
    const { context, requests } = fixedX();
    const config = { ...context.config, x_bearer_token: null };
    const unconfigured = { ...context, config, breakers: createBreakers({ now: context.now }) };
    const refusal = await refusalOf(collect(microblogUserPosts, page(5), unconfigured));
    expect([refusal.code, requests.length]).toEqual(['SOURCE_NOT_CONFIGURED', 0]);
  });
});

describe('the error table of the X API', () => {
  const table: [string, FixedAnswer, string][] = [
    ['no data: not found', { body: { data: null, errors: [problem('resource-not-found')] } }, 'RESOURCE_NOT_FOUND'],
    ['only errors: not found', { body: { errors: [problem('resource-not-found')] } }, 'RESOURCE_NOT_FOUND'],
    [
      'only errors: suspended',
      { body: { errors: [{ ...problem('resource-not-found'), title: 'Forbidden' }] } },
      'RESOURCE_NOT_FOUND',
    ],
    ['only errors: protected', { body: { errors: [problem('not-authorized-for-resource')] } }, 'SOURCE_RESTRICTED'],
    ['HTTP 404', { status: 404, body: problem('resource-not-found') }, 'RESOURCE_NOT_FOUND'],
    ['HTTP 401', { status: 401, body: { title: 'Unauthorized', type: 'about:blank' } }, 'SOURCE_NOT_CONFIGURED'],
    ['client-forbidden', { status: 403, body: problem('client-forbidden') }, 'SOURCE_NOT_CONFIGURED'],
    ['usage-capped', { status: 403, body: problem('usage-capped') }, 'SOURCE_UNAVAILABLE'],
    ['HTTP 402', { status: 402, body: { type: 'about:blank' } }, 'SOURCE_CAPACITY'],
    ['HTTP 429', { status: 429, body: 'Too Many Requests' }, 'SOURCE_CAPACITY'],
    ['HTTP 503', { status: 503, body: '<html>' }, 'SOURCE_UNAVAILABLE'],
    [
      'invalid-request for a value of the customer',
      { status: 400, body: { ...problem('invalid-request'), errors: [{ parameters: { username: ['x'] } }] } },
      'INVALID_INPUT',
    ],
    [
      'invalid-request for a value of ours',
      { status: 400, body: { ...problem('invalid-request'), errors: [{ parameters: { 'user.fields': ['x'] } }] } },
      'SOURCE_RESPONSE_CHANGED',
    ],
    ['HTTP 403 of an unknown kind', { status: 403, body: {} }, 'SOURCE_RESPONSE_CHANGED'],
    ['HTML instead of JSON', { body: '<html>hello</html>' }, 'SOURCE_RESPONSE_CHANGED'],
    ['an answer without the record', { body: { meta: {} } }, 'SOURCE_RESPONSE_CHANGED'],
    ['a list instead of the record', { body: { data: [user] } }, 'SOURCE_RESPONSE_CHANGED'],
  ];

  test.each(table)(
    'the X source throws the error code of the table for this answer: %s',
    async (_name, answer, code) => {
      const { context, requests } = fixedX(answer);
      expect((await refusalOf(xProfileSource.collect({ handle }, context))).code).toBe(code);
      expect(requests).toHaveLength(1);
    },
  );

  test('a protected X account is an error about the resource, and a refused token is one for the operator', async () => {
    const restricted = fixedX({ body: { errors: [problem('not-authorized-for-resource')] } });
    expect((await refusalOf(xProfileSource.collect({ handle }, restricted.context))).about).toBe('resource');
    const unauthorized = fixedX({ status: 401, body: {} });
    expect((await refusalOf(xProfileSource.collect({ handle }, unauthorized.context))).about).toBe('operator');
  });

  test('a throttle by X has the seconds to wait', async () => {
    const reset = Date.parse('2026-11-20T10:05:00Z') / 1000;
    const throttled = { status: 429, headers: { 'x-rate-limit-reset': String(reset) } };
    const { context } = fixedX(throttled);
    expect((await refusalOf(xProfileSource.collect({ handle }, context))).retry_after_seconds).toBe(300);
  });
});
