import type { Source, SourceAnswer } from '../../collect/collect.ts';
import { partialBecause } from '../../collect/source-rows.ts';
import { responseChanged } from '../../errors.ts';
import { blank, dig, epochToIso, toFlag, toFreeText, toList, toSize, toText, toUrl } from '../../parse/values.ts';
import { type ShortvideoItem, shortvideoItem } from '../../records/shortvideo.ts';
import { readCounts } from '../counts.ts';
import { itemCountKeys } from '../item-struct.ts';
import { type Image, imageVariants } from '../media.ts';
import { servedWithoutData } from '../page.ts';
import type { ShortvideoVideoParams } from '../params.ts';
import { itemUrl } from '../permalinks.ts';
import { captionExtras, captionHashtags, captionMentions, hashtagExtra } from '../text-entities.ts';
import { embedEntry } from './state.ts';

/**
 * Collects a TikTok video or photo post from its embed page. The page uses the data format of the lists on TikTok's
 * website in 2020.
 */
export const videoEmbed: Source<ShortvideoVideoParams, ShortvideoItem> = {
  name: 'tiktok-embed',
  credentials: null,
  not_exposed: ['favorites', 'subtitle_tracks', 'effects', 'stickers', 'playlist_id', 'pinned'],
  async collect({ id }, context) {
    const data = dig(await embedEntry('/embed/v2/', id, context), 'videoData');
    if ((data ?? null) === null) throw servedWithoutData();
    if (toText(dig(data, 'itemInfos', 'id')) !== id) throw responseChanged('the embed shows another item or none');
    return embedAnswer(id, data);
  },
};

const fewerFields = 'TikTok shows a short form of this video: favorites, subtitles and effects are null.';

function embedAnswer(id: string, data: unknown): SourceAnswer<ShortvideoItem> {
  const item = dig(data, 'itemInfos');
  const author = dig(data, 'authorInfos');
  const { counts, quality } = readCounts(itemCountKeys, item);
  const handle = toText(dig(author, 'uniqueId'));
  const photos = toList(dig(data, 'imagePostInfo', 'displayImages')) ?? [];
  const size = dig(item, 'video', 'videoMeta');
  const assets = imagesOf(item, photos);
  const record: ShortvideoItem = {
    ...blank(shortvideoItem),
    ...counts,
    ...captionOf(data),
    id,
    author: handle,
    author_id: toText(dig(author, 'userId')),
    author_display_name: toText(dig(author, 'nickName')),
    author_verified: toFlag(dig(author, 'verified')),
    author_avatar_url: coverOf(author),
    published_at: epochToIso(dig(item, 'createTime')),
    permalink: handle === null ? null : itemUrl(handle, id, photos.length === 0 ? 'video' : 'photo'),
    width: toSize(dig(size, 'width')),
    height: toSize(dig(size, 'height')),
    duration_seconds: toSize(dig(size, 'duration')),
    media_url: toUrl(...assets.map(({ url }) => url)),
    media_assets: imageVariants(assets),
    video_url: toUrl(dig(item, 'video', 'urls', 0)),
    region_code: toText(dig(item, 'locationCreated')),
    music: musicOf(dig(data, 'musicInfos')),
  };
  return { record, quality, ...partialBecause(fewerFields) };
}

function captionOf(data: unknown): Pick<ShortvideoItem, 'caption' | 'hashtags' | 'mentions'> {
  const caption = toFreeText(dig(data, 'itemInfos', 'text'));
  const challenges = (toList(dig(data, 'challengeInfoList')) ?? []).map((row) => ({
    name: toText(dig(row, 'challengeName')),
    id: toText(dig(row, 'challengeId')),
  }));
  // `challenges` is TikTok's name for hashtags. An embed page shows only one post, so all these hashtags belong to the
  // post.
  const marks = { text: caption, extras: [...captionExtras(data), ...challenges.map(hashtagExtra)], challenges };
  return { caption, hashtags: captionHashtags(marks), mentions: captionMentions(marks) };
}

function imagesOf(item: unknown, photos: readonly unknown[]): Image[] {
  const covers = ['covers', 'coversOrigin', 'coversDynamic'].map((variant) => ({
    variant,
    url: dig(item, variant, 0),
  }));
  const pictures = photos.map((photo) => ({
    variant: 'photo',
    url: toUrl(photo, dig(photo, 'urlList', 0), dig(photo, 'imageURL', 'urlList', 0)),
    width: dig(photo, 'width') ?? dig(photo, 'imageWidth'),
    height: dig(photo, 'height') ?? dig(photo, 'imageHeight'),
  }));
  return [...covers, ...pictures];
}

function musicOf(music: unknown): ShortvideoItem['music'] {
  const id = toText(dig(music, 'musicId'));
  if (id === null) return null;
  return {
    id,
    title: toText(dig(music, 'musicName')),
    author: toText(dig(music, 'authorName')),
    original: toFlag(dig(music, 'original')),
    duration_seconds: null,
    cover_url: coverOf(music),
    play_url: toUrl(dig(music, 'playUrl', 0)),
  };
}

/** Returns the URL of the picture of an account or a sound, in the first size that TikTok sends. */
function coverOf(owner: unknown): string | null {
  return toUrl(...['covers', 'coversMedium', 'coversLarger'].map((size) => dig(owner, size, 0)));
}
