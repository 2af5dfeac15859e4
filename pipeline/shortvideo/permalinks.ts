export const site = 'https://www.tiktok.com';

export function profileUrl(handle: string): string {
  return `${site}/@${handle}`;
}

/** Returns a URL for which only the ID of the video is needed, because the platform ignores the handle in it. */
export function lookupUrl(id: string): string {
  return itemUrl('_', id, 'video');
}

export function itemUrl(handle: string, id: string, kind: 'video' | 'photo'): string {
  return `${site}/@${handle}/${kind}/${id}`;
}

export function tagUrl(name: string): string {
  return `${site}/tag/${encodeURIComponent(name)}`;
}

export function soundUrl(title: string, id: string): string {
  return `${site}/music/${encodeURIComponent(soundSlug(title))}-${id}`;
}

/** Returns a title in the form that it has in the URL of a sound: consecutive characters other than letters and digits become one `-`. */
export function soundSlug(title: string): string {
  return title.replace(/[^\p{L}\p{M}\p{N}]+/gu, '-');
}
