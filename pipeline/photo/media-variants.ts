import { epochToIso, toSize, toUrl } from '../parse/values.ts';
import type { MediaVariant } from '../records/shared.ts';

interface VariantFacts {
  url: unknown;
  asset_type: 'image' | 'video' | 'avatar';
  variant?: string | null;
  /** Width in pixels. */
  width?: unknown;
  /** Height in pixels. */
  height?: unknown;
}

/**
 * Returns the time at which an Instagram picture URL expires, from the URL parameter `oe` (Unix time in seconds, in
 * hexadecimal). Null without this parameter.
 */
function expiresAt(url: string): string | null {
  const hex = /[?&]oe=([0-9a-f]{1,8})(?:&|$)/i.exec(url)?.[1];
  return hex === undefined ? null : epochToIso(Number.parseInt(hex, 16));
}

/**
 * Converts the pictures and videos that have a valid URL to media variants of a record, in order and without
 * duplicates. Null when none has a valid URL.
 */
export function toMediaVariants(candidates: readonly VariantFacts[]): MediaVariant[] | null {
  const variants = new Map<string, MediaVariant>();
  for (const { url: sent, asset_type, variant, width, height } of candidates) {
    const url = toUrl(sent);
    if (url === null || variants.has(url)) continue;
    const size = { width: toSize(width), height: toSize(height) };
    variants.set(url, { url, ...size, asset_type, variant: variant ?? null, expires_at: expiresAt(url) });
  }
  return variants.size === 0 ? null : [...variants.values()];
}
