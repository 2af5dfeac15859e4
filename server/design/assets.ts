import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Hono } from 'hono';
import { answerKeyless, type KeylessDeps } from '../http/keyless.ts';
import { logoShapes } from './icons.ts';

interface Asset {
  type: string;
  body: Buffer;
  /**
   * Functions that return the compressed body, by content encoding. Empty when the file format is already compressed.
   */
  encoders: Readonly<Record<string, () => Buffer>>;
  path: string;
}

const { resolve } = createRequire(import.meta.url);
const file = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const font = (subset: string) =>
  readFileSync(resolve(`@fontsource-variable/inter/files/inter-${subset}-wght-normal.woff2`));

const fonts = { latin: font('latin'), latin_ext: font('latin-ext') };
const fontAssets = {
  latin: createAsset('inter.woff2', 'font/woff2', fonts.latin),
  latin_ext: createAsset('inter-ext.woff2', 'font/woff2', fonts.latin_ext),
};
const styleFiles = ['fonts', 'base', 'layout', 'components', 'tables', 'charts'];

function styleSheet(): string {
  const parts = [
    '../../addon/sidebar/design/tokens.css',
    ...styleFiles.map((name) => `style/${name}.css`),
    '../dashboard/style.css',
    'style/print.css',
  ];
  return parts
    .map(file)
    .join('\n')
    .replaceAll('inter-latin.woff2', fontAssets.latin.path)
    .replaceAll('inter-latin-ext.woff2', fontAssets.latin_ext.path);
}

const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${logoShapes}</svg>`;

const created = {
  style: createAsset('style.css', 'text/css; charset=utf-8', styleSheet()),
  page: createAsset(
    'page.js',
    'text/javascript; charset=utf-8',
    ['../dashboard/page.js', '../dashboard/playground/history.js', 'charts.js', 'day-bars.js'].map(file).join('\n'),
  ),
  htmx: createAsset('htmx.js', 'text/javascript; charset=utf-8', readFileSync(resolve('htmx.org/dist/htmx.min.js'))),
  favicon: createAsset('favicon.svg', 'image/svg+xml', favicon),
  open_graph: createAsset('open-graph.png', 'image/png', readFileSync(new URL('open-graph.png', import.meta.url))),
  ...fontAssets,
};

/**
 * The paths of the files that pages load. A path contains a hash of the file's content, so a browser can cache the file
 * for as long as the path is used.
 */
export const assets: Readonly<Record<keyof typeof created, string>> = {
  style: created.style.path,
  page: created.page.path,
  htmx: created.htmx.path,
  favicon: created.favicon.path,
  open_graph: created.open_graph.path,
  latin: created.latin.path,
  latin_ext: created.latin_ext.path,
};

function createAsset(name: string, type: string, content: string | Buffer): Asset {
  const body = Buffer.from(content);
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 10);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
  const encoders = /^(?:font|image\/png)/.test(type)
    ? {}
    : { br: once(() => brotliCompressSync(body, { params })), gzip: once(() => gzipSync(body)) };
  return { type, body, encoders, path: `/assets/${hash}-${name}` };
}

/** Returns a function that calls `make` at its first call and returns the same result at every later call. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Path pattern of the files. The log and the metrics show this pattern, because the paths change with the content. */
const route = '/assets/:file';

/** Adds a route for each file that pages load. */
export function mountAssets(app: Hono, deps: KeylessDeps): void {
  for (const asset of Object.values(created)) {
    app.get(asset.path, (c) => {
      const answer = () => assetResponse(asset, c.req.header('accept-encoding') ?? '');
      return answerKeyless({ request: c.req.raw, route, quiet: true, answer }, deps);
    });
  }
}

function assetResponse({ type, body, encoders }: Asset, accepted: string): Response {
  const encoding = Object.keys(encoders).find((name) => new RegExp(`\\b${name}\\b(?!;q=0\\b)`).test(accepted));
  const headers = new Headers({
    'content-type': type,
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
    'x-content-type-options': 'nosniff',
  });
  if (encoding) headers.set('content-encoding', encoding);
  return new Response(new Uint8Array((encoding && encoders[encoding]?.()) || body), { headers });
}
