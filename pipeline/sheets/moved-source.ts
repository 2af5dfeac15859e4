import type { SheetImport } from '../../db/deliveries/sheet-imports.ts';
import { type Mark, type Properties, sourceAnchors } from './cell-marks.ts';
import { PushError } from './client.ts';
import { isPermissionTab } from './permission-tab.ts';
import { sheetRange } from './ranges.ts';

/** The part of a range of links that a user has deleted, so that the import no longer knows its links. */
export type LostLinks = 'columns' | 'first rows' | 'last rows';

/** Where the links of an import are now. `lost`: why this is unknown; null when it is known. */
interface MovedSource {
  source_range: string | null;
  lost: LostLinks | null;
}

/**
 * Returns the cells to which a user has moved the links of an import. After a user has deleted the first or last row or
 * the last column of the range, the mark of the row or column beside it shows where the range begins or ends. When that
 * one was deleted, too, other cells may now be in the range, so the links are lost.
 */
export function movedSource(target: SheetImport, tabs: readonly Properties[], marks: readonly Mark[]): MovedSource {
  const anchors = sourceAnchors(target);
  const unmoved: MovedSource = { source_range: target.source_range, lost: null };
  if (!anchors) return unmoved;
  const { first, last, before, after } = anchors;
  const names = [first, last, before, after].map((anchor) => anchor?.name);
  const known = marks.filter(
    ({ name, sheet_id }) => names.includes(name) && tabs.some((tab) => tab.sheetId === sheet_id),
  );
  const sheetName = currentName(first.sheet_name, known.find(({ name }) => name === first.name)?.sheet_id, tabs);
  const sheetId = tabs.find(({ title }) => title === sheetName)?.sheetId;
  // All marks are created together, so a missing mark was deleted with its row or column when another one is there.
  const own = known.filter(({ sheet_id }) => sheet_id === sheetId);
  if (own.length === 0) return unmoved;
  const at = (anchor: { name: string } | null, dimension: Mark['dimension']) =>
    own.find((mark) => mark.name === anchor?.name && mark.dimension === dimension)?.at;
  const column = at(first, 'COLUMNS');
  const lastColumn = last && (at(last, 'COLUMNS') ?? previous(at(after, 'COLUMNS')));
  if (column === undefined || lastColumn === undefined) return { ...unmoved, lost: 'columns' };
  // Without a row above the row before the range, the range now begins in row 1.
  const top = (first.corner.row ?? 1) <= 2 ? 1 : undefined;
  const row = first.corner.row && (at(first, 'ROWS') ?? next(at(before, 'ROWS')) ?? top);
  if (row === undefined) return { ...unmoved, lost: 'first rows' };
  const end = last ?? first;
  const lastRow = end.corner.row && (at(end, 'ROWS') ?? previous(at(after, 'ROWS')));
  if (lastRow === undefined || (lastRow !== null && lastRow < (row ?? 1))) return { ...unmoved, lost: 'last rows' };
  const corners = [{ row, column }, last && { row: lastRow, column: lastColumn ?? column }];
  const moved = sheetRange(sheetName, corners);
  return {
    source_range:
      moved === sheetRange(first.sheet_name, [first.corner, last?.corner ?? null]) ? target.source_range : moved,
    lost: null,
  };
}

const next = (at: number | undefined) => (at === undefined ? undefined : at + 1);
const previous = (at: number | undefined) => (at === undefined ? undefined : at - 1);

/** Returns the current name of a tab that a user has renamed. A tab that now has the old name is used instead. */
export function currentName(name: string, sheetId: number | undefined, tabs: readonly Properties[]): string {
  if (tabs.some(({ title }) => title === name)) return name;
  const renamed = tabs.find((tab) => tab.sheetId === sheetId)?.title;
  return renamed && !isPermissionTab(renamed) ? renamed : name;
}

/** Returns the error for an import whose links were deleted. Other cells are now in their place. */
export function lostLinks({ source_range }: SheetImport, lost: LostLinks): PushError {
  const problem = {
    columns: `The column with the links of ${source_range} was deleted`,
    'first rows': `The first rows of ${source_range} were deleted`,
    'last rows': `The last rows of ${source_range} were deleted`,
  };
  const advice =
    'enter the cells that have the links now. If these are the same cells, write them with $, such as $A$2:$A.';
  return new PushError('NO_ADDRESSES', `${problem[lost]}: ${advice}`);
}
