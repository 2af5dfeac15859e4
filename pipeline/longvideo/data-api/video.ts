import type { SourceContext } from '../../collect/collect.ts';
import type { Quality } from '../../collect/quality.ts';
import { type ReadRows, readRows } from '../../collect/source-rows.ts';
import { SourceError } from '../../errors.ts';
import {
  blank,
  derivedHashtags,
  derivedMentions,
  dig,
  timeToIso,
  toFlag,
  toFreeText,
  toSize,
  toText,
  toTexts,
} from '../../parse/values.ts';
import { type LongvideoItem, longvideoItem } from '../../records/longvideo.ts';
import { officialCount, secondsOfDuration } from '../amounts.ts';
import { largestUrl, officialImages, secureUrl } from '../media.ts';
import { type DataApi, dataApiItems, dataApiName } from './client.ts';
import { isHollow, localizationsOf, localizedOf } from './text.ts';

const parts = (
  'snippet contentDetails statistics status topicDetails recordingDetails player liveStreamingDetails localizations ' +
  'paidProductPlacementDetails'
).split(' ');

/**
 * Maximum width of the embedded player in pixels. With this parameter, the YouTube Data API also returns the size of
 * the player.
 */
const embedMaxWidth = 640;

export interface VideoRecord {
  record: LongvideoItem;
  quality: Quality;
}

/**
 * Fetches at most 50 videos by ID from the YouTube Data API, in the order of its answer. Videos that do not exist are
 * left out. Throws the errors of {@link dataApiItems} and {@link readRows}.
 */
export async function officialVideos(
  api: DataApi,
  ids: readonly string[],
  context: SourceContext,
): Promise<ReadRows<VideoRecord>> {
  const items = await dataApiItems(
    api,
    {
      method: 'videos.list',
      params: { part: parts, id: [ids.join(',')], maxWidth: embedMaxWidth, hl: 'en' },
      customer_parameters: ['id'],
    },
    context,
  );
  return readRows(dataApiName, items, (item) => (isHollow(item) ? null : videoOf(item)));
}

/** Fetches one video by ID from the YouTube Data API. Throws RESOURCE_NOT_FOUND when the video does not exist. */
export async function officialVideo(api: DataApi, id: string, context: SourceContext): Promise<VideoRecord> {
  const { rows } = await officialVideos(api, [id], context);
  const [video] = rows;
  if (video === undefined) throw new SourceError('RESOURCE_NOT_FOUND');
  return video;
}

function videoOf(item: unknown): VideoRecord {
  const record: LongvideoItem = {
    ...blank(longvideoItem),
    id: toText(dig(item, 'id')),
    ...snippetFields(item),
    ...statisticsFields(item),
    ...contentFields(item),
    ...statusFields(item),
    ...playerFields(item),
    ...liveFields(item),
    localizations: localizationsOf(dig(item, 'localizations')),
    paid_partnership: toFlag(dig(item, 'paidProductPlacementDetails', 'hasPaidProductPlacement')),
    topic_ids: toTexts(dig(item, 'topicDetails', 'topicIds')),
    topic_categories: toTexts(dig(item, 'topicDetails', 'topicCategories')),
    recording_date: timeToIso(dig(item, 'recordingDetails', 'recordingDate')),
  };
  const permalink = record.id === null ? null : `https://www.youtube.com/watch?v=${record.id}`;
  return { record: { ...record, permalink }, quality: qualityOf(item) };
}

function snippetFields(item: unknown): Partial<LongvideoItem> {
  const snippet = dig(item, 'snippet');
  const title = toText(dig(snippet, 'title'));
  const description = toFreeText(dig(snippet, 'description'));
  const channelId = toText(dig(snippet, 'channelId'));
  const named = title === null && description === null ? null : `${title ?? ''}\n${description ?? ''}`;
  const thumbnails = officialImages(dig(snippet, 'thumbnails'), 'thumbnail');
  return {
    title,
    description,
    channel_id: channelId,
    author: toText(dig(snippet, 'channelTitle')),
    channel_url: channelId === null ? null : `https://www.youtube.com/channel/${channelId}`,
    published_at: timeToIso(dig(snippet, 'publishedAt')),
    category_id: toText(dig(snippet, 'categoryId')),
    tags: toTexts(dig(snippet, 'tags')),
    thumbnails,
    media_url: largestUrl(thumbnails),
    language: toText(dig(snippet, 'defaultLanguage')),
    audio_language: toText(dig(snippet, 'defaultAudioLanguage')),
    localized: localizedOf(dig(snippet, 'localized')),
    hashtags: derivedHashtags(named),
    mentions: derivedMentions(named, 'longvideo'),
  };
}

function statisticsFields(item: unknown): Partial<LongvideoItem> {
  const statistics = dig(item, 'statistics');
  const views = officialCount(dig(statistics, 'viewCount'));
  const likes = officialCount(dig(statistics, 'likeCount'));
  const comments = officialCount(dig(statistics, 'commentCount'));
  const exact = (count: number | null): false | null => (count === null ? null : false);
  return {
    views,
    likes,
    comments,
    counts_rounded: { views: exact(views), likes: exact(likes), comments: exact(comments) },
  };
}

/**
 * Marks the likes of a video as `hidden` when only the like count is missing, because YouTube leaves it out when the
 * owner hides it.
 */
function qualityOf(item: unknown): Quality {
  const hidden =
    dig(item, 'statistics', 'viewCount') !== undefined && dig(item, 'statistics', 'likeCount') === undefined;
  return hidden ? { likes: 'hidden' } : {};
}

function contentFields(item: unknown): Partial<LongvideoItem> {
  const content = dig(item, 'contentDetails');
  const rating = dig(content, 'contentRating');
  return {
    ...durationFields(item),
    dimension: toText(dig(content, 'dimension')),
    definition: toText(dig(content, 'definition')),
    licensed_content: toFlag(dig(content, 'licensedContent')),
    projection: toText(dig(content, 'projection')),
    region_restriction: regionRestriction(dig(content, 'regionRestriction')),
    content_rating: typeof rating === 'object' && rating !== null ? { ...rating } : null,
    captions_available: toFlag(dig(content, 'caption')) || null,
  };
}

/** Reads the duration of a video. A live broadcast that has not ended has the duration `P0D`, which becomes null. */
function durationFields(item: unknown): Partial<LongvideoItem> {
  const durationIso8601 = toText(dig(item, 'contentDetails', 'duration'));
  const seconds = secondsOfDuration(durationIso8601);
  const status = liveStatus(item);
  const isOpen = seconds === 0 && status !== null && status !== 'none';
  return isOpen
    ? { duration_iso8601: null, duration_seconds: null }
    : { duration_iso8601: durationIso8601, duration_seconds: seconds };
}

/**
 * Reads the countries in which a video is allowed or blocked. A missing list stays missing, because an empty list has a
 * different meaning.
 */
function regionRestriction(restriction: unknown): LongvideoItem['region_restriction'] {
  if (typeof restriction !== 'object' || restriction === null) return null;
  const allowed = toTexts(dig(restriction, 'allowed'));
  const blocked = toTexts(dig(restriction, 'blocked'));
  return { ...(allowed === null ? {} : { allowed }), ...(blocked === null ? {} : { blocked }) };
}

function statusFields(item: unknown): Partial<LongvideoItem> {
  const status = dig(item, 'status');
  const privacyStatus = toText(dig(status, 'privacyStatus'));
  return {
    privacy_status: privacyStatus,
    unlisted: privacyStatus === null ? null : privacyStatus === 'unlisted',
    license: toText(dig(status, 'license')),
    embeddable: toFlag(dig(status, 'embeddable')),
    public_stats_viewable: toFlag(dig(status, 'publicStatsViewable')),
    made_for_kids: toFlag(dig(status, 'madeForKids')),
    contains_synthetic_media: toFlag(dig(status, 'containsSyntheticMedia')),
  };
}

function playerFields(item: unknown): Partial<LongvideoItem> {
  const player = dig(item, 'player');
  return {
    embed_html: toText(dig(player, 'embedHtml')),
    embed_width: toSize(dig(player, 'embedWidth')),
    embed_height: toSize(dig(player, 'embedHeight')),
  };
}

function liveStatus(item: unknown): LongvideoItem['live_status'] {
  const status = dig(item, 'snippet', 'liveBroadcastContent');
  return status === 'live' || status === 'upcoming' || status === 'none' ? status : null;
}

function liveFields(item: unknown): Partial<LongvideoItem> {
  const details = dig(item, 'liveStreamingDetails');
  const status = liveStatus(item);
  const isLive = status === null ? null : status === 'live';
  if (typeof details !== 'object' || details === null) return { live_status: status, is_live: isLive };
  return {
    live_status: status,
    is_live: isLive,
    is_live_content: true,
    live: {
      actual_start_time: timeToIso(dig(details, 'actualStartTime')),
      actual_end_time: timeToIso(dig(details, 'actualEndTime')),
      is_live_now: isLive,
      scheduled_start_time: timeToIso(dig(details, 'scheduledStartTime')),
      scheduled_end_time: timeToIso(dig(details, 'scheduledEndTime')),
      concurrent_viewers: officialCount(dig(details, 'concurrentViewers')),
      active_live_chat_id: toText(dig(details, 'activeLiveChatId')),
    },
  };
}

/**
 * Fetches the URL of a channel's avatar from the YouTube Data API; null when the channel or the image does not exist.
 */
export async function officialAvatar(api: DataApi, channelId: string, context: SourceContext): Promise<string | null> {
  const [channel] = await dataApiItems(
    api,
    { method: 'channels.list', params: { part: ['snippet'], id: [channelId] } },
    context,
  );
  return secureUrl(dig(channel, 'snippet', 'thumbnails', 'high', 'url'));
}
