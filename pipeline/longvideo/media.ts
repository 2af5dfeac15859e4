import { dig, toList, toSize, toText } from '../parse/values.ts';
import type { MediaVariant } from '../records/shared.ts';

type ImageType = 'thumbnail' | 'avatar';

/** Names of the image sizes that the YouTube Data API sends, from small to large. */
const officialVariants = ['default', 'medium', 'high', 'standard', 'maxres', 'fhd', 'qhd', 'uhd'];

/**
 * Converts the images in an answer of the YouTube Data API to media variants, from small to large. Returns null when
 * `images` is not an object.
 */
export function officialImages(images: unknown, assetType: ImageType): MediaVariant[] | null {
  if (typeof images !== 'object' || images === null) return null;
  return officialVariants
    .filter((variant) => toText(dig(images, variant, 'url')) !== null)
    .map((variant) => image(dig(images, variant), assetType, variant));
}

/**
 * Converts one or more image lists of YouTube's website to media variants, from small to large. Of several images with
 * the same size, keeps the first image whose URL has no query string, or else the first image. Returns null when none
 * of `lists` is a list.
 */
export function webImages(lists: readonly unknown[], assetType: ImageType): MediaVariant[] | null {
  const found = lists.map(toList).filter((list) => list !== null);
  if (found.length === 0) return null;
  const bySize = new Map<string, MediaVariant>();
  for (const variant of found.flat().map((entry) => image(entry, assetType, null))) {
    const size = `${variant.width}x${variant.height}`;
    const previous = bySize.get(size);
    if (variant.url === null || (previous !== undefined && !dropsQuery(variant, previous))) continue;
    bySize.set(size, variant);
  }
  return [...bySize.values()].sort((a, b) => area(a) - area(b));
}

/** Returns the URL of the largest image in a list that is sorted from small to large; null for an empty list. */
export function largestUrl(images: MediaVariant[] | null): string | null {
  return images?.at(-1)?.url ?? null;
}

/**
 * Returns an https URL. Replaces `http:` and adds the scheme to a URL that begins with `//`. Null for any other value.
 */
export function secureUrl(value: unknown): string | null {
  const url = toText(value)?.replace(/^(?:http:)?\/\//, 'https://') ?? null;
  return url?.startsWith('https://') ? url : null;
}

function image(entry: unknown, assetType: ImageType, variant: string | null): MediaVariant {
  return {
    url: secureUrl(dig(entry, 'url')),
    width: toSize(dig(entry, 'width')),
    height: toSize(dig(entry, 'height')),
    asset_type: assetType,
    variant,
    expires_at: null,
  };
}

function dropsQuery(variant: MediaVariant, previous: MediaVariant): boolean {
  return previous.url?.includes('?') === true && variant.url?.includes('?') === false;
}

function area(variant: MediaVariant): number {
  return (variant.width ?? 0) * (variant.height ?? 0);
}
