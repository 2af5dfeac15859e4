import { readMaxAge } from '../formulas/max-age.ts';
import { askAll, asObject, packRequests } from './client.ts';
import { failureSentence } from './failure-sentence.ts';
import { PlainError } from './page-call.ts';
import { actionServer, network } from './platform.ts';

/** More would take a sidebar through the whole of several minutes' requests. */
export const rowsMax = 1_000;
/** Longer is no profile URL, and would not fit where the rows of a fill are kept. */
export const urlCharactersMax = 1_000;

/** One column of cells that a person selected, cut to the rows in use. */
export type Selection = {
  sheet: GoogleAppsScript.Spreadsheet.Sheet;
  row: number;
  column: number;
  /** From the first selected row on, trimmed; blank cells are "". */
  cells: string[];
};

export type SelectionView = { ok: true; sheet: string; a1: string; urls: number; blank: number; first: string };

/** The cells of an area, or the selected ones. @throws PlainError unless they are one column with something in it. */
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
  if (sheet === null) throw new PlainError('The picked cells are no longer there. Pick them again.');
  return sheet.getRange(String(a1));
}

/** The profile URLs among cells, each once. @throws PlainError when they are more than one go takes. */
export function profilesIn(cells: readonly string[]): string[] {
  const profiles = [...new Set(cells.filter((cell) => cell !== ''))];
  if (profiles.length > rowsMax) {
    throw new PlainError(`${profiles.length} profiles are selected, and ${rowsMax} are the most: select fewer rows.`);
  }
  return profiles;
}

/** What is selected, for the page to show. */
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

/** `cost_max` is above `cost_min` where the server was not asked of every row. */
export type Estimate = {
  ok: true;
  rows: number;
  cost_min: number;
  cost_max: number;
  cached_rows: number;
  unreadable_rows: number;
  note: string | null;
};

/** What tells the cost of a formula. `most`: credits that one address costs at most. */
type Estimated = { route: string; per_request_max: number; rows_max: number; most: number };

/** An estimate must leave requests of the minute for the work itself. */
const estimated: Record<string, Estimated> = {
  SOCIAL_PROFILE: { route: 'profile', per_request_max: 50, rows_max: 200, most: 1 },
  SOCIAL_POST: { route: 'post', per_request_max: 50, rows_max: 200, most: 1 },
  // A channel may have to be looked up before its list.
  SOCIAL_POSTS: { route: 'posts', per_request_max: 1, rows_max: 10, most: 4 },
};

/** What a formula over the addresses of an area would cost now; asking for it costs nothing. @throws PlainError */
export function estimateSelection(
  maxAge: unknown,
  area: unknown,
  formula: unknown = 'SOCIAL_PROFILE',
  limit: unknown = '',
): Estimate {
  const kind = estimated[String(formula)];
  if (kind === undefined) throw new PlainError('This formula costs nothing.');
  const addresses = profilesIn(readSelection(area).cells);
  const server = actionServer();
  const asked = addresses.slice(0, kind.rows_max);
  const { requests } = packRequests(headOf(kind, server.origin, maxAge, limit), { ...kind, name: 'url' }, asked);
  const urls = requests.map(({ url }) => url);
  const answers = server.key === null ? [] : askAll(urls, server.key, server.network);
  const sum = { cost_min: 0, cost_max: addresses.length * kind.most, cached_rows: 0, unreadable_rows: 0 };
  let note: string | null = server.key === null ? 'Connect a key to see what is already paid for.' : null;
  answers.forEach((answer, index) => {
    const said = answer.ok ? asObject(answer.data) : null;
    if (typeof said?.cost !== 'number') {
      note = answer.ok ? 'The server did not say the cost.' : failureSentence(answer.failure);
      return;
    }
    sum.cost_min += said.cost;
    sum.cost_max += said.cost - (requests[index]?.values.length ?? 0) * kind.most;
    sum.cached_rows += Number(said.cached_rows ?? 0);
    sum.unreadable_rows += Number(said.unreadable_rows ?? 0);
  });
  if (addresses.length > asked.length) note ??= `Only the first ${kind.rows_max} rows were looked at.`;
  return { ok: true, rows: addresses.length, ...sum, note };
}

function headOf({ route }: Estimated, origin: string, maxAge: unknown, limit: unknown): string {
  const age = readMaxAge(maxAge, network.now());
  const ofPosts = route === 'posts' && /^\d{1,2}$/.test(String(limit)) ? `&limit=${String(limit)}` : '';
  return `${origin}/v1/workflows/${route}?estimate=true&${age === 'fresh' ? 'fresh=true' : `cache_max_age=${age}`}${ofPosts}`;
}
