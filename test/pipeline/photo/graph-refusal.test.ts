import { describe, expect, test } from 'vitest';
import { graphPost, graphPosts, graphProfileSource } from '../../../pipeline/photo/graph/client.ts';
import { type FixedAnswer, fixedAnswers, refusalOf } from './fixed-answers.ts';
import { discovery, graphError, graphMedia } from './fixtures/graph.ts';

const handle = 'paper.kite';
const firstPage = { handle, limit: 3, cursor: null };
const rows = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => graphMedia(from + i));
const fieldsOf = (url: string | undefined) => new URL(url ?? '').searchParams.get('fields') ?? '';

async function refused(...answers: FixedAnswer[]) {
  return refusalOf(graphProfileSource.collect({ handle }, fixedAnswers(...answers).context));
}

describe('the error table of the official Instagram API', () => {
  const table: [string, FixedAnswer, string][] = [
    ['code 110: missing or personal', { status: 400, body: graphError(110, 2207013) }, 'RESOURCE_NOT_FOUND'],
    ...[190, 102, 2500, 10, 3, 200, 210, 299, 803].map((code): [string, FixedAnswer, string] => [
      `code ${code}`,
      { status: 400, body: graphError(code) },
      'SOURCE_NOT_CONFIGURED',
    ]),
    ['HTTP 401 without a code', { status: 401, body: 'no' }, 'SOURCE_NOT_CONFIGURED'],
    ['code 100 subcode 33', { status: 400, body: graphError(100, 33) }, 'SOURCE_NOT_CONFIGURED'],
    [
      'code 100, permission',
      { status: 400, body: graphError(100, undefined, 'due to missing permission') },
      'SOURCE_NOT_CONFIGURED',
    ],
    [
      'code 100, proof',
      { status: 400, body: graphError(100, undefined, 'appsecret_proof is required') },
      'SOURCE_NOT_CONFIGURED',
    ],
    [
      'code 100, app token',
      { status: 400, body: graphError(100, undefined, 'needs an app access token') },
      'SOURCE_NOT_CONFIGURED',
    ],
    ...[4, 17, 32, 613, 80002].map((code): [string, FixedAnswer, string] => [
      `code ${code}`,
      { status: 403, body: graphError(code) },
      'SOURCE_CAPACITY',
    ]),
    ['HTTP 429 without a code', { status: 429 }, 'SOURCE_CAPACITY'],
    ['code 368', { status: 400, body: graphError(368) }, 'SOURCE_UNAVAILABLE'],
    ['an unknown code', { status: 400, body: graphError(9999) }, 'SOURCE_RESPONSE_CHANGED'],
    ['an error under HTTP 200', { body: graphError(190) }, 'SOURCE_NOT_CONFIGURED'],
    ['a redirect', { status: 302, headers: { location: 'https://www.facebook.com/' } }, 'SOURCE_RESPONSE_CHANGED'],
    ['HTML instead of JSON', { body: '<html>hello</html>' }, 'SOURCE_RESPONSE_CHANGED'],
    ['an empty body', { body: '' }, 'SOURCE_RESPONSE_CHANGED'],
    ['an incomplete body', { body: '{"business_discovery":{"id":"1' }, 'SOURCE_RESPONSE_CHANGED'],
    ['null instead of the account', { body: { business_discovery: null, id: '1' } }, 'SOURCE_RESPONSE_CHANGED'],
    ['a list instead of the account', { body: [] }, 'SOURCE_RESPONSE_CHANGED'],
  ];

  test.each(table)('an answer of the Instagram Graph API has its own error: %s', async (_name, answer, code) => {
    expect(await refused(answer)).toMatchObject({ code, about: code === 'SOURCE_NOT_CONFIGURED' ? 'operator' : 'us' });
  });

  test.each([1, 2, -1, -2])('code %i of the official Instagram API is retried once, then unavailable', async (code) => {
    const fault = { status: 500, body: graphError(code) };
    expect(await refused(fault, fault)).toMatchObject({ code: 'SOURCE_UNAVAILABLE', about: 'us' });
    const { context } = fixedAnswers(fault, { body: discovery([], null) });
    expect((await graphProfileSource.collect({ handle }, context)).record.username).toBe(handle);
  });

  test('a server error of the official Instagram API with an HTML body is retried once, then unavailable', async () => {
    const fault = { status: 502, body: '<html>bad gateway</html>' };
    expect((await refused(fault, fault)).code).toBe('SOURCE_UNAVAILABLE');
  });

  test('any other code 100 of the official Instagram API drops the optional fields once, then is a changed answer', async () => {
    const fault = { status: 400, body: graphError(100, undefined, 'nonexisting field (view_count)') };
    const { context, requests } = fixedAnswers(fault, { body: discovery(rows(0, 1), null) });
    await graphPosts.collect(firstPage, context);
    const optional = /ig_id|view_count|thumbnail_url|media_product_type/;
    expect(requests.map(({ url }) => optional.test(fieldsOf(url)))).toEqual([true, false]);
    expect(fieldsOf(requests[1]?.url)).toMatch(
      /\{id,username,.*\{id,caption,media_type,media_url,permalink,.*comments_count,children\{id,media_type,media_url,permalink\}\}\}$/,
    );
    expect((await refused(fault, fault)).code).toBe('SOURCE_RESPONSE_CHANGED');
  });

  test('fields that the official Instagram API refused once are not requested on the next page', async () => {
    const fault = { status: 400, body: graphError(100, undefined, 'nonexisting field (view_count)') };
    const { context, requests } = fixedAnswers(
      fault,
      { body: discovery(rows(0, 50), 'one') },
      { body: discovery(rows(50, 60), null) },
    );
    await graphPost.collect({ shortcode: 'Inv00000051', author: handle }, context);
    expect(requests).toHaveLength(3);
  });

  test('a throttle by the official Instagram API has the seconds to wait', async () => {
    const usage = '{"17841400000000001":[{"type":"instagram","call_count":100,"estimated_time_to_regain_access":19}]}';
    const throttled = { status: 403, headers: { 'x-business-use-case-usage': usage }, body: graphError(80002) };
    expect((await refused(throttled)).retry_after_seconds).toBe(19 * 60);
    expect((await refused({ ...throttled, headers: { 'retry-after': '7' } })).retry_after_seconds).toBe(7);
    expect((await refused({ ...throttled, headers: {} })).retry_after_seconds).toBeNull();
  });

  test('the reason of an Instagram refusal has the trace id for the log', async () => {
    expect((await refused({ status: 400, body: graphError(190, 463) })).reason).toContain('fbtrace_id AInventedTrace');
  });
});
