import { notARow } from '../../collect/source-rows.ts';
import { blank, dig, toCount, toText } from '../../parse/values.ts';
import { type PlaylistEntry, playlistEntry } from '../../records/longvideo.ts';
import { shownAmount } from '../amounts.ts';
import { webImages } from '../media.ts';
import { shownRow } from './lockup.ts';
import { bylineOwner, noOwner } from './owner.ts';
import { nodeText, titleText } from './text.ts';

/** JSON keys of a short in a playlist on YouTube's website: the current key, and the key before 2025. */
export const shortNames = ['shortsLockupViewModel', 'reelItemRenderer'] as const;

/** A video in a playlist of YouTube's website. */
export interface ShownEntry {
  content_id: string;
  /** Null when the title is empty. */
  title: string | null;
  /** Position in the playlist, from 0; null when unknown. */
  position: number | null;
  author: string | null;
  author_id: string | null;
  thumbnails: unknown;
}

type Shown = Omit<ShownEntry, 'content_id' | 'title'> & { content_id: string | null; title: string | null | undefined };

/**
 * Reads an entry of a playlist on YouTube's website in any of its layouts: current, previous, and shorts. Returns
 * undefined when its format is unknown or when it has no video ID or no title.
 */
export function shownEntry(entry: unknown): ShownEntry | undefined {
  const shown = anyEntry(entry);
  if (shown === undefined || shown.content_id === null || shown.title === undefined) return undefined;
  return { ...shown, content_id: shown.content_id, title: shown.title };
}

/** Converts an entry of a playlist on YouTube's website to a record. */
export function entryOf(
  { content_id, thumbnails, ...shown }: ShownEntry,
  playlistId: string,
  owner: { author: string | null; account_id: string | null },
): PlaylistEntry {
  return {
    ...blank(playlistEntry),
    ...shown,
    playlist_id: playlistId,
    content_id,
    resource_kind: 'youtube#video',
    playlist_owner_id: owner.account_id,
    playlist_owner_name: owner.author,
    thumbnails: webImages([thumbnails], 'thumbnail'),
    permalink: `https://www.youtube.com/watch?v=${content_id}&list=${playlistId}`,
  };
}

function anyEntry(entry: unknown): Shown | undefined {
  const video = dig(entry, 'playlistVideoRenderer');
  if (video !== undefined) return rendererEntry(video);
  const content = dig(entry, 'richItemRenderer', 'content');
  const short = dig(content, 'shortsLockupViewModel');
  if (short !== undefined) return shortEntry(short);
  const reel = dig(content, 'reelItemRenderer');
  if (reel !== undefined) return reelEntry(reel);
  const row = shownRow(entry);
  if (row === undefined || row === notARow || row.kind !== 'video') return undefined;
  const { id, title, author, author_id, thumbnails } = row;
  const command = dig(entry, 'lockupViewModel', 'rendererContext', 'commandContext', 'onTap', 'innertubeCommand');
  const position = toCount(dig(command, 'watchEndpoint', 'index'));
  return { content_id: id, title, position, author, author_id, thumbnails };
}

/** Reads an entry in the previous layout of YouTube's playlists, which counts positions from 1. */
function rendererEntry(video: unknown): Shown {
  const index = shownAmount(nodeText(dig(video, 'index'))).count;
  return {
    content_id: toText(dig(video, 'videoId')),
    title: titleText(dig(video, 'title')),
    position: index === null || index === 0 ? null : index - 1,
    ...bylineOwner(dig(video, 'shortBylineText')),
    thumbnails: dig(video, 'thumbnail', 'thumbnails'),
  };
}

function shortEntry(short: unknown): Shown {
  return {
    content_id: toText(dig(short, 'onTap', 'innertubeCommand', 'reelWatchEndpoint', 'videoId')),
    title: titleText(dig(short, 'overlayMetadata', 'primaryText')),
    position: toCount(dig(short, 'indexInCollection')),
    ...noOwner,
    thumbnails:
      dig(short, 'thumbnailViewModel', 'thumbnailViewModel', 'image', 'sources') ?? dig(short, 'thumbnail', 'sources'),
  };
}

function reelEntry(reel: unknown): Shown {
  return {
    content_id: toText(dig(reel, 'videoId')),
    title: titleText(dig(reel, 'headline')),
    position: null,
    ...noOwner,
    thumbnails: dig(reel, 'thumbnail', 'thumbnails'),
  };
}
