import { expect, it } from 'vitest';
import { z } from 'zod';
import { createBreakers } from '../../../pipeline/collect/breaker.ts';
import { collect } from '../../../pipeline/collect/collect.ts';
import { comment } from '../../../pipeline/records/shared.ts';
import { shortvideoItem, shortvideoProfileRecord } from '../../../pipeline/records/shortvideo.ts';
import { shortvideoVideo } from '../../../pipeline/shortvideo/collectors.ts';
import { commentList, replyList } from '../../../pipeline/shortvideo/comments.ts';
import { videoEmbed } from '../../../pipeline/shortvideo/embed/video.ts';
import { videoOembed } from '../../../pipeline/shortvideo/oembed.ts';
import { shortvideoProfilePage } from '../../../pipeline/shortvideo/profile-page.ts';
import { videoPage } from '../../../pipeline/shortvideo/video-page.ts';
import { describeRecorded, recordedFetcher } from '../../recorded.ts';
import { at, type Exchange, exchanges, expectCounts, expectFields, recordedJson } from './recording.ts';
import { recordingCalls, refusal } from './upstream.ts';

function upstream() {
  return recordingCalls(recordedFetcher());
}

const universal = '__UNIVERSAL_DATA_FOR_REHYDRATION__';

function recordedUser(file: string, handle: string): unknown {
  const data = recordedJson(file, universal);
  const scope = at(data, '__DEFAULT_SCOPE__.__DEFAULT_SCOPE__') ?? at(data, '__DEFAULT_SCOPE__');
  const detail = (scope as Record<string, unknown> | null)?.['webapp.user-detail'];
  if (detail !== undefined) return at(detail, 'userInfo');
  const sigi = at(recordedJson(file, 'SIGI_STATE'), 'UserModule');
  if (sigi !== null) return { user: at(sigi, `users.${handle}`), stats: at(sigi, `stats.${handle}`) };
  return at(recordedJson(file, '__NEXT_DATA__'), 'props.pageProps.userInfo');
}

async function checkProfile({ file = '' }: Exchange, handle: string) {
  const { context, requests } = upstream();
  const answer = shortvideoProfilePage.collect({ handle, region: null }, context);
  if (/challenge|no-detail/.test(file)) {
    expect(await refusal(answer)).toEqual([403, 'block']);
    return;
  }
  const { record, quality, partial } = await answer;
  const raw = recordedUser(file, handle);
  expect(shortvideoProfileRecord.parse(record)).toEqual(record);
  expectFields(record, raw, {
    id: 'user.id',
    username: 'user.uniqueId',
    display_name: 'user.nickname',
    bio: 'user.signature',
    verified: 'user.verified',
    private: 'user.privateAccount',
    avatar_url: 'user.avatarLarger',
    external_url: 'user.bioLink.link',
    region: 'user.region',
    language: 'user.language',
    'avatar_variants.0.url': 'user.avatarLarger',
    'avatar_variants.1.url': 'user.avatarMedium',
    'avatar_variants.2.url': 'user.avatarThumb',
  });
  const counts = { followers: 'followerCount', following: 'followingCount', posts: 'videoCount', likes: 'heartCount' };
  expectCounts(record, quality, raw, counts);
  expect(record.avatar_variants?.map(({ width, height }) => [width, height])).toEqual([
    [1080, 1080],
    [720, 720],
    [100, 100],
  ]);
  expect(record.profile_url).toBe(`https://www.tiktok.com/@${handle}`);
  expect([partial, requests.length]).toEqual([undefined, 1]);
}

function recordedItem(file: string, id: string): unknown {
  const scope = at(recordedJson(file, universal), '__DEFAULT_SCOPE__') as Record<string, unknown> | null;
  const detail = scope?.['webapp.video-detail'] ?? scope?.['webapp.reflow.video.detail'];
  return at(detail, 'itemInfo.itemStruct') ?? at(recordedJson(file, 'SIGI_STATE'), `ItemModule.${id}`);
}

const itemPaths = {
  id: 'id',
  caption: 'desc',
  width: 'video.width',
  height: 'video.height',
  duration_seconds: 'video.duration',
  media_url: 'video.cover',
  video_url: 'video.playAddr',
  region_code: 'locationCreated',
  playlist_id: 'playlistId',
  'music.id': 'music.id',
  'music.title': 'music.title',
  'music.author': 'music.authorName',
  'music.original': 'music.original',
  'music.duration_seconds': 'music.duration',
  'music.cover_url': 'music.coverLarge',
  'music.play_url': 'music.playUrl',
  'effects.0.id': 'effectStickers.0.ID',
  'effects.0.name': 'effectStickers.0.name',
  'stickers.0.type': 'stickersOnItem.0.stickerType',
  'stickers.0.texts': 'stickersOnItem.0.stickerText',
  'subtitle_tracks.0.language': 'video.subtitleInfos.0.LanguageCodeName',
  'subtitle_tracks.0.language_id': 'video.subtitleInfos.0.LanguageID',
  'subtitle_tracks.0.url': 'video.subtitleInfos.0.Url',
  'subtitle_tracks.0.format': 'video.subtitleInfos.0.Format',
};

async function checkVideo({ file, status }: Exchange, id: string) {
  const { context, requests } = upstream();
  const answer = videoPage.collect({ id, region: null }, context);
  if (file === undefined) {
    expect([status, await refusal(answer)]).toEqual([500, [503, 'us']]);
    return;
  }
  if (file.includes('not-found')) {
    expect(await refusal(answer)).toEqual([404, 'resource']);
    return;
  }
  const { record, quality } = await answer;
  const item = recordedItem(file, id);
  expect(shortvideoItem.parse(record)).toEqual(record);
  // TikTok's photo posts have 0 in video fields that do not apply to them.
  const sized =
    at(item, 'video.width') === 0 ? { ...(item as object), video: { cover: at(item, 'video.cover') } } : item;
  expectFields(record, sized, itemPaths);
  const nested = typeof at(item, 'author') === 'object';
  expectFields(
    record,
    item,
    nested
      ? {
          author: 'author.uniqueId',
          author_id: 'author.id',
          author_display_name: 'author.nickname',
          author_verified: 'author.verified',
          author_avatar_url: 'author.avatarLarger',
        }
      : { author: 'author', author_id: 'authorId', author_display_name: 'nickname', author_avatar_url: 'avatarThumb' },
  );
  const counts = {
    views: 'playCount',
    likes: 'diggCount',
    comments: 'commentCount',
    shares: 'shareCount',
    favorites: 'collectCount',
  };
  expectCounts(record, quality, item, counts);
  expect(record.published_at).toBe(new Date(Number(at(item, 'createTime')) * 1000).toISOString());
  const kind = at(item, 'imagePost') === null ? 'video' : 'photo';
  expect(record.permalink).toBe(`https://www.tiktok.com/@${record.author}/${kind}/${id}`);
  const extras = (at(item, 'textExtra') ?? []) as {
    type: number;
    hashtagName: string;
    userUniqueId: string;
    userId: string;
  }[];
  const tags = extras.filter(({ type }) => type === 1).map(({ hashtagName }) => hashtagName);
  expect(record.hashtags?.map(({ name }) => name)).toEqual(tags);
  for (const tag of record.hashtags ?? [])
    expect(tag).toMatchObject({ id: expect.stringMatching(/^\d+$/), source: 'platform' });
  const accounts = extras.filter(({ type }) => type === 0).map(({ userUniqueId, userId }) => [userUniqueId, userId]);
  expect(record.mentions?.map(({ name, id: userId }) => [name, userId])).toEqual(accounts);
  const photos = (at(item, 'imagePost.images') ?? []) as unknown[];
  expect(record.media_assets?.filter(({ variant }) => variant === 'photo')).toHaveLength(photos.length);
  expect(requests).toHaveLength(1);
}

async function checkEmbed({ file = '' }: Exchange, id: string) {
  const { context, requests } = upstream();
  const { record, partial } = await videoEmbed.collect({ id, region: null }, context);
  const entries = at(recordedJson(file, '__FRONTITY_CONNECT_STATE__'), 'source.data') as Record<string, unknown>;
  const raw = at(entries[`/embed/v2/${id}`], 'videoData');
  expect(shortvideoItem.parse(record)).toEqual(record);
  expectFields(record, raw, {
    id: 'itemInfos.id',
    caption: 'itemInfos.text',
    views: 'itemInfos.playCount',
    likes: 'itemInfos.diggCount',
    comments: 'itemInfos.commentCount',
    shares: 'itemInfos.shareCount',
    width: 'itemInfos.video.videoMeta.width',
    height: 'itemInfos.video.videoMeta.height',
    duration_seconds: 'itemInfos.video.videoMeta.duration',
    media_url: 'itemInfos.covers.0',
    video_url: 'itemInfos.video.urls.0',
    author: 'authorInfos.uniqueId',
    author_id: 'authorInfos.userId',
    author_display_name: 'authorInfos.nickName',
    author_verified: 'authorInfos.verified',
    author_avatar_url: 'authorInfos.covers.0',
    'music.id': 'musicInfos.musicId',
    'music.title': 'musicInfos.musicName',
    'music.author': 'musicInfos.authorName',
    'music.original': 'musicInfos.original',
    'music.cover_url': 'musicInfos.covers.0',
    'music.play_url': 'musicInfos.playUrl.0',
  });
  const written = String(record.caption).match(/(?<=#)\w+/g);
  expect(record.hashtags?.map(({ name }) => name)).toEqual(written);
  const accounts = String(record.caption).match(/(?<=@)[\w.]+/g) ?? [];
  expect(record.mentions?.map(({ name }) => name)).toEqual(accounts);
  expect([partial, requests.length]).toEqual([true, 1]);
}

async function checkOembed({ file = '' }: Exchange, id: string) {
  const { context, requests } = upstream();
  const { record, partial } = await videoOembed.collect({ id, region: null }, context);
  const raw = recordedJson(file);
  expect(shortvideoItem.parse(record)).toEqual(record);
  expectFields(record, raw, {
    caption: 'title',
    author_display_name: 'author_name',
    media_url: 'thumbnail_url',
    'media_assets.0.width': 'thumbnail_width',
    'media_assets.0.height': 'thumbnail_height',
  });
  expect(`https://www.tiktok.com/@${record.author}`).toBe(at(raw, 'author_url'));
  const html = String(at(raw, 'html'));
  expect(record.hashtags?.map(({ name }) => name)).toEqual(html.match(/(?<=\/tag\/)\w+/g));
  expect(html).toContain(`-${record.music?.id}?refer=embed">♬ ${record.music?.title} - ${record.music?.author}</a>`);
  expect(html).toContain(`cite="${record.permalink}"`);
  expect([partial, requests.length]).toEqual([true, 1]);
}

const commentPaths = {
  id: 'cid',
  content_id: 'aweme_id',
  likes: 'digg_count',
  reply_count: 'reply_comment_total',
  author_id: 'user.uid',
  author_username: 'user.unique_id',
  author_display_name: 'user.nickname',
  author_avatar_url: 'user.avatar_thumb.url_list.0',
};

async function checkComments({ file }: Exchange, query: URLSearchParams) {
  const { context, requests } = upstream();
  const page = { region: null, limit: 20, cursor: null };
  const commentId = query.get('comment_id');
  const answer =
    commentId === null
      ? commentList.collect({ ...page, id: query.get('aweme_id') ?? '' }, context)
      : replyList.collect({ ...page, comment_id: commentId, video_id: query.get('item_id') ?? '' }, context);
  if (file === undefined) {
    expect(await refusal(answer)).toEqual([429, 'us']);
    return;
  }
  const { record, next, partial } = await answer;
  const list = at(recordedJson(file), 'data');
  const rows = at(list, 'comments') as unknown[];
  expect(z.array(comment).parse(record)).toHaveLength(rows.length);
  for (const [i, row] of rows.entries()) {
    const read = record[i] ?? {};
    expectFields(read, row, commentPaths);
    expect(at(read, 'image_url')).toBe(at(row, 'image_list.0.origin_url.url_list.0') ?? null);
    expect(at(read, 'parent_comment_id')).toBe(commentId);
    expect(at({ text: at(read, 'text') }, 'text')).toBe(at(row, 'text'));
    expect(at(read, 'published_at')).toBe(new Date(Number(at(row, 'create_time')) * 1000).toISOString());
    expect(at(read, 'author_profile_url')).toBe(`https://www.tiktok.com/@${at(row, 'user.unique_id')}`);
  }
  const more = at(list, 'has_more') === 1;
  expect(next).toEqual(more ? { offset: at(list, 'cursor') } : null);
  expect([partial, requests.length]).toEqual([more && rows.length < 20, 1]);
}

function check(exchange: Exchange): Promise<void> {
  const { pathname, searchParams } = new URL(exchange.example.url);
  const id = /\d{19}/.exec(pathname + searchParams.get('url'))?.[0] ?? '';
  if (pathname.startsWith('/api/comment/list/')) return checkComments(exchange, searchParams);
  if (pathname === '/oembed') return checkOembed(exchange, id);
  if (pathname.startsWith('/embed/v2/')) return checkEmbed(exchange, id);
  if (pathname.startsWith('/@_/video/')) return checkVideo(exchange, id);
  if (/^\/@[^/]+$/.test(pathname)) return checkProfile(exchange, pathname.slice(2));
  throw new Error(`no source requests ${exchange.example.url}`);
}

describeRecorded('every recorded answer has the values of its file', () => {
  it.each(exchanges.map((exchange) => [exchange.example.url, exchange] as const))(
    'the record has the values of the recorded answer of %s',
    async (_, exchange) => {
      await check(exchange);
    },
  );

  it.each(exchanges.filter(({ status }) => status === 500).map(({ example }) => example.url))(
    'the recorded embed serves the video whose page %s fails',
    async (url) => {
      const { context, requests } = upstream();
      const params = { id: /\d{19}/.exec(url)?.[0] ?? '', region: null };
      const answer = await collect(shortvideoVideo, params, { ...context, breakers: createBreakers() });
      expect([answer.source, answer.partial, requests.length]).toEqual(['tiktok-embed', true, 2]);
    },
  );

  it('recordings of every TikTok source exist', () => {
    expect(exchanges.length).toBeGreaterThan(20);
  });
});
