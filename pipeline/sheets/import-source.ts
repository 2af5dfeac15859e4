import type { sheets_v4 } from 'googleapis/build/src/apis/sheets/index.js';
import type { SheetImport } from '../../db/deliveries/sheet-imports.ts';
import { type LinkFailures, type LinkResolver, resolveAll } from '../collect/short-links.ts';
import { quantity } from '../quantity.ts';
import { PushError, type SheetsClient } from './client.ts';
import { isPermissionTab } from './permission-tab.ts';
import { readSheetRange } from './ranges.ts';
import { listTabs, openTab, rangeOf } from './tabs.ts';

/** Maximum number of tabs that an error message names, because a spreadsheet can have hundreds. */
const maxNamedTabs = 10;

/**
 * A line with account or post links, as a sheet import reads it. `row_no` is its row number in the sheet, or its line
 * number in a typed list.
 */
export interface SourceLine {
  row_no: number;
  /** The texts and links of the line's cells, from left to right. Empty cells are left out. */
  cells: string[];
}

/** Maximum number of links that one run of a sheet import reads. */
const maxImportLinks = 10_000;
/**
 * Maximum number of rows that one run of a sheet import writes. At 1,000 rows per request, this is as much as all
 * workspaces together can write in one minute.
 */
export const maxImportRows = 50_000;

/**
 * Reads the links of a sheet import from the spreadsheet or from the list that the user typed. Returns the lines that
 * are not empty. Throws PushError when all lines are empty, or when there are too many lines or result rows.
 */
export async function readSource(
  client: SheetsClient,
  source: SheetImport,
  signal: AbortSignal,
): Promise<SourceLine[]> {
  const lines = source.source_list === null ? await readRange(client, source, signal) : readList(source.source_list);
  if (lines.length === 0) throw new PushError('NO_ADDRESSES', `${sourceName(source)} has no links: add at least one.`);
  const each = source.posts_each ?? 1;
  if (lines.length > maxImportLinks) {
    const message = `${sourceName(source)} has ${lines.length} links: an import reads at most ${maxImportLinks}. Make the range shorter.`;
    throw new PushError('TOO_MANY_ROWS', message);
  }
  if (lines.length * each <= maxImportRows) return lines;
  const message = `${sourceName(source)} has ${quantity(lines.length, 'link')} with ${quantity(each, 'post')} each: an import writes at most ${quantity(maxImportRows, 'row')}. Use fewer links or posts, or several imports.`;
  throw new PushError('TOO_MANY_ROWS', message);
}

const sourceName = ({ source_range }: SheetImport) =>
  source_range === null ? 'The list' : `The range ${source_range}`;

/** Maximum milliseconds for following all short links of one run. */
const shortLinksMs = 60_000;

/**
 * Replaces short links, such as `https://vm.tiktok.com/…`, with the URLs to which they redirect. A link that
 * cannot be followed stays, and its row later gets an error. `failures` has the errors of links that may work later.
 */
export async function followShortLinks(
  lines: readonly SourceLine[],
  resolve: LinkResolver,
): Promise<{ lines: SourceLine[]; failures: LinkFailures }> {
  const cells = lines.flatMap((line) => line.cells);
  const { texts, failures } = await resolveAll(cells, resolve, shortLinksMs);
  const resolved = texts.values();
  const followed = lines.map((line) => ({ ...line, cells: line.cells.map((text) => resolved.next().value ?? text) }));
  return { lines: followed, failures };
}

function readList(list: string): SourceLine[] {
  const lines = list.split(/\r\n|[\r\n]/).map((text, index) => ({ row_no: index + 1, cells: [text.trim()] }));
  return lines.filter(({ cells: [text] }) => text !== '');
}

/**
 * Reads the links in a range of cells. One request reads the values and which rows are hidden, so that both are from
 * the same moment.
 */
async function readRange(client: SheetsClient, source: SheetImport, signal: AbortSignal): Promise<SourceLine[]> {
  const { spreadsheet_id: spreadsheetId, source_range, include_hidden } = source;
  const range = readSheetRange(source_range ?? '');
  if (!range)
    throw new Error(
      `The source of sheet import ${source.import_id} of workspace ${source.workspace_id} is not a range of cells.`,
    );
  const access = openTab(client, source, range.sheet_name, signal);
  const titles = (await listTabs(access)).map(({ title }) => title ?? '');
  if (!titles.includes(range.sheet_name)) {
    throw new PushError('TAB_NOT_FOUND', tabNotFound(range.sheet_name, titles));
  }
  const fields =
    'sheets.data(startRow,rowMetadata(hiddenByFilter,hiddenByUser),rowData.values(formattedValue,hyperlink))';
  const params = { spreadsheetId, ranges: [rangeOf(access, range.cells)], fields };
  const found = await access.request((api, options) => api.get(params, options));
  const { startRow = 0, rowMetadata = [], rowData = [] } = found.sheets?.[0]?.data?.[0] ?? {};
  return rowData
    .map(({ values }, index) => ({
      row_no: (startRow ?? 0) + index + 1,
      cells: (values ?? []).flatMap(textsOf),
      hidden: isHidden(rowMetadata[index]),
    }))
    .filter(({ cells, hidden }) => cells.length > 0 && (include_hidden || !hidden))
    .map(({ row_no, cells }) => ({ row_no, cells }));
}

function textsOf({ formattedValue, hyperlink }: sheets_v4.Schema$CellData): string[] {
  return [formattedValue, hyperlink].map((text) => text?.trim() ?? '').filter((text) => text !== '');
}

function isHidden(row: sheets_v4.Schema$DimensionProperties | undefined): boolean {
  return row?.hiddenByFilter === true || row?.hiddenByUser === true;
}

function tabNotFound(name: string, titles: readonly string[]): string {
  const others = titles.filter((title) => !isPermissionTab(title)).map((title) => `“${title}”`);
  const more = others.length > maxNamedTabs ? `, and ${others.length - maxNamedTabs} more` : '';
  return `The spreadsheet has no tab named ${name}: edit the import and enter one of its tabs, which are ${others.slice(0, maxNamedTabs).join(', ')}${more}.`;
}
