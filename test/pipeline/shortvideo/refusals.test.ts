import { describe, expect, it } from 'vitest';
import { SourceError } from '../../../pipeline/errors.ts';
import { commentList } from '../../../pipeline/shortvideo/comments.ts';
import { creatorEmbed } from '../../../pipeline/shortvideo/embed/creator.ts';
import { videoEmbed } from '../../../pipeline/shortvideo/embed/video.ts';
import { videoOembed } from '../../../pipeline/shortvideo/oembed.ts';
import { shortvideoProfilePage } from '../../../pipeline/shortvideo/profile-page.ts';
import { videoPage } from '../../../pipeline/shortvideo/video-page.ts';
import { frontityPage, pageWith, refusal, universalPage, upstream } from './upstream.ts';

const id = '7000000000000000001';
const profile = { handle: 'invented.pottery', region: null };
const video = { id, region: null };

function videoAnswer(status: number, body = '', headers: Record<string, string> = {}) {
  return refusal(videoPage.collect(video, upstream({ '/@_/video/': { status, body, headers } }).context));
}

const byStatusCode: [number, number, 'resource' | 'us' | 'block'][] = [
  [10000, 403, 'block'],
  [10101, 429, 'us'],
  [209002, 429, 'us'],
  [10102, 403, 'block'],
  [10119, 403, 'block'],
  [10113, 403, 'block'],
  [10114, 403, 'block'],
  [10202, 404, 'resource'],
  [10221, 404, 'resource'],
  [10111, 429, 'us'],
  [10201, 404, 'resource'],
  [10222, 403, 'resource'],
  [10225, 403, 'resource'],
  [10223, 403, 'resource'],
  [10203, 404, 'resource'],
  [10218, 404, 'resource'],
  [10204, 404, 'resource'],
  [10205, 404, 'resource'],
  [10208, 404, 'resource'],
  [10209, 403, 'resource'],
  [10211, 403, 'resource'],
  [10212, 403, 'resource'],
  [10213, 403, 'resource'],
  [10214, 403, 'resource'],
  [10215, 403, 'resource'],
  [10217, 403, 'resource'],
  [10227, 403, 'resource'],
  [10228, 403, 'resource'],
  [10229, 403, 'resource'],
  [10230, 403, 'resource'],
  [10216, 403, 'resource'],
  [10219, 403, 'resource'],
  [10220, 403, 'resource'],
  [10231, 403, 'resource'],
  [10235, 403, 'resource'],
  [10404, 429, 'us'],
  [100002, 404, 'resource'],
  [100004, 503, 'us'],
  [19999, 422, 'us'],
];

describe("TikTok's own status code", () => {
  it.each(byStatusCode)('the TikTok status code %i in a page is %i about the %s', async (statusCode, status, about) => {
    const body = universalPage({ 'webapp.video-detail': { statusCode, statusMsg: 'invented' } });
    expect(await videoAnswer(200, body)).toEqual([status, about]);
  });

  it.each([
    ["item doesn't exist", 'RESOURCE_NOT_FOUND', 'TikTok says that this video does not exist or was removed.'],
    [
      'item_privacy_authorization&status_deleted',
      'RESOURCE_NOT_FOUND',
      'TikTok says that this video does not exist or was removed.',
    ],
    ['item_privacy_authorization&status_self_see', 'SOURCE_RESTRICTED', 'This item is private.'],
    ['status_friend_see', 'SOURCE_RESTRICTED', 'This item is private.'],
    ['author_secret', 'SOURCE_RESTRICTED', 'This account is private.'],
    ['author_status,status_reviewing', 'SOURCE_RESTRICTED', 'TikTok hides this while it is under review.'],
    ['status_audit_not_pass', 'SOURCE_RESTRICTED', 'TikTok has hidden this after a review.'],
    ['author_status', 'SOURCE_RESTRICTED', 'TikTok limits what it shows of this account.'],
    ['content_classification', 'SOURCE_RESTRICTED', 'TikTok shows this only to people with a confirmed age.'],
    ...['cross_border_violation_ur', 'person_geo_fencing', 'copyright_geo_filter'].map((statusMsg) => [
      statusMsg,
      'SOURCE_RESTRICTED',
      'TikTok does not show this in the country where this service runs.',
    ]),
  ])('the status code of a missing TikTok video with the message "%s" is %s', async (statusMsg, code, message) => {
    const body = universalPage({ 'webapp.video-detail': { statusCode: 10204, statusMsg } });
    await expect(videoPage.collect(video, upstream({ '/@_/video/': body }).context)).rejects.toMatchObject({
      code,
      about: 'resource',
      message,
    });
  });

  it('the message of TikTok names the cause in older pages and with other status codes too', async () => {
    const sigi = pageWith('SIGI_STATE', { VideoPage: { statusCode: 10204, statusMsg: 'status_self_see' } });
    expect(await videoAnswer(200, sigi)).toEqual([403, 'resource']);
    const next = pageWith('__NEXT_DATA__', {
      props: { pageProps: { statusCode: 19999, statusMsg: 'status_deleted' } },
    });
    expect(await videoAnswer(200, next)).toEqual([404, 'resource']);
  });

  it('the TikTok status code is read in a profile page, even as a string', async () => {
    const body = universalPage({ 'webapp.user-detail': { statusCode: '10222', userInfo: {} } });
    expect(await refusal(shortvideoProfilePage.collect(profile, upstream({ '/@': body }).context))).toEqual([
      403,
      'resource',
    ]);
  });

  it('the TikTok status code is read in the state of older pages', async () => {
    const sigi = pageWith('SIGI_STATE', { UserPage: { statusCode: 10221 }, VideoPage: { statusCode: 10216 } });
    expect(await refusal(shortvideoProfilePage.collect(profile, upstream({ '/@': sigi }).context))).toEqual([
      404,
      'resource',
    ]);
    expect(await videoAnswer(200, sigi)).toEqual([403, 'resource']);
    const next = pageWith('__NEXT_DATA__', { props: { pageProps: { statusCode: 10204 } } });
    expect(await videoAnswer(200, next)).toEqual([404, 'resource']);
  });

  it('the TikTok status code of an embed is its errorCode, with HTTP 400', async () => {
    const entry = { isError: true, errorCode: 10222, errorStatus: 400 };
    const body = frontityPage({ source: { data: { '/embed/@invented.pottery': entry } } });
    const { context } = upstream({ '/embed/@': { status: 400, body } });
    expect(await refusal(creatorEmbed.collect(profile, context))).toEqual([403, 'resource']);
  });

  it.each([
    [{ isError: true, errorStatus: 404 }, 404, 'resource'],
    [{ isError: true, errorStatus: 400 }, 404, 'resource'],
    [{ isError: true, code: 403 }, 403, 'block'],
    [{ isError: true, code: 429 }, 429, 'us'],
    [{ isError: true }, 422, 'us'],
  ])('an embed without a TikTok status code uses its HTTP status: %o', async (entry, status, about) => {
    const body = frontityPage({ source: { data: { [`/embed/v2/${id}`]: entry } } });
    expect(await refusal(videoEmbed.collect(video, upstream({ '/embed/v2/': body }).context))).toEqual([status, about]);
  });

  it('the TikTok status code of a comment list is its status_code', async () => {
    const { context } = upstream({ '/api/comment/': '{"status_code":10102}' });
    const params = { ...video, limit: 3, cursor: null };
    expect(await refusal(commentList.collect(params, context))).toEqual([403, 'block']);
  });
});

describe('HTTP answers of TikTok', () => {
  it.each([
    ['a redirect to the login', 302, '', { location: 'https://www.tiktok.com/login?redirect_url=x' }, 403, 'block'],
    ['a redirect to a country notice', 301, '', { location: 'https://www.tiktok.com/hk/notfound' }, 403, 'block'],
    ['401', 401, '', {}, 403, 'block'],
    ['403', 403, '', {}, 403, 'block'],
    ['451', 451, '', {}, 403, 'block'],
    ['404', 404, '', {}, 404, 'resource'],
    ['410', 410, '', {}, 404, 'resource'],
    ['429', 429, '', {}, 429, 'us'],
    ['503 of an overload', 503, 'overload-protect triggered', {}, 429, 'us'],
    ['another 503', 503, 'sorry', {}, 503, 'us'],
    ['500', 500, '', {}, 503, 'us'],
    ['an unknown status', 418, '', {}, 422, 'us'],
  ])(
    'an HTTP answer of TikTok has its own error: %s',
    async (_, status, body, headers: Record<string, string>, expected, about) => {
      expect(await videoAnswer(status, body, headers)).toEqual([expected, about]);
    },
  );

  it.each([
    ['seconds', 429, '', '17', 17],
    ['a date', 429, '', 'Fri, 20 Nov 2026 10:00:30 GMT', 30],
    ['a date in the past', 429, '', 'Fri, 20 Nov 2026 09:00:00 GMT', null],
    ['words', 429, '', 'soon', null],
    ['seconds of an overload', 503, 'overload-protect triggered', '5', 5],
    ['seconds of a failure', 503, 'sorry', '5', 5],
  ])('a TikTok throttle returns Retry-After: %s', async (_, status, body, value, retryAfterSeconds) => {
    const { context } = upstream({ '/@': { status, body, headers: { 'retry-after': value } } });
    const error = await shortvideoProfilePage.collect(profile, context).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(SourceError);
    expect(error).toMatchObject({ retry_after_seconds: retryAfterSeconds });
  });
});

describe('a TikTok page without the data', () => {
  const challenge = '<html><body>Please wait... <p id="wci" class="_wafchallengeid"></p></body></html>';
  const whole = universalPage({ 'webapp.video-detail': { statusCode: 0, itemInfo: { itemStruct: { id } } } });
  const captcha = '<html><body><div id="tiktok-verify-page"></div></body></html>';
  it.each([
    ['the challenge page', challenge, 403],
    ['a captcha page', captcha, 403],
    ['the script without the detail', universalPage({}), 403],
    ['the detail key with null', universalPage({ 'webapp.video-detail': null, 'webapp.user-detail': null }), 403],
    ['an older state of another page', pageWith('SIGI_STATE', { LiveRoom: {} }), 403],
    ['HTML of another site', '<html><body><h1>Invented shop</h1></body></html>', 422],
    ['an empty body', '', 422],
    ['a page that ends inside the detail', whole.slice(0, whole.indexOf('itemInfo')), 422],
    ['a page that ends before the detail', whole.slice(0, whole.indexOf('"webapp.video-detail"')), 422],
    ['a detail in a different format', universalPage({ 'webapp.video-detail': { statusCode: 0, itemInfo: [] } }), 422],
  ])('a TikTok page without the data has its own error: %s', async (_, body, status) => {
    expect(await videoAnswer(200, body)).toEqual([status, status === 403 ? 'block' : 'us']);
  });

  it('a TikTok page without the data is the same error for profile page and embeds', async () => {
    for (const [body, expected] of [
      [challenge, [403, 'block']],
      ['<html></html>', [422, 'us']],
    ] as const) {
      const { context } = upstream({ 'www.tiktok.com': body });
      expect(await refusal(shortvideoProfilePage.collect(profile, context))).toEqual(expected);
      expect(await refusal(creatorEmbed.collect(profile, context))).toEqual(expected);
      expect(await refusal(videoEmbed.collect(video, context))).toEqual(expected);
    }
  });

  it('a TikTok embed without an entry for the request is an error', async () => {
    const { context } = upstream({ '/embed/': frontityPage({ source: { data: { '/embed/other': {} } } }) });
    expect(await refusal(creatorEmbed.collect(profile, context))).toEqual([403, 'block']);
    expect(await refusal(videoEmbed.collect(video, context))).toEqual([403, 'block']);
  });
});

describe('oEmbed answers of TikTok', () => {
  it.each([
    ['400 with a JSON message', 400, '{"code":400,"message":"Something went wrong"}', 404, 'resource'],
    ['404', 404, '{"code":404,"message":"not found"}', 404, 'resource'],
    ['403', 403, '', 403, 'block'],
    ['400 without JSON', 400, 'bad request', 422, 'us'],
    ['another video', 200, '{"title":"x","html":"<blockquote data-video-id=\\"7000000000000000002\\">"}', 422, 'us'],
    ['no video', 200, '{"title":"x"}', 422, 'us'],
  ])('an oEmbed answer of TikTok has its own error: %s', async (_, status, body, expected, about) => {
    const { context } = upstream({ '/oembed?': { status, body } });
    expect(await refusal(videoOembed.collect(video, context))).toEqual([expected, about]);
  });
});
