import { type AttemptKey, attemptNotifications, belowAlert } from '../../db/tracking/check-notifications.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { JobContext } from '../queue/job.ts';
import { announce, announceLowBalance } from './webhooks.ts';

/**
 * Announces attempts that were just made: `check.completed` of those that are recorded, and `credits.low`. Two statements when
 * nobody wants to know. Called again for the same attempts it announces them again: at least once, `attempt_id` tells repeats apart.
 */
export async function announceChecks(
  context: Pick<JobContext, 'db' | 'now' | 'queue'>,
  attempts: readonly AttemptKey[],
): Promise<void> {
  const { sql } = context.db;
  const workspaceIds = [...new Set(attempts.map(({ workspace_id }) => workspace_id))];
  const [news, low] = await Promise.all([
    attemptNotifications(sql, 'check.completed', attempts),
    belowAlert(sql, workspaceIds),
  ]);
  for (const [workspaceId, own] of Map.groupBy(news, (one) => one.workspace_id)) {
    await inTransaction(sql, async (tx) => {
      for (const { item_id, attempt_id, outcome, credits } of own) {
        await announce(context, tx, workspaceId, 'check.completed', { item_id, attempt_id, outcome, credits });
      }
    });
  }
  for (const workspaceId of low) await announceLowBalance(context, workspaceId);
}
