import type { SheetImport } from '../../db/deliveries/sheet-imports.ts';
import { endName, isEndName, type Mark, tableName } from './cell-marks.ts';
import { PushError } from './client.ts';
import { cellOf, hasContent } from './import-writing.ts';
import { type CellPosition, readCell } from './ranges.ts';
import { area, readBlocks, type TabAccess } from './tabs.ts';

/**
 * Maximum number of blocks of rows that one request reads, because the request names each of them. If there are more,
 * the request reads all rows from the first to the last block.
 */
const maxBlocks = 50;

/**
 * Returns how many rows the table has after a user has deleted or inserted some, so that cells below the table, which
 * have moved up, are neither overwritten nor cleared, and no old row stays below. `moved` has the current cells of the
 * table. Throws PushError when an inserted row has content.
 */
export async function tableRows(
  access: TabAccess,
  target: SheetImport,
  moved: SheetImport,
  marks: readonly Mark[],
): Promise<number> {
  const { covered_rows: rows, covered_sheet_id: covered } = target;
  const corner = readCell(moved.target_cell);
  const own = marks.filter(({ sheet_id }) => sheet_id === covered);
  const end = own.find(({ name }) => name === endName(target));
  if (!corner || rows === 0) return rows;
  const tab = { ...access, sheet_name: moved.target_sheet };
  if (end) {
    const present = Math.max(0, end.at - corner.row);
    if (present > rows) await refuseOtherRows(tab, moved, corner, present);
    return present;
  }
  // Without the mark of the last row, a user has deleted this row.
  const isDeleted = own.some(({ name }) => name === tableName(target)) && !own.some(({ name }) => isEndName(name));
  if (!isDeleted) return rows;
  const links = await linksIn(tab, corner, rows);
  const firstOther = links.findIndex((link) => !isWebLink(link));
  return firstOther === -1 ? links.length : firstOther;
}

const isWebLink = (cell: unknown) => /^https?:/i.test(String(cell ?? ''));

/** Returns the cells in the first column of the first `rows` rows of a table, without empty cells at the end. */
async function linksIn(tab: TabAccess, { row, column }: CellPosition, rows: number): Promise<unknown[]> {
  const [links = []] = await readBlocks(tab, [area(row + 1, column, row + rows, column)]);
  return links.map(([link]) => link);
}

/**
 * Throws PushError when one of the first `rows` rows of a table has content but no link, because the import has not
 * written such a row.
 */
async function refuseOtherRows(tab: TabAccess, moved: SheetImport, corner: CellPosition, rows: number): Promise<void> {
  const found = blocksWithoutLinks(await linksIn(tab, corner, rows), rows);
  const [first, last] = [found[0]?.first ?? 0, found.at(-1)?.last ?? 0];
  const blocks = found.length <= maxBlocks ? found : [{ first, last }];
  const lastColumn = corner.column + (moved.covered_fields?.length ?? 1) - 1;
  const rowOf = (index: number) => corner.row + 1 + index;
  const read = await readBlocks(
    tab,
    blocks.map(({ first, last }) => area(rowOf(first), corner.column, rowOf(last), lastColumn)),
  );
  for (const [index, { first }] of blocks.entries()) {
    const filled = (read[index] ?? []).findIndex((cells) => !isWebLink(cells[0]) && hasContent([cells]));
    if (filled === -1) continue;
    const message = `Row ${rowOf(first + filled)} is inside the table at ${cellOf(moved)}, but the import has not written it: put its cells below or beside the table.`;
    throw new PushError('OTHER_TABLE', message);
  }
}

/** Returns the first and last indexes of each block of consecutive rows whose first cell is no link. */
function blocksWithoutLinks(links: readonly unknown[], rows: number): { first: number; last: number }[] {
  const blocks: { first: number; last: number }[] = [];
  for (let index = 0; index < rows; index += 1) {
    if (isWebLink(links[index])) continue;
    const open = blocks.at(-1);
    if (open?.last === index - 1) open.last = index;
    else blocks.push({ first: index, last: index });
  }
  return blocks;
}
