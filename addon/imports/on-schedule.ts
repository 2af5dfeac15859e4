import { minuteMs } from '../durations.ts';
import { network } from '../platform/platform.ts';
import { refreshIsDue } from '../refresh/schedule.ts';
import { refreshOnSchedule } from '../refresh/sheet-scheduled.ts';
import { runDueImports } from './scheduled.ts';

/** Milliseconds that one execution of a trigger may take. Google stops an execution after six minutes. */
const triggerMs = 5.5 * minuteMs;

/**
 * Runs the scheduled work of this user that is due in this spreadsheet: the refresh, then the imports.
 *
 * @throws Error when an import failed. The log of the spreadsheet already contains the failure. The error makes Google
 * notify the user about the failed trigger.
 */
export function runOnSchedule(): void {
  const untilMs = network.now() + triggerMs;
  if (refreshIsDue()) refreshOnSchedule();
  const failures = runDueImports(untilMs);
  if (failures.length > 0) throw new Error(failures.join('\n'));
}
