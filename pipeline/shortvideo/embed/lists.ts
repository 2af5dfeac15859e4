import type { Source, SourceContext } from '../../collect/collect.ts';
import { partialBecause } from '../../collect/source-rows.ts';
import { responseChanged, SourceError } from '../../errors.ts';
import { shortvideoTagFormat } from '../../parse/identifiers.ts';
import { blank, dig, toFreeText, toText, toUrl } from '../../parse/values.ts';
import { type Hashtag, hashtag } from '../../records/shared.ts';
import { type ShortvideoItem, type Sound, sound } from '../../records/shortvideo.ts';
import { readCounts } from '../counts.ts';
import type {
  ShortvideoHashtagParams,
  ShortvideoHashtagVideosParams,
  ShortvideoSoundParams,
  ShortvideoSoundVideosParams,
} from '../params.ts';
import { soundUrl, tagUrl } from '../permalinks.ts';
import { throwOnStatusCode } from '../refusals.ts';
import { embedRows, notInRows, rowsAnswer, unknownAuthor } from './rows.ts';
import { embedState } from './state.ts';

const source = {
  name: 'tiktok-embed',
  credentials: null,
  reads: 'the embeds of accounts, videos, sounds and hashtags: about ten videos of each list',
} as const;

/**
 * Video fields that TikTok's embed page lacks in the list of a sound or hashtag. The videos have different authors, and
 * the page shows only their names.
 */
const notInMixedRows = [...notInRows, ...Object.keys(unknownAuthor)];

const shortSound = 'TikTok shows a short form of this sound: it has no duration and no file.';

/** Collects a TikTok sound from its embed page. */
export const soundEmbed: Source<ShortvideoSoundParams, Sound> = {
  ...source,
  not_exposed: ['title', 'original', 'duration_seconds', 'play_url'],
  async collect({ id }, context) {
    const info = dig(await soundEntry(id, context), 'embedInfo');
    const { counts, quality } = readCounts({ content_count: 'videoCount' }, info);
    const title = toText(dig(info, 'title'));
    const record: Sound = {
      ...blank(sound),
      ...counts,
      id,
      title,
      author: toText(dig(info, 'artist')),
      cover_url: toUrl(dig(info, 'coverUrl')),
      permalink: soundUrl(title ?? 'sound', id),
    };
    return { record, quality, ...partialBecause(shortSound) };
  },
};

/**
 * Collects all videos on the embed page of a TikTok sound. The page may have more videos than the requested `limit`.
 */
export const soundEmbedVideos: Source<ShortvideoSoundVideosParams, ShortvideoItem[]> = {
  ...source,
  not_exposed: notInMixedRows,
  async collect({ id }, context) {
    return rowsAnswer(embedRows(await soundEntry(id, context), unknownAuthor), null);
  },
};

/** Collects a TikTok hashtag from its embed page. */
export const hashtagEmbed: Source<ShortvideoHashtagParams, Hashtag> = {
  ...source,
  async collect({ tag }, context) {
    const info = dig(await hashtagEntry(tag, context), 'embedInfo');
    const { counts, quality } = readCounts({ content_count: 'videoCount', views: 'viewCount' }, info);
    const name = toText(dig(info, 'title'));
    const record: Hashtag = {
      ...blank(hashtag),
      ...counts,
      id: toText(dig(info, 'id')),
      name,
      description: toFreeText(dig(info, 'description')),
      cover_url: toUrl(dig(info, 'coverUrl')),
      permalink: name === null ? null : tagUrl(name),
    };
    return { record, quality };
  },
};

/**
 * Collects all videos on the embed page of a TikTok hashtag. The page may have more videos than the requested `limit`.
 */
export const hashtagEmbedVideos: Source<ShortvideoHashtagVideosParams, ShortvideoItem[]> = {
  ...source,
  not_exposed: notInMixedRows,
  async collect({ tag }, context) {
    return rowsAnswer(embedRows(await hashtagEntry(tag, context), unknownAuthor), null);
  },
};

async function soundEntry(id: string, context: SourceContext): Promise<unknown> {
  const entry = await listEntry('/embed/music/', id, context);
  if (toText(dig(entry, 'embedInfo', 'id')) !== id) throw responseChanged('the embed shows another sound');
  return entry;
}

async function hashtagEntry(name: string, context: SourceContext): Promise<unknown> {
  const tag = shortvideoTagFormat.normalize(name);
  const entry = await listEntry('/embed/tag/', tag, context);
  const shown = toText(dig(entry, 'embedInfo', 'title'));
  if (shown === null || shortvideoTagFormat.normalize(shown) !== tag)
    throw responseChanged('the embed shows another hashtag');
  return entry;
}

/**
 * Returns the data of a sound or hashtag from its embed page. Throws RESOURCE_NOT_FOUND when the page has no such data,
 * because TikTok sends such a page for an unknown sound or hashtag.
 */
async function listEntry(kind: string, name: string, context: SourceContext): Promise<unknown> {
  const { entry, empty } = await embedState(kind, name, context);
  if (entry === undefined && !empty) throw responseChanged('the embed shows something else');
  throwOnStatusCode(dig(entry, 'embedInfo', 'statusCode'));
  if ((dig(entry, 'embedInfo') ?? null) === null) {
    if (hasData(entry)) throw responseChanged('an embed with data and without embedInfo');
    throw new SourceError('RESOURCE_NOT_FOUND', { reason: 'an embed without embedInfo' });
  }
  return entry;
}

function hasData(entry: unknown): boolean {
  return Object.values(Object(entry)).some(
    (member) => Object.keys(Object(member)).length > 0 && typeof member === 'object',
  );
}
