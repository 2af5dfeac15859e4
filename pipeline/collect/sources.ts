/** The operator's configuration of the sources (docs/operating.md, Environment). */
export interface SourcesConfig {
  youtube_api_key: string | null;
  /** Units and searches per day (Pacific time); when absent, the defaults of a new Google project. */
  youtube_daily_units?: number;
  youtube_daily_searches?: number;
  instagram_graph_token: string | null;
  instagram_graph_user_id: string | null;
  meta_adlibrary_token: string | null;
  x_bearer_token: string | null;
  /** Returns true when the keyless source of this name is switched on. */
  keyless: (source: string) => boolean;
}

/** The sources without credentials, by name, with the data that each serves (docs/operating.md). */
const keylessSurfaces = {
  'instagram-web': 'the profile data of Instagram: profile, newest 12 posts',
  'instagram-post-page': 'the page of an Instagram post',
  'instagram-profile-page': 'the meta tags of an Instagram profile page: name, picture, rounded counts',
  'tiktok-web': 'the pages of TikTok profiles and videos',
  'tiktok-comments': 'the comment lists of TikTok videos',
  'tiktok-embed': 'the embeds of TikTok accounts, videos, sounds and hashtags',
  'tiktok-oembed': 'the oEmbed answer of TikTok videos',
  'youtube-web': 'the pages and lists of the YouTube website',
  'youtube-app': 'the captions of YouTube videos as its apps get them',
} as const;

export type KeylessSource = keyof typeof keylessSurfaces;

export const keylessSources: readonly string[] = Object.keys(keylessSurfaces);

/** Reads the environment variables of the sources; an empty one counts as absent. Throws an Error that names the wrong variable. */
export function readSourcesConfig(env: Record<string, string | undefined>): SourcesConfig {
  const value = (name: string) => env[name]?.trim() || null;
  const allowed = allowedKeyless(value('KEYLESS_SOURCES')?.toLowerCase() ?? 'on');
  const units = dailyBudget('YOUTUBE_DAILY_UNITS', value('YOUTUBE_DAILY_UNITS'));
  const searches = dailyBudget('YOUTUBE_DAILY_SEARCHES', value('YOUTUBE_DAILY_SEARCHES'));
  return {
    youtube_api_key: value('YOUTUBE_API_KEY'),
    ...(units === null ? {} : { youtube_daily_units: units }),
    ...(searches === null ? {} : { youtube_daily_searches: searches }),
    instagram_graph_token: value('INSTAGRAM_GRAPH_TOKEN'),
    instagram_graph_user_id: value('INSTAGRAM_GRAPH_USER_ID'),
    meta_adlibrary_token: value('META_ADLIBRARY_TOKEN'),
    x_bearer_token: value('X_BEARER_TOKEN'),
    keyless: (source) => allowed.has(source),
  };
}

function dailyBudget(name: string, text: string | null): number | null {
  if (text === null) return null;
  if (/^\d{1,12}$/.test(text)) return Number(text);
  throw new Error(`${name} must be a whole number from 0, not "${text}".`);
}

/** Reads `on`, `off`, a list of allowed names, or a list of names to switch off, each with a leading `-`. */
function allowedKeyless(text: string): ReadonlySet<string> {
  if (text === 'on') return new Set(keylessSources);
  if (text === 'off') return new Set();
  const words = text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  const barred = words.filter((word) => word.startsWith('-')).map((word) => word.slice(1));
  const named = words.filter((word) => !word.startsWith('-'));
  const unknown = [...named, ...barred].filter((name) => !keylessSources.includes(name));
  if (unknown.length > 0) {
    throw new Error(`KEYLESS_SOURCES: unknown ${unknown.join(', ')}; known are on, off, ${keylessSources.join(', ')}`);
  }
  const from = named.length > 0 ? named : keylessSources;
  return new Set(from.filter((name) => !barred.includes(name)));
}
