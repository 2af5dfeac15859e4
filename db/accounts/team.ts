import type { Fragment, Sql } from 'postgres';
import { isDistributed } from '../distribution/distributed.ts';
import { newId } from '../ids.ts';
import { alone, inTransaction } from '../transaction.ts';
import { isLinkToken, newLinkToken } from './link-tokens.ts';
import { addMember } from './members.ts';
import type { Role } from './roles.ts';
import { hashSecret } from './secrets.ts';
import { openWorkspace } from './workspaces.ts';

export interface Colleague {
  user_id: string;
  name: string;
  email: string;
  role: Role;
  joined_at: Date;
  /** The person's last use of Tidemark, from the stored sessions; null when no session is stored. */
  last_used_at: Date | null;
}

export interface Invitation {
  invitation_id: string;
  email: string | null;
  role: Role;
  invited_by: string;
  created_at: Date;
  expires_at: Date;
}

/** An invitation together with its workspace, shown to the person who opens the invitation link. */
interface OpenInvitation extends Invitation {
  workspace_id: string;
  workspace_name: string;
}

/** Maximum number of invitations of one workspace that are not accepted yet. */
export const maxInvitations = 50;
/** Maximum number of members of one workspace. */
const maxMembers = 100;
/** Maximum number of workspaces that one person can be a member of. */
export const maxWorkspaces = 50;

/** Returns the members of a workspace, in the order in which they joined. */
export async function listColleagues(sql: Sql, workspaceId: string): Promise<Colleague[]> {
  if (isDistributed(sql)) return listDistributedColleagues(sql, workspaceId);
  return sql<Colleague[]>`
    select u.id as user_id, u.name, u.email, m.role, m.created_at as joined_at,
      (select max(s.updated_at) from auth_sessions s where s.user_id = u.id) as last_used_at
    from members m join auth_users u on u.id = m.user_id
    where m.workspace_id = ${workspaceId} order by m.created_at, u.id`;
}

// Reads members and sessions in two statements. With Citus, sessions are on the coordinator, and members are on the
// node of the workspace.
async function listDistributedColleagues(sql: Sql, workspaceId: string): Promise<Colleague[]> {
  const people = await sql<Omit<Colleague, 'last_used_at'>[]>`
    select u.id as user_id, u.name, u.email, m.role, m.created_at as joined_at
    from members m join auth_users u on u.id = m.user_id
    where m.workspace_id = ${workspaceId} order by m.created_at, u.id`;
  const uses = await sql<{ user_id: string; last_used_at: Date }[]>`
    select user_id, max(updated_at) as last_used_at from auth_sessions
    where user_id = any(${people.map(({ user_id }) => user_id)}::text[]) group by user_id`;
  const lastUse = new Map(uses.map(({ user_id, last_used_at }) => [user_id, last_used_at]));
  return people.map((person) => ({ ...person, last_used_at: lastUse.get(person.user_id) ?? null }));
}

/** Returns the open invitations of a workspace, oldest first. Leaves out expired invitations. */
export async function listInvitations(sql: Sql, workspaceId: string, now: Date): Promise<Invitation[]> {
  return sql<Invitation[]>`
    select invitation_id, email, role, invited_by, created_at, expires_at from invitations
    where workspace_id = ${workspaceId} and expires_at > ${now} order by invitation_id`;
}

/**
 * Creates an invitation and returns the secret token of its link. The token cannot be read again later. Returns null
 * when the workspace has too many open invitations.
 */
export async function invite(
  sql: Sql,
  workspaceId: string,
  { email, role, invited_by }: Pick<Invitation, 'email' | 'role' | 'invited_by'>,
  { now, expires_at }: { now: Date; expires_at: Date },
): Promise<string | null> {
  const token = newLinkToken();
  return alone(sql, workspaceId, async (tx) => {
    await tx`delete from invitations where workspace_id = ${workspaceId} and (expires_at <= ${now} or email = ${email})`;
    const rows = await tx`
      insert into invitations as made (workspace_id, invitation_id, email, role, token_hash, invited_by, created_at, expires_at)
      select ${workspaceId}::uuid, ${newId(now)}::uuid, ${email}, ${role}, ${hashSecret(token)}, ${invited_by},
        ${now}, ${expires_at}
      where (select count(*) from invitations where workspace_id = ${workspaceId}) < ${maxInvitations}
      returning made.invitation_id`;
    return rows.length === 1 ? token : null;
  });
}

/** Deletes an invitation, so that its link stops working. Returns false when there is no such invitation. */
export async function withdrawInvitation(sql: Sql, workspaceId: string, invitationId: string): Promise<boolean> {
  const { count } = await sql`
    delete from invitations where workspace_id = ${workspaceId} and invitation_id = ${invitationId}`;
  return count === 1;
}

/** Returns the invitation whose link has this token; null when it is unknown, already used, withdrawn or expired. */
export async function openInvitation(sql: Sql, token: string, now: Date): Promise<OpenInvitation | null> {
  if (!isLinkToken(token)) return null;
  const [row] = await sql<OpenInvitation[]>`
    select i.workspace_id, w.name as workspace_name, i.invitation_id, i.email, i.role, i.invited_by, i.created_at, i.expires_at
    from invitations i join workspaces w on w.workspace_id = i.workspace_id
    where i.token_hash = ${hashSecret(token)} and i.expires_at > ${now}`;
  return row ?? null;
}

/**
 * Accepts an invitation: deletes the invitation, makes the user a member, and returns the workspace. Returns null when
 * the invitation is unknown, expired or for another email address, or when the workspace has too many members or the
 * user too many workspaces. A link works only once, even if several calls use it at the same time. An existing member
 * keeps the previous role.
 */
export async function acceptInvitation(
  sql: Sql,
  token: string,
  user: { user_id: string; email: string },
  now: Date,
): Promise<{ workspace_id: string; role: Role } | null> {
  const invitation = await openInvitation(sql, token, now);
  if (invitation === null) return null;
  return alone(sql, invitation.workspace_id, async (tx) => {
    // Locks the user too, as the creation of a workspace does, because both operations count the workspaces of the
    // user.
    await tx`select from auth_users where id = ${user.user_id} for no key update`;
    const [row] = await tx<{ workspace_id: string; role: Role }[]>`
      with used as (
        delete from invitations
        where token_hash = ${hashSecret(token)} and expires_at > ${now}
          and (email is null or email = ${user.email.toLowerCase()})
          and (select count(*) from members where workspace_id = ${invitation.workspace_id}) < ${maxMembers}
          and (select count(*) from members where user_id = ${user.user_id}) < ${maxWorkspaces}
        returning workspace_id, role
      ), joined as (
        insert into members (workspace_id, user_id, role)
        select workspace_id, ${user.user_id}, role from used on conflict do nothing
      )
      select workspace_id, role from used`;
    return row ?? null;
  });
}

/**
 * Changes the role of a member. Returns false when there is no such member, or when no owner would remain. When a
 * member is no longer an owner, withdraws the invitations that the member created, because the member could use one of
 * them to become an owner again.
 */
export async function changeRole(sql: Sql, workspaceId: string, userId: string, role: Role): Promise<boolean> {
  return alone(sql, workspaceId, async (tx) => {
    const { count } = await tx`
      update members set role = ${role}
      where workspace_id = ${workspaceId} and user_id = ${userId}
        and (${role} = 'owner' or ${hasOtherOwner(tx, workspaceId, userId)})`;
    if (count === 1 && role !== 'owner') await withdrawInvitationsOf(tx, workspaceId, userId);
    return count === 1;
  });
}

/**
 * Removes a member from a workspace and withdraws the invitations that the member created. Also removes the member as a
 * recipient of messages, because the address of a member did not have to be confirmed for messages. Returns false when
 * there is no such member, or when no owner would remain.
 */
export async function removeMember(sql: Sql, workspaceId: string, userId: string): Promise<boolean> {
  return alone(sql, workspaceId, async (tx) => {
    const { count } = await tx`
      delete from members
      where workspace_id = ${workspaceId} and user_id = ${userId} and ${hasOtherOwner(tx, workspaceId, userId)}`;
    if (count === 0) return false;
    await withdrawInvitationsOf(tx, workspaceId, userId);
    await tx`
      delete from alert_recipients r using auth_users u
      where r.workspace_id = ${workspaceId} and r.channel = 'mail' and u.id = ${userId} and r.address = lower(u.email)`;
    return true;
  });
}

/** Returns the SQL condition that the workspace has an owner other than this member. */
function hasOtherOwner(sql: Sql, workspaceId: string, userId: string): Fragment {
  return sql`exists (
    select from members where workspace_id = ${workspaceId} and user_id <> ${userId} and role = 'owner')`;
}

async function withdrawInvitationsOf(sql: Sql, workspaceId: string, userId: string): Promise<void> {
  await sql`
    delete from invitations i using auth_users u
    where i.workspace_id = ${workspaceId} and u.id = ${userId} and i.invited_by = u.email`;
}

/** Stores which workspace a session has open. Returns false when the user is not a member of that workspace. */
export async function chooseWorkspace(
  sql: Sql,
  session: { session_id: string; user_id: string },
  workspaceId: string,
): Promise<boolean> {
  const { count } = await sql`
    insert into session_workspaces (session_id, workspace_id)
    select s.id, m.workspace_id from auth_sessions s join members m on m.user_id = s.user_id
    where s.id = ${session.session_id} and s.user_id = ${session.user_id} and m.workspace_id = ${workspaceId}
    on conflict (session_id) do update set workspace_id = excluded.workspace_id`;
  return count === 1;
}

/**
 * Creates an additional workspace for a user, without starter credits. Returns its id, or null when the user already
 * has too many workspaces.
 */
export async function addWorkspace(sql: Sql, userId: string, name: string): Promise<string | null> {
  return inTransaction(sql, async (tx) => {
    await tx`select from auth_users where id = ${userId} for no key update`;
    const [row] = await tx<{ many: number }[]>`select count(*)::int as many from members where user_id = ${userId}`;
    if (!row || row.many >= maxWorkspaces) return null;
    const workspaceId = await openWorkspace(tx, { name, credits: 0 });
    await addMember(tx, workspaceId, userId);
    return workspaceId;
  });
}
