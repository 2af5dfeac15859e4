import { findFormula } from '../formulas/builder/formula-builder.ts';
import { maxAgeParameter } from '../formulas/max-age.ts';
import type { EstimateRoute } from '../formulas/offer.ts';
import { byPlatform, platformCode, readPlatform } from '../formulas/rows/handles.ts';
import { asObject, fetchAnswers, packRequests } from './client.ts';
import { failureSentence } from './failure-sentence.ts';
import { PlainError } from './page-call.ts';
import type { Estimate } from './page-replies.ts';
import { actionServer, network } from './platform.ts';

/** Maximum number of selected profiles. More of them would use up the API's rate limit for several minutes. */
export const rowsMax = 1_000;
/**
 * Maximum number of characters of the first selected text that the sidebar gets. A longer text is not a profile URL.
 */
const urlCharactersMax = 1_000;

/** One column of cells that the user selected, without the unused rows at the end of the sheet. */
export type Selection = {
  sheet: GoogleAppsScript.Spreadsheet.Sheet;
  row: number;
  column: number;
  /** The trimmed texts of the selected cells, from the first row to the last; "" for an empty cell. */
  cells: string[];
};

export type SelectionView = { ok: true; sheet: string; a1: string; urls: number; blank: number; first: string };

/**
 * Reads the given cells, or the cells that the user has selected.
 *
 * @throws PlainError when all of them are empty or they are in more than one column.
 */
export function readSelection(area: unknown = null): Selection {
  const range = area === null ? SpreadsheetApp.getActiveSpreadsheet().getActiveRange() : rangeOf(area);
  if (range === null) throw new PlainError('Select the cells with the profile URLs in the sheet.');
  const sheet = range.getSheet();
  const rows = Math.min(range.getNumRows(), sheet.getLastRow() - range.getRow() + 1);
  if (range.getNumColumns() > 1) throw new PlainError('Select one column of profile URLs, such as A2:A50.');
  if (rows < 1) throw new PlainError('The selected cells are empty. Select the cells with the profile URLs.');
  const values = sheet.getRange(range.getRow(), range.getColumn(), rows, 1).getValues();
  const cells = values.map(([value]) => String(value ?? '').trim());
  if (cells.every((cell) => cell === '')) {
    throw new PlainError('The selected cells are empty. Select the cells with the profile URLs.');
  }
  return { sheet, row: range.getRow(), column: range.getColumn(), cells };
}

function rangeOf(area: unknown): GoogleAppsScript.Spreadsheet.Range {
  const { sheet: name, a1 } = asObject(area) ?? {};
  const sheet = SpreadsheetApp.getActiveSpreadsheet().getSheetByName(String(name));
  if (sheet === null) throw new PlainError('The sheet of the picked cells no longer exists. Pick the cells again.');
  return sheet.getRange(String(a1));
}

/** Returns the profile URLs or handles in the cells, without repeats. @throws PlainError when there are too many. */
export function profilesIn(cells: readonly string[]): string[] {
  const profiles = [...new Set(cells.filter((cell) => cell !== ''))];
  if (profiles.length > rowsMax) {
    throw new PlainError(`${profiles.length} profiles are selected; the limit is ${rowsMax}. Select fewer rows.`);
  }
  return profiles;
}

/** Returns the selected cells, with the number of URLs in them, for the sidebar. */
export function viewSelection(): SelectionView {
  const { sheet, row, column, cells } = readSelection();
  const urls = profilesIn(cells);
  return {
    ok: true,
    sheet: sheet.getName(),
    a1: sheet.getRange(row, column, cells.length, 1).getA1Notation(),
    urls: urls.length,
    blank: cells.filter((cell) => cell === '').length,
    first: (urls[0] ?? '').slice(0, urlCharactersMax),
  };
}

/**
 * Estimates the credits that a formula would cost for the URLs in the given cells. The estimate is free.
 *
 * @throws PlainError when the formula is free or the cells are not usable.
 */
export function estimateSelection(
  maxAge: unknown,
  area: unknown,
  formula: unknown = 'SOCIAL_PROFILE',
  limit: unknown = '',
  platform: unknown = '',
): Estimate {
  const kind = findFormula(String(formula))?.estimate ?? null;
  if (kind === null) throw new PlainError('This formula costs no credits.');
  const entries = profilesIn(readSelection(area).cells);
  const handlesOn = readPlatform(platform, entries);
  return estimateEntries(kind, entries, maxAge, limit, handlesOn && platformCode(handlesOn.name));
}

/**
 * Estimates the credits that these URLs and handles would cost. The estimate is free. `platform`: the platform of the
 * handles; null when all entries are URLs.
 */
export function estimateEntries(
  kind: EstimateRoute,
  entries: readonly string[],
  maxAge: unknown,
  limit: unknown,
  platform: string | null,
): Estimate {
  const server = actionServer();
  const sent = entries.slice(0, kind.rows_max);
  const head = headOf(kind, server.origin, maxAge, limit);
  const requests = byPlatform(sent, platform).flatMap(
    ({ texts, parameter }) => packRequests(head + parameter, { ...kind, name: 'url' }, texts).requests,
  );
  const urls = requests.map(({ url }) => url);
  const answers = server.key === null ? [] : fetchAnswers(urls, server.key, server.network);
  const sum = { cost_min: 0, cost_max: entries.length * kind.most, cached_rows: 0, unreadable_rows: 0 };
  let note: string | null = server.key === null ? 'Connect a key to see which rows are already paid for.' : null;
  answers.forEach((answer, index) => {
    const data = answer.ok ? asObject(answer.data) : null;
    if (typeof data?.cost !== 'number') {
      note = answer.ok ? 'The server did not return the cost. Try again in a minute.' : failureSentence(answer.failure);
      return;
    }
    sum.cost_min += data.cost;
    sum.cost_max += data.cost - (requests[index]?.values.length ?? 0) * kind.most;
    sum.cached_rows += Number(data.cached_rows ?? 0);
    sum.unreadable_rows += Number(data.unreadable_rows ?? 0);
  });
  if (entries.length > sent.length) note ??= `Only the first ${kind.rows_max} rows were checked.`;
  return { ok: true, rows: entries.length, ...sum, note };
}

function headOf({ route }: EstimateRoute, origin: string, maxAge: unknown, limit: unknown): string {
  const ofPosts = route === 'posts' && /^\d{1,2}$/.test(String(limit)) ? `&limit=${String(limit)}` : '';
  return `${origin}/v1/workflows/${route}?estimate=true&${maxAgeParameter(maxAge, network.now())}${ofPosts}`;
}
