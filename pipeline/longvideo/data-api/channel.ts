import type { SourceContext } from '../../collect/collect.ts';
import type { Quality } from '../../collect/quality.ts';
import { SourceError } from '../../errors.ts';
import { blank, dig, timeToIso, toFlag, toFreeText, toText, toTexts } from '../../parse/values.ts';
import { type LongvideoChannel, longvideoChannelRecord } from '../../records/longvideo.ts';
import { isRoundedFollowers, officialCount } from '../amounts.ts';
import { largestUrl, officialImages } from '../media.ts';
import type { ChannelRecord } from '../web/channel.ts';
import { type DataApi, dataApiItems } from './client.ts';
import { localizationsOf, localizedOf, refuseHollow } from './text.ts';

const parts = 'snippet statistics contentDetails brandingSettings topicDetails status localizations'.split(' ');

/**
 * Identifies the channel in a call of the YouTube Data API method channels.list, which accepts exactly one of these
 * parameters.
 */
export type ChannelSelector = { id: string } | { forHandle: string } | { forUsername: string };

/** Fetches a channel from the YouTube Data API. Throws RESOURCE_NOT_FOUND when the channel does not exist. */
export async function officialChannel(
  api: DataApi,
  selector: ChannelSelector,
  context: SourceContext,
): Promise<ChannelRecord> {
  const by = 'id' in selector ? { id: [selector.id] } : selector;
  const [channel] = await dataApiItems(
    api,
    {
      method: 'channels.list',
      params: { part: parts, hl: 'en', ...by },
      customer_parameters: Object.keys(selector),
    },
    context,
  );
  if (channel === undefined) throw new SourceError('RESOURCE_NOT_FOUND');
  refuseHollow(channel);
  return channelOf(channel);
}

function channelOf(item: unknown): ChannelRecord {
  const snippet = dig(item, 'snippet');
  const branding = dig(item, 'brandingSettings', 'channel');
  const id = toText(dig(item, 'id'));
  const username = toText(dig(snippet, 'customUrl'))?.replace(/^@/, '') ?? null;
  const avatarVariants = officialImages(dig(snippet, 'thumbnails'), 'avatar');
  const counts = statisticsFields(item);
  const record: LongvideoChannel = {
    ...blank(longvideoChannelRecord),
    ...counts,
    id,
    username,
    display_name: toText(dig(snippet, 'title')),
    bio: toFreeText(dig(snippet, 'description')),
    profile_url: `https://www.youtube.com/${username === null ? `channel/${id}` : `@${username}`}`,
    private: dig(item, 'status', 'privacyStatus') === 'public' ? false : null,
    avatar_url: largestUrl(avatarVariants),
    avatar_variants: avatarVariants,
    created_at_platform: timeToIso(dig(snippet, 'publishedAt')),
    country_code: toText(dig(snippet, 'country')) ?? toText(dig(branding, 'country')),
    default_language: toText(dig(snippet, 'defaultLanguage')) ?? toText(dig(branding, 'defaultLanguage')),
    localized: localizedOf(dig(snippet, 'localized')),
    localizations: localizationsOf(dig(item, 'localizations')),
    uploads_playlist_id: toText(dig(item, 'contentDetails', 'relatedPlaylists', 'uploads')),
    topic_ids: toTexts(dig(item, 'topicDetails', 'topicIds')),
    topic_categories: toTexts(dig(item, 'topicDetails', 'topicCategories')),
    keywords: toFreeText(dig(branding, 'keywords')),
    unsubscribed_trailer: toText(dig(branding, 'unsubscribedTrailer')),
  };
  return { record, quality: followersQuality(record) };
}

/**
 * Reads the counts of a YouTube channel. A hidden subscriber count becomes null, because YouTube still sends a number
 * for it.
 */
function statisticsFields(item: unknown): Partial<LongvideoChannel> {
  const statistics = dig(item, 'statistics');
  const hiddenSubscriberCount = toFlag(dig(statistics, 'hiddenSubscriberCount'));
  const subscribers = officialCount(dig(statistics, 'subscriberCount'));
  const followers = hiddenSubscriberCount === true ? null : subscribers;
  const rounded = isRoundedFollowers(followers);
  return {
    followers,
    hidden_subscriber_count: hiddenSubscriberCount,
    subscriber_count_is_rounded: rounded,
    follower_count_is_rounded: rounded,
    posts: officialCount(dig(statistics, 'videoCount')),
    total_views: officialCount(dig(statistics, 'viewCount')),
  };
}

function followersQuality(channel: LongvideoChannel): Quality {
  if (channel.hidden_subscriber_count === true) return { followers: 'hidden' };
  return channel.follower_count_is_rounded === true ? { followers: 'rounded' } : {};
}
