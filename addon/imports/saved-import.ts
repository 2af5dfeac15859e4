import type { MaxAge } from '../formulas/max-age.ts';
import type { KindName } from './kinds.ts';

/**
 * The ways in which an import run can write its rows. `replace` overwrites the results of the previous run. `append`
 * adds rows below the earlier ones. `update` keeps one row for each account or post, which it recognizes by its ID.
 */
export const importModes = ['replace', 'append', 'update'] as const;
type ImportMode = (typeof importModes)[number];

export const importPlatforms = ['photo', 'shortvideo', 'longvideo'] as const;
type PlatformName = (typeof importPlatforms)[number];

/** The allowed intervals of an import schedule in hours; 168 means once a week. */
export const scheduleHours = [1, 2, 4, 6, 8, 12, 24, 168];

/** The cells that an import reads. `open`: true when the range continues to the end of the sheet, such as A2:A. */
export type Cells = { sheet: string; a1: string; open: boolean };
/**
 * The source of the URLs or handles of an import: cells of a sheet, or a list that the user typed. `heading`: true when
 * the first cell is a heading.
 */
export type Source = { cells: Cells; heading: boolean } | { list: string[] };
/**
 * The target of the rows of an import: the columns to the right of the URLs, or a table that begins at the given cell.
 * A missing sheet is added.
 */
export type Target = 'beside' | { sheet: string; a1: string };
/** A column of the table that an import writes: the field, and the heading of the column in the sheet. */
export type BoundColumn = { field: string; heading: string };
/**
 * The column of the sheet that an import will write a field into; the first column is 1. `is_new`: true when the add-on
 * must write the heading.
 */
export type PlannedColumn = { field: string; heading: string; column: number; is_new: boolean };
/**
 * The schedule of an import. `weekday`: for a weekly schedule; 0 is Sunday. `by`: the user whose trigger and API key
 * run the import. `last_ms`: the start of the last run in Unix ms.
 */
export type Schedule = { every_hours: number; weekday: number; by: string; last_ms: number };

/** The values that a user chose in the sidebar for one import. */
export type Choice = {
  name: string;
  kind: KindName;
  source: Source;
  platform: PlatformName | null;
  fields: string[];
  limit: number | null;
  mode: ImportMode;
  target: Target;
  max_age: MaxAge;
  with_hidden: boolean;
};

/**
 * The result of the last run of an import. `rows`: number of rows below the headings that the next run in the mode
 * `replace` may overwrite or clear. `run`: the ID of the run when it is finished; null when it was cancelled.
 */
export type LastRun = {
  at: number;
  ok: number;
  failed: number;
  credits: number;
  message: string;
  rows: number;
  run: string | null;
};

/**
 * An import as it is saved in the properties of the spreadsheet. `columns`: null until the first run has found or
 * written the headings. `form`: the ID of the open sidebar form that saved this version; null when
 * something else saved it.
 */
export type SavedImport = Choice & {
  id: string;
  version: number;
  form: string | null;
  columns: BoundColumn[] | null;
  schedule: Schedule | null;
  last: LastRun | null;
};
