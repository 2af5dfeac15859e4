import { areaName, readArea } from '../a1.ts';
import type { ChartState, SheetState } from '../world.ts';
import { type Execution, modelled, requireMode } from './execution.ts';
import { type Ranged, range } from './range.ts';

type Charted = { chart: ChartState };
/** The id of a chart that is not in a sheet yet, because Sheets assigns ids when charts are inserted. */
const notInserted = 0;

/** Returns the chart methods of a sheet. A chart that is inserted twice appears twice, as in Sheets. */
export function chartMethods(execution: Execution, state: SheetState) {
  const writing = (what: string) => requireMode(execution, `Sheet.${what}`, ['FULL']);
  const indexOf = ({ chart }: Charted): number => {
    const index = state.charts.findIndex(({ chart_id }) => chart_id === chart.chart_id);
    if (index === -1) throw new Error('The chart is not in this sheet.');
    return index;
  };
  return {
    getCharts: () => state.charts.map((chart) => embeddedChart(execution, chart)),
    newChart: () => builder(execution, emptyChart()),
    insertChart: ({ chart }: Charted) => {
      writing('insertChart');
      checkChart(execution, chart);
      const taken = execution.world.sheets.flatMap(({ charts }) => charts.map(({ chart_id }) => chart_id));
      state.charts.push({ ...structured(chart), chart_id: Math.max(1_000, ...taken) + 7 });
    },
    updateChart: (given: Charted) => {
      writing('updateChart');
      checkChart(execution, given.chart);
      state.charts[indexOf(given)] = structured(given.chart);
    },
    removeChart: (given: Charted) => {
      writing('removeChart');
      state.charts.splice(indexOf(given), 1);
    },
  };
}

function emptyChart(): ChartState {
  const anchor = { row: 1, column: 1, x: 0, y: 0 };
  return { chart_id: notInserted, type: 'COLUMN', ranges: [], headers: 0, anchor, options: {} };
}

function structured(chart: ChartState): ChartState {
  return JSON.parse(JSON.stringify(chart));
}

function checkChart({ world }: Execution, chart: ChartState): void {
  if (chart.ranges.length === 0) throw new Error('A chart needs a range.');
  const lost = chart.ranges.find(({ sheet_id }) => !world.sheets.some(({ id }) => id === sheet_id));
  if (lost !== undefined) throw new Error(`The chart shows a sheet that does not exist: ${lost.sheet_id}`);
}

function embeddedChart(execution: Execution, chart: ChartState) {
  return modelled('EmbeddedChart', {
    chart,
    getChartId: () => (chart.chart_id === notInserted ? null : chart.chart_id),
    getRanges: () => rangesOf(execution, chart),
    getOptions: () => modelled('ChartOptions', { get: (name: string) => chart.options[name] ?? null }),
    modify: () => builder(execution, structured(chart)),
  });
}

function rangesOf(execution: Execution, chart: ChartState) {
  return chart.ranges.flatMap(({ sheet_id, a1 }) => {
    const sheet = execution.world.sheets.find(({ id }) => id === sheet_id);
    return sheet === undefined ? [] : [range(execution, sheet, readArea(a1))];
  });
}

function builder(execution: Execution, chart: ChartState): object {
  const changed = (parts: Partial<ChartState>): object => {
    Object.assign(chart, parts);
    return self;
  };
  const option = (name: string, value: unknown) => changed({ options: { ...chart.options, [name]: value } });
  const self = modelled('EmbeddedChartBuilder', {
    asLineChart: () => changed({ type: 'LINE' }),
    asColumnChart: () => changed({ type: 'COLUMN' }),
    asBarChart: () => changed({ type: 'BAR' }),
    addRange: ({ place }: Ranged) =>
      changed({ ranges: [...chart.ranges, { sheet_id: place.sheet.id, a1: areaName(place.area) }] }),
    clearRanges: () => changed({ ranges: [] }),
    getRanges: () => rangesOf(execution, chart),
    setNumHeaders: (headers: number) => changed({ headers }),
    setPosition: (row: number, column: number, x: number, y: number) => changed({ anchor: { row, column, x, y } }),
    setOption: option,
    setTitle: (title: string) => option('title', title),
    build: () => embeddedChart(execution, structured(chart)),
  });
  return self;
}
