import { fileStore } from '../platform/file-store.ts';
import { markCharacters } from './marks.ts';
import { propertyOf, setAll } from './saved.ts';

/** Marks in one property, which holds at most 9 KB. */
const marksPerProperty = 900;

/**
 * An unfinished run as it is saved in the file, so that any editor or the schedule can continue it. `total`: number of
 * entries when it started. `rows`: rows written. `lease`: who works on the next step, and until when no one else may.
 * `uncertain`: the marks of entries that may be charged although their rows were not written. `stopped`: why it waits for the
 * user. `marks`: number of entries that are finished or left out.
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
};

/** Returns the unfinished run of an import; null when it has none. */
export function findRun(importId: string): RunState | null {
  const text = fileStore().getProperty(propertyOf(importId, 'run'));
  return text === null ? null : (JSON.parse(text) as RunState);
}

/** Saves the run and the marks of entries that need no more requests, all or nothing. */
export function saveRun(importId: string, run: RunState, newMarks: readonly string[] = []): void {
  const values: Record<string, string> = {};
  let marks = run.marks;
  for (const mark of newMarks) {
    const name = marksProperty(importId, marks);
    values[name] = (values[name] ?? (marks % marksPerProperty === 0 ? '' : savedMarks(name))) + mark;
    marks += 1;
  }
  setAll({ ...values, [propertyOf(importId, 'run')]: JSON.stringify({ ...run, marks }) });
}

/** Returns the marks of all entries that need no more requests. */
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
