import { newId } from '../../db/ids.ts';
import { ensureMonths } from '../../db/observations/months.ts';
import type { Tier } from '../../db/tier.ts';
import { type DueItem, dueItems } from '../../db/tracking/items.ts';
import type { Job, JobItem } from '../queue/job.ts';
import { tiers } from '../tiers.ts';

/**
 * Milliseconds before its due time at which the check of a tracked item is queued. The check still starts at the due
 * time. Without this lead time, daily checks would start a little later every day.
 */
const leadMs = 60_000;
const daily = (Object.keys(tiers) as Tier[]).filter((tier) => tiers[tier].daily_checks);

/**
 * Every minute, queues the checks of tracked items (accounts and posts) that are due, including those that became due
 * while no process was running. Does not queue a check twice.
 */
export const trackSweep: Job = {
  name: 'track-sweep',
  schedule: '* * * * *',
  items_per_run: 1,
  expire_seconds: 120,
  retries: 0,
  async run(_, { db, now, queue }) {
    const at = now();
    await ensureMonths(db.sql, at);
    const due = await dueItems(db.sql, at, new Date(at.getTime() + leadMs), daily);
    await queue.send(
      'track-check',
      due.map((item) => checkOf(item, at)),
    );
  },
};

function checkOf({ workspace_id, item_id, attempt_id, due_at }: DueItem, at: Date): JobItem {
  const data = { workspace_id, item_id, attempt_id: attempt_id ?? newId(at) };
  return { key: item_id, data, ...(due_at > at && { start_after: due_at }) };
}
