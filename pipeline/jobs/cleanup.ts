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
import { removeReversals } from '../../db/money/purchases.ts';
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
 * Number of days for which a refund or dispute is kept when its payment is unknown. The event about the payment can
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
 * number of deleted rows by kind.
 */
export async function removeOld(sql: Sql, now: Date): Promise<Record<string, number>> {
  const daysAgo = (days: number) => new Date(now.getTime() - days * dayMs);
  return {
    ...(await removeExpired(sql, now)),
    observations: await removeObservations(sql, daysAgo(maxHistoryDays)),
    attempts: await removeAttempts(sql, daysAgo(maxHistoryDays)),
    removed_items: await deleteRemovedItems(sql, now),
    alert_rules: await deleteRulesOfRemovedItems(sql),
    removed_attempts: await deleteRemovedAttempts(sql, now),
    deliveries: await removeDeliveries(sql, daysAgo(deliveriesDays)),
    notifications: await removeNotifications(sql, daysAgo(notificationsDays)),
    import_runs: await removeRuns(sql, daysAgo(importRunDays)),
    audit: await removeAuditEntries(sql, daysAgo(auditDays)),
    reversals: await removeReversals(sql, daysAgo(reversalsDays)),
    throttles: await removeThrottles(sql, now),
    samples: await removeSamples(sql, now),
    workspaces: await finishDeletions(sql),
    ...(await removeExpiredAccess(sql, now)),
    ...(await removeUnusedClients(sql, { now, before: daysAgo(unusedClientDays) })),
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
