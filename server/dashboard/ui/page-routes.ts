import type { Context, Hono } from 'hono';
import { html, raw } from 'hono/html';
import type { ClientAddress } from '../../http/client-address.ts';
import { answerRequest, type WriteLog } from '../../http/handle-request.ts';
import { limitBody } from '../../http/limit-body.ts';
import { answerPage, pageHeaders } from './answer-page.ts';
import { auditForm } from './audited.ts';
import { notice, toast } from './components.ts';
import { brokenPage, failedPage } from './failure-pages.ts';
import { moveProblem } from './forms/field-problem.ts';
import { handleOnce, onceNotices } from './forms/form-once.ts';
import { forgetNotice, hasNotice, keepNotice, type NoticeDeps, readNotice } from './forms/notice-cookie.ts';
import { readForm, refuseMultipart } from './forms/read-form.ts';
import { toSignIn } from './forms/signed-out.ts';
import { beginForm, unavailableForm } from './forms/unavailable-form.ts';
import { dashboardPage, publicPage } from './layout.ts';
import { ownFormsOnly } from './own-forms.ts';
import { checkRole, checkWorkspace, withOwnForms } from './own-workspace.ts';
import {
  type Audit,
  type FormVisit,
  type HandleForm,
  type MenuEntry,
  noticeOfRedirect,
  type Page,
  PageNotFound,
  redirect,
  type Section,
  type ShowOpenPage,
  type Visit,
} from './section.ts';
import type { Visitor, Visitors } from './visitor.ts';

interface DashboardRoutes extends NoticeDeps {
  accounts: Visitors;
  client_address: ClientAddress;
  sections: readonly Section[];
  log: WriteLog;
}

/** Maximum size of a submitted form in bytes. The largest upload of a bulk analysis is much smaller. */
const maxFormBytes = 2 * 1024 * 1024;
/** Maximum size in bytes of a form whose sender is not signed in. The next page only shows its texts. */
const maxSignedOutBytes = 64 * 1024;
const signedOut =
  'You were signed out, and this form is too large to be kept. Sign in in another tab, go back in this tab and send the form again.';

/**
 * Adds the pages and forms of all sections. Only pages in `open_pages` need no session, and every form must come from a
 * page of this server.
 */
export function mountDashboard(app: Hono, deps: DashboardRoutes): void {
  const notices = Object.assign(Object.create(null), onceNotices, ...deps.sections.map(({ notices = {} }) => notices));
  const menu = deps.sections.flatMap((section) => section.menu ?? []);
  const uploads = new Set(deps.sections.flatMap((section) => section.uploads ?? []));
  const answering: Answering = { ...deps, menu, notices, uploads };
  const ownForms = ownFormsOnly(deps.base_url);
  for (const { pages, open_pages = {}, forms, audits, once } of deps.sections) {
    for (const [path, show] of Object.entries(open_pages)) {
      app.get(path, (c) =>
        answer(
          c,
          path,
          ({ visitor }) => show(visitor),
          answering,
          () => answerStranger(show),
        ),
      );
    }
    for (const [path, show] of Object.entries(pages)) {
      app.get(path, (c) => answer(c, path, (visit) => show(visit), answering));
    }
    for (const [path, handle] of Object.entries(forms)) {
      app.post(path, ownForms, (c) =>
        answer(
          c,
          path,
          (visit) => withForm(visit, { handle, audit: audits?.[path], once: once?.[path] }, deps),
          answering,
        ),
      );
    }
  }
  app.get('/dashboard/*', (c) => answer(c, '/dashboard/*', showUnknown, answering));
}

/**
 * Redirects a URL whose path ends with slashes to the same URL without these slashes. Throws PageNotFound for other
 * URLs.
 */
async function showUnknown({ url }: Visit): Promise<Response> {
  if (!url.pathname.endsWith('/')) throw new PageNotFound();
  // Without the look-behind, a path with thousands of slashes would take quadratic time.
  return redirect(`${url.pathname.replace(/(?<!\/)\/+$/, '')}${url.search}`);
}

/** Returns a page that needs no sign-in, for a visitor who is not signed in. */
async function answerStranger(show: ShowOpenPage): Promise<Response> {
  const { title, content } = await show(null);
  return answerPage(publicPage(title, html`<h1>${title}</h1>${content}`, true));
}

interface FormRoute {
  handle: HandleForm;
  audit: Audit | undefined;
  once: string | undefined;
}

async function withForm(visit: Visit, route: FormRoute, deps: DashboardRoutes) {
  const { once } = route;
  const formVisit = { ...visit, form: await readForm(visit.request) };
  // Compares the workspace only after a repeated form is recognized, because the first submission may have changed the
  // current workspace.
  const handle = async (checked: FormVisit) => {
    checkWorkspace(checked);
    return handleAudited(checked, route, deps);
  };
  if (once === undefined) return handle(formVisit);
  return handleOnce(formVisit, { sql: deps.db.sql, now: deps.now(), page: once }, handle);
}

async function handleAudited(formVisit: FormVisit, { handle, audit }: FormRoute, deps: DashboardRoutes) {
  // Reads the subject of the audit log entry before the form is handled, because the name of a removed thing cannot be
  // read afterwards.
  const subject = (await audit?.subject?.(formVisit)) ?? null;
  beginForm(formVisit.request);
  const result = await handle(formVisit);
  if (audit) await auditForm(deps, { ...audit, subject }, formVisit, result);
  return result;
}

interface Answering extends DashboardRoutes {
  menu: readonly MenuEntry[];
  notices: Record<string, string>;
  uploads: ReadonlySet<string>;
}

async function answer(
  c: Context,
  route: string,
  work: (visit: Visit) => Promise<Page | Response>,
  deps: Answering,
  answerUnknown = toSignIn,
): Promise<Response> {
  const params = c.req.param() as Record<string, string>;
  const url = new URL(withoutNul(c.req.url));
  let visitor: Visitor | null = null;
  const response = await answerRequest({
    request: c.req.raw,
    route,
    log: deps.log,
    async answer(exchange) {
      await limitBody(c, maxFormBytes);
      if (!deps.uploads.has(route)) refuseMultipart(c.req.raw);
      const address = deps.client_address(c);
      visitor = await deps.accounts.visitor(c.req.raw.headers, address);
      if (!visitor) await limitBody(c, maxSignedOutBytes, signedOut);
      // Reads `c.req.raw` only after limitBody, which replaces it when the size of the body is unknown.
      const request = c.req.raw;
      if (!visitor) return answerUnknown(request, url);
      exchange.workspace_id = visitor.workspace_id;
      const visit = { request, url, params, visitor, address, request_id: exchange.request_id };
      return answerVisitor(visit, route, work, deps);
    },
    failed: async (error, { request_id }) => {
      const form = await unavailableForm(error, c.req.raw, url);
      return visitor
        ? failedPage(error, { visitor, url, request_id, menu: deps.menu, form })
        : brokenPage(error, request_id, form);
    },
  });
  // Downloads and redirects get the same security headers as pages.
  for (const [name, value] of Object.entries(pageHeaders)) {
    if (name !== 'content-type' && !response.headers.has(name)) response.headers.set(name, value);
  }
  return response;
}

/**
 * Replaces `%00` in a URL with a space, because PostgreSQL refuses NUL characters in text. Removing `%00` could create
 * a new one, as in `%0%000`, so it would have to be repeated up to thousands of times.
 */
function withoutNul(url: string): string {
  return url.replaceAll('%00', '%20');
}

async function answerVisitor(
  visit: Visit,
  route: string,
  work: (visit: Visit) => Promise<Page | Response>,
  deps: Answering,
): Promise<Response> {
  checkRole(visit, route);
  const result = await work(visit);
  if (!(result instanceof Response)) return render(result, visit, deps);
  const kept = noticeOfRedirect(result);
  if (kept) result.headers.append('set-cookie', await keepNotice(kept, deps));
  return result;
}

const noStarterCredits =
  'This account starts without free credits, because your network has received them several times today. You can buy credits under Credits where online payment is on, or ask your Tidemark administrator.';

async function render(page: Page, { request, visitor, url }: Visit, deps: Answering): Promise<Response> {
  const { menu, notices } = deps;
  const { status, form_targets, cookies = [], balance, reload = false } = page;
  const isPart = request.headers.has('hx-request');
  // Leaves the message in its cookie for htmx requests (a refresh or a search), because they replace only a part of an
  // open page. The next full page shows it.
  const hasMessage = hasNotice(request.headers) && !isPart;
  const name = hasMessage ? await readNotice(request.headers, deps) : null;
  const message = visitor.starter_refused ? notice(noStarterCredits, 'bad') : toast(notices[name ?? ''] ?? null);
  const shownVisitor = { ...visitor, balance: balance ?? visitor.balance };
  const shown = dashboardPage({ ...page, menu, path: url.pathname, visitor: shownVisitor, notice: message });
  const response = await answerPage(
    raw(moveProblem(withOwnForms(String(await shown), visitor), url.pathname, request.method === 'POST')),
    status,
    form_targets,
  );
  response.headers.set('x-workspace', visitor.workspace_id);
  if (reload && isPart) response.headers.set('hx-refresh', 'true');
  for (const cookie of cookies) response.headers.append('set-cookie', cookie);
  if (hasMessage) response.headers.append('set-cookie', forgetNotice);
  return response;
}
