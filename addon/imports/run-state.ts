import { fileStore } from '../platform/file-store.ts';
import { network } from '../platform/platform.ts';
import { markCharacters } from './marks.ts';
import { propertyOf, setFileProperties } from './saved.ts';
import type { RunView } from './views.ts';

/** Number of marks (short hashes of URLs or handles) in one property. Apps Script stores at most 9 KB in a property. */
const marksPerProperty = 900;

/**
 * An unfinished run of an import. It is saved in the properties of the spreadsheet, so that any editor or the schedule
 * can continue it. An entry is one URL or handle.
 *
 * `total`: number of entries when the run started. `entries`: number of entries with an answer. `rows`: number of rows
 * written. `lease`: the window that works on the next step, and the time until which no other window may work on it.
 * `uncertain`: the marks of entries that may have been charged although their rows were not written. `stopped`: why the
 * run waits for the user; null when it does not wait. `marks`: number of entries that are finished or in hidden rows.
 * `cancelled`: true when a user cancelled the run during a step; the run ends after this step.
 */
export type RunState = {
  id: string;
  by_schedule: boolean;
  started_ms: number;
  total: number;
  hidden: number;
  skipped: string;
  ok: number;
  failed: number;
  credits: number;
  rows: number;
  entries: number;
  marks: number;
  lease: { by: string; until_ms: number } | null;
  uncertain: string[];
  stopped: string | null;
  cancelled?: boolean;
};

/** The error for a run that no longer exists, even when the import has a newer run. */
export const runEnded =
  'This run was finished or cancelled in another window. Open the list of imports to see its result.';

/** Returns true while a window works on a step of this run. No other window may then work on the run. */
export function isInStep({ lease }: RunState): boolean {
  return lease !== null && lease.until_ms > network.now();
}

/** Returns the unfinished run of an import; null when the import has no such run. */
export function findRun(importId: string): RunState | null {
  const text = fileStore().getProperty(propertyOf(importId, 'run'));
  return text === null ? null : (JSON.parse(text) as RunState);
}

/**
 * Saves an import run together with the marks of entries (URLs or handles) that need no more requests. Google stores
 * either all of this or nothing.
 */
export function saveRun(importId: string, run: RunState, newMarks: readonly string[] = []): void {
  const values: Record<string, string> = {};
  let marks = run.marks;
  for (const mark of newMarks) {
    const name = marksProperty(importId, marks);
    values[name] = (values[name] ?? (marks % marksPerProperty === 0 ? '' : savedMarks(name))) + mark;
    marks += 1;
  }
  setFileProperties({ ...values, [propertyOf(importId, 'run')]: JSON.stringify({ ...run, marks }) });
}

/** Returns the marks of all entries (URLs or handles) of an import run that need no more requests. */
export function finishedMarks(importId: string, { marks }: RunState): Set<string> {
  const finished = new Set<string>();
  for (let first = 0; first < marks; first += marksPerProperty) {
    const text = savedMarks(marksProperty(importId, first));
    for (let at = 0; at < text.length; at += markCharacters) finished.add(text.slice(at, at + markCharacters));
  }
  return finished;
}

function marksProperty(importId: string, index: number): string {
  return propertyOf(importId, `run_${Math.floor(index / marksPerProperty)}`);
}

function savedMarks(name: string): string {
  return fileStore().getProperty(name) ?? '';
}

/** Returns the state of a run as the sidebar shows it. */
export function runView(
  { id, total, entries, ok, failed, credits, hidden, skipped }: RunState,
  finished: boolean,
): RunView {
  const removed = finished ? total - entries : 0;
  return { id, total, done: entries, ok, failed, removed, credits, hidden, skipped, finished };
}
