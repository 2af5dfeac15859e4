import { newId } from '../../db/ids.ts';
import { createClaims, createRecorder } from '../../db/tracking/checks.ts';
import { announceChecks } from '../notify/check-notifications.ts';
import type { JobContext } from '../queue/job.ts';
import { type Checked, checkItem } from './check-item.ts';

/** Checks an item immediately, by the same rules as a scheduled check, and sends the webhook events of the attempt. */
export async function checkByHand(
  item: { workspace_id: string; item_id: string },
  context: Pick<JobContext, 'db' | 'now' | 'queue' | 'sources'>,
  signal: AbortSignal,
): Promise<Checked> {
  const { db, now, sources } = context;
  const attempt = { ...item, attempt_id: newId(now()) };
  const deps = { now, sources, claim: createClaims(db.pipelined), record: createRecorder(db.pipelined) };
  const checked = await checkItem({ ...attempt, trigger: 'manual' }, deps, signal);
  if (checked.attempted) await announceChecks(context, [attempt]);
  return checked;
}
