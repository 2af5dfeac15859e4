export const site = 'https://www.tiktok.com';

export function profileUrl(handle: string): string {
  return `${site}/@${handle}`;
}

/** The address that answers for an id alone: the platform does not compare the handle part. */
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

/** The title as it stands in a sound's address: each run of other characters than letters and digits is one `-`. */
export function soundSlug(title: string): string {
  return title.replace(/[^\p{L}\p{M}\p{N}]+/gu, '-');
}
