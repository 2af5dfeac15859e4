import { notExposed, type Quality } from '../../collect/quality.ts';
import {
  blank,
  derivedHashtags,
  derivedMentions,
  dig,
  epochToIso,
  toFlag,
  toFreeText,
  toList,
  toSize,
  toText,
  toUrl,
} from '../../parse/values.ts';
import { type PhotoChild, type PhotoItem, photoItem } from '../../records/photo.ts';
import { firstCount, shownCounts } from '../hidden-counts.ts';
import { toMediaVariants } from '../media-variants.ts';
import { codeToId, postAddress } from '../post-code.ts';
import type { Graded } from '../rows.ts';
import { taggedAccounts } from '../tagged-accounts.ts';
import { manifestSeconds } from './dash-manifest.ts';

/** The account that published an Instagram post, with the fields that Instagram's website sends about the account. */
export interface KnownAuthor {
  id: string | null;
  username: string | null;
  display_name: string | null;
  verified: boolean | null;
  avatar_url: string | null;
}

/**
 * Converts a post in the graph format of Instagram's website (`GraphImage`, `XDTGraphVideo`, ...) to a record.
 * `profile` is the account whose list contains the post. Missing author fields are taken from `profile`, but only if
 * this account itself published the post and not a co-author.
 */
export function nodeItem(node: unknown, profile: KnownAuthor | null): Graded<PhotoItem> {
  const code = toText(dig(node, 'shortcode'));
  const caption = toFreeText(dig(node, 'edge_media_to_caption', 'edges', 0, 'node', 'text'));
  const product = toText(dig(node, 'product_type'))?.toLowerCase() ?? null;
  const { record: counts, quality } = nodeCounts(node);
  const record: PhotoItem = {
    ...blank(photoItem),
    ...nodeAuthor(node, profile),
    ...nodeMedia(node),
    ...nodeContext(node),
    ...counts,
    id: code,
    permalink: postAddress(code, product === 'clips' ? 'reel' : 'p'),
    platform_content_id: toText(dig(node, 'id')),
    published_at: epochToIso(dig(node, 'taken_at_timestamp')),
    caption,
    hashtags: derivedHashtags(caption),
    mentions: derivedMentions(caption, 'photo'),
    media_product_type: product,
  };
  return { record, quality: { ...nodeGaps(record), ...quality } };
}

function nodeGaps(record: PhotoItem): Quality {
  return {
    ...(record.media_type === 'video' ? notExposed(record, ['views', 'duration_seconds']) : {}),
    ...(record.media_type === 'carousel' ? notExposed(record, ['children']) : {}),
  };
}

function nodeAuthor(node: unknown, profile: KnownAuthor | null) {
  const owner = dig(node, 'owner');
  const id = toText(dig(owner, 'id'));
  const username = toText(dig(owner, 'username'));
  const own = (id === null && username === null) || (id !== null ? id === profile?.id : username === profile?.username);
  const known = own ? profile : null;
  return {
    author: username ?? known?.username ?? null,
    author_id: id ?? known?.id ?? null,
    author_display_name: toText(dig(owner, 'full_name')) ?? known?.display_name ?? null,
    author_verified: toFlag(dig(owner, 'is_verified')) ?? known?.verified ?? null,
    author_avatar_url: toUrl(dig(owner, 'profile_pic_url')) ?? known?.avatar_url ?? null,
  };
}

const likePaths = ['edge_media_preview_like', 'edge_liked_by'];
const commentPaths = ['edge_media_to_comment', 'edge_media_to_parent_comment', 'edge_media_preview_comment'];

function nodeCounts(node: unknown): Graded<Pick<PhotoItem, 'likes' | 'comments' | 'views'>> {
  const likes = likePaths.map((path) => dig(node, path, 'count'));
  const views = [dig(node, 'video_view_count'), dig(node, 'video_play_count')];
  const comments = firstCount(commentPaths.map((path) => dig(node, path, 'count')));
  const { record, quality } = shownCounts(node, likes, nodeType(node) === 'video' ? views : []);
  return { record: { ...record, comments }, quality };
}

function nodeMedia(node: unknown) {
  const { width, height } = nodeSize(node);
  const displayUrl = toUrl(dig(node, 'display_url'));
  const videoUrl = toUrl(dig(node, 'video_url'));
  const mediaType = nodeType(node);
  return {
    media_type: mediaType,
    width,
    height,
    media_url: displayUrl,
    video_url: videoUrl,
    duration_seconds:
      toSize(dig(node, 'video_duration')) ?? manifestSeconds(dig(node, 'dash_info', 'video_dash_manifest')),
    media_assets: toMediaVariants([
      { url: displayUrl, asset_type: 'image', variant: 'display_url', width, height },
      ...resources(node, 'display_resources', 'display'),
      ...resources(node, 'thumbnail_resources', 'thumbnail'),
      { url: videoUrl, asset_type: 'video', variant: 'video_url', width, height },
    ]),
    children: mediaType === 'carousel' ? nodeChildren(node) : null,
  };
}

function resources(node: unknown, key: string, name: string) {
  return (toList(dig(node, key)) ?? []).map((resource) => {
    const width = dig(resource, 'config_width');
    const height = dig(resource, 'config_height');
    return {
      url: dig(resource, 'src'),
      asset_type: 'image' as const,
      variant: `${name}_${toSize(width) ?? ''}`,
      width,
      height,
    };
  });
}

function nodeSize(node: unknown) {
  return { width: toSize(dig(node, 'dimensions', 'width')), height: toSize(dig(node, 'dimensions', 'height')) };
}

function nodeType(node: unknown): PhotoItem['media_type'] {
  const kind = /^(?:XDT)?Graph(Image|Video|Sidecar)$/.exec(toText(dig(node, '__typename')) ?? '')?.[1];
  if (kind === 'Sidecar') return 'carousel';
  if (kind === undefined) return toFlag(dig(node, 'is_video')) === true ? 'video' : null;
  return kind === 'Video' ? 'video' : 'image';
}

function nodeChildren(node: unknown): PhotoChild[] | null {
  const edges = toList(dig(node, 'edge_sidecar_to_children', 'edges'));
  return edges?.map((edge, position) => nodeChild(dig(edge, 'node'), position)) ?? null;
}

function nodeChild(node: unknown, position: number): PhotoChild {
  const kind = toFlag(dig(node, 'is_video'));
  const type = nodeType(node);
  return {
    id: toText(dig(node, 'id')) ?? codeToId(toText(dig(node, 'shortcode'))),
    position,
    media_type: kind === null ? (type === 'carousel' ? null : type) : kind ? 'video' : 'image',
    media_url: toUrl(dig(node, 'display_url')),
    video_url: toUrl(dig(node, 'video_url')),
    ...nodeSize(node),
  };
}

function nodeContext(node: unknown) {
  const disabled = toFlag(dig(node, 'comments_disabled'));
  const sponsors = toList(dig(node, 'edge_media_to_sponsor_user', 'edges'));
  const tagged = toList(dig(node, 'edge_media_to_tagged_user', 'edges'));
  return {
    comments_enabled: disabled === null ? null : !disabled,
    paid_partnership: toFlag(dig(node, 'is_paid_partnership')) ?? (sponsors?.length ? true : null),
    accessibility_caption: toText(dig(node, 'accessibility_caption')),
    location: nodeLocation(dig(node, 'location')),
    tagged_users: taggedAccounts(tagged?.map((edge) => dig(edge, 'node', 'user')) ?? null),
  };
}

function nodeLocation(location: unknown): PhotoItem['location'] {
  const record = {
    id: toText(dig(location, 'id')),
    name: toText(dig(location, 'name')),
    slug: toText(dig(location, 'slug')),
  };
  return Object.values(record).some((part) => part !== null) ? record : null;
}
