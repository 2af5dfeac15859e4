import { hasOwnHeader, protectNewColumns, widestFields, writeHeader } from './import-header.ts';
import { cover, formatRows, grow, refuseContent, rowsOf, type Writing } from './import-writing.ts';
import type { SheetCell } from './tables.ts';
import { area, type Block, readBlocks, writeBlocks } from './tabs.ts';

/**
 * Names of the column that contains the ID of the account or post, by kind of import. In the mode `update`, the import
 * uses this ID to find the row that an earlier run wrote.
 */
export const idColumns = { profiles: 'account_id', posts: 'id', latest_posts: 'id' } as const;

/**
 * Writes the rows of an import in the mode `update`: each row overwrites the row with the same ID or is added below the
 * table. Returns how many rows the run has written, or null when a later call must write the rest. Throws PushError.
 */
export async function update(writing: Writing): Promise<number | null> {
  const { table, corner, target } = writing;
  const isOwn = await hasOwnHeader(writing);
  const { ids, length } = isOwn ? await readIds(writing) : { ids: [], length: 0 };
  const known = new Map(ids.map((id, index) => [id, index + 1] as const));
  known.delete('');
  // Of several rows with the same ID, only the last row is written.
  const rowOfId = new Map(table.keys.map((id, index) => [id, index] as const));
  // A row without an ID contains an error instead of data. Such a row is not written, so that the values of an earlier
  // run stay in the sheet.
  rowOfId.delete('');
  const fresh = [...rowOfId.keys()].filter((id) => !known.has(id)).length;
  await grow(writing, corner.row + length + fresh);
  await refuseContent(writing, length + 1, length + fresh, 'The cells below the table');
  if (isOwn) await protectNewColumns(writing, length);
  await writeHeader(writing, isOwn);
  await cover(writing, 0, isOwn ? widestFields(target) : target.fields);
  await formatRows(writing, length + 1, fresh);
  const isComplete = await writeUpdates(writing, { known, rowOfId, length });
  return isComplete ? rowOfId.size : null;
}

/**
 * Returns the IDs in the rows of the table in the sheet, and the number of these rows, without the header. Reads both
 * columns in one request, so that they are from the same moment.
 */
async function readIds({ access, corner, tab, target }: Writing): Promise<{ ids: string[]; length: number }> {
  const columnOf = (index: number) => area(corner.row + 1, corner.column + index, tab.rows, corner.column + index);
  const [links = [], ids = []] = await readBlocks(
    access,
    [0, target.fields.indexOf(idColumns[target.kind])].map(columnOf),
  );
  return { ids: ids.slice(0, links.length).map(([id]) => String(id ?? '')), length: links.length };
}

interface Updates {
  /** Maps each ID to its row of the table in the sheet. */
  known: ReadonlyMap<string, number>;
  /** Maps each ID to the index of the row to write. */
  rowOfId: ReadonlyMap<string, number>;
  /** Number of rows that the table in the sheet has. New rows are written below. */
  length: number;
}

/**
 * Writes the rows that earlier calls have not written, each over the sheet row with the same ID or below the table.
 * Returns false when a later call must write the rest.
 */
async function writeUpdates(writing: Writing, updates: Updates): Promise<boolean> {
  const { access, state, limits } = writing;
  let [requests, ranges] = [0, 0];
  let waiting: RowToWrite[] = [];
  const send = async () => {
    await writeBlocks(access, blocksOf(writing, waiting));
    await state.advance(waiting.at(-1)?.number ?? 0);
    requests += 1;
    ranges = 0;
    waiting = [];
  };
  for await (const next of rowsToWrite(writing, updates)) {
    if (requests === limits.requests) return false;
    if (waiting.at(-1)?.at !== next.at - 1) ranges += 1;
    waiting.push(next);
    if (waiting.length === limits.rows || ranges === limits.ranges) await send();
  }
  if (waiting.length > 0) await send();
  return true;
}

/** Yields the rows to write with their positions in the sheet. Leaves out rows that earlier calls have written. */
async function* rowsToWrite(
  { table, state }: Writing,
  { known, rowOfId, length }: Updates,
): AsyncGenerator<RowToWrite, void> {
  let [index, number, end] = [-1, 0, length];
  for await (const part of table.rows()) {
    for (const row of part) {
      index += 1;
      const id = table.keys[index] ?? '';
      if (rowOfId.get(id) !== index) continue;
      number += 1;
      const present = known.get(id);
      if (number <= state.written && present !== undefined) continue;
      if (present === undefined) end += 1;
      yield { at: present ?? end, number, row };
    }
  }
}

interface RowToWrite {
  /** The row in the table of the sheet. */
  at: number;
  /** The number of this row among all rows that the run writes, from 1. */
  number: number;
  row: SheetCell[];
}

/** Groups rows that are directly below each other in the sheet, so that each group is written as one range. */
function blocksOf(writing: Writing, rows: readonly RowToWrite[]): Block[] {
  const groups: { at: number; values: SheetCell[][] }[] = [];
  for (const { at, row } of rows.toSorted((a, b) => a.at - b.at)) {
    const last = groups.at(-1);
    if (last && last.at + last.values.length === at && last.values.length < writing.limits.rows) last.values.push(row);
    else groups.push({ at, values: [row] });
  }
  return groups.map(({ at, values }) => ({ cells: rowsOf(writing, at, at + values.length - 1), values }));
}
