import { shortcodeToPk } from '../parse/shortcodes.ts';

/** Returns the shortcode in the URL of an Instagram post; null for any other value. */
export function codeOf(address: unknown): string | null {
  return addressParts(address)?.code ?? null;
}

/**
 * Returns the account name, the kind of path (such as `p` or `reel`) and the shortcode in the URL of an Instagram post.
 * The account name is null when the path has none. Returns null for any other value.
 */
export function addressParts(address: unknown): { author: string | null; kind: string; code: string } | null {
  const path = typeof address === 'string' ? URL.parse(address)?.pathname : undefined;
  const parts = /^\/(?:([A-Za-z0-9._]+)\/)?(p|reel|reels|tv)\/([A-Za-z0-9_-]+)\/?$/.exec(path ?? '');
  const [, author, kind, code] = parts ?? [];
  return kind === undefined || code === undefined ? null : { author: author ?? null, kind, code };
}

/** Returns the numeric media ID of an Instagram shortcode. */
export function codeToId(code: string | null): string | null {
  return code === null ? null : shortcodeToPk(code);
}

export function postAddress(code: string | null, path: 'p' | 'reel' = 'p'): string | null {
  return code === null ? null : `https://www.instagram.com/${path}/${code}/`;
}

export function profileAddress(handle: string | null): string | null {
  return handle === null ? null : `https://www.instagram.com/${handle}/`;
}

export function hashtagAddress(name: string | null): string | null {
  return name === null ? null : `https://www.instagram.com/explore/tags/${encodeURIComponent(name)}/`;
}
