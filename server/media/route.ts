import type { Context, Hono } from 'hono';
import type { MediaAddresses } from '../../pipeline/media/addresses.ts';
import { RequestError } from '../http/errors.ts';
import { answerKeyless, type KeylessDeps } from '../http/keyless.ts';
import type { MediaProxy } from './proxy.ts';

export interface MediaRouteDeps {
  addresses: MediaAddresses;
  proxy: MediaProxy;
  on_error(error: unknown): void;
}

/**
 * The answer when a picture cannot be shown: a gray pixel. The format is PNG, because mail programs do not show SVG.
 */
const placeholder = {
  type: 'image/png',
  bytes: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGO4CwAA3wDeKXlwtgAAAABJRU5ErkJggg==',
    'base64',
  ),
};
const pictureCaching = 'public, max-age=86400';
const placeholderCaching = 'public, max-age=60';

/**
 * Adds the route for pictures, such as the avatars of profiles. The route needs no session, because shared reports and
 * emails show these pictures too. It answers only URLs that this server signed.
 */
export function mountMedia(app: Hono, deps: KeylessDeps & { media: MediaRouteDeps }): void {
  app.get(path, (c) => answerKeyless({ request: c.req.raw, route: path, answer: () => answer(c, deps.media) }, deps));
}

const path = '/media/:signature/:target';
const unknownPicture = 'There is no picture at this address: load the page again that shows the picture.';

async function answer(c: Context, { addresses, proxy, on_error }: MediaRouteDeps): Promise<Response> {
  const target = addresses.read(c.req.param('signature') ?? '', c.req.param('target') ?? '');
  if (target === null) throw new RequestError('ROUTE_NOT_FOUND', { message: unknownPicture });
  const picture = await proxy(target).catch((error: unknown) => {
    on_error(error);
    return null;
  });
  const { type, bytes } = picture ?? placeholder;
  return new Response(new Uint8Array(bytes), {
    headers: {
      'content-type': type,
      'content-length': String(bytes.length),
      'cache-control': picture ? pictureCaching : placeholderCaching,
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    },
  });
}
