import type { Quality, SourceContext } from '../collect.ts';
import { SourceError } from '../errors.ts';
import { blank, dig, toList, toText } from '../parse.ts';
import { type LongvideoChannel, longvideoChannel } from '../records/longvideo.ts';
import { type Amount, isRoundedFollowers, noAmount, shownAmount } from './amounts.ts';
import type { Web } from './innertube.ts';
import { largestUrl, secureUrl, webImages } from './media.ts';

export interface ChannelRecord {
  record: LongvideoChannel;
  quality: Quality;
}

/** The badges of a verified channel and of an official artist channel. */
const verifiedBadges = new Set(['CHECK_CIRCLE_FILLED', 'AUDIO_BADGE']);

/** The channel that an address on the site stands for, followed over one change of name. RESOURCE_NOT_FOUND for any other. */
export async function resolvedChannelId(web: Web, path: string, context: SourceContext): Promise<string> {
  let url = `https://www.youtube.com/${path}`;
  for (const _hop of ['as asked', 'renamed']) {
    const endpoint = dig(await web('/navigation/resolve_url', { url }, context), 'endpoint');
    const id = toText(dig(endpoint, 'browseEndpoint', 'browseId'));
    if (id?.startsWith('UC')) return id;
    const renamed = secureUrl(dig(endpoint, 'urlEndpoint', 'url'));
    if (id !== null || !renamed?.startsWith('https://www.youtube.com/')) break;
    url = renamed;
  }
  throw new SourceError('RESOURCE_NOT_FOUND', { reason: 'the address stands for no channel' });
}

/**
 * A channel's public page. RESOURCE_NOT_FOUND where the page says that there is none, SOURCE_RESTRICTED behind the age
 * gate, SOURCE_RESPONSE_CHANGED when it says nothing known.
 */
export async function webChannel(web: Web, channel_id: string, context: SourceContext): Promise<ChannelRecord> {
  const page = await web('/browse', { browseId: channel_id }, context);
  const metadata = dig(page, 'metadata', 'channelMetadataRenderer');
  if (metadata === undefined) throw channelRefusal(page);
  if (dig(metadata, 'externalId') !== channel_id) {
    throw new SourceError('SOURCE_RESPONSE_CHANGED', { reason: 'the page is of another channel' });
  }
  return channelOf(metadata, dig(page, 'header', 'pageHeaderRenderer', 'content', 'pageHeaderViewModel'));
}

/** What a channel's page says when it shows no channel. */
export function channelRefusal(page: unknown): SourceError {
  const alerts = toList(dig(page, 'alerts')) ?? [];
  if (alerts.some((alert) => dig(alert, 'alertRenderer', 'type') === 'ERROR')) {
    return new SourceError('RESOURCE_NOT_FOUND', { reason: 'the page shows an error alert' });
  }
  const tab = dig(page, 'contents', 'twoColumnBrowseResultsRenderer', 'tabs', 0, 'tabRenderer', 'content');
  if (dig(tab, 'sectionListRenderer', 'contents', 0, 'channelAgeGateRenderer') !== undefined) {
    return new SourceError('SOURCE_RESTRICTED', { about: 'resource', reason: 'the age gate of a channel' });
  }
  return new SourceError('SOURCE_RESPONSE_CHANGED', { reason: 'the page shows neither a channel nor why not' });
}

function channelOf(metadata: unknown, header: unknown): ChannelRecord {
  const id = toText(dig(metadata, 'externalId'));
  const shown = headerParts(header);
  const username = handleOf(metadata, shown);
  const avatar = dig(header, 'image', 'decoratedAvatarViewModel', 'avatar', 'avatarViewModel', 'image', 'sources');
  const avatar_variants = webImages([dig(metadata, 'avatar', 'thumbnails'), avatar], 'avatar');
  const { count: followers } = amountOf(shown, /subscriber/);
  const posts = amountOf(shown, /video/);
  const rounded = isRoundedFollowers(followers);
  const record: LongvideoChannel = {
    ...blank(longvideoChannel),
    id,
    username,
    display_name: toText(dig(metadata, 'title')),
    bio: toText(dig(metadata, 'description')),
    profile_url: secureUrl(dig(metadata, 'vanityChannelUrl')) ?? secureUrl(dig(metadata, 'channelUrl')),
    followers,
    subscriber_count_is_rounded: rounded,
    follower_count_is_rounded: rounded,
    posts: posts.count,
    verified: isVerified(header) ? true : null,
    avatar_url: largestUrl(avatar_variants),
    avatar_variants,
    external_url: headerLink(header),
    uploads_playlist_id: id && `UU${id.slice(2)}`,
    keywords: toText(dig(metadata, 'keywords')),
  };
  return {
    record,
    quality: {
      ...(rounded === true ? { followers: 'rounded' as const } : {}),
      ...(posts.rounded === true ? { posts: 'rounded' as const } : {}),
    },
  };
}

/** The small texts under a channel's name: handle, subscribers, videos, and whatever else the channel shows there. */
function headerParts(header: unknown): string[] {
  const rows = toList(dig(header, 'metadata', 'contentMetadataViewModel', 'metadataRows')) ?? [];
  const parts = rows.flatMap((row) => toList(dig(row, 'metadataParts')) ?? []);
  return parts.map((part) => toText(dig(part, 'text', 'content'))).filter((text) => text !== null);
}

function amountOf(parts: string[], noun: RegExp): Amount {
  const text = parts.find((part) => noun.test(part));
  return text === undefined ? noAmount : shownAmount(text);
}

/** The handle; channels that the site makes itself have none. */
function handleOf(metadata: unknown, parts: string[]): string | null {
  const vanity = toText(dig(metadata, 'vanityChannelUrl'));
  const inUrl = /\/@([^/?#]+)/.exec(vanity ?? '')?.[1];
  const shown = parts[0]?.startsWith('@') ? parts[0].slice(1) : null;
  return shown ?? (inUrl === undefined ? null : decodeURIComponent(inUrl));
}

function isVerified(header: unknown): boolean {
  const runs = toList(dig(header, 'title', 'dynamicTextViewModel', 'text', 'attachmentRuns')) ?? [];
  return runs.some((run) => {
    const sources = toList(dig(run, 'element', 'type', 'imageType', 'image', 'sources')) ?? [];
    return sources.some((source) => verifiedBadges.has(toText(dig(source, 'clientResource', 'imageName')) ?? ''));
  });
}

/** The first link of the channel, taken out of the site's redirect. */
function headerLink(header: unknown): string | null {
  const run = dig(header, 'attribution', 'attributionViewModel', 'text', 'commandRuns', 0, 'onTap', 'innertubeCommand');
  const url = URL.parse(toText(dig(run, 'urlEndpoint', 'url')) ?? '');
  if (url === null) return null;
  return url.pathname === '/redirect' ? url.searchParams.get('q') : url.href;
}
