import { notARow, readRows } from '../../collect/source-rows.ts';
import { responseChanged } from '../../errors.ts';
import { dig, toList, toText } from '../../parse/values.ts';
import type { ListPage } from '../pages.ts';
import { longvideoWebName } from './innertube.ts';

/**
 * Names of known entries in lists of YouTube's website that are not results. An entry with any other name counts as
 * unreadable when it cannot be read as a result.
 */
const otherEntries: ReadonlySet<string> = new Set([
  // These are headers, filters and notices.
  'backgroundPromoRenderer',
  'chipCloudRenderer',
  'clarificationRenderer',
  'commentFilterContextViewModel',
  'commentsHeaderRenderer',
  'didYouMeanRenderer',
  'emergencyOneboxRenderer',
  'feedNudgeRenderer',
  'includingResultsForRenderer',
  'infoPanelContainerRenderer',
  'infoPanelContentRenderer',
  'messageRenderer',
  'relatedChipCloudRenderer',
  'searchFrictionViewModel',
  'searchHeaderRenderer',
  'showingResultsForRenderer',
  'singleActionEmergencySupportRenderer',
  'statementBannerRenderer',
  // These are advertisements.
  'adSlotRenderer',
  'displayAdRenderer',
  'inFeedAdLayoutRenderer',
  'merchandiseShelfRenderer',
  'promotedSparklesWebRenderer',
  'promotedVideoRenderer',
  'searchPyvRenderer',
  // The next names are of shelves (horizontal lists), whose entries do not belong to the list that is read.
  'gridShelfViewModel',
  'horizontalCardListRenderer',
  'reelShelfRenderer',
  'richSectionRenderer',
  'richShelfRenderer',
  'shelfRenderer',
  'universalWatchCardRenderer',
  // These are kinds of content that no API route returns: mixes, films, shows, shorts.
  'movieRenderer',
  'radioRenderer',
  'reelItemRenderer',
  'shortsLockupViewModel',
  'showRenderer',
]);

/** Names of the fields that an action in YouTube's answer has when it adds no entries to a list. */
const emptyAction: ReadonlySet<string> = new Set(['targetId', 'slot', 'clickTrackingParams', 'trackingParams']);

/**
 * Reads one page of a list on YouTube's website: its entries, and the token of the next page, which is in the last
 * entry. `results` lists the names in {@link otherEntries} that count as results in this list. Throws the errors of
 * {@link readRows}.
 */
export function webPage<T>(
  entries: readonly unknown[],
  row: (entry: unknown) => T | typeof notARow | undefined,
  results: readonly string[] = [],
): ListPage<T> {
  const tokens = entries.map(continuationToken).filter((token) => token !== null);
  const read = (entry: unknown) => row(entry) ?? (isOther(entry, results) ? notARow : undefined);
  return { ...readRows(longvideoWebName, entries, read), token: tokens.at(-1) ?? null };
}

/**
 * Returns true for a known list entry that is not a result, such as an advertisement. A continuation (see
 * {@link continuationToken}) without a readable page token counts as an unknown entry, so that a warning reports the
 * missing rest of the list.
 */
function isOther(entry: unknown, results: readonly string[]): boolean {
  const content = dig(entry, 'richItemRenderer', 'content') ?? entry;
  if (typeof content !== 'object' || content === null) return false;
  return (
    continuationToken(entry) !== null ||
    Object.keys(content).some((name) => !results.includes(name) && otherEntries.has(name))
  );
}

/**
 * Returns the entries of a YouTube answer that continues a list. Throws SOURCE_RESPONSE_CHANGED when the answer has no
 * known action.
 */
export function appended(answer: unknown, member: string): unknown[] {
  const actions = (toList(dig(answer, member)) ?? []).map(continuingAction).filter((action) => action !== undefined);
  if (actions.length === 0) throw responseChanged('the answer continues no list');
  return actions.flatMap(actionEntries);
}

/**
 * Returns an action of YouTube's answer that adds entries to a list or replaces the list; undefined for any other
 * action.
 */
export function continuingAction(action: unknown): unknown {
  return dig(action, 'appendContinuationItemsAction') ?? dig(action, 'reloadContinuationItemsCommand');
}

/**
 * Returns the entries that an action in YouTube's answer adds to a list; an empty list when the action has only the
 * fields in {@link emptyAction}.
 */
export function actionEntries(action: unknown): unknown[] {
  const entries = toList(dig(action, 'continuationItems'));
  if (entries !== null) return entries;
  const known =
    typeof action === 'object' && action !== null && Object.keys(action).every((key) => emptyAction.has(key));
  if (known) return [];
  throw responseChanged('an action has no entries');
}

/**
 * Returns the page token of a continuation: the list entry that makes YouTube's website request the next page. The
 * token may be inside a list of commands or a button. Null for any other entry.
 */
export function continuationToken(entry: unknown): string | null {
  const item = dig(entry, 'continuationItemRenderer');
  const command =
    dig(item, 'continuationEndpoint') ??
    dig(item, 'button', 'buttonRenderer', 'command') ??
    dig(entry, 'continuationItemViewModel', 'continuationCommand', 'innertubeCommand');
  const commands = [command, ...(toList(dig(command, 'commandExecutorCommand', 'commands')) ?? [])];
  return (
    commands.map((part) => toText(dig(part, 'continuationCommand', 'token'))).find((token) => token !== null) ?? null
  );
}
