import type { Sql } from 'postgres';
import type { Tier } from './admission.ts';
import { inTransaction, openWorkspace } from './workspaces.ts';

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
export async function findMembership(sql: Sql, user_id: string): Promise<Membership | null> {
  const [row] = await sql<Membership[]>`
    select m.workspace_id, w.name as workspace_name, w.tier, b.balance, coalesce(s.paused, false) as paused
    from members m
    join workspaces w on w.workspace_id = m.workspace_id
    join credit_balances b on b.workspace_id = m.workspace_id
    left join work_settings s on s.workspace_id = m.workspace_id
    where m.user_id = ${user_id} order by m.created_at, m.workspace_id limit 1`;
  return row ?? null;
}

/** Makes the workspace of a user with its starter credits, once however many requests of theirs arrive at once. */
export async function giveWorkspace(sql: Sql, member: NewMember, starter_credits: number): Promise<Membership> {
  await inTransaction(sql, async (tx) => {
    await tx`select from auth_users where id = ${member.user_id} for no key update`;
    if (await findMembership(tx, member.user_id)) return;
    const { name, email, user_id } = member;
    await addMember(tx, await openWorkspace(tx, { name, email, credits: starter_credits }), user_id);
  });
  const membership = await findMembership(sql, member.user_id);
  if (!membership) throw new Error(`user ${member.user_id} has no workspace`);
  return membership;
}

/** Lets a user act for a workspace. */
export async function addMember(sql: Sql, workspace_id: string, user_id: string): Promise<void> {
  await sql`insert into members (workspace_id, user_id) values (${workspace_id}, ${user_id}) on conflict do nothing`;
}

/** A user who signs in by a link alone, until they choose a password. */
export async function insertUser(sql: Sql, { user_id, name, email }: NewMember, now: Date): Promise<void> {
  await sql`
    insert into auth_users (id, name, email, email_verified, created_at, updated_at)
    values (${user_id}, ${name}, ${email}, true, ${now}, ${now})`;
}
