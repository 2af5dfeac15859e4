import type { SourceContext } from '../../collect/collect.ts';
import type { Quality } from '../../collect/quality.ts';
import { blank, derivedHashtags, derivedMentions, dig, toList, toText } from '../../parse/values.ts';
import { type LongvideoItem, longvideoItem } from '../../records/longvideo.ts';
import { noAmount, roundedQuality, shownAmount } from '../amounts.ts';
import type { Web } from './innertube.ts';
import { bylineOwner, textOwner } from './owner.ts';
import { nodeText, shownDate, withLinked } from './text.ts';
import { watchFields } from './watch-page.ts';

/**
 * Matches the date text on a YouTube watch page if it is only a date. A text such as `Premieres on …` or `Started
 * streaming on …` is not the publication date.
 */
const plainDate = /^(?:\d{1,2} [a-z]+ \d{4}|[a-z]+ \d{1,2}, \d{4})$/i;

/**
 * Fetches a video only from YouTube's watch page, after the request to the player has failed. Returns null when the
 * page does not show the video. Leaves out the description, because the page shortens its links.
 */
export async function watchVideo(
  web: Web,
  id: string,
  context: SourceContext,
): Promise<{ record: LongvideoItem; quality: Quality } | null> {
  const watch = await web('/next', { videoId: id }, context);
  const blocks = toList(dig(watch, 'contents', 'twoColumnWatchNextResults', 'results', 'results', 'contents')) ?? [];
  const blockOf = (name: string) => blocks.map((block) => dig(block, name)).find((block) => block !== undefined);
  const primary = blockOf('videoPrimaryInfoRenderer');
  const title = nodeText(dig(primary, 'title'));
  const shownId = toText(dig(watch, 'currentVideoEndpoint', 'watchEndpoint', 'videoId'));
  if (title === null || shownId !== id) return null;
  return watchRecord(
    id,
    title,
    watch,
    primary,
    dig(blockOf('videoSecondaryInfoRenderer'), 'owner', 'videoOwnerRenderer'),
  );
}

function watchRecord(id: string, title: string, watch: unknown, primary: unknown, ownerBlock: unknown) {
  const { likes, comments, hashtags, mentions, author_avatar_url, concurrent_viewers, unlisted } = watchFields(watch);
  const counter = dig(primary, 'viewCount', 'videoViewCountRenderer');
  const isLive = dig(counter, 'isLive') === true;
  const views = isLive ? noAmount : shownAmount(nodeText(dig(counter, 'viewCount')));
  const { author, author_id } = textOwner(dig(ownerBlock, 'attributedTitle')) ?? bylineOwner(dig(ownerBlock, 'title'));
  const date = nodeText(dig(primary, 'dateText'));
  const countsRounded = { views: views.rounded, likes: likes.rounded, comments: comments.rounded };
  const record: LongvideoItem = {
    ...blank(longvideoItem),
    id,
    title,
    author,
    channel_id: author_id,
    channel_url: author_id && `https://www.youtube.com/channel/${author_id}`,
    author_avatar_url,
    permalink: `https://www.youtube.com/watch?v=${id}`,
    published_at: date !== null && plainDate.test(date) ? shownDate(date) : null,
    views: views.count,
    likes: likes.count,
    comments: comments.count,
    counts_rounded: countsRounded,
    unlisted,
    live_status: isLive ? 'live' : null,
    is_live: isLive ? true : null,
    live: isLive ? { ...noBroadcast, is_live_now: true, concurrent_viewers } : null,
    hashtags: withLinked(derivedHashtags(title), hashtags),
    mentions: withLinked(derivedMentions(title, 'longvideo'), mentions),
  };
  return { record, quality: roundedQuality(countsRounded) };
}

export const noBroadcast: NonNullable<LongvideoItem['live']> = {
  actual_start_time: null,
  actual_end_time: null,
  is_live_now: null,
  scheduled_start_time: null,
  scheduled_end_time: null,
  concurrent_viewers: null,
  active_live_chat_id: null,
};
