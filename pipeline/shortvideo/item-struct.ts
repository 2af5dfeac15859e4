import type { SourceAnswer } from '../collect/collect.ts';
import {
  blank,
  dig,
  epochToIso,
  toDecimal,
  toFlag,
  toFreeText,
  toList,
  toSize,
  toText,
  toUrl,
} from '../parse/values.ts';
import type { MediaVariant } from '../records/shared.ts';
import { type ShortvideoItem, shortvideoItem } from '../records/shortvideo.ts';
import { readCounts } from './counts.ts';
import { avatarKeys, firstText, type Image, imageVariants } from './media.ts';
import { itemUrl } from './permalinks.ts';
import { captionExtras, captionHashtags, captionMentions } from './text-entities.ts';

export const itemCountKeys = {
  views: 'playCount',
  likes: 'diggCount',
  comments: 'commentCount',
  shares: 'shareCount',
} as const;

const allCountKeys = { ...itemCountKeys, favorites: 'collectCount' } as const;

/**
 * Converts TikTok's `itemStruct` object to a record. TikTok's pages have used this format for videos and photo posts
 * since 2020.
 */
export function itemAnswer(item: unknown, author: unknown): SourceAnswer<ShortvideoItem> {
  const { counts, quality } = readCounts(allCountKeys, dig(item, 'stats'), dig(item, 'statsV2'));
  const id = toText(dig(item, 'id'));
  const handle = toText(dig(author, 'uniqueId'));
  const kind = (dig(item, 'imagePost') ?? null) === null ? 'video' : 'photo';
  const record: ShortvideoItem = {
    ...blank(shortvideoItem),
    ...counts,
    ...captionOf(item),
    ...mediaOf(item),
    id,
    author: handle,
    author_id: toText(dig(author, 'id')),
    author_display_name: toText(dig(author, 'nickname')),
    author_verified: toFlag(dig(author, 'verified')),
    author_avatar_url: toUrl(...avatarKeys.map((key) => dig(author, key))),
    published_at: epochToIso(dig(item, 'createTime')),
    permalink: id === null || handle === null ? null : itemUrl(handle, id, kind),
    region_code: toText(dig(item, 'locationCreated')),
    subtitle_tracks: subtitlesOf(dig(item, 'video')),
    effects: rows(dig(item, 'effectStickers'), (effect) => ({
      id: toText(dig(effect, 'ID')),
      name: toText(dig(effect, 'name')),
    })),
    stickers: rows(dig(item, 'stickersOnItem'), (sticker) => ({
      type: toDecimal(dig(sticker, 'stickerType')),
      texts: toList(dig(sticker, 'stickerText'))?.filter((text) => typeof text === 'string') ?? null,
    })),
    music: musicOf(dig(item, 'music')),
    playlist_id: firstText(dig(item, 'playlistId'), dig(item, 'mixInfo', 'id'), dig(item, 'mixInfo', 'mixId')),
  };
  return { record, quality };
}

/**
 * Returns the subtitles of a video. TikTok's pages since 2024 have a second list of subtitles, with different field
 * names.
 */
function subtitlesOf(video: unknown): ShortvideoItem['subtitle_tracks'] {
  const tracks = rows(dig(video, 'subtitleInfos'), (track) => ({
    language: toText(dig(track, 'LanguageCodeName')),
    language_id: toText(dig(track, 'LanguageID')),
    url: toUrl(dig(track, 'Url')),
    format: toText(dig(track, 'Format')),
  }));
  if (tracks?.length) return tracks;
  const captions = rows(dig(video, 'claInfo', 'captionInfos'), (caption) => ({
    language: toText(dig(caption, 'language')),
    language_id: toText(dig(caption, 'languageID')),
    url: toUrl(dig(caption, 'url'), dig(caption, 'urlList', 0)),
    format: toText(dig(caption, 'captionFormat')),
  }));
  return captions ?? tracks;
}

function rows<T>(value: unknown, read: (row: unknown) => T): T[] | null {
  return toList(value)?.map(read) ?? null;
}

function captionOf(item: unknown): Pick<ShortvideoItem, 'caption' | 'hashtags' | 'mentions'> {
  const caption = toFreeText(dig(item, 'desc'));
  const challenges = toList(dig(item, 'challenges')) ?? [];
  const marks = {
    text: caption,
    extras: captionExtras(item),
    challenges: challenges.map((row) => ({ name: toText(dig(row, 'title')), id: toText(dig(row, 'id')) })),
  };
  return { caption, hashtags: captionHashtags(marks), mentions: captionMentions(marks) };
}

type MediaFields = 'width' | 'height' | 'duration_seconds' | 'media_url' | 'video_url' | 'media_assets';

function mediaOf(item: unknown): Pick<ShortvideoItem, MediaFields> {
  const video = dig(item, 'video');
  const photoCover = dig(item, 'imagePost', 'cover', 'imageURL', 'urlList', 0);
  return {
    width: toSize(dig(video, 'width')),
    height: toSize(dig(video, 'height')),
    duration_seconds: toSize(dig(video, 'duration')),
    media_url: toUrl(dig(video, 'cover'), dig(video, 'originCover'), photoCover),
    video_url: toUrl(
      dig(video, 'playAddr'),
      dig(video, 'playAddr', 0, 'src'),
      dig(video, 'bitrateInfo', 0, 'PlayAddr', 'UrlList', 0),
      dig(video, 'PlayAddrStruct', 'UrlList', 0),
    ),
    media_assets: coverVariants(item),
  };
}

const zoomSizes = ['240', '480', '720', '960'];

function coverVariants(item: unknown): MediaVariant[] | null {
  const video = dig(item, 'video');
  const covers: Image[] = ['cover', 'originCover', 'dynamicCover'].map((variant) => ({
    variant,
    url: dig(video, variant),
  }));
  const zooms: Image[] = zoomSizes.map((size) => ({
    variant: `zoomCover.${size}`,
    url: dig(video, 'zoomCover', size),
  }));
  const photos: Image[] = (toList(dig(item, 'imagePost', 'images')) ?? []).map((photo) => ({
    variant: 'photo',
    url: dig(photo, 'imageURL', 'urlList', 0),
    width: dig(photo, 'imageWidth'),
    height: dig(photo, 'imageHeight'),
  }));
  return imageVariants([...covers, ...zooms, ...photos]);
}

function musicOf(music: unknown): ShortvideoItem['music'] {
  const id = toText(dig(music, 'id'));
  if (id === null) return null;
  return {
    id,
    title: toText(dig(music, 'title')),
    author: toText(dig(music, 'authorName')),
    original: toFlag(dig(music, 'original')),
    duration_seconds: toSize(dig(music, 'duration')),
    cover_url: toUrl(dig(music, 'coverLarge'), dig(music, 'coverMedium'), dig(music, 'coverThumb')),
    play_url: toUrl(dig(music, 'playUrl')),
  };
}
