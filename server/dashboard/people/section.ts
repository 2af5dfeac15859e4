import { html } from 'hono/html';
import type { Sql } from 'postgres';
import { includesRole, isRole } from '../../../db/accounts/roles.ts';
import {
  addWorkspace,
  type Colleague,
  changeRole,
  chooseWorkspace,
  invite,
  listColleagues,
  listInvitations,
  maxInvitations,
  maxWorkspaces,
  removeMember,
  withdrawInvitation,
} from '../../../db/accounts/team.ts';
import { type Allowance, throttle } from '../../../db/accounts/throttle.ts';
import { dayMs, daySeconds } from '../../../db/durations.ts';
import { emailForm } from '../account/person-fields.ts';
import type { SettingsDeps } from '../deps.ts';
import { card, controlsColumn, notice, type Piece, table, tag, titleColumn } from '../ui/components.ts';
import { at, type Problem } from '../ui/forms/field-problem.ts';
import { avatar } from '../ui/parts/avatar.ts';
import { listWithForm } from '../ui/parts/blocks.ts';
import { ago } from '../ui/parts/numbers.ts';
import { may } from '../ui/rules.ts';
import {
  type FormVisit,
  idOf,
  oneLine,
  type Page,
  PageNotFound,
  redirect,
  type Section,
  text,
  type Visit,
} from '../ui/section.ts';
import { switchPath } from '../ui/workspace-switcher.ts';
import {
  invitationDays,
  invitedCard,
  inviteForm,
  mailInvitation,
  type NewInvitation,
  peopleArea,
  waitingTable,
} from './invitations.ts';
import { keysArea, keysOfPage, keysPathOf, keysShownTo, revokeKeysOf } from './keys.ts';
import { roleChoices, roleNames } from './roles.ts';
import { maxWorkspaceName, workspaceList, workspacesPath } from './workspaces.ts';

const area = peopleArea;
/**
 * Limits the invitations of one person, and the emails with invitations to one address. They are counted for all
 * workspaces together, because anyone can create workspaces, and invitations go to people who did not ask for them. One
 * person can send an address fewer emails than it can get, so that others can invite it, too.
 */
const inviting: Allowance = { limit: 50, window_seconds: daySeconds };
const mailingByOne: Allowance = { limit: 5, window_seconds: daySeconds };
const mailing: Allowance = { limit: 10, window_seconds: daySeconds };
/**
 * Limits the workspaces that one person creates, because each workspace has its own rate limits: a deleted workspace
 * can be replaced by a new one.
 */
const creating: Allowance = { limit: 10, window_seconds: daySeconds };

type PeopleDeps = Pick<SettingsDeps, 'db' | 'now' | 'base_url' | 'mail' | 'on_error' | 'config'>;

/**
 * Creates the page of the members, roles and invitations of a workspace, and the forms that create, switch and leave
 * workspaces.
 */
export function peopleSection(deps: PeopleDeps): Section {
  const { sql } = deps.db;
  const nameOf = async ({ visitor, form: fields }: FormVisit) =>
    (await colleagueOf(sql, visitor.workspace_id, fields))?.email ?? null;
  return {
    menu: { path: area, label: 'People' },
    pages: { [area]: (visit) => peoplePage(visit, deps, {}), [keysArea]: (visit) => keysOfPage(visit, deps) },
    forms: {
      [`${area}/invite`]: (visit) => sendInvitation(visit, deps),
      [`${area}/withdraw`]: (visit) => withdraw(visit, deps),
      [`${area}/role`]: (visit) => setRole(visit, deps),
      [`${area}/remove`]: (visit) => remove(visit, deps),
      [`${area}/leave`]: (visit) => leave(visit, deps),
      [keysArea]: (visit) => revokeKeysOf(visit, deps),
      [workspacesPath]: (visit) => createWorkspace(visit, deps),
      [switchPath]: (visit) => switchWorkspace(visit, deps),
    },
    audits: {
      [`${area}/invite`]: {
        action: 'invited a person',
        subject: ({ form: fields }) => `${text(fields, 'email') || 'by link'} as ${text(fields, 'role')}`,
      },
      [`${area}/withdraw`]: { action: 'withdrew an invitation' },
      [`${area}/role`]: { action: 'changed a role', subject: nameOf },
      [`${area}/remove`]: { action: 'removed a person', subject: nameOf },
      [`${area}/leave`]: { action: 'left the workspace' },
      [keysArea]: { action: 'revoked the keys of a person', subject: ({ form: fields }) => text(fields, 'email') },
    },
    once: { [`${area}/invite`]: area, [workspacesPath]: area },
    notices: {
      'invitation-withdrawn': 'Invitation withdrawn. Its link no longer works.',
      'role-changed': 'Role changed.',
      'role-lowered':
        'Role changed. The API keys that were shown to this person keep working. Revoke those that this person should not have.',
      'person-removed':
        'The person was removed from the workspace and gets no more messages from it. What this person has copied keeps working: API keys, and the addresses of data links and shared reports. Revoke what this person should not have.',
      'keys-revoked': 'The keys were revoked. They no longer work.',
      'workspace-left': 'You left the workspace.',
      'workspace-created': 'Workspace created. You work in it now.',
      joined: 'Welcome. You work in this workspace now.',
    },
  };
}

interface Shown {
  problem?: Problem;
  status?: number;
  invited?: NewInvitation;
}

async function peoplePage(visit: Visit | FormVisit, { db, now }: PeopleDeps, shown: Shown): Promise<Page> {
  const { visitor } = visit;
  const owner = may(visitor, 'POST', `${area}/invite`);
  const isRefused = shown.problem !== undefined && visit.url.pathname === `${area}/invite`;
  const typed = isRefused && 'form' in visit ? visit.form : new FormData();
  const [people, waiting] = await Promise.all([
    listColleagues(db.sql, visitor.workspace_id),
    owner ? listInvitations(db.sql, visitor.workspace_id, now()) : [],
  ]);
  const add = {
    label: 'Invite somebody',
    form: owner ? inviteForm(typed) : null,
    // The user alone does not count: the first thing to do here is to invite somebody.
    entries: people.length - 1 + waiting.length,
    is_open: isRefused,
  };
  const content = html`${notice(shown.problem ?? null, 'bad')}${shown.invited ? invitedCard(shown.invited) : null}
${listWithForm(card(`People in ${visitor.workspace_name}`, [peopleTable(people, visitor.user_id, owner, now()), waiting.length > 0 ? waitingTable(waiting) : null, leaveForm(people, visitor.user_id)]), add)}
${card('Your workspaces', workspaceList(visit, shown.problem !== undefined && visit.url.pathname === workspacesPath))}`;
  return { title: 'People', content, status: shown.problem ? (shown.status ?? 400) : 200 };
}

function peopleTable(people: readonly Colleague[], self: string, owner: boolean, now: Date): Piece {
  const rows = people.map((person) => [
    html`<div class="who">${avatar(person.name || person.email)}<span><bdi>${person.name}</bdi>${person.user_id === self ? html` ${tag('you')}` : null}<small>${person.email}</small></span></div>`,
    owner ? roleForm(person) : roleNames[person.role],
    ago(person.last_used_at, now),
    owner && person.user_id !== self ? removeForm(person) : null,
  ]);
  return table(
    'People of this workspace',
    [titleColumn('Person'), { heading: 'Role', wide: true }, 'Last active', controlsColumn],
    rows,
    { as_cards: true },
  );
}

function roleForm({ user_id, role, email }: Colleague): Piece {
  const options = roleChoices.map(
    ([value]) => html`<option value="${value}"${value === role ? html` selected` : ''}>${roleNames[value]}</option>`,
  );
  return html`<form method="post" action="${area}/role" class="inline"><input type="hidden" name="user_id" value="${user_id}">
<select name="role" aria-label="Role of ${email}">${options}</select><button class="quiet">Save<span class="hidden"> the role of ${email}</span></button></form>`;
}

function removeForm({ user_id, email }: Colleague): Piece {
  return html`<form method="post" action="${area}/remove" data-confirm="Remove ${email} from this workspace? Messages from the workspace no longer go to this address."><input type="hidden" name="user_id" value="${user_id}"><button class="danger">Remove<span class="hidden"> ${email}</span></button></form>`;
}

function leaveForm(people: readonly Colleague[], self: string): Piece {
  const isLastOwner = !people.some(({ user_id, role }) => role === 'owner' && user_id !== self);
  if (isLastOwner && people.length > 1)
    return html`<p class="hint">You are the only owner. To leave this workspace, first make somebody else an owner.</p>`;
  if (isLastOwner) return null;
  return html`<form method="post" action="${area}/leave" data-confirm="Leave this workspace? You get no more messages from it."><button class="quiet">Leave this workspace</button></form>`;
}

async function sendInvitation(visit: FormVisit, deps: PeopleDeps): Promise<Page> {
  const { visitor, form: fields } = visit;
  const { db, now, base_url, config } = deps;
  const [email, role] = [text(fields, 'email').toLowerCase() || null, text(fields, 'role')];
  if (!isRole(role)) return peoplePage(visit, deps, { problem: 'Choose a role.' });
  if (email !== null && !emailForm.safeParse(email).success) {
    return peoplePage(visit, deps, {
      problem: at('email', 'This is not an email address. Correct it, or leave it empty.'),
    });
  }
  const wait = await throttle(db.sql, `invitations by ${visitor.user_id}`, inviting, now());
  if (wait !== null)
    return peoplePage(visit, deps, { problem: 'Too many invitations today. Try again tomorrow.', status: 429 });
  const times = { now: now(), expires_at: new Date(now().getTime() + invitationDays * dayMs) };
  const token = await invite(db.sql, visitor.workspace_id, { email, role, invited_by: visitor.email }, times);
  if (token === null) {
    const problem = `There are ${maxInvitations} invitations that are not accepted yet. Withdraw one first.`;
    return peoplePage(visit, deps, { problem });
  }
  const link = `${base_url}/join?token=${token}`;
  const isMailed = email !== null && config.mails && (await mayInvite(email, visitor.user_id, deps));
  if (isMailed) mailInvitation(visit, deps, { email, link });
  return peoplePage(visit, deps, { invited: { link, email: isMailed ? email : null } });
}

/** Counts an email with an invitation. Returns false when the person sent, or the address got, too many. */
async function mayInvite(email: string, userId: string, { db, now }: PeopleDeps): Promise<boolean> {
  const byOne = await throttle(db.sql, `invitations to ${email} by ${userId}`, mailingByOne, now());
  return byOne === null && (await throttle(db.sql, `invitations to ${email}`, mailing, now())) === null;
}

async function withdraw({ visitor, form: fields }: FormVisit, { db }: PeopleDeps): Promise<Response> {
  const id = idOf(text(fields, 'invitation_id'));
  if (!(await withdrawInvitation(db.sql, visitor.workspace_id, id))) throw new PageNotFound();
  return redirect(area, 'invitation-withdrawn');
}

const lastOwner =
  'Nothing was changed: the person is no longer a member, or is the only owner. Make someone else an owner first.';

/**
 * Changes the role of a person. When the new role has fewer rights, leads to the API keys that were shown to this
 * person. Someone who lowers their own role may not open that page.
 */
async function setRole(visit: FormVisit, deps: PeopleDeps): Promise<Page | Response> {
  const { form: fields, visitor } = visit;
  const [role, userId] = [text(fields, 'role'), text(fields, 'user_id')];
  if (!isRole(role)) return peoplePage(visit, deps, { problem: 'Choose a role.' });
  const person = await colleagueOf(deps.db.sql, visitor.workspace_id, fields);
  const changed = await changeRole(deps.db.sql, visitor.workspace_id, userId, role);
  if (!changed) return peoplePage(visit, deps, { problem: lastOwner });
  const isLowered = person !== null && !includesRole(role, person.role) && userId !== visitor.user_id;
  const keys = isLowered ? await keysShownTo(person.email, visit, deps) : [];
  return isLowered && keys.length > 0
    ? redirect(keysPathOf(person.email), 'role-lowered')
    : redirect(area, 'role-changed');
}

async function remove(visit: FormVisit, deps: PeopleDeps): Promise<Page | Response> {
  const { sql } = deps.db;
  const { workspace_id } = visit.visitor;
  const email = (await colleagueOf(sql, workspace_id, visit.form))?.email ?? null;
  const removed = await removeMember(sql, workspace_id, text(visit.form, 'user_id'));
  if (!removed) return peoplePage(visit, deps, { problem: lastOwner });
  // `email` is null when the person became a member after the email was read and before the removal.
  const keys = email === null ? [] : await keysShownTo(email, visit, deps);
  return redirect(email !== null && keys.length > 0 ? keysPathOf(email) : area, 'person-removed');
}

async function leave(visit: FormVisit, deps: PeopleDeps): Promise<Page | Response> {
  const { workspace_id, user_id } = visit.visitor;
  const left = await removeMember(deps.db.sql, workspace_id, user_id);
  return left ? redirect('/dashboard', 'workspace-left') : peoplePage(visit, deps, { problem: lastOwner });
}

async function createWorkspace(visit: FormVisit, deps: PeopleDeps): Promise<Page | Response> {
  const { user_id, session_id } = visit.visitor;
  const name = oneLine(visit.form, 'name').slice(0, maxWorkspaceName);
  if (name === '') return peoplePage(visit, deps, { problem: at('name', 'Enter a name for the new workspace.') });
  if ((await throttle(deps.db.sql, `workspaces by ${user_id}`, creating, deps.now())) !== null) {
    const problem = `You can create ${creating.limit} workspaces in 24 hours. Try again tomorrow.`;
    return peoplePage(visit, deps, { problem, status: 429 });
  }
  const created = await addWorkspace(deps.db.sql, user_id, name);
  if (created === null) {
    return peoplePage(visit, deps, {
      problem: `You belong to ${maxWorkspaces} workspaces, which is the maximum. Leave one first.`,
    });
  }
  await chooseWorkspace(deps.db.sql, { user_id, session_id }, created);
  return redirect('/dashboard', 'workspace-created');
}

async function switchWorkspace({ visitor, form: fields }: FormVisit, { db }: PeopleDeps): Promise<Response> {
  const id = idOf(text(fields, 'workspace_id'));
  if (!(await chooseWorkspace(db.sql, visitor, id))) throw new PageNotFound();
  return redirect('/dashboard');
}

async function colleagueOf(sql: Sql, workspaceId: string, fields: FormData): Promise<Colleague | null> {
  const people = await listColleagues(sql, workspaceId);
  return people.find(({ user_id }) => user_id === text(fields, 'user_id')) ?? null;
}
