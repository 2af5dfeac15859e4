import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createBreakers } from '../../../pipeline/collect/breaker.ts';
import { type Collector, collect, type SourceContext, type SourceCursor } from '../../../pipeline/collect/collect.ts';
import { photoHashtag, photoHashtagPosts } from '../../../pipeline/photo/collectors.ts';
import { describeRecorded, recordedFetcher, recordedFolder } from '../../recorded.ts';
import { type FixedAnswer, fixedAnswers, refusalOf } from './fixed-answers.ts';
import { graphError, graphMedia } from './fixtures/graph.ts';

const tag = 'papierdrachen';
const nodeId = '17840000000000001';
const found: FixedAnswer = { body: { data: [{ id: nodeId, name: tag }] } };

function media(index: number, more: object = {}): object {
  const absent = { username: undefined, timestamp: undefined, media_product_type: undefined };
  return graphMedia(index, { ...absent, ...more });
}

function page(rows: object[], after: string | null): FixedAnswer {
  return { body: { data: rows, ...(after === null ? {} : { paging: { cursors: { after }, next: 'unread' } }) } };
}

function run<P, R>(collector: Collector<P, R>, input: object, answers: FixedAnswer[]) {
  const { context, requests } = fixedAnswers(...answers);
  const params = collector.params.parse(input);
  const collected = collect(collector, params, { ...context, breakers: createBreakers({ now: context.now }) });
  return { collected, requests };
}

const posts = (answers: FixedAnswer[], at?: SourceCursor, limit = 3) =>
  run(photoHashtagPosts, { tag, limit, ...(at && { cursor: { source: 'instagram-graph', at } }) }, answers);

describe('an Instagram hashtag', () => {
  test('an Instagram hashtag has only id and name, and other fields are null and marked', async () => {
    const { collected, requests } = run(photoHashtag, { tag: '#Papierdrachen' }, [found]);
    const { record, quality, partial, source } = await collected;
    expect(record).toEqual({
      id: nodeId,
      name: tag,
      description: null,
      content_count: null,
      views: null,
      cover_url: null,
      permalink: `https://www.instagram.com/explore/tags/${tag}/`,
    });
    const notSaid = ['description', 'content_count', 'views', 'cover_url'];
    expect(quality).toEqual(Object.fromEntries(notSaid.map((field) => [field, 'not_exposed'])));
    expect([source, partial, requests.length]).toEqual(['instagram-graph', true, 1]);
    const url = new URL(requests[0]?.url ?? '');
    expect(url.pathname).toBe('/v25.0/ig_hashtag_search');
    expect([url.searchParams.get('q'), url.searchParams.get('user_id')]).toEqual([tag, '17841400000000001']);
  });

  test('an Instagram hashtag with an ID and no name is a changed answer, not a record of nulls', async () => {
    const { collected } = run(photoHashtag, { tag }, [{ body: { data: [{ id: nodeId }] } }]);
    expect((await refusalOf(collected)).code).toBe('SOURCE_RESPONSE_CHANGED');
  });

  test.each<[string, FixedAnswer, string]>([
    ['that the search does not find is missing', { body: { data: [] } }, 'RESOURCE_NOT_FOUND'],
    [
      'with another name is a changed answer',
      { body: { data: [{ id: '1', name: 'else' }] } },
      'SOURCE_RESPONSE_CHANGED',
    ],
    ['without an id is a changed answer', { body: { data: [{ name: tag }] } }, 'SOURCE_RESPONSE_CHANGED'],
    [
      'with an id that is no number is a changed answer',
      { body: { data: [{ id: 'a/b' }] } },
      'SOURCE_RESPONSE_CHANGED',
    ],
    ['that is not a list is a changed answer', { body: { data: {} } }, 'SOURCE_RESPONSE_CHANGED'],
    [
      'without public content access needs a credential',
      { status: 400, body: graphError(10) },
      'SOURCE_NOT_CONFIGURED',
    ],
    ['past a limit is a throttle', { status: 403, body: graphError(4) }, 'SOURCE_CAPACITY'],
    [
      'refused in general words is a changed answer',
      { status: 400, body: graphError(9999) },
      'SOURCE_RESPONSE_CHANGED',
    ],
    [
      'whose fields are refused is not requested again',
      { status: 400, body: graphError(100) },
      'SOURCE_RESPONSE_CHANGED',
    ],
  ])('an Instagram hashtag %s', async (_name, answer, code) => {
    const { collected, requests } = run(photoHashtag, { tag }, [answer]);
    expect(await refusalOf(collected)).toMatchObject({ code });
    expect(requests).toHaveLength(1);
  });

  test.each([{ tag: 'a b' }, { tag: 'a/b' }, { tag: '' }, {}, { tag, handle: 'x' }])(
    'the hashtag %j is refused',
    (input) => {
      for (const { params } of [photoHashtag, photoHashtagPosts]) expect(params.safeParse(input).success).toBe(false);
    },
  );
});

describe('the posts of an Instagram hashtag', () => {
  test('the posts of an Instagram hashtag are a whole page of its top media, without authors and dates', async () => {
    const rows = [media(1), media(2), media(3, { like_count: undefined }), media(4)];
    const { collected, requests } = posts([found, page(rows, null)]);
    const { record, quality, partial, next } = await collected;
    expect(record.map((item) => [item.id, item.likes])).toEqual([
      ['Inv00000001', 101],
      ['Inv00000002', 102],
      ['Inv00000003', null],
      ['Inv00000004', 104],
    ]);
    expect(record[0]).toMatchObject({ author: null, author_id: null, published_at: null, mentions: null });
    expect(quality).toMatchObject({
      '0.author': 'not_exposed',
      '0.published_at': 'not_exposed',
      '0.mentions': 'not_exposed',
      '0.media_product_type': 'not_exposed',
      '2.likes': 'hidden',
    });
    expect([partial, next]).toEqual([true, null]);
    const urls = requests.map(({ url }) => new URL(url));
    expect(urls.map(({ pathname }) => pathname)).toEqual(['/v25.0/ig_hashtag_search', `/v25.0/${nodeId}/top_media`]);
    expect(urls[1]?.searchParams.get('limit')).toBe('50');
  });

  test('an album among the posts of an Instagram hashtag shows its first picture', async () => {
    const data = [{ id: '1', media_type: 'IMAGE', media_url: 'https://x.cdninstagram.com/a.jpg' }];
    const album = media(1, { media_type: 'CAROUSEL_ALBUM', media_url: undefined, children: { data } });
    const { record } = await posts([found, page([album], null)]).collected;
    expect(record[0]).toMatchObject({ media_type: 'carousel', media_url: data[0]?.media_url });
    expect(record[0]?.children).toHaveLength(1);
  });

  test('the posts of an Instagram hashtag continue with one call for each page, with a cursor that counts the rows', async () => {
    const first = await posts([found, page([media(1), media(2)], 'one')]).collected;
    expect(first.next?.at).toMatchObject({ hashtag_id: nodeId, after: 'one', seen: 2 });
    const { collected, requests } = posts([page([media(3)], null)], first.next?.at);
    expect((await collected).record.map((item) => item.id)).toEqual(['Inv00000003']);
    expect((await collected).next).toBeNull();
    expect(requests.map(({ url }) => new URL(url).searchParams.get('after'))).toEqual(['one']);
  });

  test('the posts of an Instagram hashtag continue although the cursor repeats, as long as the rows are new', async () => {
    const first = await posts([found, page([media(1)], 'same')]).collected;
    const second = await posts([page([media(2)], 'same')], first.next?.at).collected;
    expect(second.next?.at).toMatchObject({ after: 'same', seen: 2 });
  });

  test('the posts of an Instagram hashtag end when the page repeats, when it is empty, and after five hundred', async () => {
    const first = await posts([found, page([media(1), media(2)], 'same')]).collected;
    const again = await posts([page([media(1), media(2)], 'same')], first.next?.at).collected;
    expect([again.record, again.next]).toEqual([[], null]);
    const empty = await posts([page([], 'more')], first.next?.at).collected;
    expect([empty.record, empty.next]).toEqual([[], null]);
    const late = { ...first.next?.at, seen: 499 };
    expect((await posts([page([media(3)], 'more')], late).collected).next).toBeNull();
  });

  const at = { hashtag_id: nodeId, after: 'one', seen: 2, last: '1' };
  test.each([{}, { ...at, hashtag_id: '1/x' }, { ...at, after: null }, { ...at, after: 'a b' }, { ...at, seen: 0 }])(
    'the cursor %j of Instagram hashtag posts is refused without a request',
    async (foreign) => {
      const { collected, requests } = posts([], foreign);
      expect(await refusalOf(collected)).toMatchObject({ code: 'INVALID_INPUT' });
      expect(requests).toHaveLength(0);
    },
  );

  test.each<[string, FixedAnswer[], string]>([
    ['without a list are a changed answer', [found, { body: {} }], 'SOURCE_RESPONSE_CHANGED'],
    ['with an invalid cursor are a changed answer', [found, page([media(1)], 'a b')], 'SOURCE_RESPONSE_CHANGED'],
    ['of a tag that is not found are missing', [{ body: { data: [] } }], 'RESOURCE_NOT_FOUND'],
  ])('posts of an Instagram hashtag %s', async (_name, answers, code) => {
    expect(await refusalOf(posts(answers).collected)).toMatchObject({ code });
  });
});

/** Returns the picture of an album, which is the first picture among its children. A video file is not a picture. */
function pictureIn(children: { media_type: string; media_url: string }[]): string | null {
  return children.find(({ media_type }) => media_type === 'IMAGE')?.media_url ?? null;
}

describeRecorded('over the recorded hashtag', () => {
  const json = (file: string) => JSON.parse(readFileSync(join(recordedFolder, 'photo', file), 'utf8'));
  const context = (): SourceContext => ({ ...fixedAnswers().context, fetch: recordedFetcher() });
  const input = { tag: 'developers', limit: 20 };

  test('the recorded Instagram hashtag has the id and name in its file', async () => {
    const params = photoHashtag.params.parse({ tag: input.tag });
    const { record } = await collect(photoHashtag, params, { ...context(), breakers: createBreakers() });
    expect(record).toMatchObject(json('graph.hashtag-search.json').data[0]);
  });

  test('every recorded post of an Instagram hashtag has the recorded values, in the recorded order', async () => {
    const params = photoHashtagPosts.params.parse(input);
    const { record, next } = await collect(photoHashtagPosts, params, { ...context(), breakers: createBreakers() });
    const { data, paging } = json('graph.hashtag-top-media.p1.json');
    expect(record).toHaveLength(data.length);
    for (const [row, sent] of data.entries()) {
      const children = sent.children?.data;
      expect(record[row]).toMatchObject({
        id: sent.permalink.split('/')[4],
        permalink: sent.permalink,
        caption: sent.caption,
        likes: sent.like_count,
        comments: sent.comments_count,
        media_url: sent.media_url ?? pictureIn(children),
        author: null,
        published_at: null,
      });
      expect(record[row]?.children?.length).toBe(children?.length);
    }
    expect(next?.at).toMatchObject({ after: paging.cursors.after, seen: data.length });
  });
});
