import { failureSentence } from '../platform/failure-sentence.ts';
import { PlainError } from '../platform/page-call.ts';
import { network } from '../platform/platform.ts';
import { recordRun } from '../platform/runs.ts';
import { isAuthorized } from '../refresh/schedule.ts';
import { claimDue, isDue, isOwn } from './due.ts';
import { continueRun, startDueRun } from './run.ts';
import { findRun } from './run-state.ts';
import { savedImports } from './saved.ts';
import type { SavedImport } from './saved-import.ts';

/**
 * Approximate maximum time, in milliseconds, of one step of an import run. No step is started when less time is left.
 */
const stepMs = 40_000;

/**
 * Runs this user's scheduled imports that are due. Also continues runs that an earlier execution of the trigger had no
 * time to finish.
 *
 * @param untilMs the time, in Unix ms, after which Google may stop the execution.
 * @returns one sentence for each import that failed.
 */
export function runDueImports(untilMs: number): string[] {
  if (!isAuthorized()) return [];
  const failures: string[] = [];
  for (const saved of savedImports().filter(mustRun)) {
    const failure = runImport(saved, untilMs);
    if (failure === null) continue;
    recordRun({ what: `Import “${saved.name}”`, rows: 0, ok: 0, failed: 1, credits: null, message: failure });
    failures.push(`${saved.name}: ${failure}`);
  }
  return failures;
}

/**
 * Returns true when the trigger must run an import: it is due, or its last scheduled run is unfinished. A run that
 * waits for the user is tried again only when the import is due, not each time the trigger runs.
 */
function mustRun(saved: SavedImport): boolean {
  if (!isOwn(saved.schedule)) return false;
  const run = findRun(saved.id);
  return isDue(saved) || (run?.by_schedule === true && run.stopped === null);
}

/**
 * Runs an import until it is finished or the time of the trigger is over. Returns why the import failed; null when it
 * did not fail.
 */
function runImport(saved: SavedImport, untilMs: number): string | null {
  let runId: string | null = null;
  try {
    runId = startDueRun(saved.id, () => claimDue(saved.id))?.id ?? null;
    if (runId === null) return null;
    while (network.now() + stepMs < untilMs) {
      const { run, finished, wait_ms } = continueRun(saved.id, runId);
      if (finished || run.cancelled) return null;
      if (run.stopped !== null) return run.stopped;
      if (wait_ms !== null) network.sleep(Math.min(wait_ms, Math.max(0, untilMs - network.now())));
    }
    noteContinuation(saved);
    return null;
  } catch (error) {
    // A user finished or cancelled the run in the sidebar, which is not a failure of the schedule.
    if (runId !== null && findRun(saved.id)?.id !== runId) return null;
    return error instanceof PlainError ? error.message : failureSentence({ code: 'INTERNAL', message: String(error) });
  }
}

function noteContinuation({ id, name }: SavedImport): void {
  const run = findRun(id);
  if (run === null) return;
  const { ok, failed, credits, entries, total } = run;
  const message = `${entries} of ${total} are done. The import continues with the next run, in about an hour.`;
  recordRun({ what: `Import “${name}”`, rows: ok + failed, ok, failed, credits, message });
}
