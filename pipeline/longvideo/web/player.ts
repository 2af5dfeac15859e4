import type { SourceContext } from '../../collect/collect.ts';
import { responseChanged, SourceError } from '../../errors.ts';
import {
  dig,
  epochToIso,
  timeToIso,
  toCount,
  toDecimal,
  toFlag,
  toFreeText,
  toList,
  toSize,
  toText,
  toTexts,
} from '../../parse/values.ts';
import type { LongvideoItem } from '../../records/longvideo.ts';
import { type Amount, exactly } from '../amounts.ts';
import { largestUrl, secureUrl, webImages } from '../media.ts';
import type { Web } from './innertube.ts';
import { playerRefusal } from './innertube-refusal.ts';
import { nodeFreeText, nodeText } from './text.ts';

type CaptionTrack = NonNullable<LongvideoItem['caption_tracks']>[number];

export interface PlayerFields {
  fields: Partial<LongvideoItem>;
  amounts: { views: Amount; likes: Amount };
  /** True when the owner of the video has switched off ratings, which hides the likes from everyone. */
  likes_hidden: boolean;
}

/**
 * Fetches YouTube's public player data about a video. Does not confirm content warnings on behalf of a viewer. Throws
 * RESOURCE_NOT_FOUND for a removed or private video, SOURCE_RESTRICTED for a block, and SOURCE_RESPONSE_CHANGED when
 * the answer is about a different video.
 */
export async function fetchPlayer(web: Web, id: string, context: SourceContext): Promise<unknown> {
  const player = await web('/player', { videoId: id, racyCheckOk: false, contentCheckOk: false }, context);
  if (dig(player, 'videoDetails') === undefined) throw playerRefusal(player);
  if (dig(player, 'videoDetails', 'videoId') === id) return player;
  throw responseChanged('the player answer is about another video');
}

/** Throws SOURCE_RESTRICTED when YouTube's player says that not every visitor can play the video. */
export function refuseUnplayable(player: unknown): void {
  const status = dig(player, 'playabilityStatus', 'status');
  if (status === 'OK' || status === 'LIVE_STREAM_OFFLINE') return;
  throw new SourceError('SOURCE_RESTRICTED', { about: 'resource', reason: `the player answered ${status}` });
}

/**
 * Reads the video fields in an answer of YouTube's player that has video details. Answers to app clients have no
 * `microformat`.
 */
export function playerFields(player: unknown): PlayerFields {
  const details = dig(player, 'videoDetails');
  const micro = dig(player, 'microformat', 'playerMicroformatRenderer');
  const views = toCount(dig(details, 'viewCount')) ?? toCount(dig(micro, 'viewCount'));
  return {
    fields: {
      ...detailFields(details, micro),
      ...microformatFields(micro),
      ...embedFields(player),
      ...captionFields(player),
      ...liveFields(player),
    },
    amounts: { views: exactly(views), likes: exactly(toCount(dig(micro, 'likeCount'))) },
    likes_hidden: toFlag(dig(details, 'allowRatings')) === false,
  };
}

function detailFields(details: unknown, micro: unknown): Partial<LongvideoItem> {
  const id = toText(dig(details, 'videoId'));
  const channelId = toText(dig(details, 'channelId')) ?? toText(dig(micro, 'externalChannelId'));
  const described = dig(details, 'shortDescription');
  const lists = [dig(details, 'thumbnail', 'thumbnails'), dig(micro, 'thumbnail', 'thumbnails')];
  const thumbnails = webImages(lists, 'thumbnail');
  return {
    id,
    title: toText(dig(details, 'title')) ?? nodeText(dig(micro, 'title')),
    description: described === undefined ? nodeFreeText(dig(micro, 'description')) : toFreeText(described),
    channel_id: channelId,
    author: toText(dig(details, 'author')) ?? toText(dig(micro, 'ownerChannelName')),
    channel_url:
      secureUrl(dig(micro, 'ownerProfileUrl')) ?? (channelId && `https://www.youtube.com/channel/${channelId}`),
    permalink: secureUrl(dig(micro, 'canonicalUrl')) ?? `https://www.youtube.com/watch?v=${id}`,
    tags: toTexts(dig(details, 'keywords')),
    thumbnails,
    media_url: largestUrl(thumbnails),
  };
}

function microformatFields(micro: unknown): Partial<LongvideoItem> {
  return {
    published_at: timeToIso(dig(micro, 'publishDate')),
    upload_date: timeToIso(dig(micro, 'uploadDate')),
    category: toText(dig(micro, 'category')),
    available_countries: toTexts(dig(micro, 'availableCountries')),
    unlisted: toFlag(dig(micro, 'isUnlisted')),
    family_safe: toFlag(dig(micro, 'isFamilySafe')),
  };
}

/**
 * Reads the fields for embedding a video. Builds the `<iframe>` markup, because YouTube sends only the URL and the size
 * of the frame.
 */
function embedFields(player: unknown): Partial<LongvideoItem> {
  const embed = dig(player, 'microformat', 'playerMicroformatRenderer', 'embed');
  const url = secureUrl(dig(embed, 'iframeUrl'))?.replaceAll('&', '&amp;').replaceAll('"', '&quot;') ?? null;
  const embedWidth = toSize(dig(embed, 'width'));
  const embedHeight = toSize(dig(embed, 'height'));
  const size = embedWidth && embedHeight ? ` width="${embedWidth}" height="${embedHeight}"` : '';
  return {
    embed_html: url && `<iframe${size} src="${url}" allowfullscreen></iframe>`,
    embed_width: embedWidth,
    embed_height: embedHeight,
    embeddable: toFlag(dig(player, 'playabilityStatus', 'playableInEmbed')),
  };
}

/**
 * Reads which captions a video has. If YouTube's answer lists none, a playable video has no captions, but a restricted
 * video may only hide them.
 */
function captionFields(player: unknown): Partial<LongvideoItem> {
  const captions = dig(player, 'captions');
  const tracks = toList(dig(captions, 'playerCaptionsTracklistRenderer', 'captionTracks'));
  const none = captions === undefined && dig(player, 'playabilityStatus', 'status') === 'OK';
  return {
    captions_available: tracks !== null && tracks.length > 0 ? true : none ? false : null,
    caption_tracks: captionTracks(tracks),
  };
}

/** Reads the caption tracks in an answer of YouTube's player, without the URLs of the tracks. */
export function captionTracks(tracks: unknown[]): CaptionTrack[];
export function captionTracks(tracks: unknown): CaptionTrack[] | null;
export function captionTracks(tracks: unknown): CaptionTrack[] | null {
  const listed = toList(tracks)?.map((track) => ({
    language: toText(dig(track, 'languageCode')),
    language_name: nodeText(dig(track, 'name')),
    generated: dig(track, 'kind') === 'asr',
    translatable: toFlag(dig(track, 'isTranslatable')),
  }));
  return listed ?? null;
}

/**
 * Reads the fields about a live broadcast, and the length, which is 0 for a live broadcast. Prefers the length in the
 * video details, because the microformat rounds it up.
 */
function liveFields(player: unknown): Partial<LongvideoItem> {
  const details = dig(player, 'videoDetails');
  const micro = dig(player, 'microformat', 'playerMicroformatRenderer');
  const liveStatus = liveStatusOf(details, micro);
  const seconds = toDecimal(dig(details, 'lengthSeconds')) ?? toDecimal(dig(micro, 'lengthSeconds'));
  return {
    live_status: liveStatus,
    is_live: liveStatus === null ? null : liveStatus === 'live',
    is_live_content: toFlag(dig(details, 'isLiveContent')),
    duration_seconds: seconds === 0 && liveStatus !== 'none' ? null : seconds,
    live: broadcast(player, liveStatus),
  };
}

/**
 * Reads the live status from the video details, which have `isLive` and `isUpcoming` only when they are true, or from
 * the microformat if the details have no flags at all.
 */
function liveStatusOf(details: unknown, micro: unknown): LongvideoItem['live_status'] {
  const liveDetails = dig(micro, 'liveBroadcastDetails');
  if (dig(details, 'isLive') === true || dig(liveDetails, 'isLiveNow') === true) return 'live';
  if (dig(details, 'isUpcoming') === true) return 'upcoming';
  if (dig(details, 'isLiveContent') !== undefined) return 'none';
  if (micro === undefined) return null;
  return liveDetails === undefined || dig(liveDetails, 'endTimestamp') !== undefined ? 'none' : 'upcoming';
}

/**
 * Reads the start and end times of a live broadcast. YouTube sends only one start time: the scheduled time before the
 * broadcast begins, and the actual time afterwards.
 */
function broadcast(player: unknown, liveStatus: LongvideoItem['live_status']): LongvideoItem['live'] {
  const details = dig(player, 'videoDetails');
  const liveDetails = dig(player, 'microformat', 'playerMicroformatRenderer', 'liveBroadcastDetails');
  if (liveDetails === undefined && dig(details, 'isLiveContent') !== true) return null;
  const slate = dig(player, 'playabilityStatus', 'liveStreamability', 'liveStreamabilityRenderer', 'offlineSlate');
  const announced = epochToIso(dig(slate, 'liveStreamOfflineSlateRenderer', 'scheduledStartTime'));
  const start = timeToIso(dig(liveDetails, 'startTimestamp'));
  const upcoming = liveStatus === 'upcoming';
  return {
    actual_start_time: upcoming ? null : start,
    actual_end_time: timeToIso(dig(liveDetails, 'endTimestamp')),
    is_live_now: toFlag(dig(liveDetails, 'isLiveNow')) ?? dig(details, 'isLive') === true,
    scheduled_start_time: upcoming ? (start ?? announced) : null,
    scheduled_end_time: null,
    concurrent_viewers: null,
    active_live_chat_id: null,
  };
}
