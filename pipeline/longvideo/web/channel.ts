import type { SourceContext } from '../../collect/collect.ts';
import type { Quality } from '../../collect/quality.ts';
import { responseChanged, SourceError } from '../../errors.ts';
import { blank, dig, toFreeText, toList, toText } from '../../parse/values.ts';
import { type LongvideoChannel, longvideoChannelRecord } from '../../records/longvideo.ts';
import { isRoundedFollowers } from '../amounts.ts';
import { largestUrl, secureUrl, webImages } from '../media.ts';
import { channelHeader } from './channel-header.ts';
import type { Web } from './innertube.ts';

export interface ChannelRecord {
  record: LongvideoChannel;
  quality: Quality;
}

/**
 * Returns the ID of the channel to which a path on YouTube's website leads, such as `@handle`. Follows one rename.
 * Throws RESOURCE_NOT_FOUND when the path leads to something other than a channel, and SOURCE_RESPONSE_CHANGED when
 * YouTube's answer contains no page.
 */
export async function resolvedChannelId(web: Web, path: string, context: SourceContext): Promise<string> {
  let url = `https://www.youtube.com/${path}`;
  for (const _hop of ['requested', 'renamed']) {
    const endpoint = dig(await web('/navigation/resolve_url', { url }, context), 'endpoint');
    const id = toText(dig(endpoint, 'browseEndpoint', 'browseId'));
    if (id?.startsWith('UC')) return id;
    const target = secureUrl(dig(endpoint, 'urlEndpoint', 'url'));
    const otherSite = target !== null && !target.startsWith('https://www.youtube.com/');
    if (id !== null || otherSite)
      throw new SourceError('RESOURCE_NOT_FOUND', { reason: 'the path does not lead to a channel' });
    if (target === null) break;
    url = target;
  }
  throw responseChanged('the site names no page for the address');
}

/** Fetches a channel from its public page on YouTube's website. Throws the errors of {@link shownChannel}. */
export async function webChannel(web: Web, channelId: string, context: SourceContext): Promise<ChannelRecord> {
  const page = await web('/browse', { browseId: channelId }, context);
  return channelOf(page, shownChannel(page, channelId));
}

/** ID and name of the channel that a page of YouTube's website shows. */
interface ShownChannel {
  id: string;
  title: string;
}

/**
 * Returns the ID and name of the channel that a YouTube page shows. Throws RESOURCE_NOT_FOUND when the page says that
 * the channel does not exist, SOURCE_RESTRICTED for an age restriction, and SOURCE_RESPONSE_CHANGED when the page shows
 * a different channel or none. Channels that YouTube creates itself (topics, games, sports) have a header but no
 * metadata.
 */
export function shownChannel(page: unknown, channelId: string): ShownChannel {
  const header = channelHeader(page);
  const metadata = dig(page, 'metadata', 'channelMetadataRenderer');
  const micro = dig(page, 'microformat', 'microformatDataRenderer');
  const title = toText(dig(metadata, 'title')) ?? header.title ?? toText(dig(micro, 'title'));
  const shownIds = [
    toText(dig(metadata, 'externalId')),
    header.channel_id,
    /\/channel\/(UC[\w-]{22})/.exec(toText(dig(micro, 'urlCanonical')) ?? '')?.[1] ?? null,
    ...tabIds(page),
  ];
  const id = shownIds.find((shown) => shown !== null);
  const alerted = metadata === undefined && hasErrorAlert(page);
  if (title === null || id === undefined || alerted) throw channelRefusal(page);
  if (id === channelId) return { id, title };
  throw responseChanged('the page shows another channel');
}

function tabIds(page: unknown): (string | null)[] {
  const tabs = toList(dig(page, 'contents', 'twoColumnBrowseResultsRenderer', 'tabs')) ?? [];
  return tabs.map((tab) => toText(dig(tab, 'tabRenderer', 'endpoint', 'browseEndpoint', 'browseId')) ?? onlyTabId(tab));
}

/**
 * Returns the channel ID in a tab without a URL, which is the only tab of a channel that YouTube creates itself, such
 * as its channel of live broadcasts. Null for any other tab.
 */
export function onlyTabId(tab: unknown): string | null {
  const id = toText(dig(tab, 'tabRenderer', 'tabIdentifier'));
  return id?.startsWith('UC') ? id : null;
}

function hasErrorAlert(page: unknown): boolean {
  const alerts = toList(dig(page, 'alerts')) ?? [];
  return alerts.some((alert) => dig(alert, 'alertRenderer', 'type') === 'ERROR');
}

/** Returns the error for a YouTube channel page that shows no channel. */
function channelRefusal(page: unknown): SourceError {
  if (hasErrorAlert(page)) return new SourceError('RESOURCE_NOT_FOUND', { reason: 'the page shows an error alert' });
  const tab = dig(page, 'contents', 'twoColumnBrowseResultsRenderer', 'tabs', 0, 'tabRenderer', 'content');
  if (dig(tab, 'sectionListRenderer', 'contents', 0, 'channelAgeGateRenderer') !== undefined) {
    return new SourceError('SOURCE_RESTRICTED', { about: 'resource', reason: 'the channel is age-restricted' });
  }
  return responseChanged('the page shows neither a channel nor a known error');
}

function channelOf(page: unknown, { id, title }: ShownChannel): ChannelRecord {
  const metadata = dig(page, 'metadata', 'channelMetadataRenderer');
  const micro = dig(page, 'microformat', 'microformatDataRenderer');
  const { followers, posts, ...header } = channelHeader(page);
  const pictures = [dig(metadata, 'avatar', 'thumbnails'), ...header.avatars];
  const avatarVariants = webImages(pictures, 'avatar') ?? webImages([dig(micro, 'thumbnail', 'thumbnails')], 'avatar');
  const rounded = isRoundedFollowers(followers.count);
  const record: LongvideoChannel = {
    ...blank(longvideoChannelRecord),
    id,
    username: header.handle ?? vanityHandle(metadata),
    display_name: title,
    bio: toFreeText(dig(metadata, 'description')) ?? header.bio,
    profile_url: profileUrl(metadata) ?? `https://www.youtube.com/channel/${id}`,
    followers: followers.count,
    subscriber_count_is_rounded: rounded,
    follower_count_is_rounded: rounded,
    posts: posts.count,
    verified: header.verified ? true : null,
    avatar_url: largestUrl(avatarVariants),
    avatar_variants: avatarVariants,
    external_url: header.external_url,
    uploads_playlist_id: `UU${id.slice(2)}`,
    keywords: toFreeText(dig(metadata, 'keywords')),
  };
  return {
    record,
    quality: {
      ...(rounded === true ? { followers: 'rounded' as const } : {}),
      ...(posts.rounded === true ? { posts: 'rounded' as const } : {}),
    },
  };
}

function profileUrl(metadata: unknown): string | null {
  return secureUrl(dig(metadata, 'vanityChannelUrl')) ?? secureUrl(dig(metadata, 'channelUrl'));
}

/**
 * Returns the handle in the channel's URL. Null for a channel without a handle, such as a channel that YouTube creates
 * itself.
 */
function vanityHandle(metadata: unknown): string | null {
  const handle = /\/@([^/?#]+)/.exec(toText(dig(metadata, 'vanityChannelUrl')) ?? '')?.[1];
  return handle === undefined ? null : decodeURIComponent(handle);
}
