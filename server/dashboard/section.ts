import type { Html } from '../docs/layout.ts';
import type { Visitor } from './accounts.ts';

/** One request of somebody who is signed in. */
export interface Visit {
  request: Request;
  url: URL;
  /** What stands in the path at `:name`. */
  params: Readonly<Record<string, string>>;
  visitor: Visitor;
  request_id: string;
}

/** A form that was sent: every field as text, the last one where a name stands twice. */
export interface FormVisit extends Visit {
  form: FormData;
}

/** What a person sees: `title` is the window's and the heading's. */
export interface Page {
  title: string;
  content: Html | Promise<Html>;
  status?: number;
  /** Other sites that an answer to a form of this page leads to. */
  form_targets?: readonly string[];
}

export type ShowPage = (visit: Visit) => Promise<Page | Response>;
/** Does what a form asks and leads elsewhere with `redirect`, or shows the form again with what is wrong. */
export type TakeForm = (visit: FormVisit) => Promise<Page | Response>;

export interface MenuEntry {
  /** The entry is marked as current on this path and on paths below it. */
  path: string;
  label: string;
}

/**
 * An area of the dashboard. Pages answer GET, forms POST, both by path with `:name` parts. `notices` are the sentences that
 * `redirect(path, name)` leads to: an address can show none that does not stand here.
 */
export interface Section {
  /** The entry in the menu. A section without one is reached by links. */
  menu?: MenuEntry;
  pages: Readonly<Record<string, ShowPage>>;
  forms: Readonly<Record<string, TakeForm>>;
  notices?: Readonly<Record<string, string>>;
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
  };
}

/** What the visitor asked for is not there, or not theirs: the same page. */
export class PageNotFound extends Error {
  override readonly name = 'PageNotFound';
}

/** Leads to another page, which says `notice`. */
export function redirect(path: string, notice?: string, cookies: readonly string[] = []): Response {
  const location = notice ? `${path}${path.includes('?') ? '&' : '?'}notice=${notice}` : path;
  const headers = new Headers({ location, 'cache-control': 'no-store' });
  for (const cookie of cookies) headers.append('set-cookie', cookie);
  return new Response(null, { status: 303, headers });
}

/** The text of a field, trimmed and without the one character that the database refuses; '' when it is not there. */
export function text(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.replaceAll('\0', '').trim() : '';
}

/** The fields of a form; none when something else was sent. */
export async function readForm(request: Request): Promise<FormData> {
  try {
    return await request.formData();
  } catch (error) {
    if (error instanceof TypeError) return new FormData();
    throw error;
  }
}

/** An id out of an address or a field; whatever is none is not found. */
export function idOf(value: string | undefined): string {
  if (!value || !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)) throw new PageNotFound();
  return value;
}
