import { toSize } from '../../parse/values.ts';

const manifestDuration = /mediaPresentationDuration="PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?"/;

/**
 * Returns the duration of an Instagram video from its DASH manifest, in seconds with at most three decimals.
 * Instagram's lists of posts and its current post pages state the duration nowhere else.
 */
export function manifestSeconds(manifest: unknown): number | null {
  const [, hours = 0, minutes = 0, seconds = 0] =
    manifestDuration.exec(typeof manifest === 'string' ? manifest : '') ?? [];
  return toSize(Math.round((Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000) / 1000);
}
