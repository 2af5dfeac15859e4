export const site = 'https://www.tiktok.com';

export function profileUrl(handle: string): string {
  return `${site}/@${handle}`;
}

/** Returns a URL of the TikTok video with this ID. The handle in the URL is arbitrary, because TikTok ignores it. */
export function lookupUrl(id: string): string {
  return itemUrl('_', id, 'video');
}

export function itemUrl(handle: string, id: string, kind: 'video' | 'photo'): string {
  return `${site}/@${handle}/${kind}/${id}`;
}

export function tagUrl(name: string): string {
  return `${site}/tag/${encodeURIComponent(name)}`;
}

/** Returns the URL of a TikTok sound. TikTok finds the sound by its ID and ignores the title in the URL. */
export function soundUrl(title: string, id: string): string {
  return `${site}/music/${encodeURIComponent(soundSlug(title) || 'sound')}-${id}`;
}

/**
 * Returns the title of a sound as it appears in TikTok's URLs: its letters, digits and apostrophes, with one `-` for
 * all characters between them. `''` for a title without these characters.
 */
export function soundSlug(title: string): string {
  return (title.match(/[\p{L}\p{M}\p{N}']+/gu) ?? []).join('-');
}
