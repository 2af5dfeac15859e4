import type { Html } from '../../docs/layout.ts';
import type { Visitor } from './visitor.ts';

/** One request of a signed-in user. */
export interface Visit {
  request: Request;
  url: URL;
  /** The values of the `:name` parts of the path. */
  params: Readonly<Record<string, string>>;
  visitor: Visitor;
  request_id: string;
  /** The network address of the user's machine. */
  address: string;
}

export interface FormVisit extends Visit {
  form: FormData;
}

/** A page. `title` is the title of the window and the heading. */
export interface Page {
  title: string;
  content: Html | Promise<Html>;
  status?: number;
  cookies?: readonly string[];
  /** Other origins that a form of this page may redirect to. */
  form_targets?: readonly string[];
}

export type ShowPage = (visit: Visit) => Promise<Page | Response>;
/** Handles a form: redirects after success, or shows the page again with the problem. */
export type HandleForm = (visit: FormVisit) => Promise<Page | Response>;

export interface MenuEntry {
  /** The entry is marked as current on this path and on paths below it. */
  path: string;
  label: string;
}

/** How a form that succeeded is named in the audit log. An action of null is not logged. */
export interface Audit {
  action: string | ((visit: FormVisit) => string | null);
  /** Returns the changed thing, such as the name of a key. */
  subject?(visit: FormVisit): string | null | Promise<string | null>;
}

/**
 * A section of the dashboard. `pages` answer GET and `forms` answer POST, by path with `:name` parts. `notices` are the
 * messages that `redirect(path, name)` can show on the next page, by name.
 */
export interface Section {
  /** The entry in the menu. A section without one is reached by links. */
  menu?: MenuEntry;
  pages: Readonly<Record<string, ShowPage>>;
  forms: Readonly<Record<string, HandleForm>>;
  notices?: Readonly<Record<string, string>>;
  /** The forms that are added to the audit log, by path. */
  audits?: Readonly<Record<string, Audit>>;
}

/** Joins the parts of a large section. The first part has the menu entry. */
export function joinSections(parts: readonly Section[]): Section {
  const all = <T>(recordOf: (part: Section) => Readonly<Record<string, T>> | undefined): Record<string, T> =>
    Object.assign({}, ...parts.map(recordOf));
  const menu = parts[0]?.menu;
  return {
    ...(menu ? { menu } : {}),
    pages: all(({ pages }) => pages),
    forms: all(({ forms }) => forms),
    notices: all(({ notices }) => notices),
    audits: all(({ audits }) => audits),
  };
}

/** The page does not exist or belongs to another workspace. Both look the same to the user. */
export class PageNotFound extends Error {
  override readonly name = 'PageNotFound';
}

/** Redirects to another page, which shows the notice of that name. */
export function redirect(path: string, notice?: string, cookies: readonly string[] = []): Response {
  const location = notice ? `${path}${path.includes('?') ? '&' : '?'}notice=${notice}` : path;
  const headers = new Headers({ location, 'cache-control': 'no-store' });
  for (const cookie of cookies) headers.append('set-cookie', cookie);
  return new Response(null, { status: 303, headers });
}

/** Returns the text of a field, trimmed and without NUL characters, which PostgreSQL refuses. Returns '' without the field. */
export function text(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.replaceAll('\0', '').trim() : '';
}

/** Reads the fields of a form. Returns an empty form for any other body. */
export async function readForm(request: Request): Promise<FormData> {
  try {
    return await request.formData();
  } catch (error) {
    if (error instanceof TypeError) return new FormData();
    throw error;
  }
}

/** Returns an id from an address or a field. Throws PageNotFound when it is not a valid id. */
export function idOf(value: string | undefined): string {
  if (!value || !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)) throw new PageNotFound();
  return value;
}
