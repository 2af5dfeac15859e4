import { describe, expect, it } from 'vitest';
import { longvideoCommentRepliesParams } from '../../../pipeline/longvideo/params.ts';
import { comment } from '../../../pipeline/records/shared.ts';
import { describeRecorded } from '../../recorded.ts';
import {
  at,
  bodyOf,
  exchangesOf,
  instant,
  invented,
  recorded,
  refusal,
  refusalOf,
  sourceOf,
  type Upstream,
} from './upstream.ts';

const id = 'invented001';
const official = 'youtube-data-api';
const web = 'youtube-web';
const first = { order: 'time' as const, limit: 20, cursor: null };

const commentsOf = ({ collectors }: Upstream, name: string) => sourceOf(collectors.longvideoComments, name);
const repliesOf = ({ collectors }: Upstream) => sourceOf(collectors.longvideoCommentReplies, official);

const thread = (snippet: object, totalReplyCount = 0) => ({
  id: 'UgInventedThread0000AaABAg',
  snippet: {
    totalReplyCount,
    topLevelComment: { id: 'UgInventedThread0000AaABAg', snippet: { textOriginal: 'Words', ...snippet } },
  },
});
const threads = (...items: object[]) => ({ body: { kind: 'youtube#commentThreadListResponse', items } });

const token = (value: string) => ({
  continuationItemRenderer: { continuationEndpoint: { continuationCommand: { token: value } } },
});
const section = (...contents: object[]) => ({
  contents: {
    twoColumnWatchNextResults: {
      results: {
        results: { contents: [{ itemSectionRenderer: { sectionIdentifier: 'comment-item-section', contents } }] },
      },
    },
  },
});
const entity = (key: string, toolbar: object, author = '@invented.friend') => ({
  entityKey: key,
  payload: {
    commentEntityPayload: {
      properties: {
        commentId: `comment-${key}`,
        content: { content: `Words of ${key}` },
        publishedTime: '3 years ago (edited)',
      },
      author: {
        channelId: 'UCinvented00000000000002',
        displayName: author,
        avatarThumbnailUrl: '//images.example/a.jpg',
      },
      toolbar,
    },
  },
});
const menu = {
  subMenuItems: ['top', 'newest'].map((name) => ({ serviceEndpoint: { continuationCommand: { token: name } } })),
};
const shown = (keys: string[], ...entities: object[]) => {
  const rows = keys.map((commentKey) => ({
    commentThreadRenderer: { commentViewModel: { commentViewModel: { commentKey } } },
  }));
  const header = { commentsHeaderRenderer: { sortMenu: { sortFilterSubMenuRenderer: menu } } };
  return {
    onResponseReceivedEndpoints: [
      { reloadContinuationItemsCommand: { slot: 'RELOAD_CONTINUATION_SLOT_HEADER', continuationItems: [header] } },
      {
        reloadContinuationItemsCommand: {
          slot: 'RELOAD_CONTINUATION_SLOT_BODY',
          continuationItems: [...rows, token('page-2')],
        },
      },
    ],
    frameworkUpdates: { entityBatchUpdate: { mutations: entities } },
  };
};

/** Returns a fake upstream with a watch page. `pages` maps the token of a request for comments to its answer. */
function watching(pages: Record<string, object>): Upstream {
  return invented({
    next: (request) => {
      const { continuation = 'watch' } = JSON.parse(request.body ?? '{}');
      return { body: pages[continuation] ?? {} };
    },
    player: { body: { playabilityStatus: { status: 'OK' }, videoDetails: { videoId: id } } },
  });
}
const tokensOf = ({ requests }: Upstream) => requests.map(({ body }) => JSON.parse(body ?? '{}').continuation ?? null);

describe('official YouTube comments', () => {
  it('official comments have an image URL for six hours, and no image fields without an image', async () => {
    const upstream = invented({
      commentThreads: threads(thread({ imageUrl: 'https://images.example/c.jpg?sig=1' }), thread({})),
    });
    const { record } = await commentsOf(upstream, official).collect({ id, ...first }, upstream.context);
    expect(record[0]).toMatchObject({
      image_url: 'https://images.example/c.jpg?sig=1',
      image_url_retrieved_at: '2026-11-20T10:00:00.000Z',
      image_url_expires_at: '2026-11-20T16:00:00.000Z',
    });
    expect(record[1]).toMatchObject({ image_url: null, image_url_retrieved_at: null, image_url_expires_at: null });
  });

  it('official comments have a username only when the source sends a handle', async () => {
    const names = ['@invented.friend', 'Invented Friend'].map((authorDisplayName) =>
      thread({ authorDisplayName, authorChannelUrl: 'http://www.youtube.com/@invented.friend' }),
    );
    const upstream = invented({ commentThreads: threads(...names) });
    const { record } = await commentsOf(upstream, official).collect({ id, ...first }, upstream.context);
    expect(record.map(({ author_username, author_display_name }) => [author_username, author_display_name])).toEqual([
      ['invented.friend', '@invented.friend'],
      [null, 'Invented Friend'],
    ]);
    expect(record[0]?.author_profile_url).toBe('https://www.youtube.com/@invented.friend');
    expect(record[0]?.author_id).toBeNull();
  });

  it('official comments are requested as plain text in the requested order', async () => {
    const upstream = invented({ commentThreads: threads() });
    await commentsOf(upstream, official).collect({ id, ...first, order: 'relevance', limit: 5 }, upstream.context);
    const sent = new URL(upstream.requests[0]?.url ?? '').searchParams;
    expect(['videoId', 'order', 'textFormat', 'maxResults'].map((name) => sent.get(name))).toEqual([
      id,
      'relevance',
      'plainText',
      '5',
    ]);
  });
});

describe('replies to YouTube comments', () => {
  it('replies have only the official source and need the ID of a top-level comment', () => {
    const upstream = invented({});
    expect(upstream.collectors.longvideoCommentReplies.sources.map(({ name }) => name)).toEqual([official]);
    expect(longvideoCommentRepliesParams.safeParse({ comment_id: 'UgInventedThread0000AaABAg' }).success).toBe(true);
    expect(
      longvideoCommentRepliesParams.safeParse({ comment_id: 'UgInventedThread0000AaABAg.InventedReply00000000' })
        .success,
    ).toBe(false);
  });
});

describe('comments of the YouTube watch page', () => {
  it('comments of the watch page are fetched by relevance with the token of the comments section', async () => {
    const upstream = watching({
      watch: section(token('top')),
      top: shown(
        ['b', 'a'],
        entity('a', { likeCountNotliked: ' ', replyCount: '' }),
        entity('b', { likeCountNotliked: '3.7k', replyCount: '12' }),
      ),
    });
    const { record, next, quality } = await commentsOf(upstream, web).collect(
      { id, ...first, order: 'relevance' },
      upstream.context,
    );
    expect(comment.array().parse(record)).toEqual(record);
    expect(record).toMatchObject([
      { id: 'comment-b', likes: 3700, reply_count: 12 },
      {
        id: 'comment-a',
        content_id: id,
        parent_comment_id: null,
        text: 'Words of a',
        likes: 0,
        reply_count: 0,
        author_username: 'invented.friend',
        author_display_name: null,
        author_profile_url: 'https://www.youtube.com/@invented.friend',
        author_avatar_url: 'https://images.example/a.jpg',
        published_at: null,
        updated_at: null,
      },
    ]);
    expect(quality).toEqual({ '0.likes': 'rounded' });
    expect(next).toEqual({ token: 'page-2', skip: 0 });
    expect(tokensOf(upstream)).toEqual([null, 'top']);
  });

  it('comments of the watch page are fetched by time with the token of the sort menu', async () => {
    const upstream = watching({
      watch: section(token('top')),
      top: shown([]),
      newest: shown(['a'], entity('a', {})),
    });
    const { record } = await commentsOf(upstream, web).collect({ id, ...first }, upstream.context);
    expect(record.map((row) => row.id)).toEqual(['comment-a']);
    expect(tokensOf(upstream)).toEqual([null, 'top', 'newest']);
  });

  it('comments of the watch page are fetched by time with one request less when the page has the sort menu', async () => {
    const panel = {
      engagementPanelSectionListRenderer: {
        panelIdentifier: 'engagement-panel-comments-section',
        header: { engagementPanelTitleHeaderRenderer: { menu: { sortFilterSubMenuRenderer: menu } } },
      },
    };
    const upstream = watching({ watch: { ...section(token('top')), engagementPanels: [panel] }, newest: shown([]) });
    await commentsOf(upstream, web).collect({ id, ...first }, upstream.context);
    expect(tokensOf(upstream)).toEqual([null, 'newest']);
  });

  it('comments of the watch page continue without another request for the page', async () => {
    const pages = {
      watch: section(token('top')),
      top: shown(['a', 'b'], entity('a', {}), entity('b', {})),
      'page-2': shown([]),
    };
    const upstream = watching(pages);
    const source = commentsOf(upstream, web);
    const params = { id, order: 'relevance' as const, limit: 1 };
    const one = await source.collect({ ...params, cursor: null }, upstream.context);
    const two = await source.collect({ ...params, cursor: { source: web, at: one.next ?? {} } }, upstream.context);
    await source.collect({ ...params, cursor: { source: web, at: two.next ?? {} } }, upstream.context);
    expect([...one.record, ...two.record].map((row) => row.id)).toEqual(['comment-a', 'comment-b']);
    expect(tokensOf(upstream)).toEqual([null, 'top', 'top', 'page-2']);
  });

  it('comments of the watch page are 403 when they are turned off', async () => {
    const upstream = watching({
      watch: section({ messageRenderer: { text: { simpleText: 'Comments are turned off.' } } }),
    });
    expect(await refusal(commentsOf(upstream, web).collect({ id, ...first }, upstream.context))).toEqual([
      403,
      'resource',
    ]);
    expect(upstream.requests).toHaveLength(1);
  });

  it('comments of the watch page are 403 when it has a live chat instead, without a request for the player', async () => {
    const upstream = watching({
      watch: { contents: { twoColumnWatchNextResults: { conversationBar: { liveChatRenderer: {} } } } },
    });
    const error = await refusalOf(commentsOf(upstream, web).collect({ id, ...first }, upstream.context));
    expect([error.code, error.about, error.message]).toEqual([
      'SOURCE_RESTRICTED',
      'resource',
      'This video is a live broadcast: YouTube shows its chat instead of comments.',
    ]);
    expect(upstream.requestCount('player')).toBe(0);
  });

  it('comments of the watch page have the error of the player when the page has only the replay of a chat', async () => {
    const conversationBar = { liveChatRenderer: { isReplay: true } };
    const upstream = watching({ watch: { contents: { twoColumnWatchNextResults: { conversationBar } } } });
    expect(await refusal(commentsOf(upstream, web).collect({ id, ...first }, upstream.context))).toEqual([422, 'us']);
    expect(upstream.requestCount('player')).toBe(1);
  });

  it('comments of a playable video are 403 when its watch page has only the column of other videos', async () => {
    const columns = { secondaryResults: { secondaryResults: {} }, autoplay: {} };
    const page = (twoColumnWatchNextResults: object) =>
      watching({ watch: { contents: { twoColumnWatchNextResults } } });
    const upstream = page(columns);
    const error = await refusalOf(commentsOf(upstream, web).collect({ id, ...first }, upstream.context));
    expect([error.code, error.about, error.message]).toEqual([
      'SOURCE_RESTRICTED',
      'reach',
      'YouTube shows this video without its comments, so there is nothing to return.',
    ]);
    expect(upstream.requestCount('player')).toBe(1);
    const renamed = page({ ...columns, resultsOfTomorrow: {} });
    expect(await refusal(commentsOf(renamed, web).collect({ id, ...first }, renamed.context))).toEqual([422, 'us']);
  });

  it('comments of the watch page have the error of the player when the page has no comments section', async () => {
    const upstream = watching({});
    expect(await refusal(commentsOf(upstream, web).collect({ id, ...first }, upstream.context))).toEqual([422, 'us']);
    const missing = invented({ next: { body: {} }, player: { body: { playabilityStatus: { status: 'ERROR' } } } });
    expect(await refusal(commentsOf(missing, web).collect({ id, ...first }, missing.context))).toEqual([
      404,
      'resource',
    ]);
  });
});

const recordedThreads = exchangesOf('commentThreads').filter(({ file }) => !file?.includes('error'));
const commented = ['VsFjP58j5i8', 'bjFtFMilb34', 'xaQJbozY_Is', 'D00Au7k3i6o'];

describeRecorded('recorded comments', () => {
  it.each(recordedThreads.map((exchange) => [String(exchange.query?.videoId), exchange] as const))(
    'recorded comments are read from the official source for %s',
    async (video, exchange) => {
      const items = at(bodyOf(exchange), 'items') as unknown[];
      const upstream = recorded();
      const { record } = await commentsOf(upstream, official).collect({ id: video, ...first }, upstream.context);
      expect(comment.array().parse(record)).toEqual(record);
      expect(record).toHaveLength(Math.min(items.length, 20));
      for (const [index, row] of record.entries()) {
        const snippet = at(items[index], 'snippet.topLevelComment.snippet');
        expect(row).toMatchObject({
          id: at(items[index], 'id'),
          content_id: at(snippet, 'videoId'),
          parent_comment_id: null,
          text: at(snippet, 'textOriginal') ?? at(snippet, 'textDisplay'),
          likes: at(snippet, 'likeCount'),
          reply_count: at(items[index], 'snippet.totalReplyCount'),
          author_id: at(snippet, 'authorChannelId.value') ?? null,
          published_at: instant(at(snippet, 'publishedAt')),
          updated_at: instant(at(snippet, 'updatedAt')),
        });
      }
    },
  );

  it('recorded official replies have a parent and no video', async () => {
    const commentId = 'Ugw5zYU6n9pmIgAZWvN4AaABAg';
    const items = at(
      bodyOf(exchangesOf('comments').find(({ query }) => query?.parentId === commentId)),
      'items',
    ) as unknown[];
    const upstream = recorded();
    const { record } = await repliesOf(upstream).collect(
      { comment_id: commentId, limit: 20, cursor: null },
      upstream.context,
    );
    expect(record.map((row) => row.id)).toEqual(items.map((item) => at(item, 'id')));
    for (const row of record)
      expect(row).toMatchObject({ parent_comment_id: commentId, content_id: null, reply_count: null });
  });

  it.each(commented)('recorded comments are read from the watch page of %s in both orders', async (video) => {
    const section = exchangesOf('next').find(({ body }) => body?.videoId === video);
    const sectionToken = /"token":"([^"]+)"/.exec(section?.text ?? '')?.[1] ?? '';
    const page = bodyOf(exchangesOf('next').find(({ body }) => [body?.continuation].flat().includes(sectionToken)));
    const threads = [
      ...JSON.stringify(at(page, 'onResponseReceivedEndpoints.1')).matchAll(
        /"commentThreadRenderer".*?"commentId":"([^"]+)"/g,
      ),
    ];
    const upstream = recorded({ key: null });
    for (const order of ['relevance', 'time'] as const) {
      const { record, quality } = await commentsOf(upstream, web).collect(
        { id: video, ...first, order },
        upstream.context,
      );
      expect(comment.array().parse(record)).toEqual(record);
      expect(record.map((row) => row.id)).toEqual(threads.slice(0, 20).map(([, commentId]) => commentId));
      const entities = JSON.stringify(at(page, 'frameworkUpdates'));
      for (const [index, row] of record.entries()) {
        const likes = new RegExp(`"commentId":"${row.id}".*?"likeCountNotliked":"([^"]*)"`).exec(entities)?.[1] ?? '';
        if (/^\d+$/.test(likes)) expect(row.likes).toBe(Number(likes));
        expect(quality?.[`${index}.likes`]).toBe(/k|m/.test(likes) ? 'rounded' : undefined);
      }
    }
  });

  it.each([
    ['official, turned off', official, 'errCommOff0', 403, 'resource'],
    ['official, of a missing video', official, 'errNotFound', 404, 'resource'],
    ['official, failing twice', official, 'errProcess0', 503, 'resource'],
    ['turned off on the watch page', web, 'EAZvxukW8kY', 403, 'resource'],
    ['of a private video', web, '8VajtrESJzA', 404, 'resource'],
    ['of a missing video', web, 'INVALID_ID_', 404, 'resource'],
    ['behind a login wall against bots', web, 'replayBotWl', 403, 'block'],
    ['throttled', web, 'replaySorry', 429, 'block'],
  ])('recorded comments are refused: %s', async (_what, name, video, status, about) => {
    const upstream = recorded();
    expect(await refusal(commentsOf(upstream, name).collect({ id: video, ...first }, upstream.context))).toEqual([
      status,
      about,
    ]);
  });
});
