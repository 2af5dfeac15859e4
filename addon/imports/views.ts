import type { Estimate } from '../platform/page-replies.ts';
import type { KindName } from './kinds.ts';
import type { LastRun, PlannedColumn, SavedImport } from './saved-import.ts';

/**
 * The progress of an import run, which the sidebar shows. `id`: the ID of the run, not of the import. `done`: number of
 * finished URLs or handles. `removed`: number of URLs or handles that users deleted from the sheet during the run.
 */
export type RunView = {
  id: string;
  total: number;
  done: number;
  ok: number;
  failed: number;
  removed: number;
  credits: number;
  hidden: number;
  skipped: string;
  finished: boolean;
};

/**
 * A saved import in the list of the sidebar. `next`: the next scheduled run in Unix ms. `late`: a sentence that says
 * why the schedule seems to have stopped; null when it works.
 */
export type ImportView = {
  id: string;
  version: number;
  name: string;
  kind: KindName;
  target: string;
  last: LastRun | null;
  schedule: { every_hours: number; weekday: number } | null;
  next: number | null;
  late: string | null;
  run: RunView | null;
  stopped: string | null;
};

export type ImportsReply = { ok: true; imports: ImportView[] };
/**
 * The answer to a save or a change of an import. `again`: true when an earlier call with the same ID had already made
 * the change, and its answer was lost.
 */
export type ChangeReply = ImportsReply & { again: boolean };
export type SaveReply = ChangeReply & { id: string };
export type ImportReply = { ok: true; saved: SavedImport };
/**
 * The answer to the sidebar after one step of an import run. `wait_s`: seconds to wait before the next step. `stopped`:
 * why the run cannot continue without the user.
 */
export type RunReply = { ok: true; run: RunView; wait_s: number | null; wait_reason: string; stopped: string | null };
/**
 * The estimated cost of an import, and the columns that the import would write. `hidden`: number of URLs or handles in
 * hidden rows, which are left out. `skipped`: a sentence about cells that contain no URL or handle; "" when there are
 * no such cells.
 */
export type ImportEstimate = Estimate & {
  formula: string;
  hidden: number;
  skipped: string;
  columns: PlannedColumn[];
};
