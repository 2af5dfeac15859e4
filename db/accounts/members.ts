import type { Sql } from 'postgres';
import { isDistributed } from '../distribution/distributed.ts';
import { daySeconds } from '../durations.ts';
import { newId } from '../ids.ts';
import type { Tier } from '../tier.ts';
import { inTransaction } from '../transaction.ts';
import type { Role } from './roles.ts';
import { type Allowance, throttle } from './throttle.ts';
import { type CreatedWorkspace, createWorkspace, type NewWorkspace, openWorkspace } from './workspaces.ts';

/** The workspace that a signed-in user has open, with the role of the user in it. */
export interface Membership {
  workspace_id: string;
  workspace_name: string;
  role: Role;
  /** True when the user is an operator of this server. */
  is_operator: boolean;
  /** All workspaces of the user, including the open one. */
  workspaces: readonly { workspace_id: string; name: string }[];
  tier: Tier;
  balance: number;
  /** True for a sample workspace, which has invented data. */
  sample: boolean;
  /** True while all scheduled tracking checks and batches (bulk analyses, sheet imports) are paused. */
  paused: boolean;
}

interface NewMember {
  user_id: string;
  name: string;
  email: string;
}

/**
 * Returns the workspace that the user chose in this session. If none was chosen, returns the one that the user joined
 * first. Returns null when the user has no workspace.
 */
export async function findMembership(
  sql: Sql,
  userId: string,
  sessionId: string | null = null,
): Promise<Membership | null> {
  if (isDistributed(sql)) return findDistributedMembership(sql, userId, sessionId);
  const [row] = await sql<Membership[]>`
    select m.workspace_id, w.name as workspace_name, m.role, w.tier, w.sample, b.balance, coalesce(s.paused, false) as paused,
      exists (select from operators o where o.user_id = m.user_id) as is_operator,
      (select json_agg(json_build_object('workspace_id', a.workspace_id, 'name', aw.name) order by a.created_at, a.workspace_id)
        from members a join workspaces aw on aw.workspace_id = a.workspace_id where a.user_id = m.user_id) as workspaces
    from members m
    join workspaces w on w.workspace_id = m.workspace_id
    join credit_balances b on b.workspace_id = m.workspace_id
    left join work_settings s on s.workspace_id = m.workspace_id
    left join session_workspaces c on c.session_id = ${sessionId} and c.workspace_id = m.workspace_id
    where m.user_id = ${userId} order by c.session_id is null, m.created_at, m.workspace_id limit 1`;
  return row ?? null;
}

// Finds the open workspace in several statements. With Citus, sessions and operators are on the coordinator, and the
// workspaces of the user can be on any node.
async function findDistributedMembership(
  sql: Sql,
  userId: string,
  sessionId: string | null,
): Promise<Membership | null> {
  const [chosen] = await sql<{ is_operator: boolean; workspace_id: string | null }[]>`
    select exists (select from operators where user_id = ${userId}) as is_operator,
      (select workspace_id from session_workspaces where session_id = ${sessionId}) as workspace_id`;
  const rows = await sql<Omit<Membership, 'is_operator' | 'workspaces'>[]>`
    select m.workspace_id, w.name as workspace_name, m.role, w.tier, w.sample, b.balance, coalesce(s.paused, false) as paused
    from members m
    join workspaces w on w.workspace_id = m.workspace_id
    join credit_balances b on b.workspace_id = m.workspace_id
    left join work_settings s on s.workspace_id = m.workspace_id
    where m.user_id = ${userId} order by m.created_at, m.workspace_id`;
  const row = rows.find(({ workspace_id }) => workspace_id === chosen?.workspace_id) ?? rows[0];
  if (!row) return null;
  const workspaces = rows.map(({ workspace_id, workspace_name }) => ({ workspace_id, name: workspace_name }));
  return { ...row, is_operator: chosen?.is_operator === true, workspaces };
}

/**
 * Limits how many new accounts of one network get starter credits in 24 hours. More than one is allowed, because many
 * people, such as those in a school, share one IP address.
 */
const starterAllowance: Allowance = { limit: 5, window_seconds: daySeconds };
/**
 * Limits an account to one grant of starter credits. Otherwise the user would get starter credits again each time after
 * leaving the last workspace.
 */
const starterOnce: Allowance = { limit: 1, window_seconds: 100 * 365 * daySeconds };

interface Starter {
  credits: number;
  /** The network of the user's IP address. The number of accounts with starter credits is limited per network. */
  network: string;
  now: Date;
}

/**
 * Returns the workspace of a user. If the user has none, creates one, with starter credits if the user never had them.
 * Concurrent calls create only one workspace. Returns null when the user does not exist. `starter_refused` is true when
 * the new workspace got no credits because too many accounts of the same network got them.
 */
export async function giveWorkspace(
  sql: Sql,
  member: NewMember,
  starter: Starter,
): Promise<(Membership & { starter_refused: boolean }) | null> {
  const refused = await inTransaction(sql, async (tx) => {
    const known = await tx`select from auth_users where id = ${member.user_id} for no key update`;
    if (known.length === 0 || (await findMembership(tx, member.user_id))) return false;
    const { name, email, user_id } = member;
    const had = (await throttle(tx, `starter credits of ${user_id}`, starterOnce, starter.now)) !== null;
    const wait = had ? null : await throttle(tx, `starter credits ${starter.network}`, starterAllowance, starter.now);
    const credits = had || wait !== null ? 0 : starter.credits;
    await addMember(tx, await openWorkspace(tx, { name, email, credits }), user_id);
    return wait !== null;
  });
  const membership = await findMembership(sql, member.user_id);
  return membership && { ...membership, starter_refused: refused };
}

/** Adds a user to a workspace. Changes nothing, not even the role, when the user is already a member. */
export async function addMember(sql: Sql, workspaceId: string, userId: string, role: Role = 'owner'): Promise<void> {
  await sql`
    insert into members (workspace_id, user_id, role) values (${workspaceId}, ${userId}, ${role}) on conflict do nothing`;
}

/**
 * Creates a workspace with its first API keys and its owner. The owner signs in with emailed links until a password is
 * set. Must be called inside a transaction.
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

/** Creates a user without a password. The user signs in with emailed links until a password is set. */
async function insertUser(sql: Sql, { user_id, name, email }: NewMember, now: Date): Promise<void> {
  await sql`
    insert into auth_users (id, name, email, email_verified, created_at, updated_at)
    values (${user_id}, ${name}, ${email}, true, ${now}, ${now})`;
}

export interface SignInMethods {
  /** False when the user has no password and signs in with an emailed link. */
  has_password: boolean;
  two_factor: boolean;
}

/** Returns whether a user signs in with a password and with two-factor codes. */
export async function readSignInMethods(sql: Sql, userId: string): Promise<SignInMethods> {
  const [row] = await sql<SignInMethods[]>`
    select exists (select from auth_accounts where user_id = ${userId} and password is not null) as has_password,
      two_factor_enabled as two_factor
    from auth_users where id = ${userId}`;
  return row ?? { has_password: false, two_factor: false };
}

/** Returns true when a user has this email address, ignoring case. */
export async function isKnownEmail(sql: Sql, email: string): Promise<boolean> {
  const rows = await sql`select from auth_users where email = ${email.toLowerCase()}`;
  return rows.length === 1;
}

/** Returns the email addresses of all members of a workspace. */
export async function memberEmails(sql: Sql, workspaceId: string): Promise<string[]> {
  const rows = await sql<{ email: string }[]>`
    select u.email from members m join auth_users u on u.id = m.user_id
    where m.workspace_id = ${workspaceId} order by m.created_at, u.id`;
  return rows.map(({ email }) => email);
}
