type Query = readonly (readonly [name: string, value: string])[];

/** The SOCIAL_ formula of the spreadsheet add-on for a route. */
interface Formula {
  name: 'SOCIAL_PROFILE' | 'SOCIAL_POSTS' | 'SOCIAL_POST';
  /**
   * For each parameter that names a profile or post, such as `handle`: the function that turns its value into a URL.
   */
  urlOf: Readonly<Record<string, (value: string) => string>>;
}

const unchanged = (value: string) => value;
const bare = (handle: string) => encodeURIComponent(handle.replace(/^@/, ''));
const photo = (handle: string) => `https://www.instagram.com/${bare(handle)}/`;
const photoPost = (id: string) => `https://www.instagram.com/p/${encodeURIComponent(id)}/`;
const shortvideo = (handle: string) => `https://www.tiktok.com/@${bare(handle)}`;
const shortvideoItem = (id: string) => `https://www.tiktok.com/video/${encodeURIComponent(id)}`;
const channel = (id: string) => `https://www.youtube.com/channel/${encodeURIComponent(id)}`;
const channelHandle = (handle: string) => `https://www.youtube.com/@${bare(handle)}`;
const longvideo = (id: string) => `https://www.youtube.com/watch?v=${encodeURIComponent(id)}`;

const byPath: Readonly<Record<string, Formula>> = {
  '/v1/photo/profile': { name: 'SOCIAL_PROFILE', urlOf: { handle: photo, url: unchanged } },
  '/v1/shortvideo/profile': { name: 'SOCIAL_PROFILE', urlOf: { handle: shortvideo, url: unchanged } },
  '/v1/longvideo/channel': {
    name: 'SOCIAL_PROFILE',
    urlOf: { handle: channelHandle, url: unchanged, channelId: channel, channel_id: channel },
  },
  '/v1/photo/posts': { name: 'SOCIAL_POSTS', urlOf: { handle: photo } },
  '/v1/shortvideo/videos': { name: 'SOCIAL_POSTS', urlOf: { handle: shortvideo } },
  '/v1/longvideo/channel/videos': { name: 'SOCIAL_POSTS', urlOf: { channel_id: channel } },
  '/v1/photo/post': { name: 'SOCIAL_POST', urlOf: { id: photoPost, url: unchanged } },
  '/v1/shortvideo/video': { name: 'SOCIAL_POST', urlOf: { id: shortvideoItem } },
  '/v1/longvideo/video': { name: 'SOCIAL_POST', urlOf: { id: longvideo, url: unchanged } },
  '/v1/workflows/profile': { name: 'SOCIAL_PROFILE', urlOf: { url: unchanged } },
  '/v1/workflows/posts': { name: 'SOCIAL_POSTS', urlOf: { url: unchanged } },
  '/v1/workflows/post': { name: 'SOCIAL_POST', urlOf: { url: unchanged } },
};

/** The values of the API parameter `platform`, with the names that the formulas use. */
const platformNames: Readonly<Record<string, string>> = {
  photo: 'instagram',
  shortvideo: 'tiktok',
  longvideo: 'youtube',
};

const quoted = (value: string) => `"${value.replaceAll('"', '""')}"`;

/**
 * Returns the formula of the spreadsheet add-on that returns the same data as the request. Returns null when no formula
 * does.
 */
export function sheetFormula(path: string, query: Query): string | null {
  if (path === '/v1/credit/balance') return '=SOCIAL_CREDITS()';
  const readValue = (parameter: string) => query.find(([name]) => name === parameter)?.[1] ?? '';
  if (path === '/v1/workflows/tracked') return trackedFormula(query, readValue);
  const formula = Object.hasOwn(byPath, path) ? byPath[path] : undefined;
  if (!formula || readValue('cursor') !== '') return null;
  const platform = platformArgument(formula, readValue('platform'));
  if (platform === null) return null;
  const urls = query.flatMap(([name, value]) => formula.urlOf[name]?.(value) ?? []);
  if (urls.length === 0) return null;
  // `fields` of a workflow route has column names, which the formula accepts. `fields` of a data route has other names,
  // so it is left out.
  const fields = path.startsWith('/v1/workflows/') ? readValue('fields') : '';
  const age = readValue('fresh') === 'true' ? 'fresh' : readValue('cache_max_age');
  const limit = formula.name === 'SOCIAL_POSTS' ? [readValue('limit')] : [];
  return formulaOf(formula.name, [listOf(urls), ...limit, text(fields), text(age), text(platform)]);
}

/** Returns the argument `platform` of a formula, empty for URLs. Returns null when the formula does not accept it. */
function platformArgument({ name }: Formula, code: string): string | null {
  if (code === '') return '';
  // SOCIAL_POST has no argument `platform`, so it cannot take the ID of a post.
  return name === 'SOCIAL_POST' ? null : (platformNames[code] ?? null);
}

function trackedFormula(query: Query, readValue: (name: string) => string): string | null {
  const items = query.filter(([name]) => name === 'item').map(([, value]) => value);
  if (items.length === 0) return null;
  return formulaOf('SOCIAL_TRACKED', [listOf(items), text(readValue('metric')), readValue('days')]);
}

const text = (value: string) => (value === '' ? '' : quoted(value));

/** Returns one quoted value, or a spreadsheet array literal with one value per row. */
function listOf(values: readonly string[]): string {
  return values.length === 1 ? quoted(values[0] as string) : `{${values.map(quoted).join('; ')}}`;
}

/** Returns a formula. Empty arguments at the end are left out. */
function formulaOf(name: string, values: readonly string[]): string {
  const last = values.findLastIndex((value) => value !== '');
  return `=${name}(${values.slice(0, last + 1).join(', ')})`;
}
