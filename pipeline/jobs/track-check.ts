import { hourMs } from '../../db/durations.ts';
import { createCheckRecorder, createClaims, type NotClaimed } from '../../db/tracking/checks.ts';
import { createStopReasons, recordSkip, releaseClaim } from '../../db/tracking/waiting-checks.ts';
import { type ConcurrencyLimit, createConcurrencyLimit } from '../network/concurrency-limit.ts';
import { announceChecks } from '../notify/check-notifications.ts';
import type { Job, JobContext, JobItem } from '../queue/job.ts';
import { waitForAll } from '../queue/wait-for-all.ts';
import { type CheckDeps, type Checked, checkItem } from '../tracking/check-item.ts';

const retryAfterSkipMs = hourMs;
/**
 * Maximum number of tracked items (accounts and posts) of one platform that are fetched at the same time. The HTTP
 * client allows more requests to a host, so that these checks do not delay the requests of users.
 */
const checksPerPlatform = 6;

/**
 * The outcome to record when a scheduled check of a tracked item could not start. No outcome is recorded for other
 * reasons, such as an item that was checked too recently, paused or removed.
 */
const skips: Partial<Record<NotClaimed, string>> = {
  workspace_paused: 'SKIPPED_PAUSED',
  cap_reached: 'SKIPPED_CAP_REACHED',
  no_credits: 'SKIPPED_NO_CREDITS',
};

/**
 * Fetches the numbers of tracked items (accounts and posts) that are due or that a user selected. The checks of one run
 * share the SQL statements that reserve the items and store the results. Each platform has a separate limit of
 * simultaneous checks.
 */
export const trackCheck: Job = {
  name: 'track-check',
  schedule: null,
  items_per_run: 50,
  // With six items of one platform at a time, 50 items take at most nine rounds of 25 seconds.
  expire_seconds: 300,
  retries: 3,
  async run(items, context) {
    const { db, now, sources } = context;
    // A check that has started must finish even when the process stops: its item is already reserved for 24 hours, so
    // it could not be checked again today. Therefore checks get a signal that never aborts.
    const { signal } = new AbortController();
    const claim = createClaims(db.pipelined, db.patient);
    const record = createCheckRecorder(db.pipelined, db.patient);
    const stopReason = createStopReasons(db.pipelined, db.patient);
    const release: CheckDeps['release'] = (claimed, attemptId) => releaseClaim(db.sql, claimed, attemptId);
    const deps = { now, sources, claim, stopReason, release, record, inTurn: createTurns(context.signal) };
    const check = async (item: JobItem) => {
      throwIfStopping(context.signal);
      const trigger = item.data.trigger === 'manual' ? 'manual' : 'scheduled';
      const checked = await checkItem({ ...idsOf(item), trigger }, deps, signal);
      // Only a skipped scheduled check is recorded, because recording it delays the next scheduled check by an hour. A
      // skipped manual check must not cause this delay.
      if (trigger === 'scheduled') await recordSkipped(item, checked, context);
    };
    await waitForAll(items.map(check));
    await announceChecks(context, items.map(idsOf));
  },
};

/**
 * Returns the function that limits the simultaneous checks of each platform. When the process stops, the function
 * throws for checks that are still waiting to start.
 */
function createTurns(stopping: AbortSignal): NonNullable<CheckDeps['inTurn']> {
  const limits = new Map<string, ConcurrencyLimit>();
  return (platform, ask) => {
    const limit = limits.get(platform) ?? createConcurrencyLimit({ in_flight: checksPerPlatform, waiting: Infinity });
    limits.set(platform, limit);
    return limit(new AbortController().signal, () => {
      throwIfStopping(stopping);
      return ask();
    });
  };
}

function throwIfStopping({ aborted }: AbortSignal): void {
  if (aborted) throw new Error('The process is stopping. Another process will run the remaining checks.');
}

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
