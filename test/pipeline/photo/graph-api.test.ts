import { describe, expect, test } from 'vitest';
import { graphPost, graphPosts, graphProfileSource } from '../../../pipeline/photo/graph/client.ts';
import { photoProfileRecord } from '../../../pipeline/records/photo.ts';
import { type FixedAnswer, fixedAnswers, refusalOf, token } from './fixed-answers.ts';
import { discovery, graphMedia } from './fixtures/graph.ts';

const handle = 'paper.kite';
const firstPage = { handle, limit: 3, cursor: null };
const rows = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => graphMedia(from + i));
const fieldsOf = (url: string | undefined) => new URL(url ?? '').searchParams.get('fields') ?? '';

describe('the request to the official Instagram API', () => {
  test('the official Instagram request has the pinned version, the account of the operator and the handle without @ in lower case', async () => {
    const { context, requests } = fixedAnswers({ body: discovery([], null) });
    await graphProfileSource.collect({ handle: '@Paper.Kite' }, context);
    const url = new URL(requests[0]?.url ?? '');
    expect(url.origin + url.pathname).toBe('https://graph.facebook.com/v25.0/17841400000000001');
    expect(url.searchParams.get('access_token')).toBe(token);
    expect(fieldsOf(requests[0]?.url)).toMatch(
      /^business_discovery\.username\(paper\.kite\)\{id,ig_id,.*media_count\}$/,
    );
  });

  test('the official Instagram request has the limit and, after the first page, the upstream cursor', async () => {
    const { context, requests } = fixedAnswers(
      { body: discovery(rows(0, 3), 'QVFI') },
      { body: discovery(rows(3, 6), null) },
    );
    const first = await graphPosts.collect(firstPage, context);
    await graphPosts.collect({ ...firstPage, cursor: { source: 'instagram-graph', at: first.next ?? {} } }, context);
    expect(fieldsOf(requests[0]?.url)).toContain('media.limit(3){id,');
    expect(fieldsOf(requests[1]?.url)).toContain('media.limit(3).after(QVFI){id,');
  });
});

describe('the official Instagram profile', () => {
  test('the official Instagram profile has the numeric account id, never the id of the Graph API', async () => {
    const { record } = await graphProfileSource.collect(
      { handle },
      fixedAnswers({ body: discovery([], null) }).context,
    );
    expect(photoProfileRecord.parse(record)).toMatchObject({
      id: '424242',
      following: 0,
      follower_count_is_rounded: false,
    });
    const without = fixedAnswers({ body: discovery([], null, { ig_id: undefined }) });
    expect((await graphProfileSource.collect({ handle }, without.context)).record.id).toBeNull();
  });

  test('the official Instagram profile has null where a key is missing or has the wrong type', async () => {
    const broken = {
      followers_count: 'many',
      name: ['x'],
      website: 7,
      profile_picture_url: null,
      follows_count: undefined,
    };
    const { record } = await graphProfileSource.collect(
      { handle },
      fixedAnswers({ body: discovery([], null, broken) }).context,
    );
    expect(record).toMatchObject({
      followers: null,
      follower_count_is_rounded: null,
      display_name: null,
      external_url: null,
      avatar_url: null,
      avatar_variants: null,
      following: null,
      verified: null,
      private: null,
    });
  });
});

describe('the official list of Instagram posts', () => {
  async function one(media: object) {
    const answer = await graphPosts.collect(firstPage, fixedAnswers({ body: discovery([media], null) }).context);
    return { item: answer.record[0], quality: answer.quality };
  }

  test.each([undefined, null])(
    'likes of official Instagram posts that are %s are null and marked hidden, and a count of 0 stays 0',
    async (sent) => {
      const { item, quality } = await one(graphMedia(0, { like_count: sent }));
      expect(item).toMatchObject({ likes: null, comments: 0 });
      expect(quality).toEqual({ '0.likes': 'hidden' });
    },
  );

  test('a likes count that cannot be read is null and not marked hidden', async () => {
    const { item, quality } = await one(graphMedia(0, { like_count: 'n/a' }));
    expect(item?.likes).toBeNull();
    expect(quality).toEqual({});
  });

  test('mentions in official Instagram posts are unknown, because the source strips the @ from captions', async () => {
    const { item } = await one(graphMedia(1));
    expect(item?.mentions).toBeNull();
    expect(item?.hashtags).toEqual([{ name: 'wind', id: null, source: 'derived_text' }]);
    expect(graphPosts.not_exposed).toContain('mentions');
  });

  test('an official Instagram video has its file as video_url and its thumbnail as preview', async () => {
    const file = 'https://scontent.cdninstagram.com/invented/v.mp4';
    const video = graphMedia(1, { media_type: 'VIDEO', media_url: file, thumbnail_url: `${file}.jpg`, view_count: 12 });
    const { item, quality } = await one(video);
    expect(item).toMatchObject({ media_type: 'video', video_url: file, media_url: `${file}.jpg`, views: 12 });
    expect(item?.media_product_type).toBe('feed');
    expect(quality).toEqual({});
  });

  test('an official Instagram video without file, thumbnail and view count marks them', async () => {
    const { item, quality } = await one(graphMedia(1, { media_type: 'VIDEO', media_url: undefined }));
    expect(item).toMatchObject({ views: null, media_url: null, video_url: null, media_assets: null });
    expect(quality).toEqual({ '0.views': 'not_exposed', '0.media_url': 'not_exposed', '0.video_url': 'not_exposed' });
  });

  test('children of an official Instagram carousel have the media id of their own code, in order', async () => {
    const data = [
      {
        id: '1',
        media_type: 'IMAGE',
        media_url: 'https://x.cdninstagram.com/a.jpg',
        permalink: 'https://www.instagram.com/p/B-NYjoGpQqC/',
      },
      {
        id: '2',
        media_type: 'VIDEO',
        media_url: 'https://x.cdninstagram.com/b.mp4',
        permalink: 'https://www.instagram.com/p/CAG3E8-A3wf/',
      },
      {
        id: '3',
        media_type: 'IMAGE',
        media_url: 'https://x.cdninstagram.com/c.jpg',
        permalink: 'https://www.instagram.com/p/Inv00000001/',
      },
    ];
    const { item } = await one(
      graphMedia(1, { media_type: 'CAROUSEL_ALBUM', media_url: undefined, children: { data } }),
    );
    expect(item?.media_url).toBe(data[0]?.media_url);
    expect(item?.children).toMatchObject([
      { id: '2273581388251073154', position: 0, media_type: 'image', media_url: data[0]?.media_url, video_url: null },
      { id: '2307774091974900767', position: 1, media_type: 'video', media_url: null, video_url: data[1]?.media_url },
      { id: null, position: 2 },
    ]);
  });

  test('an official album without picture has the first picture of its items, and is marked without any', async () => {
    const clip = { media_type: 'VIDEO', media_url: 'https://x.cdninstagram.com/a.mp4' };
    const photo = { media_type: 'IMAGE', media_url: 'https://x.cdninstagram.com/b.jpg' };
    const album = (data: object[]) =>
      one(graphMedia(1, { media_type: 'CAROUSEL_ALBUM', media_url: undefined, children: { data } }));
    expect((await album([clip, photo])).item?.media_url).toBe(photo.media_url);
    const { item, quality } = await album([clip]);
    expect([item?.media_url, quality]).toEqual([null, { '0.media_url': 'not_exposed' }]);
  });

  test('a post of a co-author does not get the Instagram account of the list as its author', async () => {
    const { item } = await one(graphMedia(1, { username: 'someone.else' }));
    expect(item).toMatchObject({ author: 'someone.else', author_id: null, author_display_name: null });
  });

  test('an official post without permalink is left out with a warning, and never has the id of the Graph API', async () => {
    const { context } = fixedAnswers({
      body: discovery([graphMedia(1, { permalink: undefined }), graphMedia(2)], null),
    });
    const { record, partial, warnings } = await graphPosts.collect(firstPage, context);
    expect(record.map(({ id }) => id)).toEqual(['Inv00000002']);
    expect([partial, warnings]).toEqual([true, ['Left out 1 of 2 rows: unknown format, or a text that is too long.']]);
  });

  test('fewer official Instagram posts than requested, while there are more, are partial with a warning', async () => {
    const { context } = fixedAnswers({ body: discovery([graphMedia(1)], 'more') });
    const { partial, at_end } = await graphPosts.collect({ ...firstPage, limit: 3 }, context);
    const sentence = 'The platform returned 1 of the 3 requested rows: continue with next_cursor.';
    expect([partial, at_end]).toEqual([true, sentence]);
  });

  test('an official Instagram answer about another account is a changed answer', async () => {
    const { context } = fixedAnswers({ body: discovery([graphMedia(1)], null, { username: 'someone.else' }) });
    expect((await refusalOf(graphPosts.collect(firstPage, context))).code).toBe('SOURCE_RESPONSE_CHANGED');
  });

  test('an empty Instagram account is an empty list without a next page', async () => {
    const { context } = fixedAnswers({ body: discovery([], null, { media: undefined, media_count: 0 }) });
    expect(await graphPosts.collect(firstPage, context)).toMatchObject({ record: [], next: null });
  });

  test('an Instagram account with a post count and without a list is a changed answer', async () => {
    const { context } = fixedAnswers({ body: discovery([], null, { media: undefined, media_count: 5 }) });
    expect((await refusalOf(graphPosts.collect(firstPage, context))).code).toBe('SOURCE_RESPONSE_CHANGED');
  });
});

describe('the cursor of official Instagram posts', () => {
  async function walk(limit: number, answers: FixedAnswer[]) {
    const { context, requests } = fixedAnswers(...answers);
    const seen: (string | null)[][] = [];
    let cursor = null as Parameters<typeof graphPosts.collect>[0]['cursor'];
    do {
      const answer = await graphPosts.collect({ handle, limit, cursor }, context);
      seen.push(answer.record.map((item) => item.id));
      cursor = answer.next ? { source: 'instagram-graph', at: answer.next } : null;
    } while (cursor !== null && seen.length < 20);
    return { seen, requests };
  }

  test('the cursor of official Instagram posts continues through every page to null, with each row once', async () => {
    const { seen } = await walk(2, [
      { body: discovery(rows(0, 2), 'one') },
      { body: discovery(rows(2, 3), 'two') },
      { body: discovery(rows(3, 5), null) },
    ]);
    expect(seen.map((page) => page.length)).toEqual([2, 1, 2]);
    expect(new Set(seen.flat()).size).toBe(5);
  });

  test('the cursor of official Instagram posts returns rows beyond the limit before it follows the upstream cursor', async () => {
    const wide = { body: discovery(rows(0, 5), 'one') };
    const { seen } = await walk(2, [wide, wide, wide, { body: discovery([], null) }]);
    expect(seen.map((page) => page.length)).toEqual([2, 2, 1, 0]);
    expect(new Set(seen.flat()).size).toBe(5);
  });

  test('the list of official Instagram posts ends when the source repeats its cursor', async () => {
    const { seen } = await walk(1, [{ body: discovery(rows(0, 1), 'same') }, { body: discovery(rows(1, 2), 'same') }]);
    expect(seen).toHaveLength(2);
  });

  test('an upstream Instagram cursor in an invalid format is a changed answer', async () => {
    const { context } = fixedAnswers({ body: discovery(rows(0, 1), 'x){id}') });
    expect((await refusalOf(graphPosts.collect(firstPage, context))).code).toBe('SOURCE_RESPONSE_CHANGED');
  });

  test.each([{ after: 'x){id}' }, { after: 5 }, { after: 'ok', skip: -1 }, { skip: 0.5 }])(
    'the Instagram cursor %j is refused without a request',
    async (at) => {
      const { context, requests } = fixedAnswers();
      const cursor = { source: 'instagram-graph', at };
      expect((await refusalOf(graphPosts.collect({ ...firstPage, cursor }, context))).code).toBe('INVALID_INPUT');
      expect(requests).toHaveLength(0);
    },
  );
});

describe('an official Instagram post of a known author', () => {
  const params = { shortcode: 'Inv00000051', author: handle };

  test('an official post of a known author is searched in at most two pages of 50', async () => {
    const { context, requests } = fixedAnswers(
      { body: discovery(rows(0, 50), 'one') },
      { body: discovery(rows(50, 60), null) },
    );
    expect((await graphPost.collect(params, context)).record).toMatchObject({ id: params.shortcode, likes: 151 });
    expect(requests.map(({ url }) => /media\.limit\(50\)/.test(fieldsOf(url)))).toEqual([true, true]);
  });

  test('an official post that is found on the first page costs one call', async () => {
    const { context, requests } = fixedAnswers({ body: discovery(rows(50, 60), 'one') });
    await graphPost.collect(params, context);
    expect(requests).toHaveLength(1);
  });

  test('an official post that is not in the complete list is a 404 that is not final', async () => {
    const refusal = await refusalOf(
      graphPost.collect(params, fixedAnswers({ body: discovery(rows(0, 5), null) }).context),
    );
    expect(refusal).toMatchObject({ code: 'RESOURCE_NOT_FOUND', about: 'us' });
  });

  test('an official post of an unknown author is not searched', async () => {
    const { context, requests } = fixedAnswers();
    const refusal = await refusalOf(graphPost.collect({ ...params, author: null }, context));
    expect(refusal).toMatchObject({ code: 'SOURCE_NOT_CONFIGURED', about: 'reach' });
    expect(requests).toHaveLength(0);
  });

  test('an official post that is not in two pages is not reported as missing', async () => {
    const { context, requests } = fixedAnswers(
      { body: discovery(rows(0, 50), 'one') },
      { body: discovery(rows(100, 150), 'two') },
    );
    expect(await refusalOf(graphPost.collect(params, context))).toMatchObject({
      code: 'SOURCE_NOT_CONFIGURED',
      about: 'reach',
    });
    expect(requests).toHaveLength(2);
  });
});
