import { network } from '../platform/platform.ts';
import { refreshIsDue } from '../refresh/schedule.ts';
import { refreshOnSchedule } from '../refresh/sheet-scheduled.ts';
import { runDueImports } from './scheduled.ts';

/** Milliseconds that a trigger may run. Google stops it after six minutes. */
const triggerMs = 5.5 * 60_000;

/**
 * Runs what is due for this user in this file: the refresh, then the imports.
 *
 * @throws Error when an import failed. The log already contains the failure. The error is thrown so that Google can notify
 * the user of the failed trigger.
 */
export function runOnSchedule(): void {
  const untilMs = network.now() + triggerMs;
  if (refreshIsDue()) refreshOnSchedule();
  const failures = runDueImports(untilMs);
  if (failures.length > 0) throw new Error(failures.join('\n'));
}
