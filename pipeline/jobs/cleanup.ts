import type { Sql } from 'postgres';
import { removeExpiredAccess } from '../../db/accounts/auth-cleanup.ts';
import { removeThrottles } from '../../db/accounts/throttle.ts';
import { removeDeliveries } from '../../db/deliveries/webhooks.ts';
import { removeExpired } from '../../db/requests/responses.ts';
import { removeAttempts } from '../../db/tracking/checks.ts';
import { deleteRemovedAttempts } from '../../db/tracking/items.ts';
import { removeObservations } from '../../db/tracking/observation-months.ts';
import type { Job } from '../queue/job.ts';
import { longestHistoryDays } from '../tiers.ts';

/** How long the log of ended webhook deliveries is kept. */
const deliveriesDays = 30;

/** Removes what can no longer be read: expired answers, history beyond the longest limit of any tier, ended deliveries, throttles and sessions; how many of each. */
export async function removeOld(sql: Sql, now: Date): Promise<Record<string, number>> {
  const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
  return {
    ...(await removeExpired(sql, now)),
    observations: await removeObservations(sql, daysAgo(longestHistoryDays)),
    attempts: await removeAttempts(sql, daysAgo(longestHistoryDays)),
    removed_attempts: await deleteRemovedAttempts(sql, now),
    deliveries: await removeDeliveries(sql, daysAgo(deliveriesDays)),
    throttles: await removeThrottles(sql, now),
    ...(await removeExpiredAccess(sql, now)),
  };
}

/** Hourly: removes what can no longer be read. */
export const cleanup: Job = {
  name: 'cleanup',
  tick: '23 * * * *',
  batch_size: 1,
  expire_seconds: 900,
  retries: 1,
  async run(_, { db, now, log }) {
    log.info(await removeOld(db.sql, now()), 'removed what expired');
  },
};
