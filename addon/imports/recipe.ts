import { maxAges } from '../formulas/max-age.ts';
import { asObject } from '../platform/client.ts';
import { PlainError } from '../platform/page-call.ts';
import { choosableFields, kindNames } from './kinds.ts';
import { type Choice, importModes, importPlatforms, type Source, scheduleHours, type Target } from './saved-import.ts';

const maxNameCharacters = 80;
const maxPosts = 20;

/**
 * Checks the values of the import form that the sidebar sent, and returns them.
 *
 * @throws PlainError with a sentence about the first value that is missing or not usable.
 */
export function readChoice(input: unknown): Choice {
  const submitted = asObject(input) ?? {};
  const kind = oneOf(submitted.kind, kindNames, 'Choose what to import.');
  const source = readSource(submitted.source);
  const target = readTarget(submitted.target);
  const mode = oneOf(submitted.mode, importModes, 'Choose how to write the rows.');
  if (target === 'beside' && (kind === 'latest' || 'list' in source || mode !== 'replace')) {
    throw new PlainError(
      'Rows can be written beside the links only if the links are in cells and each gets one row. Choose a cell for the table instead.',
    );
  }
  const wanted = Array.isArray(submitted.fields) ? [...new Set(submitted.fields.map(String))] : [];
  const fields = wanted.filter((field) => choosableFields(kind).includes(field));
  if (fields.length === 0) throw new PlainError('Tick at least one column.');
  const platform = submitted.platform === '' || submitted.platform === null ? null : submitted.platform;
  return {
    name:
      String(submitted.name ?? '')
        .trim()
        .slice(0, maxNameCharacters) || 'Import',
    ...{ kind, source, target, mode, fields },
    platform: platform === null ? null : oneOf(platform, importPlatforms, 'Choose the platform of the handles.'),
    limit: kind === 'latest' ? readLimit(submitted.limit) : null,
    max_age: oneOf(submitted.max_age, maxAges, 'Choose the maximum age of the data.'),
    with_hidden: submitted.with_hidden === true,
  };
}

function oneOf<T>(value: unknown, known: readonly T[], sentence: string): T {
  const found = known.find((one) => one === value);
  if (found === undefined) throw new PlainError(sentence);
  return found;
}

function readSource(input: unknown): Source {
  const submitted = asObject(input) ?? {};
  if (Array.isArray(submitted.list)) {
    const list = submitted.list.map((entry) => String(entry).trim()).filter((entry) => entry !== '');
    if (list.length === 0) throw new PlainError('Type at least one link, one on each line.');
    return { list: [...new Set(list)] };
  }
  const cells = asObject(submitted.cells);
  if (cells === null) throw new PlainError('Select the cells with the links, or type a list.');
  const picked = { sheet: String(cells.sheet), a1: String(cells.a1), open: cells.open === true };
  return { cells: picked, heading: submitted.heading === true };
}

function readTarget(input: unknown): Target {
  const submitted = asObject(input);
  if (submitted === null) return 'beside';
  const [sheet, a1] = [String(submitted.sheet ?? '').trim(), String(submitted.a1 ?? 'A1').toUpperCase()];
  if (sheet === '') throw new PlainError('Enter the name of the sheet for the rows.');
  if (!/^[A-Z]{1,3}[1-9]\d{0,6}$/.test(a1)) throw new PlainError('Enter one cell for the first heading, such as A1.');
  return { sheet, a1 };
}

function readLimit(input: unknown): number | null {
  const text = String(input ?? '').trim();
  if (text === '') return null;
  const limit = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > maxPosts)
    throw new PlainError(`The number of posts for each profile must be a whole number from 1 to ${maxPosts}.`);
  return limit;
}

/** Checks the schedule of an import that the sidebar sent, and returns it; null for no schedule. */
export function readScheduleChoice(input: unknown): { every_hours: number; weekday: number } | null {
  const submitted = asObject(input);
  if (submitted === null) return null;
  const everyHours = oneOf(
    submitted.every_hours,
    scheduleHours,
    `Choose an interval of ${scheduleHours.join(', ')} hours.`,
  );
  return {
    every_hours: everyHours,
    weekday: oneOf(submitted.weekday ?? 1, [0, 1, 2, 3, 4, 5, 6], 'Choose a weekday.'),
  };
}
