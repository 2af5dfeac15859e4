import { describe, expect, test } from 'vitest';
import { createBreakers } from '../../../pipeline/collect/breaker.ts';
import { type Collector, collect } from '../../../pipeline/collect/collect.ts';
import {
  photoPost,
  photoPostChildren,
  photoPosts,
  photoProfile,
  photoUserPosts,
} from '../../../pipeline/photo/collectors.ts';
import { type FixedAnswer, fixedAnswers, refusalOf, token } from './fixed-answers.ts';
import { discovery, graphError, graphMedia } from './fixtures/graph.ts';
import { carousel, code, gatedPage, media, metaPage } from './fixtures/v1-media.ts';
import { node, twelveOfMany, user } from './fixtures/web-user.ts';

const handle = 'paper.kite';
const missing = { status: 400, body: graphError(110, 2207013) };
const loginRedirect = { status: 302, headers: { location: '/accounts/login/' } };
const throttle = { status: 429, body: { message: 'Please wait a few minutes before you try again.' } };
const poorTags = {
  'og:url': `https://www.instagram.com/${handle}/p/${code}/`,
  'og:description': '13K likes, 5 comments - an invented caption',
};
const poorPage = { body: metaPage(poorTags) };

interface Setting {
  official?: boolean;
  keyless?: boolean;
}

/** Collects from Instagram sources with invented answers, and records the requests. */
function run<P, R>(collector: Collector<P, R>, input: unknown, answers: FixedAnswer[], setting: Setting = {}) {
  const { official = true, keyless = true } = setting;
  const { context, requests } = fixedAnswers(...answers);
  const config = {
    ...context.config,
    instagram_graph_token: official ? token : null,
    keyless: () => keyless,
  };
  const breakers = createBreakers({ now: context.now });
  const collected = collect(collector, collector.params.parse(input), { ...context, config, breakers });
  const paths = () => requests.map(({ url }) => new URL(url).pathname.split('/').filter(Boolean).slice(-1)[0]);
  return { collected, breakers, paths };
}

const graphPath = '17841400000000001';
const listPath = 'web_profile_info';

describe('the parameters of the Instagram collectors', () => {
  test.each([
    [photoProfile, { handle: 'a b' }],
    [photoProfile, { handle: 'x'.repeat(31) }],
    [photoProfile, { handle: 'paper.kite){id}' }],
    [photoProfile, {}],
    [photoPosts, { handle, limit: 0 }],
    [photoPosts, { handle, limit: 101 }],
    [photoPosts, { handle, limit: 1.5 }],
    [photoPosts, { handle, cursor: 'text' }],
    [photoPost, { shortcode: 'abcd' }],
    [photoPost, { shortcode: 'x'.repeat(29) }],
    [photoPost, { shortcode: code, author: 'a/b' }],
    [photoPost, { shortcode: code, url: 'x' }],
  ])('invalid parameters of an Instagram collector are refused (example %#)', (collector, input) => {
    expect(collector.params.safeParse(input).success).toBe(false);
  });

  test('the Instagram list routes have a default limit, and no cursor or author by default', () => {
    expect(photoPosts.params.parse({ handle })).toEqual({ handle, limit: 3, cursor: null });
    expect(photoPostChildren.params.parse({ shortcode: code })).toEqual({
      shortcode: code,
      author: null,
      limit: 3,
      cursor: null,
    });
  });
});

describe('the Instagram profile', () => {
  test('an Instagram profile comes from the official source when it is configured, and only from it', async () => {
    const { collected, paths } = run(photoProfile, { handle }, [{ body: discovery([], null) }]);
    expect(await collected).toMatchObject({
      source: 'instagram-graph',
      quality: { verified: 'not_exposed', private: 'not_exposed', account_type: 'not_exposed' },
    });
    expect(paths()).toEqual([graphPath]);
  });

  test('an Instagram profile without any count, or of another account, is a changed answer', async () => {
    const empty = { followers_count: undefined, follows_count: undefined, media_count: undefined };
    for (const more of [empty, { username: 'someone.else' }, { username: undefined }]) {
      const { collected } = run(photoProfile, { handle }, [{ body: discovery([], null, more) }], { keyless: false });
      expect(await refusalOf(collected)).toMatchObject({ code: 'SOURCE_RESPONSE_CHANGED' });
    }
  });

  test('an Instagram profile comes from the website when the official source is not configured', async () => {
    const { collected, paths } = run(photoProfile, { handle }, [{ body: user([]) }], { official: false });
    expect(await collected).toMatchObject({ source: 'instagram-web', quality: {}, partial: false });
    expect(paths()).toEqual([listPath]);
  });

  test('a profile that may be a personal account for the official Instagram source is requested from the website', async () => {
    const { collected } = run(photoProfile, { handle }, [missing, { body: user([]) }]);
    expect(await collected).toMatchObject({ source: 'instagram-web' });
  });

  test('an Instagram profile is 404 when no other source is allowed', async () => {
    const { collected } = run(photoProfile, { handle }, [missing], { keyless: false });
    expect(await refusalOf(collected)).toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
  });

  test('an Instagram profile is unavailable without credentials and without the website', async () => {
    const { collected, paths } = run(photoProfile, { handle }, [], { official: false, keyless: false });
    expect(await refusalOf(collected)).toMatchObject({ code: 'SOURCE_UNAVAILABLE' });
    expect(paths()).toEqual([]);
  });
});

describe.each([photoPosts, photoUserPosts])('the Instagram list $name', (collector) => {
  test('a cursor of Instagram posts is used by the source that made it, even when another source comes first', async () => {
    const first = run(collector, { handle, limit: 5 }, [missing, { body: twelveOfMany() }]);
    const { next } = await first.collected;
    expect(next).toMatchObject({ source: 'instagram-web' });
    const second = run(collector, { handle, limit: 5, cursor: next }, [{ body: twelveOfMany() }]);
    expect((await second.collected).record.map((item) => item.id)).toContain('Inv00000005');
    expect(second.paths()).toEqual([listPath]);
  });

  test('Instagram reels are listed among the posts', async () => {
    const reel = node(2, { __typename: 'GraphVideo', is_video: true, product_type: 'clips' });
    const { collected } = run(collector, { handle }, [{ body: user([node(1), reel]) }], { official: false });
    expect((await collected).record.map((item) => item.media_product_type)).toEqual([null, 'clips']);
  });

  test('quality paths of Instagram posts begin with the row index', async () => {
    const body = discovery([graphMedia(0), graphMedia(1, { like_count: undefined })], null);
    const { quality } = await run(collector, { handle }, [{ body }]).collected;
    expect(quality).toMatchObject({ '1.likes': 'hidden', '0.location': 'not_exposed', '1.mentions': 'not_exposed' });
    expect(quality).not.toHaveProperty(['0.likes']);
  });

  test('a private Instagram account is final: no other source is tried', async () => {
    const { collected } = run(collector, { handle }, [missing, { body: user([], { is_private: true }) }]);
    expect(await refusalOf(collected)).toMatchObject({ code: 'SOURCE_RESTRICTED', about: 'resource' });
  });
});

describe('an Instagram post', () => {
  const known = { shortcode: 'Inv00000003', author: handle };
  const unknown = { shortcode: code };

  test('an Instagram post of a known author comes from the official source in one call', async () => {
    const { collected, paths } = run(photoPost, known, [{ body: discovery([graphMedia(3)], 'more') }]);
    expect(await collected).toMatchObject({ source: 'instagram-graph', record: { id: known.shortcode } });
    expect(paths()).toEqual([graphPath]);
  });

  test('an Instagram post of an unknown author skips the official source', async () => {
    const { collected, paths } = run(photoPost, unknown, [{ body: gatedPage(media()) }]);
    expect(await collected).toMatchObject({ source: 'instagram-post-page', partial: false });
    expect(paths()).toEqual([code]);
  });

  test('an Instagram post that the official source does not find comes from its page', async () => {
    const older = Array.from({ length: 50 }, (_, index) => graphMedia(100 + index));
    const page = { body: gatedPage(media()) };
    const answers = [{ body: discovery(older, 'one') }, { body: discovery(older, 'two') }, page];
    const { collected, paths } = run(photoPost, { shortcode: code, author: handle }, answers);
    expect(await collected).toMatchObject({ source: 'instagram-post-page' });
    expect(paths()).toEqual([graphPath, graphPath, code]);
  });

  test('an Instagram post with meta tags only is partial, without further requests', async () => {
    const { collected, paths } = run(photoPost, { ...unknown, author: handle }, [poorPage], { official: false });
    expect(await collected).toMatchObject({ partial: true, quality: { views: 'not_exposed' } });
    expect(paths()).toEqual([code]);
  });

  test.each([
    ['a throttle', throttle],
    ['a server error', { status: 503 }],
    ['an unknown page', { body: '<p>new</p>' }],
  ])(
    'an Instagram post whose page fails with %s is found among the newest posts of its known author',
    async (_name, failure) => {
      const { collected, paths } = run(photoPost, known, [failure, { body: twelveOfMany() }], { official: false });
      expect(await collected).toMatchObject({ source: 'instagram-web', record: { id: known.shortcode } });
      expect(paths()).toEqual([known.shortcode, listPath]);
    },
  );

  test.each([
    ['not among the newest', { body: user([]) }],
    ['of a renamed author', { status: 404 }],
  ])('an Instagram post whose page fails and that is %s has the error of its page', async (_name, list) => {
    const { collected } = run(photoPost, known, [{ status: 503 }, list], { official: false });
    expect(await refusalOf(collected)).toMatchObject({ code: 'SOURCE_UNAVAILABLE', about: 'us' });
  });

  test('an Instagram post whose source is paused has the seconds to wait', async () => {
    const { collected, breakers } = run(photoPost, { shortcode: code }, [throttle], { official: false });
    await refusalOf(collected);
    const { context } = fixedAnswers();
    const config = { ...context.config, instagram_graph_token: null };
    const again = collect(photoPost, { shortcode: code, author: null }, { ...context, config, breakers });
    expect(await refusalOf(again)).toMatchObject({ code: 'SOURCE_CAPACITY', retry_after_seconds: 300 });
  });

  test.each([
    ['a login wall', loginRedirect, 'SOURCE_RESTRICTED'],
    ['not found', { status: 404 }, 'RESOURCE_NOT_FOUND'],
    ['media hidden from visitors', { body: gatedPage(null) }, 'SOURCE_RESTRICTED'],
  ])('an Instagram post with %s is final: no other source is tried', async (_name, answer, refusalCode) => {
    const { collected, paths } = run(photoPost, { ...unknown, author: handle }, [answer], { official: false });
    expect(await refusalOf(collected)).toMatchObject({ code: refusalCode });
    expect(paths()).toHaveLength(1);
  });

  test('an Instagram post of an unknown author behind a login wall costs one call and has the status of the block', async () => {
    const { collected, paths } = run(photoPost, unknown, [loginRedirect]);
    expect(await refusalOf(collected)).toMatchObject({ code: 'SOURCE_RESTRICTED' });
    expect(paths()).toEqual([code]);
  });

  test('an Instagram post of an unknown author is 503 when the official source is the only one', async () => {
    const { collected } = run(photoPost, unknown, [], { keyless: false });
    expect(await refusalOf(collected)).toMatchObject({ code: 'SOURCE_NOT_CONFIGURED' });
  });
});

describe('the circuit breaker of the Instagram sources', () => {
  const params = { shortcode: code };
  test.each<[string, FixedAnswer, number]>([
    ['a block counts', loginRedirect, 1],
    ['the page of the site root counts', { body: metaPage({ 'og:url': 'https://www.instagram.com/' }) }, 1],
    ['a post hidden from visitors does not', { body: gatedPage(null) }, 0],
    ['a restricted profile does not', { body: '<title>Restricted profile</title>' }, 0],
    ['a post of a private account does not', { body: gatedPage(media({ user: { is_private: true } })) }, 0],
    ['a missing post does not', { status: 404 }, 0],
  ])(
    'the circuit breaker of the Instagram sources counts only blocks: %s',
    async (_name, answer, consecutiveFailures) => {
      const { collected, breakers } = run(photoPost, params, [answer], { official: false });
      await refusalOf(collected);
      expect(breakers.state()).toMatchObject([
        { source: 'instagram-post-page', consecutive_failures: consecutiveFailures },
      ]);
    },
  );

  test('one "Please wait a few minutes" of Instagram opens the circuit breaker for minutes', async () => {
    const { collected, breakers } = run(photoPosts, { handle }, [throttle], { official: false });
    expect(await refusalOf(collected)).toMatchObject({ code: 'SOURCE_CAPACITY', retry_after_seconds: 300 });
    expect(breakers.state()).toMatchObject([{ state: 'open', open_until: '2026-11-20T10:05:00.000Z' }]);
  });
});

describe('children of an Instagram carousel', () => {
  const params = { shortcode: code, author: handle };
  const sidecar = {
    __typename: 'GraphSidecar',
    shortcode: code,
    edge_sidecar_to_children: { edges: [{ node: { id: '11', is_video: false } }] },
  };

  test('children of an Instagram carousel come in order', async () => {
    const { collected } = run(photoPostChildren, { shortcode: code }, [{ body: gatedPage(carousel()) }]);
    const { record, next } = await collected;
    expect(record.map((child) => [child.position, child.media_type])).toEqual([
      [0, 'image'],
      [1, 'video'],
    ]);
    expect(next).toBeNull();
  });

  test('children of a carousel come from the official Instagram source without sizes, which it never has', async () => {
    const data = [{ id: '1', media_type: 'IMAGE', media_url: 'https://x.cdninstagram.com/a.jpg' }];
    const album = graphMedia(3, { media_type: 'CAROUSEL_ALBUM', children: { data } });
    const { collected } = run(photoPostChildren, { shortcode: 'Inv00000003', author: handle }, [
      { body: discovery([album], null) },
    ]);
    expect(await collected).toMatchObject({
      source: 'instagram-graph',
      record: [{ position: 0, media_type: 'image' }],
      quality: { '0.width': 'not_exposed', '0.height': 'not_exposed' },
    });
  });

  test('the children of an Instagram picture are an empty list', async () => {
    const { collected } = run(photoPostChildren, { shortcode: code }, [{ body: gatedPage(media()) }]);
    expect(await collected).toMatchObject({ record: [], partial: false });
  });

  test('children that the page does not have are searched in the newest posts of the Instagram author', async () => {
    const answers = [poorPage, { body: user([node(1), node(2, sidecar)]) }];
    const { collected, paths } = run(photoPostChildren, params, answers, { official: false });
    expect((await collected).record).toMatchObject([{ id: '11', position: 0 }]);
    expect(paths()).toEqual([code, listPath]);
  });

  test('children that no Instagram source shows are restricted, which does not count as a failure of the source', async () => {
    const { collected, breakers } = run(photoPostChildren, { shortcode: code }, [poorPage], { official: false });
    expect(await refusalOf(collected)).toMatchObject({ code: 'SOURCE_RESTRICTED', about: 'reach' });
    expect(breakers.state()).toMatchObject([
      { source: 'instagram-post-page', consecutive_failures: 0 },
      { source: 'instagram-web', consecutive_failures: 0 },
    ]);
  });
});
