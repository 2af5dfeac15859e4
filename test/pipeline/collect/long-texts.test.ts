import { describe, expect, test } from 'vitest';
import { adlibraryCompanyAds } from '../../../pipeline/adlibrary/collectors.ts';
import { type Collector, collect } from '../../../pipeline/collect/collect.ts';
import { longvideoSearch } from '../../../pipeline/longvideo/collectors.ts';
import { microblogUserPosts } from '../../../pipeline/microblog/collectors.ts';
import { photoHashtagPosts, photoPost, photoPosts, photoReels } from '../../../pipeline/photo/collectors.ts';
import { textLimits } from '../../../pipeline/records/limits.ts';
import * as shortvideo from '../../../pipeline/shortvideo/collectors.ts';
import { fixedAnswers } from '../photo/fixed-answers.ts';
import { frontityPage } from '../shortvideo/upstream.ts';

type AnyListCollector = Collector<never, { id: string | null }[]>;

const tooLong = 'a'.repeat(textLimits.text + 1);
const code = (index: number) => `InvPost000${index}`;

const graphRow = (index: number, caption: string) => ({
  id: `${index}`,
  permalink: `https://www.instagram.com/p/${code(index)}/`,
  media_type: 'VIDEO',
  media_product_type: 'REELS',
  caption,
});
const nodeRow = (index: number, text: string) => ({
  node: {
    shortcode: code(index),
    id: `390000000000000000${index}`,
    display_url: 'https://x.example/1.jpg',
    edge_media_to_caption: { edges: [{ node: { text } }] },
  },
});
const searchRow = (index: number, text: string) => ({
  videoRenderer: {
    videoId: `invented00${index}`,
    title: { simpleText: 'Invented' },
    detailedMetadataSnippets: [{ snippetText: { simpleText: text } }],
  },
});

const graphAccount = (rows: object[]) => ({
  business_discovery: { id: '1', username: 'paper.kite', media_count: rows.length, media: { data: rows } },
});
const webAccount = (edges: object[]) => ({
  data: {
    user: {
      id: '1',
      username: 'paper.kite',
      edge_owner_to_timeline_media: { count: edges.length, page_info: { has_next_page: false }, edges },
    },
  },
});

const handle = { handle: 'paper.kite', limit: 5 };
const video = { id: '7000000000000000001', limit: 5 };
const ofUser = { handle: 'x', limit: 10, cursor: { source: 'x-api', at: { user_id: '1' } } };
const laterPage = { query: 'a', cursor: { source: 'youtube-web', at: { token: 'page-2', skip: 0 } } };
const hashtag = {
  tag: 'kites',
  cursor: { source: 'instagram-graph', at: { hashtag_id: '1', after: 'a', seen: 1, last: null } },
};

/** For each list: its name, source and collector, the parameters, a row with a text, and the answer with all rows. */
type ListCase = [
  string,
  string,
  AnyListCollector,
  object,
  (index: number, text: string) => object,
  (rows: object[]) => object | string,
];
const cases = [
  ['photoPosts', 'instagram-graph', photoPosts, handle, graphRow, graphAccount],
  ['photoPosts', 'instagram-web', photoPosts, handle, nodeRow, webAccount],
  ['photoReels', 'instagram-graph', photoReels, handle, graphRow, graphAccount],
  ['photoHashtagPosts', 'instagram-graph', photoHashtagPosts, hashtag, graphRow, (data: object[]) => ({ data })],
  [
    'shortvideoComments',
    'tiktok-comments',
    shortvideo.shortvideoComments,
    video,
    (index: number, text: string) => ({ cid: `${index}`, text }),
    (comments: object[]) => ({ status_code: 0, comments, has_more: 0 }),
  ],
  [
    'shortvideoSoundVideos',
    'tiktok-embed',
    shortvideo.shortvideoSoundVideos,
    { id: '7' },
    (index: number, desc: string) => ({ id: `${index}`, desc }),
    (videoList: object[]) =>
      frontityPage({ source: { data: { '/embed/music/7': { embedInfo: { id: '7' }, videoList } } } }),
  ],
  [
    'adlibraryCompanyAds',
    'meta-adlibrary',
    adlibraryCompanyAds,
    { page_id: '99000000000001' },
    (index: number, body: string) => ({ id: `${index}`, page_name: 'Invented', ad_creative_bodies: [body] }),
    (data: object[]) => ({ data }),
  ],
  [
    'microblogUserPosts',
    'x-api',
    microblogUserPosts,
    ofUser,
    (index: number, text: string) => ({ id: `${index}`, text }),
    (data: object[]) => ({ data }),
  ],
  [
    'longvideoSearch',
    'youtube-web',
    longvideoSearch,
    laterPage,
    searchRow,
    (continuationItems: object[]) => ({
      onResponseReceivedCommands: [{ appendContinuationItemsAction: { continuationItems } }],
    }),
  ],
] as unknown as ListCase[];

function run(collector: AnyListCollector, source: string, params: object, body: object | string) {
  const { context } = fixedAnswers();
  const config = { ...context.config, meta_adlibrary_token: 'invented', x_bearer_token: 'invented' };
  const alone = { ...collector, sources: collector.sources.filter(({ name }) => name === source) };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const fetch: typeof context.fetch = async ({ url }) => ({ status: 200, url, headers: {}, body: Buffer.from(text) });
  return collect(alone, alone.params.parse(params), { ...context, config, fetch });
}

describe('a row with a text that is too long', () => {
  test.each(cases)(
    '%s of %s leaves out a row with a text that is too long, with a warning',
    async (_name, source, collector, params, row, answer) => {
      const rows = [row(1, 'a'), row(2, tooLong), row(3, 'b')];
      const { record, partial, warnings } = await run(collector, source, params, answer(rows));
      expect(record.map(({ id }) => id?.at(-1))).toEqual(['1', '3']);
      expect([partial, warnings]).toEqual([
        true,
        expect.arrayContaining(['Left out 1 of 3 rows: unknown format, or a text that is too long.']),
      ]);
    },
  );

  test.each(cases)('%s of %s is refused when all its rows have a text that is too long', async (...one) => {
    const [, source, collector, params, row, answer] = one;
    await expect(run(collector, source, params, answer([row(1, tooLong), row(2, tooLong)]))).rejects.toMatchObject({
      code: 'SOURCE_RESPONSE_CHANGED',
    });
  });

  test.each(cases)('the reason in the log says which text of %s of %s is too long', async (...one) => {
    const [, source, collector, params, row, answer] = one;
    await expect(run(collector, source, params, answer([row(1, tooLong)]))).rejects.toMatchObject({
      reason: expect.stringMatching(/none of the 1 rows could be read: a text has 10\d{4} characters/),
    });
  });

  test('a single Instagram post with a text that is too long is refused, although it is in a list', async () => {
    const params = { shortcode: code(1), author: 'paper.kite' };
    const found = (text: string) =>
      run(photoPost as unknown as AnyListCollector, 'instagram-graph', params, graphAccount([graphRow(1, text)]));
    expect((await found('a')).record).toMatchObject({ id: code(1) });
    await expect(found(tooLong)).rejects.toMatchObject({ code: 'SOURCE_RESPONSE_CHANGED' });
  });
});
