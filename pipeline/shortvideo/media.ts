import { dig, epochToIso, toSize, toText, toUrl } from '../parse/values.ts';
import type { MediaVariant } from '../records/shared.ts';

/**
 * An image in TikTok's data. `variant` is TikTok's name for it. Width and height are in pixels; they are missing when
 * TikTok does not send them.
 */
export interface Image {
  variant: string;
  url: unknown;
  width?: unknown;
  height?: unknown;
}

/** Converts the images that have a URL to media variants of a record. Null when no image has a URL. */
export function imageVariants(
  images: readonly Image[],
  assetType: 'image' | 'avatar' = 'image',
): MediaVariant[] | null {
  const variants = images.flatMap(({ variant, url, width, height }) => {
    const address = toUrl(url);
    if (address === null) return [];
    const size = { width: toSize(width), height: toSize(height) };
    return [{ url: address, ...size, asset_type: assetType, variant, expires_at: expiryOf(address) }];
  });
  return variants.length === 0 ? null : variants;
}

/**
 * Returns the profile pictures of a TikTok user. `keys` are the names of the picture fields and must begin with the
 * largest picture. The sizes are read from the picture URLs.
 */
export function avatarVariants(user: unknown, keys: readonly string[]): MediaVariant[] | null {
  const images = keys.map((key) => ({ variant: key, url: dig(user, key), ...cropSize(toText(dig(user, key))) }));
  return imageVariants(images, 'avatar');
}

export const avatarKeys = ['avatarLarger', 'avatarMedium', 'avatarThumb'] as const;

/** Returns the first of the values that is a non-empty text; null when none is. */
export function firstText(...candidates: unknown[]): string | null {
  return candidates.map(toText).find((text) => text !== null) ?? null;
}

/** Returns the time at which a TikTok URL expires, from the URL itself; null when the URL does not contain it. */
export function expiryOf(url: string): string | null {
  return epochToIso(/[?&](?:x-expires|expire)=(\d+)/.exec(url)?.[1]);
}

/**
 * Matches the picture size in a TikTok URL. TikTok has used three formats: `~tplv-…cropcenter:720:720`, `~c5_720x720`,
 * `/aweme/720x720/`.
 */
const cropPattern = /(?:cropcenter:|~c5_|\/aweme\/)(\d{1,5})[:x](\d{1,5})/;

function cropSize(url: string | null): { width?: string | undefined; height?: string | undefined } {
  const [, width, height] = cropPattern.exec(url ?? '') ?? [];
  return { width, height };
}
