import { describe, expect, test } from 'vitest';
import { webProfile } from '../../../pipeline/photo/web/profile.ts';
import { type FixedAnswer, fixedAnswers, refusalOf } from './fixed-answers.ts';
import { user } from './fixtures/web-user.ts';

const handle = 'paper.kite';

describe('refusals of the Instagram website', () => {
  const wait = { message: 'Please wait a few minutes before you try again.', require_login: true, status: 'fail' };
  const redirect = (location: string) => ({ status: 302, headers: { location } });
  const table: [string, FixedAnswer, string, 'us' | 'block' | 'resource' | 'reach'][] = [
    ['HTTP 404', { status: 404, body: '<html></html>' }, 'RESOURCE_NOT_FOUND', 'resource'],
    ['HTTP 410', { status: 410, body: '<html></html>' }, 'RESOURCE_NOT_FOUND', 'resource'],
    ['data.user null', { body: { data: { user: null }, status: 'ok' } }, 'RESOURCE_NOT_FOUND', 'resource'],
    ...[200, 400, 401, 403, 429].map((status): [string, FixedAnswer, string, 'us'] => [
      `"Please wait" under HTTP ${status}`,
      { status, body: wait },
      'SOURCE_CAPACITY',
      'us',
    ]),
    [
      '"Please wait" in a page under HTTP 401',
      { status: 401, body: `<p>${wait.message}</p>` },
      'SOURCE_CAPACITY',
      'us',
    ],
    ['HTTP 429 without a message', { status: 429 }, 'SOURCE_CAPACITY', 'us'],
    ['HTTP 401 require_login', { status: 401, body: { require_login: true } }, 'SOURCE_RESTRICTED', 'block'],
    ['HTTP 401 with an incomplete body', { status: 401, body: '{"message":"Please' }, 'SOURCE_RESTRICTED', 'block'],
    ['HTTP 403', { status: 403 }, 'SOURCE_RESTRICTED', 'block'],
    ['HTTP 451', { status: 451 }, 'SOURCE_RESTRICTED', 'block'],
    ...[
      '/accounts/login/?next=/x/',
      '/accounts/suspended/',
      '/challenge/',
      '/consent/?flow=1',
      '/',
      'https://www.instagram.com',
    ].map((to): [string, FixedAnswer, string, 'block'] => [
      `redirect to ${to}`,
      redirect(to),
      'SOURCE_RESTRICTED',
      'block',
    ]),
    ['a redirect to another site', redirect('https://elsewhere.example/x'), 'SOURCE_RESPONSE_CHANGED', 'us'],
    ['a redirect without a URL', { status: 301 }, 'SOURCE_RESPONSE_CHANGED', 'us'],
    ...[
      'checkpoint_required',
      'challenge_required',
      'feedback_required',
      'login_required',
      'consent_required',
      'useragent mismatch',
    ].map((message): [string, FixedAnswer, string, 'block'] => [
      message,
      { status: 400, body: { message, status: 'fail' } },
      'SOURCE_RESTRICTED',
      'block',
    ]),
    [
      'a business account that the website does not deliver',
      { status: 400, body: { message: 'Asset asset://invented.provider/ig_kind has been deleted. Invented words' } },
      'SOURCE_NOT_CONFIGURED',
      'reach',
    ],
    ['HTTP 400 with another message', { status: 400, body: { message: 'new words' } }, 'SOURCE_RESPONSE_CHANGED', 'us'],
    ...[500, 502, 503].map((status): [string, FixedAnswer, string, 'us'] => [
      `HTTP ${status}`,
      { status },
      'SOURCE_UNAVAILABLE',
      'us',
    ]),
    [
      'the login page instead of JSON',
      { body: '<!DOCTYPE html><a href="/accounts/login/">' },
      'SOURCE_RESTRICTED',
      'block',
    ],
    ['another page instead of JSON', { body: '<html>hello</html>' }, 'SOURCE_RESPONSE_CHANGED', 'us'],
    ['an empty body', {}, 'SOURCE_RESPONSE_CHANGED', 'us'],
    ['an incomplete body', { body: '{"data":{"user":{"id":"4' }, 'SOURCE_RESPONSE_CHANGED', 'us'],
    ['JSON without data.user', { body: { data: {}, status: 'ok' } }, 'SOURCE_RESPONSE_CHANGED', 'us'],
    ['an empty data.user', { body: { data: { user: {} }, status: 'ok' } }, 'SOURCE_RESPONSE_CHANGED', 'us'],
    [
      'status fail with a block message',
      { body: { message: 'checkpoint_required', status: 'fail' } },
      'SOURCE_RESTRICTED',
      'block',
    ],
    [
      'status fail with another message',
      { body: { message: 'new words', status: 'fail' } },
      'SOURCE_RESPONSE_CHANGED',
      'us',
    ],
    ['country_block', { body: user([], { country_block: true }) }, 'SOURCE_RESTRICTED', 'resource'],
  ];

  test.each(table)('an answer of the Instagram website has its own error: %s', async (_name, answer, code, about) => {
    expect(await refusalOf(webProfile.collect({ handle }, fixedAnswers(answer).context))).toMatchObject({
      code,
      about,
    });
  });

  test.each([
    ['120', 120],
    ['Fri, 20 Nov 2026 10:00:30 GMT', 30],
    ['soon', null],
  ])('a Retry-After of %s from the Instagram website is respected', async (value, seconds) => {
    const answer = { status: 429, headers: { 'retry-after': value } };
    const refusal = await refusalOf(webProfile.collect({ handle }, fixedAnswers(answer).context));
    expect(refusal.retry_after_seconds).toBe(seconds);
  });

  test.each([
    [200, {}, 300],
    [401, {}, 300],
    [429, {}, 300],
    [429, { 'retry-after': '40' }, 40],
  ])(
    '"Please wait" of Instagram under HTTP %i with %j pauses the source for %i seconds',
    async (status, headers, seconds) => {
      const answer = { status, headers, body: wait };
      const refusal = await refusalOf(webProfile.collect({ handle }, fixedAnswers(answer).context));
      expect(refusal.retry_after_seconds).toBe(seconds);
    },
  );
});
