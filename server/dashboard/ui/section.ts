import { isId } from '../../../db/ids.ts';
import type { Html } from '../../docs/layout.ts';
import type { Visitor } from './visitor.ts';

/** One request of a signed-in user. */
export interface Visit {
  request: Request;
  url: URL;
  /** The values of the `:name` parts of the page's path. */
  params: Readonly<Record<string, string>>;
  visitor: Visitor;
  request_id: string;
  /** The network address of the user's computer. */
  address: string;
}

export interface FormVisit extends Visit {
  form: FormData;
}

/** The content of a page. `title` is both the title of the browser window and the heading. */
export interface Page {
  title: string;
  /** A picture before the heading, such as an avatar. */
  picture?: Html | Promise<Html> | null;
  /** A line of facts below the heading. */
  facts?: Html | Promise<Html> | string | null;
  /** Buttons beside the heading. */
  actions?: Html | Promise<Html> | null;
  /** Breadcrumbs: the pages above this one, as `[label, path]`. The layout adds the menu entry before these. */
  crumbs?: readonly (readonly [label: string, path: string])[];
  content: Html | Promise<Html>;
  status?: number;
  cookies?: readonly string[];
  /** The balance after a form that charged credits. Without it, the page shows the balance from before the form. */
  balance?: number | null;
  /** True when a browser that refreshes a part of the page must load the whole page again. */
  reload?: boolean | undefined;
  /** Other origins that a form of this page may redirect to. */
  form_targets?: readonly string[];
}

/** Returns a page that everyone may open. `visitor` is null for people who are not signed in. */
export type ShowOpenPage = (visitor: Visitor | null) => Promise<Page>;
type ShowPage = (visit: Visit) => Promise<Page | Response>;
/** Handles a submitted form. After success, redirects to a page. Otherwise returns the page again with the reason. */
export type HandleForm = (visit: FormVisit) => Promise<Page | Response>;

export interface MenuEntry {
  /** The entry is highlighted on this path and on all paths below it. */
  path: string;
  label: string;
}

/** Describes the audit log entry for a successful form. When `action` returns null, no entry is added. */
export interface Audit {
  action: string | ((visit: FormVisit) => string | null);
  /** Returns the name of the thing that the form changed, such as the name of a key. */
  subject?(visit: FormVisit): string | null | Promise<string | null>;
}

/**
 * A section of the dashboard. `pages` handle GET and `forms` handle POST. Their keys are paths, which can have `:name`
 * parts. `notices` are messages for the user by name, and `redirect(path, name)` shows one of them on the next page.
 */
export interface Section {
  /** The menu entry. A section without an entry can be opened only through links on other pages. */
  menu?: MenuEntry;
  pages: Readonly<Record<string, ShowPage>>;
  /** The pages that need no sign-in, by path. */
  open_pages?: Readonly<Record<string, ShowOpenPage>>;
  forms: Readonly<Record<string, HandleForm>>;
  notices?: Readonly<Record<string, string>>;
  /**
   * The forms that create or send something, by path. When such a form is sent twice, the second submission only leads
   * to the given page.
   */
  once?: Readonly<Record<string, string>>;
  /**
   * The paths of the forms that are sent as multipart/form-data, because they contain a file or a long list. Other
   * forms are refused in this format, because reading it takes longer.
   */
  uploads?: readonly string[];
  /** The forms that are written to the audit log, by path. */
  audits?: Readonly<Record<string, Audit>>;
}

/** Combines the parts of a large section into one. The menu entry comes from the first part. */
export function joinSections(parts: readonly Section[]): Section {
  const all = <T>(recordOf: (part: Section) => Readonly<Record<string, T>> | undefined): Record<string, T> =>
    Object.assign({}, ...parts.map(recordOf));
  const menu = parts[0]?.menu;
  return {
    ...(menu ? { menu } : {}),
    pages: all(({ pages }) => pages),
    open_pages: all(({ open_pages }) => open_pages),
    forms: all(({ forms }) => forms),
    notices: all(({ notices }) => notices),
    once: all(({ once }) => once),
    uploads: parts.flatMap(({ uploads = [] }) => uploads),
    audits: all(({ audits }) => audits),
  };
}

/**
 * Thrown when a page does not exist or belongs to another workspace. The user sees the same error page in both cases.
 */
export class PageNotFound extends Error {
  override readonly name = 'PageNotFound';
}

const redirectNotices = new WeakMap<Response, string>();

/**
 * Returns the name of the message that the page after a redirect shows. page-routes.ts puts this name into a cookie.
 */
export const noticeOfRedirect = (response: Response): string | undefined => redirectNotices.get(response);

/** Redirects to another page of the dashboard. `notice` is the name of a message that this page shows once. */
export function redirect(path: string, notice?: string, cookies: readonly string[] = []): Response {
  const headers = new Headers({ location: path, 'cache-control': 'no-store' });
  for (const cookie of cookies) headers.append('set-cookie', cookie);
  const response = new Response(null, { status: 303, headers });
  if (notice) redirectNotices.set(response, notice);
  return response;
}

/**
 * Returns the text of a form field, trimmed and without NUL characters, which PostgreSQL refuses. Returns '' when the
 * form does not have the field.
 */
export function text(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.replaceAll('\0', '').trim() : '';
}

/**
 * Returns the text of a form field as one line: control characters, such as line breaks, become spaces. Names need
 * this, because they are also shown in emails, where a second line would look like text from this server.
 */
export function oneLine(form: FormData, name: string): string {
  return text(form, name)
    .replace(/\p{Cc}+/gu, ' ')
    .trim();
}

/**
 * Returns an id from a URL or a form field, in lower case as in the database. Throws PageNotFound when the id is
 * missing or invalid.
 */
export function idOf(value: string | undefined): string {
  if (value === undefined || !isId(value)) throw new PageNotFound();
  return value.toLowerCase();
}
