import { describe, expect, test } from 'vitest';
import { adlibraryCompanyAds } from '../../../pipeline/adlibrary/collectors.ts';
import { type Collector, collect } from '../../../pipeline/collect/collect.ts';
import { SourceError } from '../../../pipeline/errors.ts';
import { microblogUserPosts } from '../../../pipeline/microblog/collectors.ts';
import type { Fetcher } from '../../../pipeline/network/fetcher.ts';
import { photoHashtagPosts, photoPostChildren, photoPosts, photoReels } from '../../../pipeline/photo/collectors.ts';
import * as shortvideo from '../../../pipeline/shortvideo/collectors.ts';
import { describeRecorded, recordedFetcher } from '../../recorded.ts';
import { fixedAnswers } from '../photo/fixed-answers.ts';
import { carousel, code, gatedPage } from '../photo/fixtures/v1-media.ts';
import { frontityPage, readFixture } from '../shortvideo/upstream.ts';
import { renamedKeys } from './renamed-keys.ts';

type Rows = { id: string | null }[];
/** One test case: its name, the collector of a list, the name of the source and the parameters. */
type ListCase = readonly [string, Collector<never, Rows>, string, object];

function run([, collector, source, params]: ListCase, fetch: Fetcher) {
  const { context } = fixedAnswers();
  const config = { ...context.config, meta_adlibrary_token: 'invented', x_bearer_token: 'invented' };
  const alone = { ...collector, sources: collector.sources.filter(({ name }) => name === source) };
  return collect(alone, alone.params.parse(params), { ...context, config, fetch });
}

/**
 * Collects a list from an answer in which a test renamed one key, as a platform may do. Returns `honest` when the
 * result does not hide missing rows: it is an error, a partial answer with a warning, or rows with ids. Otherwise,
 * returns a description of the result.
 */
async function outcome(one: ListCase, fetch: Fetcher): Promise<string> {
  try {
    const { record, partial, warnings } = await run(one, fetch);
    if (record.length === 0) return partial && warnings.length > 0 ? 'honest' : 'an empty list that says nothing';
    return record.some(({ id }) => id !== null) || partial ? 'honest' : 'rows without any id';
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return ['SOURCE_RESPONSE_CHANGED', 'SOURCE_RESTRICTED'].includes(error.code) ? 'honest' : error.code;
  }
}

async function dishonest(one: ListCase, bodies: Iterable<{ key: string; fetch: Fetcher }>): Promise<string[]> {
  const found: string[] = [];
  for (const { key, fetch } of bodies) {
    const result = await outcome(one, fetch);
    if (result !== 'honest') found.push(`${key}: ${result}`);
  }
  return found;
}

describeRecorded('a recorded list with one renamed key is an error or partial, never an empty success', () => {
  const handle = (name: string) => ({ handle: name, limit: 20 });
  const cases: ListCase[] = [
    ['posts of the website', photoPosts, 'instagram-web', handle('megadeth')],
    ['posts of another account', photoPosts, 'instagram-web', handle('maynel_baby_shop')],
    ['posts of the official source', photoPosts, 'instagram-graph', handle('facebook')],
    ['posts of a short official answer', photoPosts, 'instagram-graph', handle('facebookfordevelopers')],
    ['posts of a hashtag', photoHashtagPosts, 'instagram-graph', { tag: 'developers', limit: 20 }],
    ['comments', shortvideo.shortvideoComments, 'tiktok-comments', { id: '7603296357641735445', limit: 20 }],
    ['older comments', shortvideo.shortvideoComments, 'tiktok-comments', { id: '6993829555089706245', limit: 20 }],
    [
      'replies',
      shortvideo.shortvideoCommentReplies,
      'tiktok-comments',
      { comment_id: '6993850213266637574', video_id: '6993829555089706245', limit: 20 },
    ],
    ['ads', adlibraryCompanyAds, 'meta-adlibrary', { page_id: '6756153498', limit: 20 }],
    ['ads of 2019', adlibraryCompanyAds, 'meta-adlibrary', { page_id: '2400740980159579', limit: 20 }],
  ].map((one) => one as unknown as ListCase);
  const users = ['936983330', '783214', '460255655', '2758518175'].map((userId): ListCase => {
    const cursor = { source: 'x-api', at: { user_id: userId } };
    return [`posts of user ${userId}`, microblogUserPosts as never, 'x-api', { handle: 'x', limit: 100, cursor }];
  });

  test.each([...cases, ...users])('a renamed key in recorded %s never gives an empty success', async (...one) => {
    const recorded = recordedFetcher();
    const whole = await run(one, recorded);
    expect(whole.record.length).toBeGreaterThan(0);
    expect(await dishonest(one, await variants(one, recorded))).toEqual([]);
  });
});

/**
 * Returns one fetcher per key in a list's last answer. The fetcher returns the recorded answers, but renames this key
 * in the last one.
 */
async function variants(one: ListCase, recorded: Fetcher): Promise<{ key: string; fetch: Fetcher }[]> {
  let last = '';
  let body: Buffer = Buffer.from('');
  await run(one, async (request, signal) => {
    const answer = await recorded(request, signal);
    last = request.url;
    body = answer.body;
    return answer;
  });
  return Array.from(renamedKeys(JSON.parse(body.toString('utf8'))), ({ key, body: changed }) => ({
    key,
    async fetch(request, signal) {
      const answer = await recorded(request, signal);
      return request.url === last ? { ...answer, body: changed } : answer;
    },
  }));
}

describe('an invented page with one renamed key is an error or partial, never an empty success', () => {
  const embed = (file: string) => Array.from(renamedKeys(readFixture(file)), (one) => ({ ...one, page: frontityPage }));
  const cases = [
    ['embed of an account', shortvideo.shortvideoVideos, 'tiktok-embed', { handle: 'invented.pottery', limit: 20 }],
    ['embed of a sound', shortvideo.shortvideoSoundVideos, 'tiktok-embed', { id: '7000000000000000201', limit: 20 }],
    ['embed of a hashtag', shortvideo.shortvideoHashtagVideos, 'tiktok-embed', { tag: 'töpfern', limit: 20 }],
  ] as unknown as ListCase[];
  const files = ['creator-embed.json', 'sound-embed.json', 'hashtag-embed.json'];

  test.each(cases.map((one, index) => [one[0], one, files[index] ?? ''] as const))(
    'a renamed key in the %s never gives an empty success',
    async (_name, one, file) => {
      const fetchers = embed(file).map(({ key, body, page }) => ({
        key,
        fetch: pageOf(page(JSON.parse(String(body)))),
      }));
      expect((await run(one, pageOf(frontityPage(readFixture(file))))).record.length).toBeGreaterThan(0);
      expect(await dishonest(one, fetchers)).toEqual([]);
    },
  );

  test('a carousel with one renamed key is an error or partial, never an empty success', async () => {
    const one = ['children', photoPostChildren, 'instagram-post-page', { shortcode: code }] as unknown as ListCase;
    expect((await run(one, pageOf(gatedPage(carousel())))).record).toHaveLength(2);
    const parsed = JSON.parse(JSON.stringify(carousel()));
    const fetchers = Array.from(renamedKeys(parsed), ({ key, body }) => ({
      key,
      fetch: pageOf(gatedPage(JSON.parse(String(body)))),
    }));
    expect(await dishonest(one, fetchers)).toEqual([]);
  });
});

describe('a row in an unknown format is left out with a warning, and the other rows are returned', () => {
  const known = { permalink: 'https://www.instagram.com/p/InvPost0001/', media_type: 'IMAGE', caption: 'a' };
  const account = { id: '1', username: 'paper.kite', media_count: 2, media: { data: [{ other: 1 }, known] } };
  const node = { shortcode: 'InvPost0001', id: '3900000000000000001', display_url: 'https://x.example/1.jpg' };
  const edges = { count: 2, page_info: { has_next_page: false }, edges: [{ other: {} }, { node }] };
  const webUser = { id: '1', username: 'paper.kite', edge_owner_to_timeline_media: edges };
  const posts = { handle: 'paper.kite', limit: 5 };
  const comments = [{ other: '1' }, { cid: '2', text: 'a' }];
  const tweets = { handle: 'x', limit: 10, cursor: { source: 'x-api', at: { user_id: '1' } } };
  const embed = {
    source: {
      data: { '/embed/music/7': { embedInfo: { id: '7' }, videoList: [{ other: 1 }, { id: '1', desc: 'a' }] } },
    },
  };
  const cases = [
    ['photoPosts', photoPosts, 'instagram-graph', posts, JSON.stringify({ business_discovery: account })],
    ['photoPosts', photoPosts, 'instagram-web', posts, JSON.stringify({ data: { user: webUser } })],
    [
      'shortvideoComments',
      shortvideo.shortvideoComments,
      'tiktok-comments',
      { id: '7000000000000000001', limit: 5 },
      JSON.stringify({ status_code: 0, comments, has_more: 0 }),
    ],
    ['shortvideoSoundVideos', shortvideo.shortvideoSoundVideos, 'tiktok-embed', { id: '7' }, frontityPage(embed)],
    [
      'adlibraryCompanyAds',
      adlibraryCompanyAds,
      'meta-adlibrary',
      { page_id: '99000000000001' },
      JSON.stringify({ data: [{ other: 1 }, { id: '2', page_name: 'Invented' }] }),
    ],
    [
      'microblogUserPosts',
      microblogUserPosts,
      'x-api',
      tweets,
      JSON.stringify({ data: [{ other: 1 }, { id: '2', text: 'a' }] }),
    ],
  ] as unknown as [...ListCase, string][];

  test.each(cases)(
    '%s of %s leaves out a row in an unknown format and warns',
    async (name, collector, source, params, body) => {
      const { record, partial, warnings } = await run([name, collector, source, params], pageOf(body));
      expect([record.length, partial]).toEqual([1, true]);
      expect(warnings).toContain('Left out 1 of 2 rows: unknown format, or a text that is too long.');
    },
  );
});

function pageOf(text: string): Fetcher {
  return async ({ url }) => ({ status: 200, url, headers: {}, body: Buffer.from(text) });
}

test('a page of reels whose product types are all unknown is refused', async () => {
  const data = [
    {
      id: '1',
      media_type: 'VIDEO',
      media_product_type: 'NEW',
      permalink: 'https://www.instagram.com/reel/InvReel00001/',
    },
  ];
  const body = JSON.stringify({
    business_discovery: { id: '1', username: 'paper.kite', media_count: 1, media: { data } },
  });
  const one = ['reels', photoReels, 'instagram-graph', { handle: 'paper.kite' }] as unknown as ListCase;
  await expect(run(one, pageOf(body))).rejects.toMatchObject({ code: 'SOURCE_RESPONSE_CHANGED' });
});
