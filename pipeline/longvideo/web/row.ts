import { toText } from '../../parse/values.ts';
import { type Amount, firstAmount, noAmount } from '../amounts.ts';

/** A video, playlist or channel in a list of YouTube's website. */
export interface ShownRow {
  kind: 'video' | 'playlist' | 'channel';
  id: string;
  /** Null when the title is empty. */
  title: string | null;
  views: Amount;
  /** Number of current viewers of a live broadcast. */
  viewers: Amount;
  /** Announced start of a broadcast or premiere. */
  scheduled_start_time: string | null;
  duration_seconds: number | null;
  item_count: number | null;
  thumbnails: unknown;
  description: string | null;
  author: string | null;
  author_id: string | null;
  live_status: 'live' | 'upcoming' | 'none' | null;
}

/** A row that may lack its ID or its title. The title is undefined when it is missing, and null when it is empty. */
export type Shown = Omit<ShownRow, 'id' | 'title'> & { id: string | null; title: string | null | undefined };

export const blankRow = {
  views: noAmount,
  viewers: noAmount,
  scheduled_start_time: null,
  duration_seconds: null,
  item_count: null,
  description: null,
} as const;

/** Matches the noun after the number of entries of a playlist, such as `videos`. */
export const itemsNoun = /\b(?:video|episode|lesson|song)/i;

/** Returns the number of viewers of a live broadcast from the texts of its row, such as `7,787 watching`. */
export function shownViewers(texts: readonly unknown[]): Amount {
  return firstAmount(texts.map((text) => /^(\S+) watching(?: now)?$/.exec(toText(text) ?? '')?.[1]));
}

/** Converts a duration such as `4:05` or `1:04:05` to seconds; null for any other text. */
export function clockSeconds(text: unknown): number | null {
  const shown = toText(text);
  if (shown === null || !/^\d{1,3}(?::\d{2}){1,2}$/.test(shown)) return null;
  return shown.split(':').reduce((seconds, part) => seconds * 60 + Number(part), 0);
}
