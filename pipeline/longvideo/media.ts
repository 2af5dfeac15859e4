import { dig, toList, toSize, toText } from '../parse/values.ts';
import type { MediaVariant } from '../records/shared.ts';

type ImageType = 'thumbnail' | 'avatar';

/** The keys of the official source, small to large. */
const officialVariants = ['default', 'medium', 'high', 'standard', 'maxres', 'fhd', 'qhd', 'uhd'];

/** Images of the official source by their key, small to large; null when the source gave no such object. */
export function officialImages(images: unknown, assetType: ImageType): MediaVariant[] | null {
  if (typeof images !== 'object' || images === null) return null;
  return officialVariants
    .filter((variant) => toText(dig(images, variant, 'url')) !== null)
    .map((variant) => image(dig(images, variant), assetType, variant));
}

/**
 * Images of the web surfaces from one or more lists, small to large and one of each size: the first, unless a later one
 * comes without a query string. Null when no list was given.
 */
export function webImages(lists: readonly unknown[], assetType: ImageType): MediaVariant[] | null {
  const given = lists.map(toList).filter((list) => list !== null);
  if (given.length === 0) return null;
  const bySize = new Map<string, MediaVariant>();
  for (const variant of given.flat().map((entry) => image(entry, assetType, null))) {
    const size = `${variant.width}x${variant.height}`;
    const before = bySize.get(size);
    if (variant.url === null || (before !== undefined && !isPlainer(variant, before))) continue;
    bySize.set(size, variant);
  }
  return [...bySize.values()].sort((a, b) => area(a) - area(b));
}

/** The url of the largest image, null without one. */
export function largestUrl(images: MediaVariant[] | null): string | null {
  return images?.at(-1)?.url ?? null;
}

/** An absolute https address, from one that lacks the scheme or still has http; null for anything else. */
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

function isPlainer(variant: MediaVariant, before: MediaVariant): boolean {
  return before.url?.includes('?') === true && variant.url?.includes('?') === false;
}

function area(variant: MediaVariant): number {
  return (variant.width ?? 0) * (variant.height ?? 0);
}
