/** Names of the platforms as people say them. URL paths and API values use the codes. */
export const platformNames: Readonly<Record<string, string>> = {
  photo: 'Instagram',
  shortvideo: 'TikTok',
  longvideo: 'YouTube',
  adlibrary: 'Meta Ad Library',
  microblog: 'X',
};

const kindNames: Readonly<Record<string, string>> = {
  'photo profile': 'Instagram profile',
  'photo post': 'Instagram post',
  'shortvideo profile': 'TikTok profile',
  'shortvideo video': 'TikTok video',
  'longvideo channel': 'YouTube channel',
  'longvideo video': 'YouTube video',
};

/**
 * Returns the name of a kind of tracked item, such as "Instagram profile". The name ends with "(preview)" while the
 * kind is in preview.
 */
export function kindName(item: { platform: string; kind: string }): string {
  const isPreview = item.platform === 'longvideo' && item.kind === 'channel';
  return `${baseName(item)}${isPreview ? ' (preview)' : ''}`;
}

function baseName({ platform, kind }: { platform: string; kind: string }): string {
  return kindNames[`${platform} ${kind}`] ?? `${platform} ${kind}`;
}

/** Returns the plural name of a kind of tracked item, such as "Instagram profiles". */
export function kindsName(item: { platform: string; kind: string }): string {
  return `${baseName(item)}s`;
}
