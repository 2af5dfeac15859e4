import { notExposed, type Quality } from '../../collect/quality.ts';
import {
  blank,
  derivedHashtags,
  dig,
  timeToIso,
  toCount,
  toFreeText,
  toList,
  toText,
  toUrl,
} from '../../parse/values.ts';
import {
  type PhotoChild,
  type PhotoItem,
  type PhotoProfile,
  photoItem,
  photoProfileRecord,
} from '../../records/photo.ts';
import { toMediaVariants } from '../media-variants.ts';
import { codeOf, codeToId, profileAddress } from '../post-code.ts';
import type { Graded } from '../rows.ts';

/**
 * Converts an account from a `business_discovery` answer of the Graph API to a profile. `id` is the account's number on
 * the website, never its ID in the Graph API.
 */
export function graphProfile(account: unknown): PhotoProfile {
  const identity = graphIdentity(account);
  const { username, avatar_url: avatarUrl } = identity;
  const followers = toCount(dig(account, 'followers_count'));
  return {
    ...blank(photoProfileRecord),
    ...identity,
    bio: toFreeText(dig(account, 'biography')),
    profile_url: profileAddress(username),
    followers,
    following: toCount(dig(account, 'follows_count')),
    posts: toCount(dig(account, 'media_count')),
    avatar_variants: toMediaVariants([{ url: avatarUrl, asset_type: 'avatar', variant: 'profile_picture_url' }]),
    external_url: toUrl(dig(account, 'website')),
    follower_count_is_rounded: followers === null ? null : false,
  };
}

/** Converts one post in the Graph API's `media` list of an account to a record. */
export function graphItem(media: unknown, account: unknown): Graded<PhotoItem> {
  const code = codeOf(dig(media, 'permalink'));
  const caption = toFreeText(dig(media, 'caption'));
  const record: PhotoItem = {
    ...blank(photoItem),
    ...graphAuthor(media, account),
    ...graphFiles(media, code),
    id: code,
    permalink: toUrl(dig(media, 'permalink')),
    platform_content_id: codeToId(code),
    published_at: timeToIso(dig(media, 'timestamp')),
    caption,
    hashtags: derivedHashtags(caption),
    likes: toCount(dig(media, 'like_count')),
    comments: toCount(dig(media, 'comments_count')),
    views: toCount(dig(media, 'view_count')),
    media_product_type: toText(dig(media, 'media_product_type'))?.toLowerCase() ?? null,
  };
  return { record, quality: graphGaps(media, record) };
}

/**
 * Returns the `quality` of a post: the reasons why fields are null. If the Graph API sends no `like_count`, the account
 * hides its likes.
 */
function graphGaps(media: unknown, record: PhotoItem): Quality {
  const likes: Quality = (dig(media, 'like_count') ?? null) === null ? { likes: 'hidden' } : {};
  return {
    ...likes,
    ...notExposed(record, ['media_product_type']),
    ...(record.media_type === 'video' ? notExposed(record, ['views', 'media_url', 'video_url']) : {}),
    ...(record.media_type === 'carousel' ? notExposed(record, ['media_url', 'children']) : {}),
  };
}

function graphAuthor(media: unknown, account: unknown) {
  const { username, id, display_name, avatar_url } = graphIdentity(account);
  const author = toText(dig(media, 'username')) ?? username;
  if (author !== username) return { author };
  return { author, author_id: id, author_display_name: display_name, author_avatar_url: avatar_url };
}

/** Returns the fields that a Graph API profile and the author of a post have in common. */
function graphIdentity(account: unknown) {
  return {
    id: toText(dig(account, 'ig_id')),
    username: toText(dig(account, 'username')),
    display_name: toText(dig(account, 'name')),
    avatar_url: toUrl(dig(account, 'profile_picture_url')),
  };
}

const mediaTypes: Record<string, PhotoItem['media_type']> = {
  IMAGE: 'image',
  VIDEO: 'video',
  CAROUSEL_ALBUM: 'carousel',
};

function graphType(media: unknown): PhotoItem['media_type'] {
  const sent = toText(dig(media, 'media_type')) ?? '';
  return Object.hasOwn(mediaTypes, sent) ? (mediaTypes[sent] ?? null) : null;
}

function graphFiles(media: unknown, code: string | null) {
  const mediaType = graphType(media);
  const children = toList(dig(media, 'children', 'data'));
  const { media_url, video_url } = filesOf(media, mediaType);
  return {
    media_type: mediaType,
    media_url: media_url ?? (mediaType === 'carousel' ? albumCover(children) : null),
    video_url,
    media_assets: toMediaVariants([
      { url: dig(media, 'thumbnail_url'), asset_type: 'image', variant: 'thumbnail_url' },
      { url: dig(media, 'media_url'), asset_type: mediaType === 'video' ? 'video' : 'image', variant: 'media_url' },
    ]),
    children: mediaType === 'carousel' ? (children?.map((child, at) => graphChild(child, at, code)) ?? null) : null,
  };
}

/**
 * Returns the URLs of a post's preview picture and video. The Graph API field `media_url` is the video file for a
 * video, and the picture for other types.
 */
function filesOf(media: unknown, type: PhotoItem['media_type']) {
  const file = toUrl(dig(media, 'media_url'));
  const thumbnail = toUrl(dig(media, 'thumbnail_url'));
  return type === 'video' ? { media_url: thumbnail, video_url: file } : { media_url: file, video_url: null };
}

/** Returns the URL of the first picture in a carousel post. Skips entries of the carousel without a picture. */
function albumCover(children: readonly unknown[] | null): string | null {
  const pictures = (children ?? []).map((child) => filesOf(child, graphType(child)).media_url);
  return pictures.find((picture) => picture !== null) ?? null;
}

/**
 * Converts one picture or video of a carousel post to a record. The record's ID comes from the URL of the picture or
 * video. The ID is null when the Graph API sends the URL of the whole post instead.
 */
function graphChild(child: unknown, position: number, album: string | null): PhotoChild {
  const code = codeOf(dig(child, 'permalink'));
  const type = graphType(child);
  return {
    id: code === album ? null : codeToId(code),
    position,
    media_type: type === 'carousel' ? null : type,
    ...filesOf(child, type),
    width: null,
    height: null,
  };
}
