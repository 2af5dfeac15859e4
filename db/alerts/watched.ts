import type { Sql } from 'postgres';
import { inTransaction, lockWorkspace } from '../transaction.ts';

/** A list or campaign that alert rules can watch. */
interface Watched {
  workspace_id: string;
  scope: 'list' | 'campaign';
  scope_id: string;
}

/** Maximum number of attempts. A further attempt is needed only when a rule is added at the same moment. */
const maxAttempts = 20;

/**
 * Locks the alert rules of the list or campaign and then the workspace, and runs `work` in the same transaction. `work`
 * deletes the list or campaign and calls `deleteRules`, which deletes the alert rules.
 */
export async function withAlertRules<T>(
  sql: Sql,
  watched: Watched,
  work: (tx: Sql, deleteRules: () => Promise<unknown>) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const result = await inTransaction(sql, async (tx) => {
      if (!(await lockRules(tx, watched))) return null;
      return { done: await work(tx, () => tx`delete from alert_rules where ${rulesOf(tx, watched)}`) };
    });
    if (result) return result.done;
  }
  const { scope, scope_id } = watched;
  throw new Error(`Alert rules of the ${scope} ${scope_id} were added during each of ${maxAttempts} deletions of it.`);
}

const rulesOf = (sql: Sql, { workspace_id, scope, scope_id }: Watched) =>
  sql`workspace_id = ${workspace_id} and scope = ${scope} and scope_id = ${scope_id}`;

/**
 * Locks the alert rules of a list or campaign, then the workspace, in the same order as the evaluation of alert rules.
 * Returns false when a rule was added before the workspace was locked, because locking that rule now could cause a
 * deadlock.
 */
async function lockRules(tx: Sql, watched: Watched): Promise<boolean> {
  const rules = rulesOf(tx, watched);
  const locked = await tx<{ rule_id: string }[]>`
    select rule_id from alert_rules where ${rules} order by rule_id for update`;
  await lockWorkspace(tx, watched.workspace_id);
  const ids = locked.map(({ rule_id }) => rule_id);
  const added = await tx`select from alert_rules where ${rules} and not rule_id = any(${ids}::uuid[])`;
  return added.length === 0;
}
