import { dig, epochToIso, toSize, toText } from '../parse/values.ts';
import type { MediaVariant } from '../records/shared.ts';

/**
 * An image with the name that it has in the source. Width and height are in pixels; they are missing when the source does not
 * send them.
 */
export interface Image {
  variant: string;
  url: unknown;
  width?: unknown;
  height?: unknown;
}

/** Returns the images that have a URL as media variants. Null when none has one. */
export function imageVariants(
  images: readonly Image[],
  assetType: 'image' | 'avatar' = 'image',
): MediaVariant[] | null {
  const variants = images.flatMap(({ variant, url, width, height }) => {
    const address = toText(url);
    if (address === null) return [];
    const size = { width: toSize(width), height: toSize(height) };
    return [{ url: address, ...size, asset_type: assetType, variant, expires_at: expiryOf(address) }];
  });
  return variants.length === 0 ? null : variants;
}

/** Returns the profile pictures under `keys`, which must begin with the largest. Their sizes are read from their URLs. */
export function avatarVariants(user: unknown, keys: readonly string[]): MediaVariant[] | null {
  const images = keys.map((key) => ({ variant: key, url: dig(user, key), ...cropSize(toText(dig(user, key))) }));
  return imageVariants(images, 'avatar');
}

export const avatarKeys = ['avatarLarger', 'avatarMedium', 'avatarThumb'] as const;

/** Returns the first candidate that is a non-empty text. */
export function firstText(...candidates: unknown[]): string | null {
  return candidates.map(toText).find((text) => text !== null) ?? null;
}

function expiryOf(url: string): string | null {
  return epochToIso(/[?&](?:x-expires|expire)=(\d+)/.exec(url)?.[1]);
}

/**
 * Matches the picture size in a URL. The platform has used three formats: `~tplv-…cropcenter:720:720`, `~c5_720x720`,
 * `/aweme/720x720/`.
 */
const cropPattern = /(?:cropcenter:|~c5_|\/aweme\/)(\d{1,5})[:x](\d{1,5})/;

function cropSize(url: string | null): { width?: string | undefined; height?: string | undefined } {
  const [, width, height] = cropPattern.exec(url ?? '') ?? [];
  return { width, height };
}
