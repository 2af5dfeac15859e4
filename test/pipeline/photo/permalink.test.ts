import { describe, expect, test } from 'vitest';
import { permalinkPost } from '../../../pipeline/photo/web/permalink.ts';
import { photoItem } from '../../../pipeline/records/photo.ts';
import { type FixedAnswer, fixedAnswers, refusalOf } from './fixed-answers.ts';
import { carousel, code, gatedPage, listedPage, media, metaPage } from './fixtures/v1-media.ts';
import { node } from './fixtures/web-user.ts';

const params = { shortcode: code, author: null };
const address = `https://www.instagram.com/paper.kite/p/${code}/`;

async function collected(body: string) {
  const answer = await permalinkPost.collect(params, fixedAnswers({ body }).context);
  return { ...answer, record: photoItem.parse(answer.record) };
}

describe('the request for an Instagram post page', () => {
  test('the page of an Instagram post is requested in English, and redirects are followed only to the same post on the same host', async () => {
    const { context, requests } = fixedAnswers({ body: gatedPage(media()) });
    await permalinkPost.collect(params, context);
    const [request] = requests;
    expect(request?.url).toBe(`https://www.instagram.com/p/${code}/`);
    expect(request?.headers).toMatchObject({ 'accept-language': 'en' });
    const follows = (url: string) => request?.follow?.(new URL(url));
    expect(follows(`https://www.instagram.com/reel/${code}/`)).toBe(true);
    expect(follows(address)).toBe(true);
    expect(follows('https://www.instagram.com/p/Other000001/')).toBe(false);
    expect(follows(`https://m.instagram.com/reel/${code}/`)).toBe(false);
    expect(follows('https://www.instagram.com/accounts/login/')).toBe(false);
  });
});

describe('an Instagram post page with media data', () => {
  test.each([
    ['in the member for visitors', gatedPage(media())],
    ['as the answer of the lookup', listedPage(media())],
    ['in the member for visitors, without meta tags', gatedPage(media(), '')],
  ])('media %s of a post page are the full item of the code, not of other posts in the page', async (_name, page) => {
    const { record, partial, quality } = await collected(page);
    expect(record).toMatchObject({
      id: code,
      likes: 31,
      comments: 0,
      author: 'paper.kite',
      author_id: '424242',
      media_type: 'image',
    });
    expect(record.platform_content_id).toBe('3614066038397325312');
    expect(partial ?? false).toBe(false);
    expect(quality).toEqual({});
  });

  test('an Instagram post page gives the duration of a reel from its manifest, and no views', async () => {
    const reel = media({
      pk: undefined,
      id: 'POLARIS_3614066038397325312',
      media_type: 2,
      product_type: 'clips',
      video_versions: [{ type: 101, url: 'https://scontent.cdninstagram.com/invented/reel.mp4' }],
      video_dash_manifest: '<MPD mediaPresentationDuration="PT1M8.3345S"><Period/></MPD>',
    });
    const { record, quality } = await collected(gatedPage(reel));
    expect(record).toMatchObject({
      platform_content_id: '3614066038397325312',
      duration_seconds: 68.335,
      views: null,
      video_url: 'https://scontent.cdninstagram.com/invented/reel.mp4',
    });
    expect(quality).toEqual({ views: 'not_exposed' });
  });

  test('an Instagram post page has the children of a carousel in order', async () => {
    const { record } = await collected(listedPage(carousel()));
    expect(record.children).toMatchObject([
      { id: '3614066038397325313', position: 0, media_type: 'image', video_url: null },
      { id: '3614066038397325314', position: 1, media_type: 'video', width: 720, height: 1280 },
    ]);
    expect(record.media_url).toBe(record.children?.[0]?.media_url);
  });

  test('an Instagram post page has the duration of a video only in its manifest', async () => {
    const manifest = '<?xml version="1.0"?><MPD mediaPresentationDuration="PT0H1M4.967S"><Period/></MPD>';
    const { record } = await collected(gatedPage(media({ media_type: 2, video_dash_manifest: manifest })));
    expect(record).toMatchObject({ media_type: 'video', duration_seconds: 64.967 });
  });

  test.each(['shortcode_media', 'xdt_shortcode_media'])(
    'an Instagram post page of earlier years has the post in %s',
    async (name) => {
      const pageOf = (...nodes: object[]) =>
        nodes
          .map((sent) => `<script>window.__data('/p/', ${JSON.stringify({ graphql: { [name]: sent } })});</script>`)
          .join('');
      const own = node(1, { shortcode: code });
      const { record, partial } = await collected(pageOf(node(2), own));
      expect(record).toMatchObject({ id: code, likes: 101, author: 'paper.kite', media_type: 'image' });
      expect(partial).toBeUndefined();
      const hidden = { ...own, owner: { username: 'x', is_private: true } };
      const { context } = fixedAnswers({ body: pageOf(hidden) });
      expect(await refusalOf(permalinkPost.collect(params, context))).toMatchObject({ code: 'SOURCE_RESTRICTED' });
    },
  );

  test('an Instagram post page of a private account is restricted', async () => {
    const { context } = fixedAnswers({ body: gatedPage(media({ user: { username: 'x', is_private: true } })) });
    expect(await refusalOf(permalinkPost.collect(params, context))).toMatchObject({
      code: 'SOURCE_RESTRICTED',
      about: 'resource',
    });
  });
});

describe('an Instagram post page with meta tags only', () => {
  const tags = {
    'og:url': address,
    'og:title': 'Paper Kite on Instagram: &quot;An invented &#064;friend &amp; a lake #calm&quot;',
    'og:description': '13.4K likes, 57 comments - paper.kite on January 2, 2026: &quot;An invented...&quot;',
    'og:image': 'https://scontent.cdninstagram.com/invented/crop.jpg?a=1&amp;oe=6B000000',
    'twitter:title': 'Paper Kite (&#064;paper.kite) &#x2022; Instagram photo',
    'instapp:owner_user_id': '424242',
  };

  test('an Instagram post page with meta tags only is an item with few fields, marked partial', async () => {
    const { record, partial, quality } = await collected(metaPage(tags, `https://www.instagram.com/p/${code}/`));
    expect(partial).toBe(true);
    expect(record).toMatchObject({
      id: code,
      platform_content_id: '3614066038397325312',
      author: 'paper.kite',
      author_id: '424242',
      author_display_name: 'Paper Kite',
      caption: 'An invented @friend & a lake #calm',
      likes: 13400,
      comments: 57,
      media_url: 'https://scontent.cdninstagram.com/invented/crop.jpg?a=1&oe=6B000000',
      published_at: null,
      media_type: null,
      children: null,
    });
    expect(record.hashtags).toMatchObject([{ name: 'calm', source: 'derived_text' }]);
    expect(quality).toMatchObject({ likes: 'rounded', views: 'not_exposed', children: 'not_exposed' });
    expect(quality).not.toHaveProperty('comments');
  });

  test('the author of an Instagram post page is read from its other meta tags when a tag is missing', async () => {
    const fewer = { ...tags, 'og:url': `https://www.instagram.com/p/${code}/`, 'twitter:title': '' };
    const { record } = await collected(metaPage(fewer));
    expect(record).toMatchObject({ author: 'paper.kite', author_display_name: 'Paper Kite' });
    const untitled = metaPage({ ...fewer, 'og:title': 'Instagram', 'og:description': 'Paper kites on a lake' });
    expect((await collected(untitled)).record).toMatchObject({ author: null, author_display_name: null });
  });

  test.each([
    ['paper.kite on January 2, 2026: &quot;A lake (@reed) on Instagram: “&quot;', null],
    ['1,234 likes, 5K comments – paper.kite on January 2, 2026', 1234],
    ['1,234 Likes, 57 Comments - @paper.kite on Instagram: “A lake”', 1234],
    ['1,234 Likes, 57 Comments - Paper &quot;P&quot; Kite (@paper.kite) on Instagram: “A lake”', 1234],
    ['Paper Kite (@paper.kite) on Instagram: &quot;A lake (@reed) on Instagram: &quot;', null],
  ])('the author is read from the description "%s" of a post page', async (description, likes) => {
    const { record } = await collected(
      metaPage({
        'og:url': `https://www.instagram.com/p/${code}/`,
        'og:title': 'Paper Kite on Instagram: “A lake #calm”',
        'og:description': description,
      }),
    );
    expect(record).toMatchObject({ author: 'paper.kite', author_display_name: 'Paper Kite', likes });
    expect(record.caption).toBe('A lake #calm');
  });

  test.each([
    ['13M likes, 57K comments - x', 13_000_000, 57_000, 'rounded', 'rounded'],
    ['1.1M likes, 1 comment - x', 1_100_000, 1, 'rounded', undefined],
    ['1,234 likes, 0 comments - x', 1234, 0, undefined, undefined],
    ['2B likes, 3 comments - x', 2_000_000_000, 3, 'rounded', undefined],
    ['1,234 Likes, 5k Comments - x', 1234, 5000, undefined, 'rounded'],
    ['57 comments - x', null, 57, 'hidden', undefined],
    ['57K comments - x', null, 57_000, 'hidden', 'rounded'],
    ['x on January 2, 2026: "5 likes, 6 comments - y"', null, null, 'not_exposed', 'not_exposed'],
    ['13 mil Me gusta, 57 comentarios - x', null, null, 'not_exposed', 'not_exposed'],
    ['1.2.3 likes - x', null, null, 'not_exposed', 'not_exposed'],
  ])(
    'the description "%s" of a post page is read exactly, never guessed',
    async (description, likes, comments, likesQuality, commentsQuality) => {
      const page = metaPage({ ...tags, 'og:description': description.replaceAll('"', '&quot;') });
      const { record, quality } = await collected(page);
      expect(record).toMatchObject({ likes, comments });
      expect([quality?.likes, quality?.comments]).toEqual([likesQuality, commentsQuality]);
    },
  );

  test.each([
    ['reel', 'video', 'reel'],
    ['tv', 'video', 'p'],
    ['p', null, 'p'],
  ])('a canonical path /%s/ of a post page means media type %s', async (path, mediaType, permalink) => {
    const { record } = await collected(metaPage(tags, `https://www.instagram.com/${path}/${code}/`));
    expect(record).toMatchObject({
      media_type: mediaType,
      permalink: `https://www.instagram.com/${permalink}/${code}/`,
    });
  });

  test('the account in the title of a post page replaces one that is missing in og:url, and a different title format gives no caption', async () => {
    const page = metaPage({ ...tags, 'og:url': `https://www.instagram.com/p/${code}/`, 'og:title': 'Instagram' });
    const { record } = await collected(page);
    expect(record).toMatchObject({ author: 'paper.kite', caption: null, hashtags: null, mentions: null });
  });

  test('meta tags are read although the media request in the post page failed', async () => {
    const { record, partial } = await collected(listedPage(null));
    expect([record.id, partial]).toEqual([code, true]);
  });
});

describe('refusals of an Instagram post page', () => {
  const page = (title: string, more = '') => `<html><head><title>${title}</title></head><body>${more}</body></html>`;
  const route = (name: string) =>
    `<script type="application/json">{"canonicalRouteName":"comet.igweb.${name}"}</script>`;
  const table: [string, FixedAnswer, string, 'us' | 'block' | 'resource'][] = [
    ['HTTP 404', { status: 404 }, 'RESOURCE_NOT_FOUND', 'resource'],
    ['the page "Page not found"', { body: page('Page not found • Instagram') }, 'RESOURCE_NOT_FOUND', 'resource'],
    [
      'the error route under HTTP 200',
      { body: page('Instagram', route('PolarisErrorRoute')) },
      'RESOURCE_NOT_FOUND',
      'resource',
    ],
    ['media hidden from visitors', { body: gatedPage(null) }, 'SOURCE_RESTRICTED', 'resource'],
    [
      'the page of the site root',
      { body: metaPage({ 'og:url': 'https://www.instagram.com/' }) },
      'SOURCE_RESTRICTED',
      'block',
    ],
    [
      'the page of another post',
      { body: metaPage({ 'og:url': 'https://www.instagram.com/p/Other000001/' }) },
      'SOURCE_RESPONSE_CHANGED',
      'us',
    ],
    ['a restricted profile', { body: page('Restricted profile') }, 'SOURCE_RESTRICTED', 'resource'],
    [
      'the shell without its data',
      { body: page('Instagram', route('PolarisPostRouteNext')) },
      'SOURCE_RESTRICTED',
      'block',
    ],
    ['the login page', { body: page('Login', '<a href="/accounts/login/">') }, 'SOURCE_RESTRICTED', 'block'],
    [
      'a redirect to the login',
      { status: 302, headers: { location: '/accounts/login/?next=%2Fp%2F' } },
      'SOURCE_RESTRICTED',
      'block',
    ],
    [
      '"Please wait"',
      { status: 401, body: { message: 'Please wait a few minutes before you try again.' } },
      'SOURCE_CAPACITY',
      'us',
    ],
    ['HTTP 500', { status: 500 }, 'SOURCE_UNAVAILABLE', 'us'],
    ['an empty body', {}, 'SOURCE_RESPONSE_CHANGED', 'us'],
    ['another page', { body: page('hello') }, 'SOURCE_RESPONSE_CHANGED', 'us'],
    ['JSON instead of HTML', { body: { status: 'ok' } }, 'SOURCE_RESPONSE_CHANGED', 'us'],
    ['incomplete media data', { body: gatedPage(media()).slice(0, -400) }, 'SOURCE_RESPONSE_CHANGED', 'us'],
  ];

  test.each(table)(
    'an answer of an Instagram post page has its own error: %s',
    async (_name, answer, refusalCode, about) => {
      const refusal = await refusalOf(permalinkPost.collect(params, fixedAnswers(answer).context));
      expect(refusal).toMatchObject({ code: refusalCode, about });
    },
  );
});
