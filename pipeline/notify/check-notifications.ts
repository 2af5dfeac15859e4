import { belowAlert } from '../../db/money/low-balance.ts';
import { type AttemptKey, attemptNotifications } from '../../db/tracking/check-notifications.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { JobContext } from '../queue/job.ts';
import { announce, announceLowBalance } from './webhooks.ts';

/**
 * Sends webhook events after tracked items (accounts and posts) were checked: `check.completed` for each check, and
 * `credits.low` for each workspace whose credits fell below its alert value. A second call for the same checks sends
 * the events again, with the same `attempt_id`. Runs only two SQL statements when no webhook endpoint subscribes.
 */
export async function announceChecks(
  context: Pick<JobContext, 'db' | 'now' | 'queue'>,
  attempts: readonly AttemptKey[],
): Promise<void> {
  const sql = context.db.pipelined;
  const workspaceIds = [...new Set(attempts.map(({ workspace_id }) => workspace_id))];
  const [completed, low] = await Promise.all([
    attemptNotifications(sql, 'check.completed', attempts),
    belowAlert(sql, workspaceIds),
  ]);
  for (const [workspaceId, own] of Map.groupBy(completed, (attempt) => attempt.workspace_id)) {
    await inTransaction(context.db.sql, async (tx) => {
      for (const { item_id, attempt_id, outcome, credits } of own) {
        await announce(context, tx, workspaceId, 'check.completed', { item_id, attempt_id, outcome, credits });
      }
    });
  }
  for (const workspaceId of low) await announceLowBalance(context, workspaceId);
}
