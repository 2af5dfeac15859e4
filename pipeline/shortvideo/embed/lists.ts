import type { Source, SourceContext } from '../../collect/collect.ts';
import { partialBecause } from '../../collect/source-rows.ts';
import { SourceError } from '../../errors.ts';
import { shortvideoTag } from '../../parse/identifiers.ts';
import { blank, dig, toFreeText, toList, toText } from '../../parse/values.ts';
import { type Hashtag, hashtag } from '../../records/shared.ts';
import { type ShortvideoItem, type Sound, sound } from '../../records/shortvideo.ts';
import { readCounts } from '../counts.ts';
import { changed } from '../page.ts';
import type { HashtagParams, HashtagVideosParams, SoundParams, SoundVideosParams } from '../params.ts';
import { soundUrl, tagUrl } from '../permalinks.ts';
import { passStatusCode } from '../refusals.ts';
import { embedRows, notInRows, rowsAnswer, unknownAuthor } from './rows.ts';
import { embedEntry } from './state.ts';

const surface = { name: 'tiktok-embed', credentials: null } as const;

/** Rows of many accounts name their author and say nothing more of him. */
const notInMixedRows = [...notInRows, ...Object.keys(unknownAuthor)];

const shortSound = 'The source shows a short form of this sound: it has no duration and no file.';

/** The embed of a sound. */
export const soundEmbed: Source<SoundParams, Sound> = {
  ...surface,
  not_exposed: ['original', 'duration_seconds', 'play_url'],
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
      cover_url: toText(dig(info, 'coverUrl')),
      permalink: title === null ? null : soundUrl(title, id),
    };
    return { record, quality, ...partialBecause(shortSound) };
  },
};

/** Videos that use a sound: every row that its embed shows, which may be more than `limit`. */
export const soundEmbedVideos: Source<SoundVideosParams, ShortvideoItem[]> = {
  ...surface,
  not_exposed: notInMixedRows,
  async collect({ id }, context) {
    return rowsAnswer(embedRows(await soundEntry(id, context), unknownAuthor), null);
  },
};

/** The embed of a hashtag. */
export const hashtagEmbed: Source<HashtagParams, Hashtag> = {
  ...surface,
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
      cover_url: toText(dig(info, 'coverUrl')),
      permalink: name === null ? null : tagUrl(name),
    };
    return { record, quality };
  },
};

/** Videos of a hashtag: every row that its embed shows, which may be more than `limit`. */
export const hashtagEmbedVideos: Source<HashtagVideosParams, ShortvideoItem[]> = {
  ...surface,
  not_exposed: notInMixedRows,
  async collect({ tag }, context) {
    return rowsAnswer(embedRows(await hashtagEntry(tag, context), unknownAuthor), null);
  },
};

async function soundEntry(id: string, context: SourceContext): Promise<unknown> {
  const entry = await listEntry('/embed/music/', id, context);
  if (toText(dig(entry, 'embedInfo', 'id')) !== id) throw changed('the embed shows another sound');
  return entry;
}

async function hashtagEntry(asked: string, context: SourceContext): Promise<unknown> {
  const tag = shortvideoTag.normalize(asked);
  const entry = await listEntry('/embed/tag/', tag, context);
  const shown = toText(dig(entry, 'embedInfo', 'title'));
  if (shown === null || shortvideoTag.normalize(shown) !== tag) throw changed('the embed shows another hashtag');
  return entry;
}

/** The platform answers for what it does not know with an empty frame: an entry without the thing and without rows. */
async function listEntry(kind: string, name: string, context: SourceContext): Promise<unknown> {
  const entry = await embedEntry(kind, name, context);
  passStatusCode(dig(entry, 'embedInfo', 'statusCode'));
  if ((dig(entry, 'embedInfo') ?? null) === null) {
    if (toList(dig(entry, 'videoList'))?.length) throw changed('an embed with rows and without embedInfo');
    throw new SourceError('RESOURCE_NOT_FOUND', { reason: 'an embed without embedInfo' });
  }
  return entry;
}
