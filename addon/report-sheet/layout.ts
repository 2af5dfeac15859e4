import type { Cell } from '../platform/grid.ts';
import { type Column, numberFormat, sheetCell } from './cells.ts';

/**
 * Number of sheet rows (21 px each) that one row of charts covers. A chart is 230 px high, and the rest is a margin.
 */
const chartRows = 12;
const chartsPerRow = 3;

type LineStyle = 'title' | 'headline' | 'quiet' | 'section' | 'plain';

/** One line of text in the first column of a report sheet. */
export type Line = { text: string; style: LineStyle };

/**
 * A chart of some columns of a table in a report sheet. `columns`: the first range contains the days or names, the
 * second the values. `first`: the number of the first column in the range, counted from 1.
 */
export type ChartPlan = {
  key: string;
  title: string;
  type: 'line' | 'bar';
  columns: { first: number; count: number }[];
};

/**
 * A block of a report sheet: lines of text, then a table with headings. `columns`: empty when the block has no table.
 */
export type Block = { lines: Line[]; columns: Column[]; rows: unknown[][]; charts?: ChartPlan[] };

/** Cells of one row of a report sheet that get the same text style. `width`: number of columns. */
export type StyledRow = { style: LineStyle | 'heading'; row: number; width: number };

/**
 * A chart with its position in the report sheet. `row`: the sheet row of its upper edge. `index`: its position in a row
 * of charts, 0 for the leftmost. `first_row`: the row with the headings of the table that the chart shows. `rows`:
 * number of rows of that table, including the headings.
 */
export type SheetChart = ChartPlan & { row: number; index: number; first_row: number; rows: number };

type Table = { cells: Cell[][]; formats: string[][]; alignments: Alignment[][] };
type Alignment = 'left' | 'right';

/** The cells of a whole report sheet, beginning at A1, with number formats and alignments for each cell. */
export type SheetPlan = Table & { styles: StyledRow[]; charts: SheetChart[] };

/**
 * The words at the beginning of the last row of every report sheet. The add-on searches for them to find the end of the
 * report after users inserted or deleted rows.
 */
export const endMark = 'End of the report.';

export const endBlock: Block = {
  lines: [
    {
      text:
        `${endMark} A refresh replaces everything above this line, in the columns that the report uses. ` +
        'Anything you write below this line or to the right stays, and moves when the report grows.',
      style: 'quiet',
    },
  ],
  columns: [],
  rows: [],
};

const textColumn: Column = { heading: '', kind: 'text' };
const emptyRow = rowOf([''], [textColumn]);

type Row = { cells: Cell[]; formats: string[]; alignments: Alignment[] };

/**
 * Arranges the blocks of a report sheet one under the other, with an empty row between them: first the blocks in `top`,
 * then the charts of all blocks (line charts first), then the blocks in `below`.
 */
export function arrangeBlocks(top: readonly Block[], below: readonly Block[]): SheetPlan {
  const plans = [...top, ...below].flatMap(({ charts = [] }) => charts);
  const order = [...plans.filter(({ type }) => type === 'line'), ...plans.filter(({ type }) => type === 'bar')];
  const rows: Row[] = [];
  const styles: StyledRow[] = [];
  const charts: SheetChart[] = [];
  let bandRow = 1;
  const append = (block: Block): void => {
    const firstRow = rows.length + 1;
    styles.push(...stylesOf(block, firstRow));
    rows.push(...rowsOf(block), emptyRow);
    const headingRow = firstRow + block.lines.length;
    for (const plan of block.charts ?? []) {
      charts.push({ ...plan, row: 0, index: order.indexOf(plan), first_row: headingRow, rows: block.rows.length + 1 });
    }
  };
  for (const block of top) append(block);
  bandRow = rows.length + 1;
  for (let row = 0; row < Math.ceil(order.length / chartsPerRow) * chartRows; row++) rows.push(emptyRow);
  for (const block of below) append(block);
  rows.pop();
  return {
    ...padded(rows),
    styles,
    charts: charts
      .sort((a, b) => a.index - b.index)
      .map((chart) => ({
        ...chart,
        row: bandRow + Math.floor(chart.index / chartsPerRow) * chartRows,
        index: chart.index % chartsPerRow,
      })),
  };
}

function rowsOf({ lines, columns, rows }: Block): Row[] {
  const texts = lines.map(({ text }) => rowOf([text], [textColumn]));
  if (columns.length === 0) return texts;
  const headings = columns.map(({ heading }) => heading);
  return [...texts, rowOf(headings, columns), ...rows.map((row) => rowOf(row, columns))];
}

/**
 * Returns a row of cells with their formats. Numbers are aligned to the right, and so are words that replace an unknown
 * number.
 */
function rowOf(values: readonly unknown[], columns: readonly Column[]): Row {
  return {
    cells: columns.map(({ kind }, index) => sheetCell(kind, values[index])),
    formats: columns.map(({ kind }) => numberFormat(kind)),
    alignments: columns.map(({ kind }) => (kind === 'text' || kind === 'day' ? 'left' : 'right')),
  };
}

function stylesOf({ lines, columns }: Block, firstRow: number): StyledRow[] {
  const styles = lines.map(({ style }, index): StyledRow => ({ style, row: firstRow + index, width: 1 }));
  if (columns.length === 0) return styles;
  return [...styles, { style: 'heading', row: firstRow + lines.length, width: columns.length }];
}

/** Adds empty cells until all rows have the same number of cells, because `setValues` requires that. */
function padded(rows: readonly Row[]): Table {
  const width = Math.max(...rows.map(({ cells }) => cells.length));
  const indexes = Array.from({ length: width }, (_, index) => index);
  return {
    cells: rows.map(({ cells }) => indexes.map((index) => cells[index] ?? '')),
    formats: rows.map(({ formats }) => indexes.map((index) => formats[index] ?? numberFormat('text'))),
    alignments: rows.map(({ alignments }) => indexes.map((index) => alignments[index] ?? 'left')),
  };
}
