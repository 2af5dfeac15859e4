import { createClaims, createRecorder, type NotClaimed, recordSkip } from '../../db/tracking/checks.ts';
import { announceChecks } from '../notify/check-notifications.ts';
import type { Job, JobContext, JobItem } from '../queue/job.ts';
import { type Checked, checkItem } from '../tracking/check-item.ts';

const retryAfterSkipMs = 3_600_000;
/** Maximum number of checks at the same time. It is low, so that requests of users do not wait behind checks. */
const checksAtOnce = 10;

/**
 * The outcome to record when the check of a due item was not started. Nothing is recorded when the item was checked too
 * recently, paused or removed.
 */
const skips: Partial<Record<NotClaimed, string>> = {
  workspace_paused: 'SKIPPED_PAUSED',
  cap_reached: 'SKIPPED_CAP_REACHED',
  no_credits: 'SKIPPED_NO_CREDITS',
};

/** Checks due items. Up to `batch_size` items share their SQL statements. */
export const trackCheck: Job = {
  name: 'track-check',
  tick: null,
  batch_size: 50,
  // Longer than a full batch needs: 50 items, ten at a time, take at most five rounds of 25 seconds.
  expire_seconds: 180,
  retries: 3,
  async run(items, context) {
    const { db, now, sources } = context;
    // Does not use the process's abort signal: a check in progress finishes when the process stops, because its attempt is already
    // used.
    const { signal } = new AbortController();
    const deps = { now, sources, claim: createClaims(db.pipelined), record: createRecorder(db.pipelined) };
    const waiting = items.values();
    const failures: unknown[] = [];
    const check = async (item: JobItem) => {
      if (context.signal.aborted)
        throw new Error('the process is stopping: another process runs the checks that have not started');
      await recordSkipped(item, await checkItem({ ...idsOf(item), trigger: 'scheduled' }, deps, signal), context);
    };
    const worker = async () => {
      for (const item of waiting) await check(item).catch((error: unknown) => failures.push(error));
    };
    // Waits until all checks have ended, so that none is still running when the queue retries the failed ones.
    await Promise.all(Array.from({ length: checksAtOnce }, worker));
    if (failures.length > 0) throw failures[0];
    await announceChecks(context, items.map(idsOf));
  },
};

function idsOf({ data }: JobItem): { workspace_id: string; item_id: string; attempt_id: string } {
  const { workspace_id, item_id, attempt_id } = data;
  return { workspace_id: String(workspace_id), item_id: String(item_id), attempt_id: String(attempt_id) };
}

async function recordSkipped(item: JobItem, checked: Checked, { db, now }: JobContext): Promise<void> {
  const skip = checked.attempted ? undefined : skips[checked.reason];
  if (skip === undefined) return;
  const at = now();
  const retryAt = new Date(at.getTime() + retryAfterSkipMs);
  await recordSkip(db.sql, { ...idsOf(item), outcome: skip, now: at, retry_at: retryAt });
}
