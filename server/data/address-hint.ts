import { parseLongvideoUrl, parsePhotoUrl, parseShortvideoUrl, type UrlResult } from '../../pipeline/parse/urls.ts';
import type { Route } from './route.ts';

type Target = { kind: string } & Record<string, unknown>;

const parsers: Readonly<Record<string, (url: string) => UrlResult<Target>>> = {
  photo: parsePhotoUrl,
  shortvideo: parseShortvideoUrl,
  longvideo: parseLongvideoUrl,
};

/** Matches text that begins with a scheme, or with a host name and a slash. No identifier does. */
const address = /^(?:[a-z][a-z0-9+.-]*:)?\/\/|^[\w-]+(?:\.[\w-]+)+\//i;

/** Returns what to send instead of a URL as another identifier, or null when the value is not a URL. */
export function addressHint(route: Route, name: string, value: string): string | null {
  if (name === 'url' || !address.test(value)) return null;
  if (Object.hasOwn(route.identifiers, 'url')) return 'is a URL: send it as url=';
  const found = identifierIn(route, name, value);
  if (found !== null) return `must not be a URL: send ${name}=${found}`;
  const rule = `must not be a URL: send ${route.identifiers[name]?.description ?? name}`;
  return name === 'channel_id' ? `${rule}. /v1/longvideo/channel?url= returns it as data.profile.id` : rule;
}

/** Returns the identifier in a URL of the route's platform, or null when it is a URL of something else. */
function identifierIn(route: Route, name: string, value: string): string | null {
  const parsed = parsers[route.path.split('/')[2] ?? '']?.(value);
  if (!parsed?.ok || !kindsOf(route, name).includes(parsed.target.kind)) return null;
  const { target } = parsed;
  const found = name === 'playlist_id' ? target.id : (target[name] ?? (name === 'id' ? target.shortcode : undefined));
  return typeof found === 'string' ? found : null;
}

/** Returns the kinds of URL whose identifier a parameter takes. */
function kindsOf({ path }: Route, name: string): readonly string[] {
  if (name !== 'id') return ['profile', 'channel', 'hashtag', 'playlist'];
  if (path.includes('/music')) return ['sound'];
  return path.includes('/playlist') ? ['playlist'] : ['video', 'post'];
}
