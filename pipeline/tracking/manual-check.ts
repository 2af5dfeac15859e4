import { newId } from '../../db/ids.ts';
import { createCheckRecorder, createClaims } from '../../db/tracking/checks.ts';
import { createStopReasons, releaseClaim } from '../../db/tracking/waiting-checks.ts';
import { announceChecks } from '../notify/check-notifications.ts';
import type { JobContext } from '../queue/job.ts';
import { type CheckDeps, type Checked, checkItem } from './check-item.ts';

/**
 * Fetches the current numbers of a tracked item immediately, on a user's request. The rules of scheduled checks apply,
 * for example at most one check in 24 hours. Sends the webhook events of the check.
 */
export async function checkByHand(
  item: { workspace_id: string; item_id: string },
  context: Pick<JobContext, 'db' | 'now' | 'queue' | 'sources'>,
  signal: AbortSignal,
): Promise<Checked> {
  const { db, now, sources } = context;
  const attempt = { ...item, attempt_id: newId(now()) };
  const claim = createClaims(db.pipelined, db.apart);
  const record = createCheckRecorder(db.pipelined, db.apart);
  const stopReason = createStopReasons(db.pipelined, db.apart);
  const release: CheckDeps['release'] = (claimed, attemptId) => releaseClaim(db.sql, claimed, attemptId);
  const deps = { now, sources, claim, stopReason, release, record };
  const checked = await checkItem({ ...attempt, trigger: 'manual' }, deps, signal);
  if (checked.attempted) await announceChecks(context, [attempt]);
  return checked;
}
