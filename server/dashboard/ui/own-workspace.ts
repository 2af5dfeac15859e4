import { newId } from '../../../db/ids.ts';
import { pageIdField } from './forms/form-once.ts';
import { may, NotAllowed, needOf, OtherWorkspace } from './rules.ts';
import { samplePath } from './sample-banner.ts';
import { type FormVisit, PageNotFound, text, type Visit } from './section.ts';
import type { Visitor } from './visitor.ts';
import { switchPath } from './workspace-switcher.ts';

const field = 'for_workspace';
/**
 * Paths of the forms that may be sent from a page of any workspace, because they only change the user's current
 * workspace.
 */
const ofAnyWorkspace: readonly string[] = [switchPath, samplePath];

/**
 * Throws NotAllowed when the visitor's role does not include the page or the form. For the pages of the server's
 * operators, throws PageNotFound instead. `route` is the path pattern that the request matched. Does not use the path
 * in the URL, which can be an encoded spelling of the same page, such as `/dashboard/%61dmin`.
 */
export function checkRole({ request, visitor }: Visit, route: string): void {
  if (may(visitor, request.method, route)) return;
  const need = needOf(request.method, route);
  throw need === 'operator' ? new PageNotFound() : new NotAllowed(need);
}

/**
 * Throws OtherWorkspace when the page with the form was opened for a workspace other than the current one. This happens
 * when the user has switched workspaces, for example in a second tab, or has lost access to that workspace. Only a user
 * with a single workspace may send a form without a workspace id.
 */
export function checkWorkspace({ form, url, visitor }: FormVisit): void {
  const opened = text(form, field);
  if (ofAnyWorkspace.includes(url.pathname) || (opened === '' && visitor.workspaces.length < 2)) return;
  if (opened !== visitor.workspace_id) throw new OtherWorkspace();
}

/**
 * Returns the page with a new page id and the visitor's workspace id in every form, and hides the forms that the
 * visitor's role does not include, with the links to them. Such a link has the path of its form in `data-needs`. Every
 * page passes through this function, so pages need no code of their own for this.
 */
export function withOwnForms(page: string, visitor: Visitor): string {
  const hidden = (name: string, value: string) => `<input type="hidden" name="${name}" value="${value}">`;
  const workspace = visitor.workspaces.length > 1 ? hidden(field, visitor.workspace_id) : '';
  const mark = hidden(pageIdField, newId()) + workspace;
  const withLinks = page.replace(/<a\b[^>]*\bdata-needs="([^"]*)"[^>]*>/g, (tag, path: string) =>
    may(visitor, 'POST', path) ? tag : tag.replace('<a', '<a hidden'),
  );
  return withLinks.replace(/<form\b[^>]*\bmethod="post"[^>]*>/g, (tag) => {
    const path = /\baction="([^"?]*)/.exec(tag)?.[1] ?? '';
    const shown = path === '' || may(visitor, 'POST', path) ? tag : tag.replace('<form', '<form hidden inert');
    return `${shown}${mark}`;
  });
}
