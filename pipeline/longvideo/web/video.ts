import type { SourceContext } from '../../collect/collect.ts';
import type { Quality } from '../../collect/quality.ts';
import { responseChanged, SourceError } from '../../errors.ts';
import { blank, derivedHashtags, derivedMentions } from '../../parse/values.ts';
import { type LongvideoItem, longvideoItem } from '../../records/longvideo.ts';
import { roundedQuality } from '../amounts.ts';
import { asRefusal } from '../optional.ts';
import type { Web } from './innertube.ts';
import { fetchPlayer, type PlayerFields, playerFields } from './player.ts';
import { withLinked } from './text.ts';
import { noWatchFields, type WatchFields, watchFields } from './watch-page.ts';

/** Video fields that only the YouTube Data API has, not YouTube's website. */
export const officialOnly = [
  'category_id',
  'language',
  'audio_language',
  'localized',
  'localizations',
  'duration_iso8601',
  'dimension',
  'definition',
  'licensed_content',
  'region_restriction',
  'content_rating',
  'projection',
  'privacy_status',
  'license',
  'public_stats_viewable',
  'made_for_kids',
  'contains_synthetic_media',
  'paid_partnership',
  'topic_ids',
  'topic_categories',
  'recording_date',
] as const satisfies readonly (keyof LongvideoItem)[];

export interface WebVideo {
  record: LongvideoItem;
  quality: Quality;
  /**
   * The error of the request for the watch page; null when the page could be read. After an error, counts, avatar and
   * links may be missing.
   */
  watch_failure: SourceError | null;
}

/**
 * Fetches a video from YouTube's public player, then adds fields of the watch page. Requests the player first, because
 * only its answer decides whether there is a record. Throws RESOURCE_NOT_FOUND for a removed or private video and
 * SOURCE_RESTRICTED for a block. A video that only some visitors may play still gets a record.
 */
export async function webVideo(web: Web, id: string, context: SourceContext): Promise<WebVideo> {
  const player = await fetchPlayer(web, id, context);
  const watch = await web('/next', { videoId: id }, context).catch(asRefusal);
  const watchFailure = watch instanceof SourceError ? watch : null;
  const added = watchFailure === null ? watchFields(watch) : noWatchFields;
  const video = combined(playerFields(player), added);
  if (video.record.title !== null) return { ...video, watch_failure: watchFailure };
  throw responseChanged('the player shows no title');
}

function combined(player: PlayerFields, watch: WatchFields): { record: LongvideoItem; quality: Quality } {
  const { fields, amounts, likes_hidden: likesHidden } = player;
  const likes = amounts.likes.count === null ? watch.likes : amounts.likes;
  const { views } = amounts;
  const { comments } = watch;
  const named = `${fields.title ?? ''}\n${fields.description ?? ''}`;
  const countsRounded = { views: views.rounded, likes: likes.rounded, comments: comments.rounded };
  const record: LongvideoItem = {
    ...blank(longvideoItem),
    ...fields,
    views: views.count,
    likes: likes.count,
    comments: comments.count,
    counts_rounded: countsRounded,
    author_avatar_url: watch.author_avatar_url,
    unlisted: fields.unlisted ?? watch.unlisted,
    live: fields.live ? { ...fields.live, concurrent_viewers: watch.concurrent_viewers } : null,
    hashtags: withLinked(derivedHashtags(named), watch.hashtags),
    mentions: withLinked(derivedMentions(named, 'longvideo'), watch.mentions),
  };
  const hidden: Quality = likesHidden && likes.count === null ? { likes: 'hidden' } : {};
  return { record, quality: { ...roundedQuality(countsRounded), ...hidden } };
}
