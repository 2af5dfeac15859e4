type Query = readonly (readonly [name: string, value: string])[];

/** How the add-on's function of a route is given what the route is asked. */
interface Formula {
  name: 'SOCIAL_PROFILE' | 'SOCIAL_POSTS' | 'SOCIAL_POST';
  /** The address of an identifier, by the name of its parameter. */
  address: Readonly<Record<string, (value: string) => string>>;
}

const asIs = (value: string) => value;
const bare = (handle: string) => encodeURIComponent(handle.replace(/^@/, ''));
const photo = (handle: string) => `https://www.instagram.com/${bare(handle)}/`;
const photoPost = (id: string) => `https://www.instagram.com/p/${encodeURIComponent(id)}/`;
const shortvideo = (handle: string) => `https://www.tiktok.com/@${bare(handle)}`;
const shortvideoItem = (id: string) => `https://www.tiktok.com/video/${encodeURIComponent(id)}`;
const channel = (id: string) => `https://www.youtube.com/channel/${encodeURIComponent(id)}`;
const channelHandle = (handle: string) => `https://www.youtube.com/@${bare(handle)}`;
const longvideo = (id: string) => `https://www.youtube.com/watch?v=${encodeURIComponent(id)}`;

const byPath: Readonly<Record<string, Formula>> = {
  '/v1/photo/profile': { name: 'SOCIAL_PROFILE', address: { handle: photo, url: asIs } },
  '/v1/shortvideo/profile': { name: 'SOCIAL_PROFILE', address: { handle: shortvideo, url: asIs } },
  '/v1/longvideo/channel': {
    name: 'SOCIAL_PROFILE',
    address: { handle: channelHandle, url: asIs, channelId: channel, channel_id: channel },
  },
  '/v1/photo/posts': { name: 'SOCIAL_POSTS', address: { handle: photo } },
  '/v1/shortvideo/videos': { name: 'SOCIAL_POSTS', address: { handle: shortvideo } },
  '/v1/longvideo/channel/videos': { name: 'SOCIAL_POSTS', address: { channel_id: channel } },
  '/v1/photo/post': { name: 'SOCIAL_POST', address: { id: photoPost, url: asIs } },
  '/v1/shortvideo/video': { name: 'SOCIAL_POST', address: { id: shortvideoItem } },
  '/v1/longvideo/video': { name: 'SOCIAL_POST', address: { id: longvideo, url: asIs } },
  '/v1/workflows/profile': { name: 'SOCIAL_PROFILE', address: { url: asIs } },
  '/v1/workflows/posts': { name: 'SOCIAL_POSTS', address: { url: asIs } },
  '/v1/workflows/post': { name: 'SOCIAL_POST', address: { url: asIs } },
};

const written = (value: string) => `"${value.replaceAll('"', '""')}"`;

/** The formula of the add-on that shows what the request asks for, null where there is none. */
export function sheetFormula(path: string, query: Query): string | null {
  if (path === '/v1/credit/balance') return '=SOCIAL_CREDITS()';
  const sent = (wanted: string) => query.find(([name]) => name === wanted)?.[1] ?? '';
  if (path === '/v1/workflows/tracked') return trackedFormula(query, sent);
  const formula = Object.hasOwn(byPath, path) ? byPath[path] : undefined;
  // The functions read addresses: a bare handle or id of a workflow has no formula.
  if (!formula || sent('platform') !== '' || sent('cursor') !== '') return null;
  const addresses = query.flatMap(([name, value]) => formula.address[name]?.(value) ?? []);
  if (addresses.length === 0) return null;
  // Columns of a workflow are the formula's fields; those of a data route have other names.
  const fields = path.startsWith('/v1/workflows/') ? sent('fields') : '';
  const age = sent('fresh') === 'true' ? 'fresh' : sent('cache_max_age');
  const limit = formula.name === 'SOCIAL_POSTS' ? [sent('limit')] : [];
  return formulaOf(formula.name, [listOf(addresses), ...limit, text(fields), text(age)]);
}

function trackedFormula(query: Query, sent: (name: string) => string): string | null {
  const items = query.filter(([name]) => name === 'item').map(([, value]) => value);
  if (items.length === 0) return null;
  return formulaOf('SOCIAL_TRACKED', [listOf(items), text(sent('metric')), sent('days')]);
}

const text = (value: string) => (value === '' ? '' : written(value));

/** One value, or a column of them. */
function listOf(values: readonly string[]): string {
  return values.length === 1 ? written(values[0] as string) : `{${values.map(written).join('; ')}}`;
}

/** Without the empty arguments at the end. */
function formulaOf(name: string, values: readonly string[]): string {
  const last = values.findLastIndex((value) => value !== '');
  return `=${name}(${values.slice(0, last + 1).join(', ')})`;
}
