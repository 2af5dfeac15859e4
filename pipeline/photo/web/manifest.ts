import { toSize } from '../../parse/values.ts';

const presentationDuration = /mediaPresentationDuration="PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?"/;

/**
 * Returns the duration in the DASH manifest of an Instagram video, in seconds with at most three decimals. Instagram's
 * lists of posts and the pages of 2026 have the duration only there. Null for any other value.
 */
export function manifestSeconds(manifest: unknown): number | null {
  const [, hours = 0, minutes = 0, seconds = 0] =
    presentationDuration.exec(typeof manifest === 'string' ? manifest : '') ?? [];
  return toSize(Math.round((Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000) / 1000);
}
