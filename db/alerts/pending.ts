import type { Fragment, Sql } from 'postgres';
import { isDistributed } from '../distribution/distributed.ts';

/** Maximum number of tracking checks that one SQL statement evaluates against the alert rules. */
export const checksAtOnce = 300;

/** Number of the advisory lock that lets only one process evaluate alert rules at a time. */
const evaluationLock = 7_341_902;

/**
 * Takes the lock for evaluating alert rules until the transaction ends. Returns false when another process has the
 * lock. Without it, two processes could each raise an alert for the same item during a rule's cool-down.
 */
export async function lockEvaluation(tx: Sql): Promise<boolean> {
  const [row] = await tx<{ locked: boolean }[]>`select pg_try_advisory_xact_lock(${evaluationLock}) as locked`;
  return row?.locked === true;
}

/**
 * The workspaces that one run has evaluated so far. `since` is the time of the oldest pending check of the other
 * workspaces.
 */
export interface EvaluatedSoFar {
  workspaces: readonly string[];
  since: Date | null;
}

export interface Pending {
  /** The workspaces with the oldest pending checks: together at most 300 checks, or one workspace with more. */
  next: string[];
  /** The time of the oldest pending check in the workspaces that the run has not read yet. */
  since: Date | null;
  /**
   * The workspaces of `next` that are locked now. The others, or one of their rules, are locked by another transaction.
   */
  locked: string[];
}

/**
 * Selects the workspaces whose pending tracking checks are evaluated next, and locks their alert rules and then the
 * workspaces themselves. Leaves out the workspaces of earlier rounds (`done`). Never waits for a lock, so that no
 * workspace delays the alerts of others.
 */
export async function lockPending(tx: Sql, done: EvaluatedSoFar): Promise<Pending> {
  const { next, since } = await oldestPending(tx, done);
  const ids = next.toSorted();
  const groups = isDistributed(tx) ? ids.map((id) => [id]) : [ids];
  const withRules: string[] = [];
  for (const group of groups) withRules.push(...(await lockRules(tx, group)));
  // Storing messages locks the workspace too. Taking that lock only after locking the checks could cause a deadlock
  // with the removal of items and the deletion of the workspace.
  const locked: string[] = [];
  for (const group of isDistributed(tx) ? withRules.map((id) => [id]) : [withRules]) {
    const rows = await tx<{ workspace_id: string }[]>`
      select workspace_id from workspaces where ${isOf(tx, group)} order by workspace_id
      for no key update skip locked`;
    locked.push(...rows.map(({ workspace_id }) => workspace_id));
  }
  return { next, since, locked };
}

/**
 * Returns the workspaces with the oldest pending checks that are not `done`: together at most 300 checks, or one
 * workspace with more. Reads only about that many checks, in index order, however long the backlog is.
 */
async function oldestPending(tx: Sql, done: EvaluatedSoFar): Promise<Omit<Pending, 'locked'>> {
  const oldest = await tx<{ workspace_id: string; attempted_at: Date }[]>`
    select workspace_id, attempted_at from check_attempts
    where alerts_pending and attempted_at >= coalesce(${done.since}::timestamptz, '-infinity')
      and not workspace_id = any(${[...done.workspaces]}::uuid[])
    order by attempted_at limit ${checksAtOnce}`;
  const next = await withFewChecks(tx, [...new Set(oldest.map(({ workspace_id }) => workspace_id))]);
  const left = oldest.find(({ workspace_id }) => !next.includes(workspace_id)) ?? oldest.at(-1);
  return { next, since: left?.attempted_at ?? null };
}

/**
 * Returns as many of these workspaces, in order, as have at most 300 pending checks together, but at least one
 * workspace.
 */
async function withFewChecks(tx: Sql, workspaceIds: readonly string[]): Promise<string[]> {
  const groups = isDistributed(tx) ? workspaceIds.map((id) => [id]) : [workspaceIds];
  const found: string[] = [];
  for (const group of groups) {
    if (found.length > checksAtOnce) break;
    found.push(...(await pendingChecks(tx, group, checksAtOnce + 1 - found.length)));
  }
  const workspaces = [...new Set(found)];
  // Leaves out the last workspace, because it may have more checks than were read.
  return found.length > checksAtOnce && workspaces.length > 1 ? workspaces.slice(0, -1) : workspaces;
}

/**
 * Returns at most `limit` pending checks of these workspaces, as the workspace id of each check, in the order of
 * `workspaceIds`. With Citus, `workspaceIds` has one id.
 */
async function pendingChecks(tx: Sql, workspaceIds: readonly string[], limit: number): Promise<string[]> {
  const rows = isDistributed(tx)
    ? await tx<{ workspace_id: string }[]>`
        select workspace_id from check_attempts where ${isOf(tx, workspaceIds)} and alerts_pending
        order by item_id limit ${limit}`
    : await tx<{ workspace_id: string }[]>`
        select w.id as workspace_id from unnest(${[...workspaceIds]}::uuid[]) with ordinality as w (id, position)
        cross join lateral (
          select from check_attempts a where a.workspace_id = w.id and a.alerts_pending order by a.item_id limit ${limit}) c
        order by w.position limit ${limit}`;
  return rows.map(({ workspace_id }) => workspace_id);
}

/**
 * Locks the alert rules of these workspaces, except rules that another transaction has locked. Returns the workspaces
 * whose rules are now all locked.
 */
async function lockRules(tx: Sql, workspaceIds: readonly string[]): Promise<string[]> {
  const isChosen = isOf(tx, workspaceIds);
  const all = await tx<{ workspace_id: string; rules: number }[]>`
    select workspace_id, count(*)::int as rules from alert_rules where ${isChosen} and enabled group by workspace_id`;
  const locked = await tx<{ workspace_id: string }[]>`
    select workspace_id from alert_rules where ${isChosen} and enabled order by workspace_id, rule_id
    for no key update skip locked`;
  const lockedOf = Map.groupBy(locked, ({ workspace_id }) => workspace_id);
  const partly = all.filter(({ workspace_id, rules }) => (lockedOf.get(workspace_id)?.length ?? 0) < rules);
  const left = new Set(partly.map(({ workspace_id }) => workspace_id));
  return workspaceIds.filter((id) => !left.has(id));
}

/** Returns the SQL condition for rows of these workspaces. With Citus, `workspaceIds` has one id. */
export function isOf(tx: Sql, workspaceIds: readonly string[]): Fragment {
  if (isDistributed(tx)) return tx`workspace_id = ${workspaceIds[0] ?? ''}::uuid`;
  return tx`workspace_id = any(${[...workspaceIds]}::uuid[])`;
}
