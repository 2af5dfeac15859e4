import type { Sql } from 'postgres';
import { isDistributed } from '../distribution/distributed.ts';
import { sequentially } from '../distribution/steps.ts';
import { newId } from '../ids.ts';
import { moveCredits } from '../money/ledger.ts';
import type { Tier } from '../tier.ts';
import { createKey } from './keys.ts';

export interface WorkspaceRow {
  workspace_id: string;
  name: string;
  email: string | null;
  tier: Tier;
  created_at: Date;
  balance: number;
}

export interface NewWorkspace {
  name: string;
  email?: string | null;
  tier?: Tier;
  /** Number of starter credits. 0 adds no ledger entry. */
  credits: number;
}

export interface CreatedWorkspace {
  workspace_id: string;
  live_key: string;
  test_key: string;
}

/**
 * Creates a workspace with its starter credits, a live API key and a test API key. The secret keys are returned only by
 * this call. Must be called inside a transaction.
 */
export async function createWorkspace(tx: Sql, workspace: NewWorkspace): Promise<CreatedWorkspace> {
  const workspaceId = await openWorkspace(tx, workspace);
  const live = await createKey(tx, workspaceId, { kind: 'live', name: 'first production key' });
  const test = await createKey(tx, workspaceId, { kind: 'test', name: 'first development key' });
  return { workspace_id: workspaceId, live_key: live.key, test_key: test.key };
}

/**
 * Creates a workspace with its starter credits but without API keys. Returns its id. Must be called inside a
 * transaction.
 */
export async function openWorkspace(tx: Sql, workspace: NewWorkspace): Promise<string> {
  const workspaceId = newId();
  await tx`
    insert into workspaces (workspace_id, name, email, tier)
    values (${workspaceId}, ${workspace.name}, ${workspace.email ?? null}, ${workspace.tier ?? 'air'})`;
  await tx`insert into credit_balances (workspace_id) values (${workspaceId})`;
  if (workspace.credits > 0) {
    await moveCredits(tx, workspaceId, { kind: 'starter', credits: workspace.credits, reason: 'starter credits' });
  }
  return workspaceId;
}

// An arbitrary number for the advisory lock around creating the first workspace. No other lock of Tidemark may use this
// number.
const firstWorkspaceLock = 730_001;

/**
 * Returns true when a workspace exists. Locks until the transaction ends, so that only one of several starting
 * processes creates the first workspace.
 */
export async function anyWorkspace(tx: Sql): Promise<boolean> {
  // Every Citus node has a copy of the users, and Citus refuses to change the users after a parallel read in the same
  // transaction.
  if (isDistributed(tx)) await sequentially(tx);
  await tx`select pg_advisory_xact_lock(${firstWorkspaceLock})`;
  const [any] = await tx`select from workspaces limit 1`;
  return any !== undefined;
}

/** Returns all workspaces with their credit balances, oldest first. */
export async function listWorkspaces(sql: Sql): Promise<WorkspaceRow[]> {
  return sql<WorkspaceRow[]>`
    select w.workspace_id, w.name, w.email, w.tier, w.created_at, b.balance
    from workspaces w join credit_balances b on b.workspace_id = w.workspace_id order by w.workspace_id`;
}

/** Returns one workspace with its credit balance; null when it does not exist. */
export async function findWorkspace(sql: Sql, workspaceId: string): Promise<WorkspaceRow | null> {
  const [row] = await sql<WorkspaceRow[]>`
    select w.workspace_id, w.name, w.email, w.tier, w.created_at, b.balance
    from workspaces w join credit_balances b on b.workspace_id = w.workspace_id
    where w.workspace_id = ${workspaceId}`;
  return row ?? null;
}

/**
 * Sets the tier (subscription level) of a workspace, higher or lower. Returns false when the workspace does not exist.
 */
export async function setTier(sql: Sql, workspaceId: string, tier: Tier): Promise<boolean> {
  const { count } = await sql`update workspaces set tier = ${tier} where workspace_id = ${workspaceId}`;
  return count === 1;
}

/** Changes the name of a workspace. The caller checks the name and the role of the user. */
export async function renameWorkspace(sql: Sql, workspaceId: string, name: string): Promise<void> {
  await sql`update workspaces set name = ${name} where workspace_id = ${workspaceId}`;
}
