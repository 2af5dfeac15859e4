import type { Sql } from 'postgres';
import { newId } from '../ids.ts';
import type { Tier } from '../tier.ts';
import { inTransaction } from '../transaction.ts';

import { type CreatedWorkspace, createWorkspace, type NewWorkspace, openWorkspace } from './workspaces.ts';

/** The workspace that a signed-in person acts for. */
export interface Membership {
  workspace_id: string;
  workspace_name: string;
  tier: Tier;
  balance: number;
  /** Whether every scheduled check and batch is paused. */
  paused: boolean;
}

export interface NewMember {
  user_id: string;
  name: string;
  email: string;
}

/** The workspace of a user, the first one that took them in; null before there is one. */
export async function findMembership(sql: Sql, userId: string): Promise<Membership | null> {
  const [row] = await sql<Membership[]>`
    select m.workspace_id, w.name as workspace_name, w.tier, b.balance, coalesce(s.paused, false) as paused
    from members m
    join workspaces w on w.workspace_id = m.workspace_id
    join credit_balances b on b.workspace_id = m.workspace_id
    left join work_settings s on s.workspace_id = m.workspace_id
    where m.user_id = ${userId} order by m.created_at, m.workspace_id limit 1`;
  return row ?? null;
}

/**
 * Makes the workspace of a user with its starter credits, once however many requests of theirs arrive at once; null when the
 * user was deleted meanwhile.
 */
export async function giveWorkspace(sql: Sql, member: NewMember, starterCredits: number): Promise<Membership | null> {
  await inTransaction(sql, async (tx) => {
    const known = await tx`select from auth_users where id = ${member.user_id} for no key update`;
    if (known.length === 0 || (await findMembership(tx, member.user_id))) return;
    const { name, email, user_id } = member;
    await addMember(tx, await openWorkspace(tx, { name, email, credits: starterCredits }), user_id);
  });
  return findMembership(sql, member.user_id);
}

/** Lets a user act for a workspace. */
export async function addMember(sql: Sql, workspaceId: string, userId: string): Promise<void> {
  await sql`insert into members (workspace_id, user_id) values (${workspaceId}, ${userId}) on conflict do nothing`;
}

/**
 * Makes a workspace with its keys and a person who may act for it, who signs in by a link until they choose a password.
 * To be called inside a transaction.
 */
export async function createOwnedWorkspace(
  tx: Sql,
  workspace: NewWorkspace,
  person: { name: string; email: string },
  now: Date,
): Promise<CreatedWorkspace> {
  const created = await createWorkspace(tx, workspace);
  const userId = newId(now);
  await insertUser(tx, { ...person, user_id: userId }, now);
  await addMember(tx, created.workspace_id, userId);
  return created;
}

/** A user who signs in by a link alone, until they choose a password. */
export async function insertUser(sql: Sql, { user_id, name, email }: NewMember, now: Date): Promise<void> {
  await sql`
    insert into auth_users (id, name, email, email_verified, created_at, updated_at)
    values (${user_id}, ${name}, ${email}, true, ${now}, ${now})`;
}

export interface Access {
  /** False for somebody who came by a link and chose no password yet. */
  has_password: boolean;
  /** Sessions of the user that still run, this one included. */
  sessions: number;
}

/** How a user gets in. */
export async function readAccess(sql: Sql, userId: string, now: Date): Promise<Access> {
  const [row] = await sql<Access[]>`
    select exists (select from auth_accounts where user_id = ${userId} and password is not null) as has_password,
      (select count(*) from auth_sessions where user_id = ${userId} and expires_at > ${now}) as sessions`;
  return row ?? { has_password: false, sessions: 0 };
}

/** Whether somebody signs in with this address, which is compared without regard to case. */
export async function isKnownEmail(sql: Sql, email: string): Promise<boolean> {
  const rows = await sql`select from auth_users where email = ${email.toLowerCase()}`;
  return rows.length === 1;
}
