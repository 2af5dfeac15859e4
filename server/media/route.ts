import type { Context, Hono } from 'hono';
import type { MediaAddresses } from '../../pipeline/media/addresses.ts';
import type { MediaProxy } from './proxy.ts';

export interface MediaRouteDeps {
  addresses: MediaAddresses;
  proxy: MediaProxy;
  on_error(error: unknown): void;
}

/** The answer when a picture cannot be shown: a grey picture of one pixel. It is a PNG, because mail programs do not show SVG. */
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
 * Adds the route for pictures, such as the avatars of profiles. The route needs no session, because shared reports and emails show these
 * pictures too. It answers only addresses that this server signed.
 */
export function mountMedia(app: Hono, deps: MediaRouteDeps): void {
  app.get('/media/:signature/:target', (c) => answer(c, deps));
}

async function answer(c: Context, { addresses, proxy, on_error }: MediaRouteDeps): Promise<Response> {
  const target = addresses.read(c.req.param('signature') ?? '', c.req.param('target') ?? '');
  if (target === null) return c.notFound();
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
