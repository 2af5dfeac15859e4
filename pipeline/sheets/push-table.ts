import type { SheetTarget } from '../../db/deliveries/sheet-targets.ts';
import { PushError, type SheetsClient } from './client.ts';
import { columnName } from './ranges.ts';
import { isHeaderOf, type SheetCell, type SheetTable } from './tables.ts';
import {
  addTab,
  applyChanges,
  area,
  clearBlocks,
  findTab,
  formats,
  growth,
  openTab,
  rangeOf,
  readBlocks,
  type Tab,
  type TabAccess,
  valueInputOption,
  writeBlocks,
} from './tabs.ts';

/** The tab of a spreadsheet into which a table is written. `mode` says whether rows are appended or replaced. */
type TabTarget = Pick<SheetTarget, 'workspace_id' | 'spreadsheet_id' | 'sheet_name' | 'mode'>;

interface Push {
  target: TabTarget;
  table: SheetTable;
  access: TabAccess;
}

/**
 * Writes a table into a tab of a spreadsheet and returns the number of rows written. Creates the tab when it is
 * missing. In append mode, adds the rows below the last row, or returns 0 when the tab already has this table. In
 * replace mode, the tab contains only this table afterwards. Can safely be called again after a failure. Throws
 * PushError.
 */
export async function pushTable(
  client: SheetsClient,
  target: TabTarget,
  table: SheetTable,
  signal: AbortSignal,
): Promise<number> {
  const access = openTab(client, target, target.sheet_name, signal);
  const push: Push = { target, table, access };
  const tab = (await findTab(access)) ?? (await addTab(access, table.columns.length));
  return target.mode === 'append' ? append(push, tab) : replace(push, tab);
}

async function append({ target, table, access }: Push, tab: Tab): Promise<number> {
  // Adds missing columns first, because the Sheets API cannot read a column that the tab does not have.
  await applyChanges(access, growth(tab, { rows: 0, columns: table.columns.length }));
  // One column of each row contains the key of its table (such as the report ID). The values in this column show which
  // tables the tab already has.
  const keyColumn = columnName(table.columns.indexOf(table.key.column));
  const [first = [], keyRows = []] = await readBlocks(access, ['1:1', `${keyColumn}:${keyColumn}`]);
  const header = first[0] ?? [];
  const keys = keyRows.map((row) => row[0]);
  const isNew = header.length === 0 && keys.length === 0;
  if (!isNew && !isHeaderOf(table, header)) {
    throw new PushError(
      'OTHER_TABLE',
      'The first row of the tab is not the header of this table: choose an empty tab or another tab name.',
    );
  }
  if (keys.includes(table.key.value) || table.rows.length === 0) return 0;
  if (isNew) await applyChanges(access, formats(tab, table));
  const params = {
    spreadsheetId: target.spreadsheet_id,
    range: rangeOf(target, 'A1'),
    valueInputOption,
    insertDataOption: 'INSERT_ROWS',
    requestBody: { values: isNew ? [table.columns, ...table.rows] : table.rows },
  };
  await access.request((api, options) => api.values.append(params, options));
  return table.rows.length;
}

/**
 * Writes the table first and then clears all other cells of the tab. In this order, a failure between the two requests
 * never leaves an empty tab.
 */
async function replace({ table, access }: Push, tab: Tab): Promise<number> {
  const values: SheetCell[][] = [table.columns, ...table.rows];
  const used = { rows: values.length, columns: table.columns.length };
  await applyChanges(access, [...growth(tab, used), ...formats(tab, table)]);
  await writeBlocks(access, [{ cells: area(1, 1, used.rows, used.columns), values }]);
  const rest: string[] = [];
  if (tab.rows > used.rows) rest.push(area(used.rows + 1, 1, tab.rows, tab.columns));
  if (tab.columns > used.columns) rest.push(area(1, used.columns + 1, used.rows, tab.columns));
  await clearBlocks(access, rest);
  return table.rows.length;
}
