import { parseLongvideoUrl, parsePhotoUrl, parseShortvideoUrl, type UrlResult } from '../../pipeline/parse/urls.ts';
import type { Route } from './route.ts';

type Target = { kind: string } & Record<string, unknown>;

const parsers: Readonly<Record<string, (url: string) => UrlResult<Target>>> = {
  photo: parsePhotoUrl,
  shortvideo: parseShortvideoUrl,
  longvideo: parseLongvideoUrl,
};

/** Begins with a scheme, or with a host name and a slash. No identifier does. */
const address = /^(?:[a-z][a-z0-9+.-]*:)?\/\/|^[\w-]+(?:\.[\w-]+)+\//i;

/** Returns what to send instead of an address in the place of another identifier; null when the value is no address. */
export function addressHint(route: Route, name: string, value: string): string | null {
  if (name === 'url' || !address.test(value)) return null;
  if (Object.hasOwn(route.identifiers, 'url')) return 'is an address: send it as url=';
  const found = identifierIn(route, name, value);
  if (found !== null) return `takes no address: send ${name}=${found}`;
  const rule = `takes no address: send ${route.identifiers[name]?.description ?? name}`;
  return name === 'channel_id' ? `${rule}. /v1/longvideo/channel?url= returns it as data.profile.id` : rule;
}

/** Returns the identifier that an address of the route's platform holds; null when it holds none or names something else. */
function identifierIn(route: Route, name: string, value: string): string | null {
  const parsed = parsers[route.path.split('/')[2] ?? '']?.(value);
  if (!parsed?.ok || !kindsOf(route, name).includes(parsed.target.kind)) return null;
  const { target } = parsed;
  const found = name === 'playlist_id' ? target.id : (target[name] ?? (name === 'id' ? target.shortcode : undefined));
  return typeof found === 'string' ? found : null;
}

/** Returns the kinds of address whose identifier a parameter takes. */
function kindsOf({ path }: Route, name: string): readonly string[] {
  if (name !== 'id') return ['profile', 'channel', 'hashtag', 'playlist'];
  if (path.includes('/music')) return ['sound'];
  return path.includes('/playlist') ? ['playlist'] : ['video', 'post'];
}
