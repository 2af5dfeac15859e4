import type { SourceAnswer, SourceContext } from '../../collect/collect.ts';
import type { Quality } from '../../collect/quality.ts';
import { responseChanged, SourceError } from '../../errors.ts';
import { dig, toList, toText } from '../../parse/values.ts';
import type { Comment } from '../../records/shared.ts';
import { type ListPage, pageRows } from '../pages.ts';
import type { LongvideoCommentsParams } from '../params.ts';
import { chatInstead, commentsNotShown, commentsOff } from '../refusal-texts.ts';
import { commentReader, type ShownComment } from './comment.ts';
import { actionEntries, continuationToken, continuingAction, webPage } from './entries.ts';
import type { Web } from './innertube.ts';
import { fetchPlayer, refuseUnplayable } from './player.ts';
import { commentsPanel } from './watch-page.ts';

/** Index of each sort order in the sort menu of YouTube's comments. */
const menuIndex = { relevance: 0, time: 1 } as const;

/**
 * Fetches one page of a video's top-level comments from YouTube's website. Throws SOURCE_RESTRICTED when comments are
 * turned off. Sorting by time may need one more request, because the page token for it can be on the first page of
 * comments sorted by relevance.
 */
export async function webComments(
  web: Web,
  { id, order, limit, cursor }: LongvideoCommentsParams,
  context: SourceContext,
): Promise<SourceAnswer<Comment[]>> {
  const { rows, next, gaps } = await pageRows(cursor, limit, async (token) => {
    const ownToken = token ?? (await firstToken(web, id, order, context));
    return { ...commentsPage(await web('/next', { continuation: ownToken }, context), id), own_token: ownToken };
  });
  const quality: Quality = {};
  for (const [index, { rounded }] of rows.entries()) {
    for (const field of rounded) quality[`${index}.${field}`] = 'rounded';
  }
  return { record: rows.map(({ record }) => record), next, quality, ...gaps };
}

async function firstToken(
  web: Web,
  id: string,
  order: LongvideoCommentsParams['order'],
  context: SourceContext,
): Promise<string> {
  const watch = await web('/next', { videoId: id }, context);
  const top = sectionToken(watch) ?? (await refuseWithoutSection(web, id, watch, context));
  if (order === 'relevance') return top;
  const token =
    newestToken(panelMenu(watch)) ?? newestToken(headerMenu(await web('/next', { continuation: top }, context)));
  if (token !== null) return token;
  throw responseChanged('the comments cannot be sorted by time');
}

function sectionToken(watch: unknown): string | null {
  const blocks = toList(dig(watch, 'contents', 'twoColumnWatchNextResults', 'results', 'results', 'contents')) ?? [];
  const sections = blocks.map((block) => dig(block, 'itemSectionRenderer'));
  const section = sections.find((one) => dig(one, 'sectionIdentifier') === 'comment-item-section');
  const contents = toList(dig(section, 'contents')) ?? [];
  if (contents.some((entry) => dig(entry, 'messageRenderer') !== undefined)) {
    throw new SourceError('SOURCE_RESTRICTED', { about: 'resource', message: commentsOff });
  }
  return contents.map(continuationToken).find((token) => token !== null) ?? null;
}

/**
 * Throws the error for a YouTube watch page without a comments section. Also requests the data of YouTube's video
 * player, because only they say whether the video is missing or restricted. Skips this request when a live chat
 * replaces the comments.
 */
async function refuseWithoutSection(web: Web, id: string, watch: unknown, context: SourceContext): Promise<never> {
  const chat = dig(watch, 'contents', 'twoColumnWatchNextResults', 'conversationBar', 'liveChatRenderer');
  if (chat !== undefined && dig(chat, 'isReplay') !== true) {
    throw new SourceError('SOURCE_RESTRICTED', { about: 'resource', message: chatInstead });
  }
  refuseUnplayable(await fetchPlayer(web, id, context));
  if (isWithoutMainColumn(watch)) {
    throw new SourceError('SOURCE_RESTRICTED', { about: 'reach', message: commentsNotShown });
  }
  throw responseChanged('the watch page has no comments section');
}

/**
 * Returns true for a watch page without its main column `results` (title, channel and comments) but with the column of
 * other videos. Returns false when the page has an unknown column, because `results` may have been renamed.
 */
function isWithoutMainColumn(watch: unknown): boolean {
  const columns = Object.keys(Object(dig(watch, 'contents', 'twoColumnWatchNextResults')));
  return columns.includes('secondaryResults') && columns.every((name) => otherColumns.has(name));
}

/** Names of the parts of YouTube's watch page other than the main column. */
const otherColumns: ReadonlySet<string> = new Set(['secondaryResults', 'autoplay', 'playlist', 'conversationBar']);

function panelMenu(watch: unknown): unknown {
  const header = dig(commentsPanel(watch), 'header', 'engagementPanelTitleHeaderRenderer');
  return dig(header, 'menu', 'sortFilterSubMenuRenderer');
}

function headerMenu(page: unknown): unknown {
  const headers = slots(page)
    .flat()
    .map((entry) => dig(entry, 'commentsHeaderRenderer'));
  const header = headers.find((one) => one !== undefined);
  return dig(header, 'sortMenu', 'sortFilterSubMenuRenderer');
}

function newestToken(menu: unknown): string | null {
  return toText(dig(menu, 'subMenuItems', menuIndex.time, 'serviceEndpoint', 'continuationCommand', 'token'));
}

/**
 * Returns the lists of entries in YouTube's answer with comments. The first page has two lists (header and comments),
 * and later pages have only the comments.
 */
function slots(page: unknown): unknown[][] {
  const commands = (toList(dig(page, 'onResponseReceivedEndpoints')) ?? [])
    .map(continuingAction)
    .filter((command) => command !== undefined);
  if (commands.length === 0) throw responseChanged('the answer has no comments');
  return commands.map(actionEntries);
}

function commentsPage(page: unknown, contentId: string): ListPage<ShownComment> {
  return webPage(slots(page).flat(), commentReader(page, contentId));
}
