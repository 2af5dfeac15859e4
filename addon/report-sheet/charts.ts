import type { SheetChart } from './layout.ts';

type Sheet = GoogleAppsScript.Spreadsheet.Sheet;
type Chart = GoogleAppsScript.Spreadsheet.EmbeddedChart;

const chartWidthPx = 470;
const chartHeightPx = 300;
const chartGapPx = 12;
/** Number of columns at the left of a report that contain names. They are wider than the others. */
export const nameColumns = 2;
export const columnWidthPx = { name: 190, other: 130 } as const;

/**
 * Updates the charts of a report. Existing charts keep their style but move, because the rows that they show may have moved.
 * New charts are added, and charts without data are removed. Charts that the user made do not change.
 *
 * @param known the IDs of the charts that the add-on made before, by key.
 * @returns the IDs of the charts that it has now, by key.
 */
export function drawCharts(
  sheet: Sheet,
  charts: readonly SheetChart[],
  known: Readonly<Record<string, number>>,
): Record<string, number> {
  const existing = new Map(sheet.getCharts().map((chart) => [chart.getChartId(), chart]));
  const found = (key: string): Chart | undefined => existing.get(known[key] ?? null);
  for (const key of Object.keys(known)) {
    const obsolete = charts.some((chart) => chart.key === key) ? undefined : found(key);
    if (obsolete !== undefined) sheet.removeChart(obsolete);
  }
  const ids: Record<string, number> = {};
  for (const chart of charts) {
    const old = found(chart.key);
    const id = old === undefined ? insert(sheet, chart) : update(sheet, old, chart);
    if (id !== null) ids[chart.key] = id;
  }
  return ids;
}

function update(sheet: Sheet, old: Chart, chart: SheetChart): number | null {
  const { column, x } = columnAt(chart.index * (chartWidthPx + chartGapPx));
  const builder = old.modify().clearRanges().setPosition(chart.row, column, x, 0);
  for (const range of rangesOf(sheet, chart)) builder.addRange(range);
  sheet.updateChart(builder.build());
  return old.getChartId();
}

/** Adds a chart and returns its ID. Sheets creates the ID when the chart is inserted. */
function insert(sheet: Sheet, chart: SheetChart): number | null {
  const before = sheet.getCharts().map((chart) => chart.getChartId());
  const { column, x } = columnAt(chart.index * (chartWidthPx + chartGapPx));
  const builder = sheet.newChart().asLineChart().setNumHeaders(1).setPosition(chart.row, column, x, 0);
  for (const range of rangesOf(sheet, chart)) builder.addRange(range);
  const built = builder
    .setOption('title', chart.title)
    .setOption('width', chartWidthPx)
    .setOption('height', chartHeightPx)
    .setOption('pointSize', 4)
    .setOption('interpolateNulls', false)
    .setOption('legend', { position: 'bottom' })
    .build();
  sheet.insertChart(built);
  const added = sheet.getCharts().find((one) => !before.includes(one.getChartId()));
  return added?.getChartId() ?? null;
}

function rangesOf(sheet: Sheet, { first_row, rows, columns }: SheetChart): GoogleAppsScript.Spreadsheet.Range[] {
  return columns.map(({ first, count }) => sheet.getRange(first_row, first, rows, count));
}

/** Returns the column at a distance from the left edge, and the remaining distance within that column, in pixels. */
function columnAt(fromLeftPx: number): { column: number; x: number } {
  const namesPx = nameColumns * columnWidthPx.name;
  const [before, startPx, widthPx] =
    fromLeftPx < namesPx ? [0, 0, columnWidthPx.name] : [nameColumns, namesPx, columnWidthPx.other];
  const beyondPx = fromLeftPx - startPx;
  return { column: before + 1 + Math.floor(beyondPx / widthPx), x: beyondPx % widthPx };
}
