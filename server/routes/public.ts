import { readFileSync } from 'node:fs';
import { frontPage, pricesPage } from '../dashboard/front.ts';
import { errorsPage } from '../docs/errors.ts';
import type { Html } from '../docs/layout.ts';
import { llmsText } from '../docs/llms.ts';
import { referencePage } from '../docs/reference.ts';
import { statusPage } from '../docs/status.ts';
import { openApi } from '../openapi.ts';
import { requestIdOf } from '../replies.ts';
import { type ServiceStatus, wantsPage } from './status.ts';

export interface PublicDeps {
  base_url: string;
  /** Answers when the database does. */
  ready(): Promise<void>;
  status(): Promise<ServiceStatus>;
}

type OpenHandler = (request: Request) => Promise<Response> | Response;

/** Nothing but our own files may load, and nothing may frame these pages. */
const page_policy =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

function answer(
  request: Request,
  body: string,
  type: string,
  headers: Record<string, string> = {},
  status = 200,
): Response {
  return new Response(body, {
    status,
    headers: {
      'content-type': `${type}; charset=utf-8`,
      'x-request-id': requestIdOf(request.headers),
      'x-credits-charged': '0',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      ...headers,
    },
  });
}

const file = (name: string) => readFileSync(new URL(`../docs/${name}`, import.meta.url), 'utf8');

/** What needs no key. Pages and documents are made once, when the service starts. */
export function publicRoutes(deps: PublicDeps): Record<string, OpenHandler> {
  const document = JSON.stringify(openApi(deps.base_url));
  const llms = llmsText(deps.base_url);
  const style = file('style.css');
  const script = file('try.js');
  const page =
    (made: Html | Promise<Html>): OpenHandler =>
    async (request) =>
      answer(request, String(await made), 'text/html', { 'content-security-policy': page_policy });
  const kept = { 'cache-control': 'public, max-age=300' };
  return {
    '/openapi.json': (request) => answer(request, document, 'application/json', kept),
    '/docs': page(referencePage(deps.base_url)),
    '/docs/errors': page(errorsPage()),
    '/docs/style.css': (request) => answer(request, style, 'text/css', kept),
    '/docs/try.js': (request) => answer(request, script, 'text/javascript', kept),
    '/llms.txt': (request) => answer(request, llms, 'text/plain', kept),
    '/v1/status': (request) => status(request, deps),
    '/healthz': (request) => answer(request, '{"status":"ok"}', 'application/json', { 'cache-control': 'no-store' }),
    '/readyz': (request) => readiness(request, deps),
    '/': page(frontPage(deps.base_url)),
    '/prices': page(pricesPage()),
  };
}

async function status(request: Request, deps: PublicDeps): Promise<Response> {
  const data = await deps.status();
  const headers = { 'cache-control': 'no-store', vary: 'accept' };
  if (!wantsPage(request)) return answer(request, JSON.stringify({ data }), 'application/json', headers);
  const policy = { 'content-security-policy': page_policy };
  return answer(request, String(await statusPage(data)), 'text/html', { ...headers, ...policy });
}

async function readiness(request: Request, deps: PublicDeps): Promise<Response> {
  const headers = { 'cache-control': 'no-store' };
  try {
    await deps.ready();
    return answer(request, '{"status":"ready"}', 'application/json', headers);
  } catch {
    return answer(request, '{"status":"database unavailable"}', 'application/json', headers, 503);
  }
}
