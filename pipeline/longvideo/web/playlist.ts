import type { SourceAnswer, SourceContext } from '../../collect/collect.ts';
import { responseChanged, SourceError } from '../../errors.ts';
import { blank, dig, toList } from '../../parse/values.ts';
import type { PlaylistEntry } from '../../records/longvideo.ts';
import { type Playlist, playlist } from '../../records/shared.ts';
import { type ListPage, pageRows } from '../pages.ts';
import type { LongvideoPlaylistItemsParams } from '../params.ts';
import { appended, webPage } from './entries.ts';
import type { Web } from './innertube.ts';
import { type PlaylistOwner, playlistDetails, playlistOwner } from './playlist-details.ts';
import { entryOf, type ShownEntry, shortNames, shownEntry } from './playlist-entry.ts';

/**
 * Fetches a playlist from its public page on YouTube's website. Throws RESOURCE_NOT_FOUND when the page shows an error,
 * and SOURCE_RESPONSE_CHANGED when its format is unknown.
 */
export async function webPlaylist(web: Web, id: string, context: SourceContext): Promise<Playlist> {
  const page = await web('/browse', { browseId: `VL${id}` }, context);
  refuseAlerts(page);
  const details = playlistDetails(page);
  if (details === undefined) {
    throw responseChanged('the page shows no playlist');
  }
  if (details.title === null) throw responseChanged('the page shows no title');
  return {
    ...blank(playlist),
    id,
    ...details,
    permalink: `https://www.youtube.com/playlist?list=${id}`,
  };
}

/**
 * Fetches one page of a playlist's entries from YouTube's website. The public page leaves out entries that visitors
 * cannot see.
 */
export async function webEntries(
  web: Web,
  { playlist_id, limit, cursor }: LongvideoPlaylistItemsParams,
  context: SourceContext,
): Promise<SourceAnswer<PlaylistEntry[]>> {
  let owner: PlaylistOwner = { author: null, account_id: null };
  const { rows, next, gaps } = await pageRows(cursor, limit, async (token) => {
    const body = token === null ? { browseId: `VL${playlist_id}` } : { continuation: token };
    const page = await web('/browse', body, context);
    refuseAlerts(page);
    owner = playlistOwner(page);
    return withKnownPositions(entriesOf(page, token !== null));
  });
  return { record: rows.map((row) => entryOf(row, playlist_id, owner)), next, ...gaps };
}

function refuseAlerts(page: unknown): void {
  const alerts = toList(dig(page, 'alerts')) ?? [];
  if (alerts.some((alert) => dig(alert, 'alertRenderer', 'type') === 'ERROR')) {
    throw new SourceError('RESOURCE_NOT_FOUND', { reason: 'the page shows an error alert' });
  }
}

/**
 * Sets the positions of a page to null when several entries have the same position. YouTube gives all shorts of a
 * playlist the position 0 when it does not number them.
 */
function withKnownPositions(page: ListPage<ShownEntry>): ListPage<ShownEntry> {
  const positions = page.rows.map(({ position }) => position).filter((position) => position !== null);
  if (new Set(positions).size === positions.length) return page;
  return { ...page, rows: page.rows.map((row) => ({ ...row, position: null })) };
}

function entriesOf(page: unknown, continued: boolean): ListPage<ShownEntry> {
  if (continued) return webPage(appended(page, 'onResponseReceivedActions'), shownEntry, shortNames);
  const tab = dig(page, 'contents', 'twoColumnBrowseResultsRenderer', 'tabs', 0, 'tabRenderer', 'content');
  // Reads only the first section. Further sections contain videos that YouTube recommends, which are not in the
  // playlist.
  const section = toList(dig(tab, 'sectionListRenderer', 'contents', 0, 'itemSectionRenderer', 'contents'));
  const [first] = section ?? [];
  // The entries are in the section itself, or in a list or grid inside it. For an empty playlist, the section contains
  // only a message.
  const list =
    toList(dig(first, 'playlistVideoListRenderer', 'contents')) ??
    toList(dig(first, 'richGridRenderer', 'contents')) ??
    section;
  if (list === null || first === undefined) {
    throw responseChanged('the page shows no entries');
  }
  return webPage(list, shownEntry, shortNames);
}
