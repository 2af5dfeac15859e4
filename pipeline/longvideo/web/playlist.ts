import type { SourceAnswer, SourceContext } from '../../collect/collect.ts';
import { responseChanged, SourceError } from '../../errors.ts';
import { blank, dig, toList, toText } from '../../parse/values.ts';
import type { PlaylistEntry } from '../../records/longvideo.ts';
import { type Playlist, playlist } from '../../records/shared.ts';
import { shownAmount } from '../amounts.ts';
import { webImages } from '../media.ts';
import { type ListPage, pageRows } from '../pages.ts';
import type { LongvideoPlaylistItemsParams } from '../params.ts';
import { appended, webPage } from './entries.ts';
import type { Web } from './innertube.ts';
import { entryOf, type ShownEntry, shortName, shownEntry } from './playlist-entry.ts';
import { nodeFreeText, nodeText, shownDate } from './text.ts';

/**
 * Fetches a playlist from its public page on YouTube's website. Throws RESOURCE_NOT_FOUND when the page shows an error,
 * and SOURCE_RESPONSE_CHANGED when its format is unknown.
 */
export async function webPlaylist(web: Web, id: string, context: SourceContext): Promise<Playlist> {
  const page = await web('/browse', { browseId: `VL${id}` }, context);
  refuseAlerts(page);
  const micro = dig(page, 'microformat', 'microformatDataRenderer');
  const { primary, owner } = sidebar(page);
  if (primary === undefined) {
    throw responseChanged('the page shows no playlist');
  }
  const title = toText(dig(micro, 'title')) ?? nodeText(dig(primary, 'title'));
  if (title === null) throw responseChanged('the page shows no title');
  const stats = toList(dig(primary, 'stats')) ?? [];
  return {
    ...blank(playlist),
    id,
    title,
    description: nodeFreeText(dig(primary, 'description')),
    ...owner,
    item_count: shownAmount(nodeText(stats[0])).count,
    updated_at: stats.map((stat) => shownDate(nodeText(stat))).find((date) => date !== null) ?? null,
    thumbnails: thumbnailsOf(dig(primary, 'thumbnailRenderer')),
    privacy_status: dig(micro, 'unlisted') === true ? 'unlisted' : null,
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
    owner = sidebar(page).owner;
    return entriesOf(page, token !== null);
  });
  return { record: rows.map((row) => entryOf(row, playlist_id, owner)), next, ...gaps };
}

interface PlaylistOwner {
  author: string | null;
  account_id: string | null;
}

function refuseAlerts(page: unknown): void {
  const alerts = toList(dig(page, 'alerts')) ?? [];
  if (alerts.some((alert) => dig(alert, 'alertRenderer', 'type') === 'ERROR')) {
    throw new SourceError('RESOURCE_NOT_FOUND', { reason: 'the page shows an error alert' });
  }
}

function sidebar(page: unknown): { primary: unknown; owner: PlaylistOwner } {
  const items = toList(dig(page, 'sidebar', 'playlistSidebarRenderer', 'items')) ?? [];
  const partOf = (name: string) => items.map((item) => dig(item, name)).find((part) => part !== undefined);
  const title = dig(partOf('playlistSidebarSecondaryInfoRenderer'), 'videoOwner', 'videoOwnerRenderer', 'title');
  return {
    primary: partOf('playlistSidebarPrimaryInfoRenderer'),
    owner: {
      author: nodeText(title)?.replace(/^by /, '') ?? null,
      account_id: toText(dig(title, 'runs', 0, 'navigationEndpoint', 'browseEndpoint', 'browseId')),
    },
  };
}

/**
 * Reads the thumbnails of a YouTube playlist. They are under different JSON keys, depending on whether YouTube made the
 * picture or the owner uploaded it.
 */
function thumbnailsOf(renderer: unknown): Playlist['thumbnails'] {
  const [picture] = typeof renderer === 'object' && renderer !== null ? Object.values(renderer) : [];
  return webImages([dig(picture, 'thumbnail', 'thumbnails')], 'thumbnail');
}

function entriesOf(page: unknown, continued: boolean): ListPage<ShownEntry> {
  if (continued) return webPage(appended(page, 'onResponseReceivedActions'), shownEntry, shortName);
  const tab = dig(page, 'contents', 'twoColumnBrowseResultsRenderer', 'tabs', 0, 'tabRenderer', 'content');
  // Sections after the first have videos that YouTube recommends for the playlist, which are not in it.
  const section = toList(dig(tab, 'sectionListRenderer', 'contents', 0, 'itemSectionRenderer', 'contents'));
  const [first] = section ?? [];
  // The entries are in the section itself, or in a list or grid inside it. The page of a playlist without entries has
  // only a message in this section.
  const list =
    toList(dig(first, 'playlistVideoListRenderer', 'contents')) ??
    toList(dig(first, 'richGridRenderer', 'contents')) ??
    section;
  if (list === null || first === undefined) {
    throw responseChanged('the page shows no entries');
  }
  return webPage(list, shownEntry, shortName);
}
