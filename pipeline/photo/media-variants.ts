import { epochToIso, toSize, toText } from '../parse/values.ts';
import type { MediaVariant } from '../records/shared.ts';

interface VariantFacts {
  url: unknown;
  asset_type: 'image' | 'video' | 'avatar';
  variant?: string | null;
  /** Pixels. */
  width?: unknown;
  height?: unknown;
}

/** Returns an http(s) URL; null for everything else. */
export function toUrl(value: unknown): string | null {
  const url = toText(value);
  return url !== null && /^https?:\/\/\S+$/i.test(url) ? url : null;
}

/** Returns the expiry time of a CDN URL: its parameter `oe` is epoch seconds in hexadecimal. Null without it. */
function expiresAt(url: string): string | null {
  const hex = /[?&]oe=([0-9a-f]{1,8})(?:&|$)/i.exec(url)?.[1];
  return hex === undefined ? null : epochToIso(Number.parseInt(hex, 16));
}

/** Returns the candidates with a valid URL, without duplicates and in order; null without any. */
export function mediaVariants(candidates: readonly VariantFacts[]): MediaVariant[] | null {
  const variants = new Map<string, MediaVariant>();
  for (const { url: sent, asset_type, variant, width, height } of candidates) {
    const url = toUrl(sent);
    if (url === null || variants.has(url)) continue;
    const size = { width: toSize(width), height: toSize(height) };
    variants.set(url, { url, ...size, asset_type, variant: variant ?? null, expires_at: expiresAt(url) });
  }
  return variants.size === 0 ? null : [...variants.values()];
}
