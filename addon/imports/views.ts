import type { Estimate } from '../platform/page-replies.ts';
import type { KindName } from './kinds.ts';
import type { LastRun, PlannedColumn, SavedImport } from './saved-import.ts';

/** A run as the sidebar shows it. `done`: finished entries. `removed`: entries that users deleted during the run. */
export type RunView = {
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

/** An import in the list. `next`: the next scheduled run in Unix ms. `late`: why the schedule seems to have stopped. */
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
export type ImportReply = { ok: true; saved: SavedImport };
/** `wait_s`: seconds to wait before the next step. `stopped`: why the run cannot continue without the user. */
export type RunReply = { ok: true; run: RunView; wait_s: number | null; wait_reason: string; stopped: string | null };
/**
 * The cost of an import and the columns that it would write. `hidden`: number of entries left out. `skipped`: a sentence about cells that
 * are no URL; "" for none.
 */
export type ImportEstimate = Estimate & {
  formula: string;
  hidden: number;
  skipped: string;
  columns: PlannedColumn[];
};
