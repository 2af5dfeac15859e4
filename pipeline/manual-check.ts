import { createClaims, createRecorder } from '../db/checks.ts';
import { newId } from '../db/ids.ts';
import { announceChecks } from './check-news.ts';
import type { JobContext } from './jobs/job.ts';
import { type Checked, checkItem } from './tracking.ts';

/** A check that a person asked for: the same as a scheduled one, now. What it came to is announced as well. */
export async function checkByHand(
  item: { workspace_id: string; item_id: string },
  context: Pick<JobContext, 'db' | 'now' | 'queue' | 'sources'>,
  signal: AbortSignal,
): Promise<Checked> {
  const { db, now, sources } = context;
  const attempt = { ...item, attempt_id: newId(now()) };
  const deps = { now, sources, claim: createClaims(db.hot), record: createRecorder(db.hot) };
  const checked = await checkItem({ ...attempt, trigger: 'manual' }, deps, signal);
  if (checked.attempted) await announceChecks(context, [attempt]);
  return checked;
}
