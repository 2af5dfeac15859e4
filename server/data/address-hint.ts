import { parseLongvideoUrl, parsePhotoUrl, parseShortvideoUrl, type UrlResult } from '../../pipeline/parse/urls.ts';
import type { Route } from './route.ts';

type Target = { kind: string } & Record<string, unknown>;

const parsers: Readonly<Record<string, (url: string) => UrlResult<Target>>> = {
  photo: parsePhotoUrl,
  shortvideo: parseShortvideoUrl,
  longvideo: parseLongvideoUrl,
};

/**
 * Matches text that begins with a scheme, or with a host name and a slash. Such text is a URL, because no identifier
 * begins like this.
 */
const address = /^(?:[a-z][a-z0-9+.-]*:)?\/\/|^[\w-]+(?:\.[\w-]+)+\//i;

/**
 * Returns a hint that says what to send, when a URL was sent in a parameter that expects an id or a handle. Returns
 * null when the value is not a URL.
 */
export function addressHint(route: Route, name: string, value: string): string | null {
  if (name === 'url' || !address.test(value)) return null;
  if (Object.hasOwn(route.identifiers, 'url')) return 'is a URL: send it as url=';
  const found = identifierIn(route, name, value);
  if (found !== null) return `must not be a URL: send ${name}=${found}`;
  const rule = `must not be a URL: send ${route.identifiers[name]?.description ?? name}`;
  return name === 'channel_id' ? `${rule}. /v1/longvideo/channel?url= returns it as data.profile.id` : rule;
}

/**
 * Returns the id or handle in a URL of the route's platform. Returns null when the URL has no identifier that the
 * parameter accepts.
 */
function identifierIn(route: Route, name: string, value: string): string | null {
  const parsed = parsers[route.path.split('/')[2] ?? '']?.(value);
  if (!parsed?.ok || !kindsOf(route, name).includes(parsed.target.kind)) return null;
  const { target } = parsed;
  const found = name === 'playlist_id' ? target.id : (target[name] ?? (name === 'id' ? target.shortcode : undefined));
  return typeof found === 'string' ? found : null;
}

/** Returns the kinds of URL that contain the identifier of a parameter. */
function kindsOf({ path }: Route, name: string): readonly string[] {
  if (name !== 'id') return ['profile', 'channel', 'hashtag', 'playlist'];
  if (path.includes('/music')) return ['sound'];
  return path.includes('/playlist') ? ['playlist'] : ['video', 'post'];
}
