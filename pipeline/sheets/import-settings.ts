import { isDay } from '../../db/calendar.ts';
import type { BatchKind } from '../../db/deliveries/batches.ts';
import type { ImportMode, ImportSettings } from '../../db/deliveries/sheet-imports.ts';
import { daySeconds, hourSeconds } from '../../db/durations.ts';
import { rowKinds } from '../batches/row-requests.ts';
import { cacheAges } from '../collect/cache-ages.ts';
import { defaultLimit, maxLimit } from '../collect/page.ts';
import { isOneLine } from '../parse/text.ts';
import { platforms } from '../rows/profile-address.ts';
import { isPermissionTab } from './permission-tab.ts';
import { type CellPosition, cornersOf, readCell, readSheetRange } from './ranges.ts';
import { isSheetName, maxSheetNameLength, readSpreadsheet, reservedTab } from './targets.ts';
import { idColumns } from './update-rows.ts';

/** The settings of a sheet import as a user typed them into the form. A field that the user left empty is ''. */
export interface ImportInput {
  label: string;
  spreadsheet: string;
  source_range: string;
  source_list: string;
  include_hidden: boolean;
  kind: string;
  platform: string;
  posts_each: string;
  /** Names of the columns to write, separated by commas. Empty: all columns. */
  fields: string;
  target_sheet: string;
  target_cell: string;
  mode: string;
  max_age: string;
  schedule: string;
  /** Time of the next scheduled run in UTC, such as `2026-11-23T06:00`. */
  next_run: string;
  monthly_cap: string;
}

/**
 * Maps each schedule of a sheet import to the number of seconds between two runs. Null: runs start only when a user
 * starts them.
 */
export const schedules: Readonly<Record<string, number | null>> = {
  manual: null,
  hourly: hourSeconds,
  six_hours: 21_600,
  daily: daySeconds,
  weekly: 7 * daySeconds,
};
/** Maps each choice for the maximum age of a cached answer to seconds. Data older than that is fetched again. */
export const maxAges: Readonly<Record<string, number>> = {
  new: 0,
  ...cacheAges,
};
export const maxLabelLength = 80;
const maxRangeLength = 200;
/** Maximum number of characters in a typed list of links, which a user can enter instead of a range of cells. */
const maxListLength = 200_000;
const maxCap = 1_000_000_000;
const modes: readonly string[] = ['replace', 'append', 'update'] satisfies ImportMode[];

/** Error about the settings of a sheet import. `message` tells the user which setting to change. */
export class ImportSettingsError extends Error {
  override readonly name = 'ImportSettingsError';
  /** The field of the import form that is invalid. */
  readonly field: keyof ImportInput;

  constructor(field: keyof ImportInput, message: string) {
    super(message);
    this.field = field;
  }
}

function requireThat(condition: boolean, field: keyof ImportInput, message: string): asserts condition {
  if (!condition) throw new ImportSettingsError(field, message);
}

/** Validates the settings of a sheet import and returns them in the form to store. Throws ImportSettingsError. */
export function readImportSettings(input: ImportInput, now: Date): ImportSettings {
  const { label, spreadsheet, include_hidden, kind, mode, target_sheet } = input;
  const spreadsheetId = readSpreadsheet(spreadsheet);
  requireThat(isText(label, maxLabelLength), 'label', `Enter a name of 1 to ${maxLabelLength} characters.`);
  requireThat(
    spreadsheetId !== null,
    'spreadsheet',
    'This is not a Google spreadsheet: enter its link from the browser, or its ID.',
  );
  requireThat(isKind(kind), 'kind', 'Choose what to import: profiles, posts or latest posts.');
  requireThat(modes.includes(mode), 'mode', 'Choose how rows are written: replace, add or update.');
  requireThat(
    isSheetName(target_sheet),
    'target_sheet',
    `The name of the tab to write into needs 1 to ${maxSheetNameLength} characters, without spaces at its ends.`,
  );
  requireThat(!isPermissionTab(target_sheet), 'target_sheet', reservedTab);
  const cell = readCell(input.target_cell);
  requireThat(cell !== null, 'target_cell', 'The cell to write into is not a cell: enter one such as C1.');
  const fields = readFields(input, kind);
  requireThat(
    !coversLinks(input.source_range, { sheet_name: target_sheet, cell, width: fields.length }),
    'target_cell',
    'The table would cover the cells with the links: enter another cell or tab for the table.',
  );
  return {
    label,
    spreadsheet_id: spreadsheetId,
    ...readSource(input),
    include_hidden,
    kind,
    platform: readPlatform(input, kind),
    posts_each: readPostsEach(input, kind),
    fields,
    target_sheet,
    target_cell: input.target_cell.trim().replaceAll('$', '').toUpperCase(),
    mode: mode as ImportMode,
    max_age_seconds: readMaxAge(input),
    ...readSchedule(input, now),
    monthly_cap: readCap(input),
  };
}

/**
 * Returns true when a table would cover the first column of the range of links, so that each run would be charged but
 * could not write. `width`: the number of columns of the table.
 */
function coversLinks(sourceRange: string, table: { sheet_name: string; cell: CellPosition; width: number }): boolean {
  const range = readSheetRange(sourceRange);
  if (range?.sheet_name !== table.sheet_name) return false;
  const [first, last] = cornersOf(range.cells);
  const { row, column } = table.cell;
  const lastRow = last === null ? first.row : last.row;
  const hasColumn = first.column >= column && first.column < column + table.width;
  return hasColumn && (first.row ?? 1) <= row + 1 && (lastRow ?? Number.POSITIVE_INFINITY) >= row;
}

function readSource({ source_range, source_list }: ImportInput) {
  requireThat(
    (source_range === '') !== (source_list === ''),
    'source_range',
    'Enter either the cells with the links, such as Sheet1!A2:A, or a list of links.',
  );
  if (source_list !== '') {
    requireThat(
      source_list.length <= maxListLength,
      'source_list',
      `The list is longer than ${maxListLength} characters: use a range.`,
    );
    return { source_range: null, source_list };
  }
  const range = source_range.length <= maxRangeLength ? readSheetRange(source_range) : null;
  requireThat(
    range !== null,
    'source_range',
    'The range is not valid: enter the tab and the cells, such as Sheet1!A2:A.',
  );
  return { source_range, source_list: null };
}

function readPlatform({ platform }: ImportInput, kind: BatchKind): string | null {
  if (platform === '') return null;
  requireThat(
    (platforms as readonly string[]).includes(platform),
    'platform',
    'Choose Instagram, TikTok or YouTube as the platform.',
  );
  requireThat(kind !== 'posts', 'platform', 'Posts need links: choose no platform.');
  return platform;
}

function readPostsEach({ posts_each }: ImportInput, kind: BatchKind): number | null {
  if (kind !== 'latest_posts') return null;
  const number = posts_each.trim() === '' ? defaultLimit : Number(posts_each);
  requireThat(
    Number.isInteger(number) && number >= 1 && number <= maxLimit,
    'posts_each',
    `Choose 1 to ${maxLimit} posts for each profile.`,
  );
  return number;
}

/**
 * Returns the names of the columns that an import writes. The first column is always `url`, because every row has a
 * URL.
 */
function readFields({ fields, mode }: ImportInput, kind: BatchKind): string[] {
  const { columns } = rowKinds[kind];
  const names = fields.split(',').map((name) => name.trim());
  const chosen = fields.trim() === '' ? columns : ['url', ...names.filter((name) => name !== '' && name !== 'url')];
  const unknown = chosen.find((name) => !columns.includes(name));
  requireThat(unknown === undefined, 'fields', `${unknown} is not a column: choose from ${columns.join(', ')}.`);
  const id = idColumns[kind];
  requireThat(
    mode !== 'update' || chosen.includes(id),
    'mode',
    `Updating rows needs the column ${id}: add it to the columns.`,
  );
  return [...new Set(chosen)];
}

function readMaxAge({ max_age }: ImportInput): number {
  const seconds = Object.hasOwn(maxAges, max_age) ? maxAges[max_age] : undefined;
  requireThat(seconds !== undefined, 'max_age', 'Choose how old cached answers may be.');
  return seconds;
}

function readSchedule({ schedule, next_run }: ImportInput, now: Date) {
  const every = Object.hasOwn(schedules, schedule) ? schedules[schedule] : undefined;
  requireThat(every !== undefined, 'schedule', 'Choose how often the import runs.');
  if (every === null) return { every_seconds: null, next_run_at: null };
  if (next_run === '') return { every_seconds: every, next_run_at: now };
  const isTime = /^.{10}T\d\d:\d\d$/.test(next_run) && isDay(next_run.slice(0, 10));
  const at = new Date(isTime ? `${next_run}Z` : Number.NaN);
  const latest = now.getTime() + 366 * daySeconds * 1_000;
  requireThat(
    at.getTime() <= latest,
    'next_run',
    'The time of the next run is not a time within a year: enter a date and a time.',
  );
  return { every_seconds: every, next_run_at: at };
}

function readCap({ monthly_cap }: ImportInput): number | null {
  if (monthly_cap === '') return null;
  const cap = Number(monthly_cap);
  requireThat(
    /^\d+$/.test(monthly_cap) && cap <= maxCap,
    'monthly_cap',
    'The monthly cap must be a whole number of credits.',
  );
  return cap;
}

function isText(text: string, maxLength: number): boolean {
  return text !== '' && text.length <= maxLength && isOneLine(text);
}

function isKind(kind: string): kind is BatchKind {
  return Object.hasOwn(rowKinds, kind);
}
