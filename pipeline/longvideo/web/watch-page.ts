import { dig, toCount, toList, toText } from '../../parse/values.ts';
import type { Entity } from '../../records/shared.ts';
import { type Amount, firstAmount, noAmount } from '../amounts.ts';
import { secureUrl } from '../media.ts';
import { linkedEntities, nodeText } from './text.ts';

/** Video fields on YouTube's watch page that the answer of YouTube's player lacks or may lack. */
export interface WatchFields {
  likes: Amount;
  comments: Amount;
  author_avatar_url: string | null;
  concurrent_viewers: number | null;
  /** True when the watch page shows the "Unlisted" badge; null (unknown) otherwise. */
  unlisted: true | null;
  hashtags: Entity[];
  mentions: Entity[];
}

export const noWatchFields: WatchFields = {
  likes: noAmount,
  comments: noAmount,
  author_avatar_url: null,
  concurrent_viewers: null,
  unlisted: null,
  hashtags: [],
  mentions: [],
};

/**
 * Reads the fields of a YouTube video's watch page from an answer of the endpoint `/next`. If a part of the answer is
 * missing, its fields are null or empty.
 */
export function watchFields(watch: unknown): WatchFields {
  const blocks = toList(dig(watch, 'contents', 'twoColumnWatchNextResults', 'results', 'results', 'contents')) ?? [];
  const blockOf = (name: string) => blocks.map((block) => dig(block, name)).find((block) => block !== undefined);
  const primary = blockOf('videoPrimaryInfoRenderer');
  const secondary = blockOf('videoSecondaryInfoRenderer');
  const owner = dig(secondary, 'owner', 'videoOwnerRenderer');
  // For a collaboration, the page shows the pictures of all its channels, and the first picture is the owner's.
  const first = dig(owner, 'avatarStack', 'avatarStackViewModel', 'avatars', 0, 'avatarViewModel', 'image', 'sources');
  const avatars = toList(dig(owner, 'thumbnail', 'thumbnails')) ?? toList(first);
  const viewers = dig(primary, 'viewCount', 'videoViewCountRenderer');
  const { hashtags, mentions } = linkedEntities(
    dig(secondary, 'attributedDescription') ?? dig(secondary, 'description'),
  );
  return {
    likes: shownLikes(primary),
    comments: shownComments(watch, blocks),
    author_avatar_url: secureUrl(dig(avatars?.at(-1), 'url')),
    concurrent_viewers: dig(viewers, 'isLive') === true ? toCount(dig(viewers, 'originalViewCount')) : null,
    unlisted: hasUnlistedBadge(primary) ? true : null,
    hashtags: [...hashtags, ...linkedEntities(dig(primary, 'superTitleLink')).hashtags],
    mentions,
  };
}

const likedBy = /along with (\S+) other (?:person|people)$/;

/**
 * Reads the like count from the like button: from the text for screen readers, which usually has all digits, or else
 * from the label, which is rounded. Neither text has a number when likes are hidden or the video has no likes.
 */
function shownLikes(primary: unknown): Amount {
  const buttons = toList(dig(primary, 'videoActions', 'menuRenderer', 'topLevelButtons')) ?? [];
  return firstAmount(buttons.flatMap((button) => [...buttonTexts(button), ...previousButtonTexts(button)]));
}

function buttonTexts(button: unknown): unknown[] {
  const like = dig(button, 'segmentedLikeDislikeButtonViewModel', 'likeButtonViewModel', 'likeButtonViewModel');
  const toggle = dig(like, 'toggleButtonViewModel', 'toggleButtonViewModel');
  const shown = dig(toggle, 'defaultButtonViewModel', 'buttonViewModel');
  return [likedBy.exec(toText(dig(shown, 'accessibilityText')) ?? '')?.[1], dig(shown, 'title')];
}

/** Returns the texts of the like button in the layouts that YouTube used before December 2023. */
function previousButtonTexts(button: unknown): unknown[] {
  const toggle =
    dig(button, 'segmentedLikeDislikeButtonRenderer', 'likeButton', 'toggleButtonRenderer') ??
    dig(button, 'toggleButtonRenderer');
  if (dig(toggle, 'defaultIcon', 'iconType') !== 'LIKE') return [];
  const text = dig(toggle, 'defaultText');
  return [dig(text, 'accessibility', 'accessibilityData', 'label'), nodeText(text)];
}

/** Reads the number of comments from the comments panel or from the heading above the first comment. */
function shownComments(watch: unknown, blocks: readonly unknown[]): Amount {
  const headings = blocks
    .flatMap((block) => toList(dig(block, 'itemSectionRenderer', 'contents')) ?? [])
    .map((entry) => dig(entry, 'commentsEntryPointHeaderRenderer', 'commentCount'));
  const panelCount = dig(commentsPanel(watch), 'header', 'engagementPanelTitleHeaderRenderer', 'contextualInfo');
  return firstAmount([panelCount, ...headings].map(nodeText));
}

/** Returns the comments panel of a YouTube watch page. Before 2024, the panel had its name only in `targetId`. */
export function commentsPanel(watch: unknown): unknown {
  const panels = (toList(dig(watch, 'engagementPanels')) ?? []).map((panel) =>
    dig(panel, 'engagementPanelSectionListRenderer'),
  );
  return panels.find((panel) =>
    [dig(panel, 'panelIdentifier'), dig(panel, 'targetId')].includes('engagement-panel-comments-section'),
  );
}

function hasUnlistedBadge(primary: unknown): boolean {
  const badges = toList(dig(primary, 'badges')) ?? [];
  return badges.some((badge) => dig(badge, 'metadataBadgeRenderer', 'icon', 'iconType') === 'PRIVACY_UNLISTED');
}
