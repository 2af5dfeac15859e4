import type { Source } from '../collect/collect.ts';
import { SourceError } from '../errors.ts';
import type { PlaylistEntry } from '../records/longvideo.ts';
import type { Playlist } from '../records/shared.ts';
import { dataApiSource } from './data-api/client.ts';
import { officialEntries, officialPlaylist } from './data-api/playlist.ts';
import type { LongvideoPlaylistItemsParams, LongvideoPlaylistParams } from './params.ts';
import { surfacesOfService } from './surfaces.ts';
import { longvideoWebName } from './web/innertube.ts';
import { webEntries, webPlaylist } from './web/playlist.ts';

/**
 * IDs of YouTube's playlists Watch later, Liked videos and History. Requests for these playlists are refused, because
 * only their signed-in owner can see them.
 */
const privateLists = new Set(['WL', 'LL', 'HL']);

/**
 * The sources of a playlist in order of preference. All of them refuse playlists that only the owner can see. Answers
 * of the website are partial.
 */
export const playlistSources: Source<LongvideoPlaylistParams, Playlist>[] = [
  {
    ...dataApiSource,
    not_exposed: ['updated_at'],
    async collect({ playlist_id }, context) {
      refusePrivate(playlist_id);
      return { record: await officialPlaylist(surfacesOfService(context).api, playlist_id, context) };
    },
  },
  {
    name: longvideoWebName,
    credentials: null,
    not_exposed: ['published_at', 'language', 'localized', 'localizations', 'embed_html'],
    async collect({ playlist_id }, context) {
      refusePrivate(playlist_id);
      return { record: await webPlaylist(surfacesOfService(context).web, playlist_id, context), partial: true };
    },
  },
];

/**
 * The sources of a playlist's entries in order of preference. All of them refuse playlists that only the owner can see.
 * Answers of the website are partial.
 */
export const playlistItemsSources: Source<LongvideoPlaylistItemsParams, PlaylistEntry[]>[] = [
  {
    ...dataApiSource,
    async collect(params, context) {
      refusePrivate(params.playlist_id);
      return officialEntries(surfacesOfService(context).api, params, context);
    },
  },
  {
    name: longvideoWebName,
    credentials: null,
    not_exposed: ['id', 'description', 'added_at', 'published_at', 'privacy_status'],
    async collect(params, context) {
      refusePrivate(params.playlist_id);
      return { ...(await webEntries(surfacesOfService(context).web, params, context)), partial: true };
    },
  },
];

function refusePrivate(playlistId: string): void {
  if (!privateLists.has(playlistId)) return;
  throw new SourceError('SOURCE_RESTRICTED', {
    about: 'resource',
    message: 'This playlist is private: only its owner can see it.',
  });
}
