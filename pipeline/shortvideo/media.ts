import { dig, epochToIso, toSize, toText } from '../parse/values.ts';
import type { MediaVariant } from '../records/shared.ts';

/** An image with its name in the source; sizes in pixels when the source sends them. */
export interface Image {
  variant: string;
  url: unknown;
  width?: unknown;
  height?: unknown;
}

/** Returns the images with a URL as media variants; null without any. */
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

/** Returns the account pictures under `keys`, largest first; their sizes are read from their URLs. */
export function avatarVariants(user: unknown, keys: readonly string[]): MediaVariant[] | null {
  const images = keys.map((key) => ({ variant: key, url: dig(user, key), ...cropSize(toText(dig(user, key))) }));
  return imageVariants(images, 'avatar');
}

export const avatarKeys = ['avatarLarger', 'avatarMedium', 'avatarThumb'] as const;

/** Returns the first non-empty text of several candidates. */
export function firstText(...candidates: unknown[]): string | null {
  return candidates.map(toText).find((text) => text !== null) ?? null;
}

function expiryOf(url: string): string | null {
  return epochToIso(/[?&](?:x-expires|expire)=(\d+)/.exec(url)?.[1]);
}

/** Matches three generations of URLs: `~tplv-…cropcenter:720:720`, `~c5_720x720`, `/aweme/720x720/`. */
const cropPattern = /(?:cropcenter:|~c5_|\/aweme\/)(\d{1,5})[:x](\d{1,5})/;

function cropSize(url: string | null): { width?: string | undefined; height?: string | undefined } {
  const [, width, height] = cropPattern.exec(url ?? '') ?? [];
  return { width, height };
}
