import type { Context, Hono, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { csrf } from 'hono/csrf';
import { html } from 'hono/html';
import { HTTPException } from 'hono/http-exception';
import type { Html } from '../../docs/layout.ts';
import { requestIdOf } from '../../http/responses.ts';
import type { PageLog } from '../deps.ts';
import { notice } from './components.ts';
import { dashboardPage, publicPage } from './layout.ts';
import {
  type FormVisit,
  type MenuEntry,
  type Page,
  PageNotFound,
  readForm,
  redirect,
  type Section,
  type Visit,
} from './section.ts';
import type { Visitor, Visitors } from './visitor.ts';

export interface DashboardRoutes {
  accounts: Visitors;
  base_url: string;
  sections: readonly Section[];
  log(entry: PageLog): void;
}

/** Maximum size of a form. The largest batch upload is much smaller. */
const maxFormBytes = 2 * 1024 * 1024;

/** Allows only files of this server, no framing, and forms only to this server and the payment page. */
const pagePolicy =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self' https://checkout.stripe.com; base-uri 'none'; frame-ancestors 'none'";

const pageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': pagePolicy,
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
};

/** Returns a page as a response. Its forms may also redirect to `form_targets`. */
export async function answerPage(
  page: Html | Promise<Html>,
  status = 200,
  formTargets: readonly string[] = [],
): Promise<Response> {
  const policy = pagePolicy.replace("form-action 'self'", ["form-action 'self'", ...formTargets].join(' '));
  return new Response(String(await page), { status, headers: { ...pageHeaders, 'content-security-policy': policy } });
}

/** Refuses forms from other sites, by the Origin header of the browser. */
export function ownFormsOnly(baseUrl: string): MiddlewareHandler {
  const own = new URL(baseUrl).origin;
  const check = csrf({ origin: (origin, c) => origin === own || origin === new URL(c.req.url).origin });
  return async (c, next) => {
    try {
      return await check(c, next);
    } catch (error) {
      if (!(error instanceof HTTPException)) throw error;
      const content = html`<h1>Form refused</h1><p>This form was not sent from a page of this server. Open the page again and send the form from there.</p>`;
      return answerPage(publicPage('Form refused', content), 403);
    }
  };
}

/** Returns the page for an internal error. */
export function brokenPage(requestId: string): Promise<Response> {
  const content = html`<h1>Something went wrong</h1><p>This is an error on our side, and we have logged it. Try again in a moment.</p><p class="hint">Request id: ${requestId}</p>`;
  return answerPage(publicPage('Something went wrong', content), 500);
}

/** Mounts the sections. Every page needs a session, and every form must come from a page of this server. */
export function mountDashboard(app: Hono, deps: DashboardRoutes): void {
  const notices = Object.assign(Object.create(null), ...deps.sections.map(({ notices = {} }) => notices));
  const menu = deps.sections.flatMap((section) => section.menu ?? []);
  const answering: Answering = { ...deps, menu, notices };
  const protect = [ownFormsOnly(deps.base_url), bodyLimit({ maxSize: maxFormBytes, onError: tooLarge })] as const;
  for (const { pages, forms } of deps.sections) {
    for (const [path, show] of Object.entries(pages)) {
      app.get(path, (c) => answer(c, path, (visit) => show(visit), answering));
    }
    for (const [path, handle] of Object.entries(forms)) {
      app.post(path, ...protect, (c) => answer(c, path, (visit) => withForm(visit, handle), answering));
    }
  }
  app.get('/dashboard/*', (c) => answer(c, '/dashboard/*', () => Promise.reject(new PageNotFound()), answering));
}

async function withForm(visit: Visit, handle: (visit: FormVisit) => Promise<Page | Response>) {
  return handle({ ...visit, form: await readForm(visit.request) });
}

interface Answering extends DashboardRoutes {
  menu: readonly MenuEntry[];
  notices: Record<string, string>;
}

async function answer(
  c: Context,
  route: string,
  work: (visit: Visit) => Promise<Page | Response>,
  deps: Answering,
): Promise<Response> {
  const started = performance.now();
  const request = c.req.raw;
  const requestId = requestIdOf(request.headers);
  // PostgreSQL refuses NUL characters in text.
  const url = new URL(request.url.replaceAll('%00', ''));
  let failure: unknown;
  let response: Response;
  let visitor: Visitor | null = null;
  try {
    visitor = await deps.accounts.visitor(request.headers);
    response = visitor
      ? await answerVisitor(
          { request, url, params: c.req.param() as Record<string, string>, visitor, request_id: requestId },
          work,
          deps,
        )
      : toSignIn(request, url);
  } catch (error) {
    failure = error;
    response = visitor
      ? await failedPage(error, { visitor, url, request_id: requestId, menu: deps.menu })
      : await brokenPage(requestId);
  }
  // Downloads and redirects get the same security headers as pages.
  for (const [name, value] of Object.entries(pageHeaders)) {
    if (name !== 'content-type' && !response.headers.has(name)) response.headers.set(name, value);
  }
  const durationMs = Math.round((performance.now() - started) * 10) / 10;
  const { status } = response;
  const entry = {
    request_id: requestId,
    method: request.method,
    route,
    status,
    duration_ms: durationMs,
    workspace_id: visitor?.workspace_id ?? null,
  };
  deps.log(status >= 500 ? { ...entry, error: failure } : entry);
  return response;
}

async function answerVisitor(
  visit: Visit,
  work: (visit: Visit) => Promise<Page | Response>,
  deps: Answering,
): Promise<Response> {
  const result = await work(visit);
  return result instanceof Response ? result : render(result, visit, deps);
}

/** Redirects to the sign-in page, and from there back to a page. A form is not sent again. */
function toSignIn(request: Request, { pathname, search }: URL): Response {
  if (request.method !== 'GET' && request.method !== 'HEAD') return redirect('/sign-in');
  return redirect(`/sign-in?next=${encodeURIComponent(pathname + search)}`);
}

function render(page: Page, { visitor, url }: Visit, { menu, notices }: Answering): Promise<Response> {
  const { title, content, status, form_targets } = page;
  const message = notice(notices[url.searchParams.get('notice') ?? ''] ?? null, 'good');
  const shown = dashboardPage({ title, menu, path: url.pathname, visitor, notice: message, content });
  return answerPage(shown, status, form_targets);
}

interface Failure extends Pick<Visit, 'visitor' | 'url' | 'request_id'> {
  menu: readonly MenuEntry[];
}

function failedPage(error: unknown, { visitor, url, request_id, menu }: Failure): Promise<Response> {
  const notFound = error instanceof PageNotFound;
  const title = notFound ? 'Not found' : 'Something went wrong';
  const content = notFound
    ? html`<p>This page does not exist, or it belongs to another workspace.</p>`
    : html`<p>This is an error on our side, and we have logged it. Your ledger shows every charge.</p><p class="hint">Request id: ${request_id}</p>`;
  const page = dashboardPage({ title, menu, path: url.pathname, visitor, notice: null, content });
  return answerPage(page, notFound ? 404 : 500);
}

function tooLarge(): Promise<Response> {
  const content = html`<h1>Form too large</h1><p>A form can have at most ${maxFormBytes / 1024 / 1024} MB. Send less data at once.</p>`;
  return answerPage(publicPage('Form too large', content), 413);
}
