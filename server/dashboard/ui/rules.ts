import { includesRole, type Role } from '../../../db/accounts/roles.ts';
import type { Visitor } from './visitor.ts';

/** The access that a page or form needs: a role in the workspace, or the operator of this server. */
type Need = Role | 'operator';

/**
 * Requirements to open the pages and send the forms of the dashboard, by path. A rule also covers all paths below its
 * own, and the longest matching path decides. Without a rule, a page needs the role viewer and a form needs editor.
 * test/dashboard/people/rules.test.ts tries every page and form with every role.
 */
const rules: Readonly<Record<'GET' | 'POST', Readonly<Record<string, Need>>>> = {
  GET: {
    '/dashboard/admin': 'operator',
    '/dashboard/alerts/rules': 'editor',
    '/dashboard/batches/preview': 'editor',
    '/dashboard/connect': 'owner',
    '/dashboard/credits/invoice': 'owner',
    '/dashboard/imports/new': 'editor',
    '/dashboard/people/keys': 'owner',
    '/dashboard/settings/audit': 'owner',
    '/dashboard/settings/delete': 'owner',
    '/dashboard/settings/export': 'owner',
  },
  POST: {
    '/dashboard/admin': 'operator',
    '/dashboard/connect': 'owner',
    '/dashboard/credits': 'owner',
    '/dashboard/keys': 'owner',
    '/dashboard/people': 'owner',
    '/dashboard/people/leave': 'viewer',
    // Every user may open a sample workspace. The only member of a sample workspace has the role viewer and must be
    // able to delete the workspace.
    '/dashboard/sample': 'viewer',
    '/dashboard/settings': 'owner',
    // Every member may change their own sign-in methods and sessions.
    '/dashboard/settings/passkeys': 'viewer',
    '/dashboard/settings/password': 'viewer',
    '/dashboard/settings/password-link': 'viewer',
    '/dashboard/settings/session': 'viewer',
    '/dashboard/settings/sessions': 'viewer',
    '/dashboard/settings/two-factor': 'viewer',
    '/dashboard/workspaces': 'viewer',
    '/sign-out': 'viewer',
  },
};

/**
 * Returns the role that a user needs to open a page (GET) or to send a form (POST). `operator` means that only
 * operators of this server may.
 */
export function needOf(method: string, path: string): Need {
  const kind = method === 'POST' ? 'POST' : 'GET';
  for (let at = path; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const need = Object.hasOwn(rules[kind], at) ? rules[kind][at] : undefined;
    if (need !== undefined) return need;
  }
  return kind === 'POST' ? 'editor' : 'viewer';
}

/** Returns true when the visitor may open a page (GET) or send a form (POST). */
export function may(
  { role, is_operator }: Pick<Visitor, 'role' | 'is_operator'>,
  method: string,
  path: string,
): boolean {
  const need = needOf(method, path);
  return need === 'operator' ? is_operator : includesRole(role, need);
}

/**
 * Returns `own` for a visitor who may send the form at `path`. For other visitors, returns a sentence that says who may
 * do it, such as "Owners and editors can create campaigns."
 */
export function whoCan<T>(
  visitor: Pick<Visitor, 'role' | 'is_operator'>,
  path: string,
  own: T,
  action: string,
): T | string {
  if (may(visitor, 'POST', path)) return own;
  return `${people[needOf('POST', path)]} can ${action}.`;
}

/** The people who have the access that a page or form needs, as the subject of a sentence. */
const people: Readonly<Record<Need, string>> = {
  operator: 'Only administrators of this server',
  owner: 'Only owners',
  editor: 'Owners and editors',
  viewer: 'All members',
};

/** Thrown for a page or a form that the visitor's role does not include. */
export class NotAllowed extends Error {
  override readonly name = 'NotAllowed';
  readonly need: Role;
  constructor(need: Role) {
    super(`This needs the role ${need}.`);
    this.need = need;
  }
}

/** Thrown for a form whose page was opened for a workspace other than the current one. */
export class OtherWorkspace extends Error {
  override readonly name = 'OtherWorkspace';
}
