import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dayMs } from '../db/durations.ts';
import { lazy } from '../pipeline/lazy.ts';
import { addonFileRoutes } from './addon/files.ts';
import { demoPath } from './dashboard/demo-route.ts';
import type { Operator } from './dashboard/legal.ts';
import { type Document, documents } from './docs/pages.ts';
import { type Picture, readPictures } from './docs/pictures.ts';
import type { Exchange } from './http/handle-request.ts';
import type { KeylessHandler, KeylessRoutes } from './http/keyless.ts';
import type { Payments } from './payments/payments.ts';
import type { FieldFigures } from './status/field-figures.ts';
import type { HealthHistory } from './status/health.ts';
import { type ServiceStatus, wantsPage } from './status/status.ts';

export interface PublicDeps {
  base_url: string;
  now: () => Date;
  /**
   * Name and email of the person or company that runs the server, for the pages about privacy and terms. Default: both
   * unknown.
   */
  operator?: Operator;
  /** A mailto: or https: URL for reports of security problems. Default: security.txt does not exist. */
  security_contact?: string | null;
  /** Resolves when a test write to the database succeeds. Rejects when it fails. */
  ready(): Promise<void>;
  /** Returns true while the server is stopping. */
  stopping(): boolean;
  status(): Promise<ServiceStatus>;
  /**
   * Returns how many requests for new data each route answered on each of the last days. Rejects when the database
   * cannot be reached.
   */
  history(): Promise<HealthHistory>;
  /**
   * Returns how often each data source returned each field on this server in the last days. Rejects when the database
   * cannot be reached.
   */
  field_figures(): Promise<FieldFigures>;
  /** Sells packs of credits. When `payments` is null, the prices page shows no packs. */
  payments: Payments | null;
  /**
   * Counts one request to the demo on the front page. Returns null, or the seconds to wait when the client's network
   * has sent too many requests.
   */
  demo_wait(address: string): Promise<number | null>;
}

/** Content-Security-Policy of the public pages: files only from this server, and no framing. */
const pagePolicy =
  "default-src 'none'; style-src 'self'; script-src 'self'; font-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

function answer(
  body: string | Buffer<ArrayBuffer>,
  type: string,
  headers: Record<string, string> = {},
  status = 200,
): Response {
  return new Response(body, {
    status,
    headers: {
      'content-type': typeof body === 'string' ? `${type}; charset=utf-8` : type,
      'x-credits-charged': '0',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      ...headers,
    },
  });
}

const file = (name: string) => readFileSync(new URL(`./${name}`, import.meta.url), 'utf8');
const cacheable = { 'cache-control': 'public, max-age=300' };

function page({ render, type, live = false }: Document): KeylessHandler {
  const headers = type === 'text/html' ? { 'content-security-policy': pagePolicy } : cacheable;
  if (live) return async () => answer(String(await render()), type, headers);
  return rendered(render, type, headers);
}

/**
 * Returns a handler that renders a document at its first request and sends the same text for every later request. The
 * server starts faster because documents are rendered late.
 */
function rendered(render: Document['render'], type: string, headers: Record<string, string>): KeylessHandler {
  let text: string | null = null;
  return async () => {
    text ??= String(await render());
    return answer(text, type, headers);
  };
}

/** Returns a handler that sends readers to the address of a document. */
const moved =
  (location: string): KeylessHandler =>
  () =>
    answer('', 'text/plain', { ...cacheable, location }, 308);

/** Returns the handler of the search page. The search library is loaded at the first search. */
function searchHandler(baseUrl: string): KeylessHandler {
  const load = lazy(async () => (await import('./docs/search.ts')).createDocsSearch(baseUrl));
  const headers = { 'content-security-policy': pagePolicy };
  return async (request) => {
    const query = new URL(request.url).searchParams.get('q') ?? '';
    const search = await load();
    return answer(String(await search(query)), 'text/html', headers);
  };
}

/** Lets a browser cache a picture for a day. After an update, the browser can show the old picture until then. */
const pictureCaching = { 'cache-control': 'public, max-age=86400' };

const pictureRoute = ({ address, file }: Picture): [path: string, KeylessHandler] => [
  address,
  async () => answer(await readFile(file), 'image/webp', pictureCaching),
];

/**
 * Returns the public pages, documents and files, and the health checks. The modules that render a page are loaded at
 * its first request, because a server that only answers API requests never needs them (docs/adr/0142).
 */
export function publicRoutes(deps: PublicDeps): KeylessRoutes {
  const { operator = { name: null, email: null } } = deps;
  const document = async () => JSON.stringify((await import('./openapi/document.ts')).openApi(deps.base_url));
  const [style, tryScript] = [file('docs/style.css'), file('docs/try.js')];
  const pictures = readPictures();
  const pages = Object.entries(documents(deps.base_url, pictures, deps.field_figures)).map(
    ([path, document]) => [path, page(document)] as const,
  );
  return {
    logged: {
      '/openapi.json': rendered(document, 'application/json', cacheable),
      // The repository has these documents as docs/openapi.json and docs/endpoints.md.
      '/docs/openapi.json': moved('/openapi.json'),
      '/docs/endpoints': moved('/docs/api'),
      ...Object.fromEntries(pages),
      ...addonFileRoutes(deps.base_url),
      '/docs/search': searchHandler(deps.base_url),
      '/v1/status': (request) => status(request, deps),
      '/status': () => statusPageOf(deps),
      '/': page({ render: async () => (await landing()).landingPage(deps.base_url), type: 'text/html' }),
      [demoPath]: (request, address) => demo(request, address(), deps),
      ...securityRoute(deps),
      '/privacy': page({ render: async () => (await legal()).privacyPage(operator), type: 'text/html' }),
      '/terms': page({ render: async () => (await legal()).termsPage(operator), type: 'text/html' }),
      '/prices': (request) => prices(request, deps),
    },
    quiet: {
      ...Object.fromEntries([...pictures.values()].map(pictureRoute)),
      '/docs/style.css': () => answer(style, 'text/css', cacheable),
      '/docs/try.js': () => answer(tryScript, 'text/javascript', cacheable),
      '/healthz': () => answer('{"status":"ok"}', 'application/json', { 'cache-control': 'no-store' }),
      '/readyz': (_request, _address, exchange) => readiness(deps, exchange),
    },
  };
}

const landing = () => import('./dashboard/landing.ts');
const legal = () => import('./dashboard/legal.ts');

async function prices(request: Request, { base_url, payments }: PublicDeps): Promise<Response> {
  const { searchParams } = new URL(request.url);
  const wanted = { items: searchParams.get('items'), profiles: searchParams.get('profiles') };
  const { pricesPage } = await import('./dashboard/prices.ts');
  const shown = pricesPage(wanted, payments ? 'packs' : 'administrator', base_url);
  return answer(String(await shown), 'text/html', { 'content-security-policy': pagePolicy });
}

/**
 * Answers the demo on the front page. No sample is shown when the client's network has sent too many requests, or when
 * the database, which counts these requests, cannot be reached.
 */
async function demo(request: Request, address: string, deps: PublicDeps): Promise<Response> {
  const [{ readDemo }, { landingPage }] = await Promise.all([import('./dashboard/demo.ts'), landing()]);
  const typed = new URL(request.url).searchParams.get('profile') ?? '';
  const wait = await deps.demo_wait(address).catch(() => demoRetrySeconds);
  const problem =
    wait === null ? null : `Your network has used this demo too often. Try again in ${Math.ceil(wait / 60)} min.`;
  const shown = problem === null ? readDemo(typed) : { ...readDemo(typed), platform: null, problem };
  const headers = {
    'content-security-policy': pagePolicy,
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex',
    ...(wait === null ? {} : { 'retry-after': String(wait) }),
  };
  return answer(String(await landingPage(deps.base_url, shown)), 'text/html', headers, wait === null ? 200 : 429);
}

const demoRetrySeconds = 60;
const contactValidMs = 180 * dayMs;

/** Returns the route of security.txt, which tells researchers where to report a security problem (RFC 9116). */
function securityRoute({ security_contact, now, base_url }: PublicDeps): Record<string, KeylessHandler> {
  if (!security_contact) return {};
  const path = '/.well-known/security.txt';
  return {
    [path]: () => {
      const expires = new Date(now().getTime() + contactValidMs).toISOString();
      const lines = [`Contact: ${security_contact}`, `Expires: ${expires}`, `Canonical: ${base_url}${path}`];
      return answer(`${lines.join('\n')}\n`, 'text/plain', cacheable);
    },
  };
}

async function status(request: Request, deps: PublicDeps): Promise<Response> {
  if (wantsPage(request)) return statusPageOf(deps);
  return answer(JSON.stringify({ data: await deps.status() }), 'application/json', statusHeaders);
}

const statusHeaders = { 'cache-control': 'no-store', vary: 'accept' };

async function statusPageOf(deps: PublicDeps): Promise<Response> {
  // When the database cannot be reached, the page is shown without the history.
  const [now, history] = await Promise.all([deps.status(), deps.history().catch(() => ({ days: [], hours: [] }))]);
  const { statusPage } = await import('./docs/status.ts');
  const headers = { ...statusHeaders, 'content-security-policy': pagePolicy };
  return answer(String(await statusPage(now, history)), 'text/html', headers);
}

async function readiness(deps: PublicDeps, exchange: Exchange): Promise<Response> {
  const headers = { 'cache-control': 'no-store' };
  if (deps.stopping()) return answer('{"status":"stopping"}', 'application/json', headers, 503);
  try {
    await deps.ready();
    return answer('{"status":"ready"}', 'application/json', headers);
  } catch (error) {
    exchange.error = error;
    return answer('{"status":"database unavailable"}', 'application/json', headers, 503);
  }
}
