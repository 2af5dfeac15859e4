import type { Quality, SourceAnswer, SourceContext } from '../collect.ts';
import { SourceError } from '../errors.ts';
import { blank, dig, toList, toText } from '../parse.ts';
import { type Comment, comment } from '../records/shared.ts';
import { type Amount, shownAmount } from './amounts.ts';
import type { Web } from './innertube.ts';
import { secureUrl } from './media.ts';
import { continuationToken, type Page, pageRows, webPage } from './pages.ts';
import type { CommentsParams } from './params.ts';
import { askPlayer, refuseUnplayable } from './web-player.ts';

/** Where the orders stand in the sort menu. */
const menuPlace = { relevance: 0, time: 1 } as const;

/**
 * Some top-level comments of a video's watch page. SOURCE_RESTRICTED where they are turned off. The order by time costs
 * a question more, because only the page in the other order names its token.
 */
export async function webComments(
  web: Web,
  { id, order, limit, cursor }: CommentsParams,
  context: SourceContext,
): Promise<SourceAnswer<Comment[]>> {
  const { rows, next } = await pageRows(cursor, limit, async (token) => {
    const own_token = token ?? (await firstToken(web, id, order, context));
    return { ...commentsPage(await web('/next', { continuation: own_token }, context)), own_token };
  });
  const read = rows.map((entity) => commentOf(entity, id));
  const quality: Quality = {};
  for (const [index, { rounded }] of read.entries()) {
    for (const field of rounded) quality[`${index}.${field}`] = 'rounded';
  }
  return { record: read.map(({ record }) => record), next, quality };
}

async function firstToken(
  web: Web,
  id: string,
  order: CommentsParams['order'],
  context: SourceContext,
): Promise<string> {
  const watch = await web('/next', { videoId: id }, context);
  const top = sectionToken(watch) ?? (await whyNoSection(web, id, context));
  if (order === 'relevance') return top;
  const token =
    newestToken(panelMenu(watch)) ?? newestToken(headerMenu(await web('/next', { continuation: top }, context)));
  if (token !== null) return token;
  throw changed('the comments cannot be sorted by time');
}

function sectionToken(watch: unknown): string | null {
  const blocks = toList(dig(watch, 'contents', 'twoColumnWatchNextResults', 'results', 'results', 'contents')) ?? [];
  const sections = blocks.map((block) => dig(block, 'itemSectionRenderer'));
  const section = sections.find((one) => dig(one, 'sectionIdentifier') === 'comment-item-section');
  const contents = toList(dig(section, 'contents')) ?? [];
  if (contents.some((entry) => dig(entry, 'messageRenderer') !== undefined)) {
    throw new SourceError('SOURCE_RESTRICTED', {
      about: 'resource',
      message: 'Comments are turned off for this video.',
    });
  }
  return contents.map(continuationToken).find((token) => token !== null) ?? null;
}

/** A watch page without comments does not say why: the player knows whether there is such a video and who may see it. */
async function whyNoSection(web: Web, id: string, context: SourceContext): Promise<never> {
  refuseUnplayable(await askPlayer(web, id, context));
  throw changed('the watch page has no comments section');
}

function panelMenu(watch: unknown): unknown {
  const panels = (toList(dig(watch, 'engagementPanels')) ?? []).map((panel) =>
    dig(panel, 'engagementPanelSectionListRenderer'),
  );
  const panel = panels.find((one) => dig(one, 'panelIdentifier') === 'engagement-panel-comments-section');
  return dig(panel, 'header', 'engagementPanelTitleHeaderRenderer', 'menu', 'sortFilterSubMenuRenderer');
}

function headerMenu(page: unknown): unknown {
  const headers = slots(page).flatMap(({ entries }) => entries.map((entry) => dig(entry, 'commentsHeaderRenderer')));
  const header = headers.find((one) => one !== undefined);
  return dig(header, 'sortMenu', 'sortFilterSubMenuRenderer');
}

function newestToken(menu: unknown): string | null {
  return toText(dig(menu, 'subMenuItems', menuPlace.time, 'serviceEndpoint', 'continuationCommand', 'token'));
}

/** The header and the body of a first page, or the one body of a later page. */
function slots(page: unknown): { header: boolean; entries: unknown[] }[] {
  const commands = toList(dig(page, 'onResponseReceivedEndpoints')) ?? [];
  return commands.map((command) => {
    const reload = dig(command, 'reloadContinuationItemsCommand') ?? dig(command, 'appendContinuationItemsAction');
    return {
      header: dig(reload, 'slot') === 'RELOAD_CONTINUATION_SLOT_HEADER',
      entries: toList(dig(reload, 'continuationItems')) ?? [],
    };
  });
}

/** The rows are the entities of the threads' comments, which the page keeps apart from their order. */
function commentsPage(page: unknown): Page {
  const body = slots(page).find(({ header }) => !header);
  if (body === undefined) throw changed('the answer holds no comments');
  const mutations = toList(dig(page, 'frameworkUpdates', 'entityBatchUpdate', 'mutations')) ?? [];
  const entities = new Map(
    mutations.map((mutation) => [dig(mutation, 'entityKey'), dig(mutation, 'payload', 'commentEntityPayload')]),
  );
  return webPage(body.entries, (entry) => {
    const view = dig(entry, 'commentThreadRenderer', 'commentViewModel', 'commentViewModel');
    return view === undefined ? undefined : entities.get(dig(view, 'commentKey'));
  });
}

function commentOf(entity: unknown, content_id: string): { record: Comment; rounded: string[] } {
  const name = toText(dig(entity, 'author', 'displayName'));
  const username = name?.startsWith('@') ? name.slice(1) : null;
  const likes = toolbarAmount(entity, 'likeCountNotliked');
  const replies = toolbarAmount(entity, 'replyCount');
  const record = {
    ...blank(comment),
    id: toText(dig(entity, 'properties', 'commentId')),
    content_id,
    text: toText(dig(entity, 'properties', 'content', 'content')),
    likes: likes.count,
    reply_count: replies.count,
    author_id: toText(dig(entity, 'author', 'channelId')),
    author_username: username,
    author_display_name: username === null ? name : null,
    author_avatar_url: secureUrl(dig(entity, 'author', 'avatarThumbnailUrl')),
    author_profile_url: username && `https://www.youtube.com/@${username}`,
  };
  const rounded = [likes.rounded ? 'likes' : '', replies.rounded ? 'reply_count' : ''].filter((field) => field !== '');
  return { record, rounded };
}

/** The toolbar leaves a count of nothing empty. */
function toolbarAmount(entity: unknown, name: string): Amount {
  const shown = dig(entity, 'toolbar', name);
  return typeof shown === 'string' && shown.trim() === '' ? { count: 0, rounded: false } : shownAmount(shown);
}

function changed(reason: string): SourceError {
  return new SourceError('SOURCE_RESPONSE_CHANGED', { reason });
}
