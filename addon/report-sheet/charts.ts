import type { SheetChart } from './layout.ts';

type Sheet = GoogleAppsScript.Spreadsheet.Sheet;
type Chart = GoogleAppsScript.Spreadsheet.EmbeddedChart;

const chartWidthPx = 335;
const chartHeightPx = 230;
const chartGapPx = 10;
/**
 * The widths of the columns of a report sheet in pixels. The first column contains names and is wider than the other
 * columns.
 */
export const columnWidthPx = { name: 240, other: 130 } as const;

/**
 * Updates the charts in a report sheet. Existing charts keep their style but move, because the rows that they show may
 * have moved. New charts are added, and charts without data are removed. Charts that the user made do not change.
 *
 * @param known the IDs of the charts that the add-on made before, by key.
 * @returns the IDs of the charts that the report has now, by key.
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

/**
 * Adds a chart to the sheet and returns its ID, which Google Sheets creates. Returns null when the sheet does not list
 * the new chart.
 */
function insert(sheet: Sheet, chart: SheetChart): number | null {
  const before = sheet.getCharts().map((chart) => chart.getChartId());
  const { column, x } = columnAt(chart.index * (chartWidthPx + chartGapPx));
  const builder = chart.type === 'bar' ? sheet.newChart().asBarChart() : sheet.newChart().asLineChart();
  builder.setNumHeaders(1).setPosition(chart.row, column, x, 0);
  for (const range of rangesOf(sheet, chart)) builder.addRange(range);
  const built = builder
    .setOption('title', chart.title)
    .setOption('width', chartWidthPx)
    .setOption('height', chartHeightPx)
    .setOption('pointSize', 4)
    .setOption('interpolateNulls', false)
    .setOption('legend', { position: chart.type === 'bar' ? 'none' : 'bottom' })
    .build();
  sheet.insertChart(built);
  const added = sheet.getCharts().find((one) => !before.includes(one.getChartId()));
  return added?.getChartId() ?? null;
}

function rangesOf(sheet: Sheet, { first_row, rows, columns }: SheetChart): GoogleAppsScript.Spreadsheet.Range[] {
  return columns.map(({ first, count }) => sheet.getRange(first_row, first, rows, count));
}

/**
 * Returns the column of a report sheet at a distance from the left edge, and the remaining distance within that column,
 * in pixels.
 */
function columnAt(fromLeftPx: number): { column: number; x: number } {
  if (fromLeftPx < columnWidthPx.name) return { column: 1, x: fromLeftPx };
  const beyondPx = fromLeftPx - columnWidthPx.name;
  return { column: 2 + Math.floor(beyondPx / columnWidthPx.other), x: beyondPx % columnWidthPx.other };
}
