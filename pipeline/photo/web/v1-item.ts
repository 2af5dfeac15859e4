import { notExposed, type Quality } from '../../collect/quality.ts';
import {
  blank,
  derivedHashtags,
  derivedMentions,
  dig,
  epochToIso,
  toCount,
  toFlag,
  toFreeText,
  toList,
  toSize,
  toText,
  toUrl,
} from '../../parse/values.ts';
import { type PhotoChild, type PhotoItem, photoItem } from '../../records/photo.ts';
import { shownCounts } from '../hidden-counts.ts';
import { toMediaVariants } from '../media-variants.ts';
import { postAddress } from '../post-code.ts';
import type { Graded } from '../rows.ts';
import { taggedAccounts } from '../tagged-accounts.ts';
import { manifestSeconds } from './dash-manifest.ts';

/**
 * Maximum relative difference between the aspect ratios of a picture and of the original. A picture with a larger
 * difference counts as cropped.
 */
const ratioTolerance = 0.02;

/**
 * Converts a post in the v1 format of Instagram's website (`media_type`, `image_versions2`, `carousel_media`) to a
 * record.
 */
export function v1Item(media: unknown): Graded<PhotoItem> {
  const code = toText(dig(media, 'code'));
  const caption = toFreeText(dig(media, 'caption', 'text'));
  const product = toText(dig(media, 'product_type'))?.toLowerCase() ?? null;
  const { record: counts, quality } = v1Counts(media);
  const record: PhotoItem = {
    ...blank(photoItem),
    ...v1Author(dig(media, 'user') ?? dig(media, 'owner')),
    ...v1Media(media),
    ...v1Context(media),
    ...counts,
    id: code,
    permalink: postAddress(code, product === 'clips' ? 'reel' : 'p'),
    platform_content_id: mediaId(media),
    published_at: epochToIso(dig(media, 'taken_at')),
    caption,
    hashtags: derivedHashtags(caption),
    mentions: derivedMentions(caption, 'photo'),
    media_product_type: product,
  };
  return { record, quality: { ...v1Gaps(record), ...quality } };
}

function v1Gaps(record: PhotoItem): Quality {
  return {
    ...(record.media_type === 'video' ? notExposed(record, ['views', 'duration_seconds']) : {}),
    ...(record.media_type === 'carousel' ? notExposed(record, ['children']) : {}),
  };
}

/**
 * Returns the numeric media ID of a post. Instagram sends the ID alone, with the prefix `POLARIS_`, or followed by the
 * author's ID.
 */
function mediaId(media: unknown): string | null {
  return /\d+/.exec(toText(dig(media, 'pk')) ?? toText(dig(media, 'id')) ?? '')?.[0] ?? null;
}

function v1Author(user: unknown) {
  return {
    author: toText(dig(user, 'username')),
    author_id: toText(dig(user, 'pk')) ?? toText(dig(user, 'id')),
    author_display_name: toText(dig(user, 'full_name')),
    author_verified: toFlag(dig(user, 'is_verified')),
    author_avatar_url: toUrl(dig(user, 'profile_pic_url'), dig(user, 'profile_image_uri')),
  };
}

const viewKeys = ['play_count', 'ig_play_count', 'view_count'];

function v1Counts(media: unknown): Graded<Pick<PhotoItem, 'likes' | 'comments' | 'views'>> {
  const video = v1Type(media) === 'video';
  const views = viewKeys.map((key) => dig(media, key)).filter((sent) => video || toCount(sent) !== null);
  const { record, quality } = shownCounts(media, [dig(media, 'like_count')], views);
  return { record: { ...record, comments: toCount(dig(media, 'comment_count')) }, quality };
}

function v1Media(media: unknown) {
  const mediaType = v1Type(media);
  const children = toList(dig(media, 'carousel_media'));
  // For a carousel, uses the first item: the size that Instagram sends for the carousel itself is often a placeholder,
  // and its pictures may be missing.
  const cover = mediaType === 'carousel' ? children?.[0] : undefined;
  const picture = preview(cover) ?? preview(media);
  const files = v1Files(media);
  const coverFiles = v1Files(cover);
  const { width, height } = coverFiles.width === null || coverFiles.height === null ? files : coverFiles;
  return {
    media_type: mediaType,
    width,
    height,
    video_url: files.video_url,
    media_url: picture,
    duration_seconds: toSize(dig(media, 'video_duration')) ?? manifestSeconds(dig(media, 'video_dash_manifest')),
    media_assets:
      v1Assets(media) ??
      v1Assets({ image_versions2: dig(cover, 'image_versions2') }) ??
      toMediaVariants([{ url: picture, asset_type: 'image', variant: 'display_uri' }]),
    children: mediaType === 'carousel' ? (children?.map(v1Child) ?? null) : null,
  };
}

function v1Child(media: unknown, position: number): PhotoChild {
  const type = v1Type(media);
  return {
    id: mediaId(media),
    position,
    media_type: type === 'carousel' ? null : type,
    media_url: preview(media),
    ...v1Files(media),
  };
}

function v1Files(media: unknown) {
  return {
    width: toSize(dig(media, 'original_width')),
    height: toSize(dig(media, 'original_height')),
    video_url: widest(toList(dig(media, 'video_versions')) ?? []),
  };
}

/**
 * Returns the media type of a post (image, video or carousel). Instagram pages of 2026 may have a name in `__typename`
 * instead of a type number. Without both, the type is derived from the files of the post.
 */
function v1Type(media: unknown): PhotoItem['media_type'] {
  const number = toCount(dig(media, 'media_type'));
  if (number !== null) return typeOfNumber.get(number) ?? null;
  const name = /^XIGPolaris(Image|Photo|Video|Carousel)Media$/.exec(toText(dig(media, '__typename')) ?? '')?.[1];
  if (name === 'Carousel' || carouselOf(media).length > 0) return 'carousel';
  if (name === 'Video' || toList(dig(media, 'video_versions'))?.length) return 'video';
  return name === undefined ? null : 'image';
}

const typeOfNumber: ReadonlyMap<number, PhotoItem['media_type']> = new Map([
  [1, 'image'],
  [2, 'video'],
  [8, 'carousel'],
]);

function candidates(media: unknown): unknown[] {
  return toList(dig(media, 'image_versions2', 'candidates')) ?? [];
}

/**
 * Returns the URL of the widest uncropped picture of a post. Instagram's list also contains cropped square pictures,
 * which can be wider than the original.
 */
function preview(media: unknown): string | null {
  const ratio = ratioOf(dig(media, 'original_width'), dig(media, 'original_height'));
  const all = candidates(media);
  const uncropped = all.filter((candidate) => {
    const own = ratioOf(dig(candidate, 'width'), dig(candidate, 'height'));
    return ratio !== null && own !== null && Math.abs(own / ratio - 1) <= ratioTolerance;
  });
  return widest(uncropped) ?? toUrl(dig(all[0], 'url')) ?? toUrl(dig(media, 'display_uri'));
}

function ratioOf(width: unknown, height: unknown): number | null {
  const w = toSize(width);
  const h = toSize(height);
  return w === null || h === null ? null : w / h;
}

/** Returns the URL of the widest version of a picture or video. If several are equally wide, returns the first one. */
function widest(versions: readonly unknown[]): string | null {
  const known = versions.map((version) => ({ url: toUrl(dig(version, 'url')), width: toSize(dig(version, 'width')) }));
  const usable = known.filter((version) => version.url !== null);
  const maxWidth = Math.max(...usable.flatMap(({ width }) => width ?? []));
  return (usable.find(({ width }) => width === maxWidth) ?? usable[0])?.url ?? null;
}

function v1Assets(media: unknown) {
  const pictures = candidates(media).map((picture) => ({ picture, asset_type: 'image' as const }));
  const videos = (toList(dig(media, 'video_versions')) ?? []).map((picture) => ({
    picture,
    asset_type: 'video' as const,
  }));
  return toMediaVariants(
    [...pictures, ...videos].map(({ picture, asset_type }) => ({
      url: dig(picture, 'url'),
      asset_type,
      variant: toText(dig(picture, 'type')),
      width: dig(picture, 'width'),
      height: dig(picture, 'height'),
    })),
  );
}

function v1Context(media: unknown) {
  const disabled = toFlag(dig(media, 'comments_disabled'));
  const sponsors = toList(dig(media, 'sponsor_tags'));
  const location = {
    id: toText(dig(media, 'location', 'pk')) ?? toText(dig(media, 'location', 'id')),
    name: toText(dig(media, 'location', 'name')),
    slug: null,
  };
  return {
    comments_enabled: disabled === null ? null : !disabled,
    paid_partnership: toFlag(dig(media, 'is_paid_partnership')) ?? (sponsors?.length ? true : null),
    // For a carousel, Instagram uses the description of its first item.
    accessibility_caption:
      toText(dig(media, 'accessibility_caption')) ?? toText(dig(carouselOf(media)[0], 'accessibility_caption')),
    location: location.id === null && location.name === null ? null : location,
    tagged_users: taggedAccounts(taggedUsers(media)),
  };
}

/** Returns the users of all tags in a post. The tags of a carousel are in its items. */
function taggedUsers(media: unknown): unknown[] | null {
  const parts = [media, ...carouselOf(media)];
  const lists = parts.map((part) => toList(dig(part, 'usertags', 'in'))).filter((list) => list !== null);
  return lists.length === 0 ? null : lists.flat().map((tag) => dig(tag, 'user'));
}

function carouselOf(media: unknown): unknown[] {
  return toList(dig(media, 'carousel_media')) ?? [];
}
