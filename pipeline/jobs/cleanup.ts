import type { Sql } from 'postgres';
import { removeAuditEntries } from '../../db/accounts/audit.ts';
import { removeExpiredAccess } from '../../db/accounts/auth-cleanup.ts';
import { removeUnusedClients } from '../../db/accounts/connections.ts';
import { removeThrottles } from '../../db/accounts/throttle.ts';
import { removeNotifications } from '../../db/alerts/notifications.ts';
import { deleteRulesOfRemovedItems } from '../../db/alerts/rules.ts';
import { removeRuns } from '../../db/deliveries/sheet-import-runs.ts';
import { removeDeliveries } from '../../db/deliveries/webhook-deliveries.ts';
import { dayMs } from '../../db/durations.ts';
import { removeReversals } from '../../db/money/reversals.ts';
import { removeObservations } from '../../db/observations/months.ts';
import { removeExpired } from '../../db/requests/responses.ts';
import { removeAttempts } from '../../db/tracking/checks.ts';
import { deleteRemovedAttempts } from '../../db/tracking/items.ts';
import { deleteRemovedItems } from '../../db/tracking/removals.ts';
import { finishDeletions } from '../../db/workspace-data/deletion.ts';
import type { Job } from '../queue/job.ts';
import { removeSamples } from '../sample/workspace.ts';
import { maxHistoryDays } from '../tiers.ts';

/** Number of days for which delivered and failed webhook messages are kept. */
const deliveriesDays = 30;
/** Number of days for which sent emails and Slack messages are kept in the message log. */
const notificationsDays = 90;
/** Number of days for which finished runs of sheet imports are kept, together with their rows. */
const importRunDays = 14;
/**
 * Number of days for which a refund or dispute with an unknown payment is kept, because the event about the payment may
 * arrive later.
 */
const reversalsDays = 180;

/** Number of days for which entries of the audit log are kept. */
export const auditDays = 365;
/** Number of days after which an OAuth client is deleted when no workspace is connected to it. */
const unusedClientDays = 30;

/**
 * Deletes data that has expired: cached answers, tracked history older than the longest limit of any tier, old webhook
 * deliveries, audit log entries, sessions, OAuth clients, and the remaining data of deleted workspaces. Returns the
 * number of deleted rows by kind of data. If one kind cannot be deleted, deletes all other kinds before it throws an
 * AggregateError with the errors.
 */
export async function removeOld(sql: Sql, now: Date): Promise<Record<string, number>> {
  const removed: Record<string, number> = {};
  const failed: string[] = [];
  const errors: unknown[] = [];
  for (const [kind, remove] of Object.entries(removals(sql, now))) {
    try {
      const count = await remove();
      Object.assign(removed, typeof count === 'number' ? { [kind]: count } : count);
    } catch (error) {
      failed.push(kind);
      errors.push(error);
    }
  }
  if (errors.length === 0) return removed;
  throw new AggregateError(errors, `Expired data of these kinds could not be deleted: ${failed.join(', ')}.`);
}

/**
 * Returns the functions that delete expired data, by kind of data. A function can return the numbers of several kinds.
 */
function removals(sql: Sql, now: Date): Record<string, () => Promise<number | object>> {
  const daysAgo = (days: number) => new Date(now.getTime() - days * dayMs);
  return {
    answers: () => removeExpired(sql, now),
    observations: () => removeObservations(sql, daysAgo(maxHistoryDays)),
    attempts: () => removeAttempts(sql, daysAgo(maxHistoryDays)),
    removed_items: () => deleteRemovedItems(sql, now),
    alert_rules: () => deleteRulesOfRemovedItems(sql),
    removed_attempts: () => deleteRemovedAttempts(sql, now),
    deliveries: () => removeDeliveries(sql, daysAgo(deliveriesDays)),
    notifications: () => removeNotifications(sql, daysAgo(notificationsDays)),
    import_runs: () => removeRuns(sql, daysAgo(importRunDays)),
    audit: () => removeAuditEntries(sql, daysAgo(auditDays)),
    reversals: () => removeReversals(sql, daysAgo(reversalsDays)),
    throttles: () => removeThrottles(sql, now),
    samples: () => removeSamples(sql, now),
    workspaces: () => finishDeletions(sql),
    access: () => removeExpiredAccess(sql, now),
    oauth: () => removeUnusedClients(sql, { now, before: daysAgo(unusedClientDays) }),
  };
}

/** Deletes expired data every hour, see {@link removeOld}. */
export const cleanup: Job = {
  name: 'cleanup',
  schedule: '23 * * * *',
  items_per_run: 1,
  expire_seconds: 900,
  retries: 1,
  async run(_, { db, now, log }) {
    log.info(await removeOld(db.sql, now()), 'expired data deleted');
  },
};
