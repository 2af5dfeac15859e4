import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  parseLongvideoUrl,
  parsePhotoPostId,
  parsePhotoUrl,
  parseShortvideoUrl,
} from '../../../pipeline/parse/urls.ts';
import { anyText } from '../../harness/text.ts';

const parsers = { parsePhotoUrl, parseShortvideoUrl, parseLongvideoUrl };
const target = (target: object) => ({ ok: true, target });
const invalid = { ok: false, code: 'INVALID_INPUT', message: expect.stringMatching(/^\S.*\.$/) };
const profile = (handle: string) => target({ kind: 'profile', handle });
const post = (shortcode: string, author: string | null = null) => target({ kind: 'post', shortcode, author });
const video = (id: string) => target({ kind: 'video', id });

describe('Instagram URLs', () => {
  test.each([
    ['https://www.instagram.com/Tide.Pool_1', profile('tide.pool_1')],
    ['https://www.instagram.com/tidepool/?hl=en#top', profile('tidepool')],
    ['http://m.instagram.com//tidepool//reels//', profile('tidepool')],
    ['instagram.com/tidepool/tagged', profile('tidepool')],
    ['  instagr.am/tidepool/embed ', profile('tidepool')],
    ['HTTPS://WWW.INSTAGRAM.COM/%74idepool', profile('tidepool')],
    ['https://www.instagram.com/_u/tidepool', profile('tidepool')],
    ['https://www.instagram.com/p/AbC-_123xyz/?img_index=2', post('AbC-_123xyz')],
    ['https://www.instagram.com/tv/AbC-_123xyz', post('AbC-_123xyz')],
    ['https://www.instagram.com/reel/AbC-_123xyz/embed', post('AbC-_123xyz')],
    ['https://www.instagram.com/reels/AbC-_123xyz/embed/captioned/', post('AbC-_123xyz')],
    ['https://www.instagram.com/TidePool/p/AbC-_123xyz/', post('AbC-_123xyz', 'tidepool')],
    ['https://www.instagram.com/tidepool/reel/AbC-_123xyz', post('AbC-_123xyz', 'tidepool')],
    ['https://www.instagram.com/tidepool/tv/AbC-_123xyz', post('AbC-_123xyz', 'tidepool')],
    ['https://www.instagram.com/p/3000000000000000001_12345/', post('CmiJBr2LAAB')],
    ['https://www.instagram.com/p/AbC-_123xyz/c/17900000000000001/r/17900000000000002/', post('AbC-_123xyz')],
    ['https://www.instagram.com/p/AbC-_123xyz/comments/', post('AbC-_123xyz')],
    ['https://www.instagram.com/tidepool/reposts/', profile('tidepool')],
    ['https://www.instagram.com/tidepool/channel/', profile('tidepool')],
  ])('the Instagram URL %s is parsed into its profile or post', (url, expected) => {
    expect(parsePhotoUrl(url)).toEqual(expected);
  });

  test.each([
    'https://www.instagram.com/',
    'https://www.instagram.com/explore/tags/tide',
    'https://www.instagram.com/explore',
    'https://www.instagram.com/reels/audio/123456/',
    'https://www.instagram.com/stories/tidepool/123456',
    'https://www.instagram.com/accounts/login/',
    'https://www.instagram.com/direct/inbox',
    'https://www.instagram.com/_u/explore',
    'https://www.instagram.com/p/',
    'https://www.instagram.com/p/abcd',
    'https://www.instagram.com/p/abc!defg',
    'https://www.instagram.com/p/AbC-_123xyz/other',
    'https://www.instagram.com/explore/p/AbC-_123xyz',
    'https://www.instagram.com/tidepool/followers',
    'https://www.instagram.com/p%2FAbC-_123xyz',
    'https://www.instagram.com/%ff',
    'https://www.instagram.com/%2574idepool',
    `https://www.instagram.com/${'a'.repeat(31)}`,
    'https://l.instagram.com/tidepool',
    'https://ig.me/tidepool',
    'https://www.tiktok.com/@tidepool',
  ])('the Instagram URL %s is INVALID_INPUT', (url) => {
    expect(parsePhotoUrl(url)).toEqual(invalid);
  });

  test.each(['/share/AbC123', '/share/p/AbC123', '/s/abc', '/share'])(
    'the Instagram URL %s is a short link that must be followed',
    (path) => {
      const message = expect.stringContaining('Open it in a browser and use the full link');
      expect(parsePhotoUrl(`https://www.instagram.com${path}`)).toEqual({ ...invalid, message });
    },
  );

  test.each([
    ['/stories/TidePool/123456', 'A story cannot be read. For the profile, use https://www.instagram.com/tidepool/.'],
    ['/stories/tidepool', 'A story cannot be read. For the profile, use https://www.instagram.com/tidepool/.'],
    ['/tidepool/live/', 'A live video cannot be read. For the profile, use https://www.instagram.com/tidepool/.'],
    [
      '/stories/highlights/17900000000000001/',
      'A story highlight cannot be read. For the profile, use the link to the account.',
    ],
    [
      '/s/aGlnaGxpZ2h0OjE3OTAwMDAwMDAwMDAwMDAx?igsh=1',
      'A story highlight cannot be read. For the profile, use the link to the account.',
    ],
  ])('the Instagram URL %s is refused with the URL to send instead', (path, message) => {
    expect(parsePhotoUrl(`https://www.instagram.com${path}`)).toEqual({ ...invalid, message });
  });

  const wrapped = (url: string) => `https://l.instagram.com/?u=${encodeURIComponent(url)}&e=AT0abc`;

  test('a link of l.instagram.com is read as its target, on every platform', () => {
    expect(parsePhotoUrl(wrapped('https://www.instagram.com/tidepool/'))).toEqual(profile('tidepool'));
    expect(parseShortvideoUrl(wrapped('https://www.tiktok.com/@tidepool?x=1'))).toEqual(profile('tidepool'));
    expect(parseLongvideoUrl(wrapped('https://youtu.be/abc-DEF_123'))).toEqual(video('abc-DEF_123'));
  });

  test.each([
    'https://example.com/tidepool',
    'javascript:alert(1)',
    'https://user@www.instagram.com/tidepool',
    'https://127.0.0.1/tidepool',
    wrapped('https://www.instagram.com/tidepool/'),
    '',
  ])('a link of l.instagram.com with the target %j is INVALID_INPUT', (target) => {
    for (const parse of Object.values(parsers)) expect(parse(wrapped(target))).toEqual(invalid);
  });

  test('a private Instagram share is refused with SOURCE_RESTRICTED', () => {
    const code = `AbC-_123xyz${'s'.repeat(28)}`;
    expect(parsePhotoUrl(`https://www.instagram.com/p/${code}/`)).toMatchObject({
      ok: false,
      code: 'SOURCE_RESTRICTED',
    });
    expect(parsePhotoUrl(`https://www.instagram.com/p/${'s'.repeat(28)}/`)).toEqual(post('s'.repeat(28)));
    expect(parsePhotoPostId('s'.repeat(29))).toMatchObject({ ok: false, code: 'SOURCE_RESTRICTED' });
  });
});

describe('Instagram post ids', () => {
  test.each([
    ['AbC-_123xyz', 'AbC-_123xyz'],
    ['3000000000000000001', 'CmiJBr2LAAB'],
    ['3000000000000000001_1', 'CmiJBr2LAAB'],
    ['12345678901234', '12345678901234'],
  ])('the Instagram id %s is the post %s', (id, shortcode) => {
    expect(parsePhotoPostId(id)).toEqual(post(shortcode));
  });

  test.each(['', 'abcd', 'a'.repeat(33), 'abc/def', ' AbC-_123xyz'])(
    'the Instagram post id %j is INVALID_INPUT',
    (id) => {
      expect(parsePhotoPostId(id)).toEqual(invalid);
    },
  );
});

describe('TikTok URLs', () => {
  const id = '7000000000000000001';
  test.each([
    ['https://www.tiktok.com/@Tide.Pool', profile('tide.pool')],
    ['tiktok.com/@tidepool?lang=en', profile('tidepool')],
    ['https://www.tiktok.com/embed/@tidepool/', profile('tidepool')],
    [`https://www.tiktok.com/@tidepool/video/${id}?q=1`, video(id)],
    [`https://www.tiktok.com/@tidepool/photo/${id}`, video(id)],
    [`https://www.tiktok.com/@/video/${id}`, video(id)],
    [`https://www.tiktok.com/video/${id}`, video(id)],
    [`https://m.tiktok.com/v/${id}.html`, video(id)],
    [`https://www.tiktok.com/embed/${id}`, video(id)],
    [`https://www.tiktok.com/embed/v2/${id}`, video(id)],
    [`https://www.tiktok.com/player/v1/${id}`, video(id)],
    [`https://www.tiktok.com/share/video/${id}`, video(id)],
    [`https://www.tiktokv.com/share/video/${id}/`, video(id)],
    [`https://t.tiktok.com/i18n/share/video/${id}/?_r=1`, video(id)],
    [`https://lite.tiktok.com/@tidepool/video/${id}`, video(id)],
    [`https://www.tiktok.com/tidepool/video/${id}`, video(id)],
    [`https://www.tiktok.com/embed/v3/${id}`, video(id)],
    ['https://www.tiktok.com/tag/Tide', target({ kind: 'hashtag', tag: 'tide' })],
    ['https://www.tiktok.com/tag/%D0%BC%D0%BE%D1%80%D0%B5', target({ kind: 'hashtag', tag: 'море' })],
    [`https://www.tiktok.com/music/a-song-2-${id}`, target({ kind: 'sound', id })],
    [`https://www.tiktok.com/music/-${id}`, target({ kind: 'sound', id })],
    [`https://www.tiktok.com/@tidepool/playlist/low-tide-${id}`, target({ kind: 'playlist', id })],
  ])('the TikTok URL %s is parsed into what it leads to', (url, expected) => {
    expect(parseShortvideoUrl(url)).toEqual(expected);
  });

  test.each([
    'https://www.tiktok.com/',
    'https://www.tiktok.com/tidepool',
    'https://www.tiktok.com/@t',
    `https://www.tiktok.com/@${'t'.repeat(25)}`,
    'https://www.tiktok.com/@tide%2Fpool',
    'https://www.tiktok.com/@tidepool/live',
    'https://www.tiktok.com/@tidepool/video/123',
    `https://www.tiktok.com/@tidepool/collection/name-${id}`,
    `https://www.tiktok.com/v/${id}`,
    'https://www.tiktok.com/music/a-song',
    'https://www.tiktok.com/tag/..',
    'https://www.tiktok.com/tag/a b',
    'https://www.tiktok.com/discover/tide',
    'https://www.tiktok.com/search?q=tide',
    'https://www.tiktok.com/foryou',
    'https://www.tiktok.com/login',
    'https://www.tiktok.com/explore',
    'https://other.tiktok.com/@tidepool',
    'https://www.instagram.com/tidepool',
  ])('the TikTok URL %s is INVALID_INPUT', (url) => {
    expect(parseShortvideoUrl(url)).toEqual(invalid);
  });

  test.each([
    'https://vm.tiktok.com/ZM1/',
    'vt.tiktok.com/ZS1',
    'https://www.tiktok.com/t/ZT1/',
    `https://vm.tiktok.com/@tidepool/video/${id}`,
  ])('the TikTok URL %s is a short link that must be followed', (url) => {
    const message = expect.stringContaining('Open it in a browser and use the full link');
    expect(parseShortvideoUrl(url)).toEqual({ ...invalid, message });
  });
});

test('a TikTok live page is refused with the URL to send instead', () => {
  const message = 'A live video cannot be read. For the profile, use https://www.tiktok.com/@tidepool.';
  expect(parseShortvideoUrl('https://www.tiktok.com/@TidePool/live')).toEqual({ ...invalid, message });
});

describe('YouTube URLs', () => {
  const id = 'abc-DEF_123';
  const list = 'PL0123456789abcdef';
  const channelId = 'UC0123456789abcdefABCDEF';
  const channel = (by: object) => target({ kind: 'channel', ...by });
  const playlist = target({ kind: 'playlist', id: list });
  test.each([
    [`https://www.youtube.com/watch?v=${id}`, video(id)],
    [`https://m.youtube.com/watch?app=desktop&v=${id}&t=5`, video(id)],
    [`https://www.youtube.com/watch?list=${list}&v=${id}`, video(id)],
    [`https://music.youtube.com/watch?v=${id}`, video(id)],
    [`https://gaming.youtube.com/watch/${id}`, video(id)],
    [`youtu.be/${id}?si=abc`, video(id)],
    [`https://www.youtube.com/shorts/${id}`, video(id)],
    [`https://www.youtube.com/live/${id}?feature=share`, video(id)],
    [`https://www.youtube-nocookie.com/embed/${id}`, video(id)],
    [`https://youtube.com/v/${id}`, video(id)],
    [`https://youtube.com/e/${id}`, video(id)],
    [`https://www.youtube.com/attribution_link?a=1&u=%2Fwatch%3Fv%3D${id}%26feature%3Dshare`, video(id)],
    [`https://www.youtube.com/oembed?url=https%3A%2F%2Fwww.youtube.com%2Fwatch%3Fv%3D${id}`, video(id)],
    [`https://www.youtube.com/playlist?list=${list}`, playlist],
    [`https://www.youtube.com/course?list=${list}`, playlist],
    [`https://youtube.com/course?list=${list}&v=x`, playlist],
    [`https://www.youtube.com/embed/videoseries?list=${list}`, playlist],
    [`https://www.youtube.com/watch?list=${list}`, playlist],
    [`https://music.youtube.com/browse/VL${list}`, playlist],
    [`https://www.youtube.com/channel/${channelId}`, channel({ channel_id: channelId })],
    [`https://www.youtube.com/channel/${channelId}/videos`, channel({ channel_id: channelId })],
    ['https://www.youtube.com/@Tide.Pool-1/featured', channel({ handle: 'tide.pool-1' })],
    ['https://www.youtube.com/@%D0%9C%D0%BE%D1%80%D0%B5', channel({ handle: 'море' })],
    ['https://www.youtube.com/user/TidePool/about', channel({ username: 'TidePool' })],
    ['https://www.youtube.com/c/TidePool/videos', channel({ custom_name: 'TidePool' })],
    ['https://www.youtube.com/TidePool', channel({ custom_name: 'TidePool' })],
    ['http://m.youtube.com/TidePool/videos', channel({ custom_name: 'TidePool' })],
    [`https://www.youtube.com/watch_popup?v=${id}`, video(id)],
    [`https://m.youtube.com/details?v=${id}`, video(id)],
    [`https://www.youtube.com/?v=${id}`, video(id)],
    [`https://www.youtube.com/watch?v=${id}?si=abc`, video(id)],
    [`https://youtu.be/${id}&t=20`, video(id)],
    [`https://www.youtubekids.com/watch?v=${id}`, video(id)],
    [`https://youtube.googleapis.com/v/${id}`, video(id)],
    [`https://music.youtube.com/browse/${channelId}`, channel({ channel_id: channelId })],
  ])('the YouTube URL %s is parsed into what it leads to', (url, expected) => {
    expect(parseLongvideoUrl(url)).toEqual(expected);
  });

  test.each([
    'https://www.youtube.com/',
    'https://www.youtube.com/watch',
    'https://www.youtube.com/watch?v=short',
    `https://www.youtube.com/watch?v=short&list=${list}`,
    'https://www.youtube.com/embed/videoseries',
    'https://www.youtube.com/embed/live_stream?channel=UC0123456789abcdefABCDEF',
    'https://www.youtube.com/clip/abcdef',
    'https://www.youtube.com/post/abcdef',
    'https://www.youtube.com/hashtag/tide',
    'https://www.youtube.com/feed/trending',
    'https://www.youtube.com/feed',
    'https://www.youtube.com/results?search_query=tide',
    'https://www.youtube.com/redirect?q=https%3A%2F%2Fexample.com',
    'https://www.youtube.com/channel/UCshort',
    'https://www.youtube.com/@ab',
    'https://www.youtube.com/TidePool/other',
    'https://www.youtube.com/feed/videos',
    `https://www.youtube.com/TidePool?v=${id}`,
    'https://www.youtube.com/shared?ci=abc-DEF_123',
    'https://www.youtube.com/live_chat?v=abc-DEF_123',
    'https://music.youtube.com/search?q=tide',
    'https://music.youtube.com/TidePool',
    `https://www.youtube.com/oembed?url=https%3A%2F%2Fexample.com%2Fwatch%3Fv%3D${id}`,
    `https://youtu.be/@tidepool`,
    `https://www.youtu.be/${id}`,
    `https://youtube.com.example.com/watch?v=${id}`,
    `https://example.com/youtube.com/watch?v=${id}`,
  ])('the YouTube URL %s is INVALID_INPUT', (url) => {
    expect(parseLongvideoUrl(url)).toEqual(invalid);
  });
});

describe.each(Object.entries(parsers))('the URL parser %s', (name, parse) => {
  const home = {
    parsePhotoUrl: 'www.instagram.com',
    parseShortvideoUrl: 'www.tiktok.com',
    parseLongvideoUrl: 'www.youtube.com',
  }[name];

  test.each([
    `https://user@${home}/@tidepool`,
    `https://user:word@${home}/@tidepool`,
    `https://@${home}/@tidepool`,
    `https://${home}:443/@tidepool`,
    `${home}:8080/@tidepool`,
    `https://${home}./@tidepool`,
    `https://${home}\\@tidepool`,
    `https://example.com\\@${home}/@tidepool`,
    `https://${home}/@tide pool`,
    `https://${home}/@tide\npool`,
    `https://${home}/\\@tidepool`,
    `ftp://${home}/@tidepool`,
    `javascript://${home}/@tidepool`,
    'javascript:alert(1)',
    'https://',
    '',
    `https://${home}/@${'a'.repeat(3_000)}`,
  ])('the URL parser returns INVALID_INPUT for %.60j', (url) => {
    expect(parse(url)).toEqual(invalid);
  });

  test('no text makes the parser of URLs throw, and every target matches the pattern of its identifier', () => {
    const path = fc.array(
      fc.oneof(fc.string(), fc.constantFrom('p', 'reel', 'video', '@a', 'watch?v=', 'music', 'embed')),
    );
    const address = path.map((parts) => `https://${home}/${parts.join('/')}`);
    fc.assert(
      fc.property(fc.oneof(anyText(), fc.webUrl(), address), (text) => {
        const result = parse(text);
        const values = result.ok ? Object.values(result.target) : [];
        expect(values.filter((value) => value !== null && /[\s/?#@%&]|^$/.test(value))).toEqual([]);
      }),
    );
  });
});
