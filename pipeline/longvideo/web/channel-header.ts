import { dig, toList, toText } from '../../parse/values.ts';
import { type Amount, firstAmount, noAmount } from '../amounts.ts';
import { nodeFreeText, nodeText } from './text.ts';

/**
 * Fields in the header of a YouTube channel page. YouTube has four kinds of header, and each shows only some of these
 * fields.
 */
interface ChannelHeader {
  title: string | null;
  /** Channel ID in the header of the channel page; null when the header has no ID. */
  channel_id: string | null;
  handle: string | null;
  bio: string | null;
  followers: Amount;
  posts: Amount;
  verified: boolean;
  /** Lists of avatar images of a channel. Each list has one image in several sizes. */
  avatars: unknown[];
  external_url: string | null;
}

/** Icon names of the badges that YouTube shows for verified channels and for official artist channels. */
const verifiedIcons = new Set(['CHECK_CIRCLE_FILLED', 'AUDIO_BADGE', 'MUSIC_FILLED']);
const verifiedStyles = new Set(['BADGE_STYLE_TYPE_VERIFIED', 'BADGE_STYLE_TYPE_VERIFIED_ARTIST']);

const noHeader: ChannelHeader = {
  title: null,
  channel_id: null,
  handle: null,
  bio: null,
  followers: noAmount,
  posts: noAmount,
  verified: false,
  avatars: [],
  external_url: null,
};

/**
 * Reads the header of a YouTube channel page in any of its four formats: current, previous, topics and events, and
 * games.
 */
export function channelHeader(page: unknown): ChannelHeader {
  const header = dig(page, 'header');
  const carousel = toList(dig(header, 'carouselHeaderRenderer', 'contents')) ?? [];
  const topic = carousel.map((item) => dig(item, 'topicChannelDetailsRenderer')).find((item) => item !== undefined);
  if (dig(header, 'pageHeaderRenderer') !== undefined) return pageHeader(dig(header, 'pageHeaderRenderer'));
  return rendererHeader(
    dig(header, 'c4TabbedHeaderRenderer') ?? topic ?? dig(header, 'interactiveTabbedHeaderRenderer'),
  );
}

function pageHeader(renderer: unknown): ChannelHeader {
  const header = dig(renderer, 'content', 'pageHeaderViewModel');
  const parts = headerParts(header);
  const images = [
    dig(header, 'image', 'decoratedAvatarViewModel', 'avatar', 'avatarViewModel', 'image', 'sources'),
    dig(header, 'image', 'contentPreviewImageViewModel', 'image', 'sources'),
    dig(header, 'animatedImage', 'contentPreviewImageViewModel', 'image', 'sources'),
  ];
  return {
    ...noHeader,
    title:
      toText(dig(header, 'title', 'dynamicTextViewModel', 'text', 'content')) ?? toText(dig(renderer, 'pageTitle')),
    handle: parts[0]?.startsWith('@') ? parts[0].slice(1) : null,
    followers: amountOf(parts, /subscriber/),
    posts: amountOf(parts, /video/),
    verified: hasVerifiedIcon(header),
    avatars: images,
    external_url: linkUrl(dig(header, 'attribution', 'attributionViewModel', 'text')),
  };
}

/**
 * Reads the header of a YouTube channel page in one of the three formats other than the current one. All three use the
 * same field names.
 */
function rendererHeader(header: unknown): ChannelHeader {
  const subtitle = nodeText(dig(header, 'subtitle'));
  const badges = toList(dig(header, 'badges')) ?? [];
  return {
    ...noHeader,
    title: toText(dig(header, 'title')) ?? nodeText(dig(header, 'title')),
    channel_id:
      toText(dig(header, 'channelId')) ?? toText(dig(header, 'navigationEndpoint', 'browseEndpoint', 'browseId')),
    handle: nodeText(dig(header, 'channelHandleText'))?.replace(/^@/, '') ?? null,
    bio: nodeFreeText(dig(header, 'description')),
    followers: amountOf([nodeText(dig(header, 'subscriberCountText')), subtitle], /subscriber/),
    posts: amountOf([nodeText(dig(header, 'videosCountText'))], /video/),
    verified: badges.some((badge) => verifiedStyles.has(toText(dig(badge, 'metadataBadgeRenderer', 'style')) ?? '')),
    avatars: [dig(header, 'avatar', 'thumbnails'), dig(header, 'boxArt', 'thumbnails')],
    external_url:
      linkUrl(dig(header, 'headerLinks', 'channelHeaderLinksViewModel', 'firstLink')) ??
      targetUrl(dig(header, 'headerLinks', 'channelHeaderLinksRenderer', 'primaryLinks', 0, 'navigationEndpoint')),
  };
}

/** Returns the small texts under a channel's name on its YouTube page, such as handle, subscribers and videos. */
function headerParts(header: unknown): string[] {
  const rows = toList(dig(header, 'metadata', 'contentMetadataViewModel', 'metadataRows')) ?? [];
  const parts = rows.flatMap((row) => toList(dig(row, 'metadataParts')) ?? []);
  return parts.map((part) => toText(dig(part, 'text', 'content'))).filter((text) => text !== null);
}

function amountOf(parts: (string | null)[], noun: RegExp): Amount {
  return firstAmount(parts.filter((part) => part !== null && noun.test(part)));
}

function hasVerifiedIcon(header: unknown): boolean {
  const runs = toList(dig(header, 'title', 'dynamicTextViewModel', 'text', 'attachmentRuns')) ?? [];
  return runs.some((run) => {
    const sources = toList(dig(run, 'element', 'type', 'imageType', 'image', 'sources')) ?? [];
    return sources.some((source) => verifiedIcons.has(toText(dig(source, 'clientResource', 'imageName')) ?? ''));
  });
}

/** Returns the URL of a linked text in a channel's header. */
function linkUrl(text: unknown): string | null {
  return targetUrl(dig(text, 'commandRuns', 0, 'onTap', 'innertubeCommand'));
}

/**
 * Returns the URL to which a link leads. For links to other websites, YouTube uses a redirect URL whose parameter `q`
 * is the target.
 */
function targetUrl(command: unknown): string | null {
  const url = URL.parse(toText(dig(command, 'urlEndpoint', 'url')) ?? '');
  if (url === null) return null;
  return url.pathname === '/redirect' ? url.searchParams.get('q') : url.href;
}
