import { createClaims, createRecorder, type NotClaimed, recordSkip } from '../../db/tracking/checks.ts';
import { announceChecks } from '../notify/check-notifications.ts';
import type { Job, JobContext, JobItem } from '../queue/job.ts';
import { type Checked, checkItem } from '../tracking/check-item.ts';

const retryAfterSkipMs = 3_600_000;
/** Few enough to leave the platforms' queues room for the requests of people. */
const checksAtOnce = 10;

/** Why a due item was not attempted, as it is recorded. An item that is too early, paused or gone was simply not due. */
const skips: Partial<Record<NotClaimed, string>> = {
  workspace_paused: 'SKIPPED_PAUSED',
  cap_reached: 'SKIPPED_CAP_REACHED',
  no_credits: 'SKIPPED_NO_CREDITS',
};

/** Checks due items; those taken together share their statements. */
export const trackCheck: Job = {
  name: 'track-check',
  tick: null,
  batch_size: 50,
  // Longer than all of a batch can take: five turns of at most 25 seconds each.
  expire_seconds: 180,
  retries: 3,
  async run(items, context) {
    const { db, now, sources } = context;
    // A check under way is finished when the process is asked to stop: its attempt is already used up.
    const { signal } = new AbortController();
    const deps = { now, sources, claim: createClaims(db.hot), record: createRecorder(db.hot) };
    const waiting = items.values();
    const failures: unknown[] = [];
    const check = async (item: JobItem) => {
      if (context.signal.aborted) throw new Error('the process stops: checks that were not begun are left to others');
      await after(item, await checkItem({ ...idsOf(item), trigger: 'scheduled' }, deps, signal), context);
    };
    const worker = async () => {
      for (const item of waiting) await check(item).catch((error: unknown) => failures.push(error));
    };
    // All of them come to their end before any is tried again.
    await Promise.all(Array.from({ length: checksAtOnce }, worker));
    if (failures.length > 0) throw failures[0];
    await announceChecks(context, items.map(idsOf));
  },
};

function idsOf({ data }: JobItem): { workspace_id: string; item_id: string; attempt_id: string } {
  const { workspace_id, item_id, attempt_id } = data;
  return { workspace_id: String(workspace_id), item_id: String(item_id), attempt_id: String(attempt_id) };
}

async function after(item: JobItem, checked: Checked, { db, now }: JobContext): Promise<void> {
  const skip = checked.attempted ? undefined : skips[checked.reason];
  if (skip === undefined) return;
  const at = now();
  const retryAt = new Date(at.getTime() + retryAfterSkipMs);
  await recordSkip(db.sql, { ...idsOf(item), outcome: skip, now: at, retry_at: retryAt });
}
