export { chartTable } from './charts/figure.ts';
export { barChart, lineChart } from './charts/line-chart.ts';
export type { Chart, ChartPoint } from './charts/points.ts';
