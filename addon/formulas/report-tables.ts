import { asObject } from '../platform/client.ts';

export const reportSections = ['totals', 'items', 'series', 'notes', 'coverage'] as const;
export type ReportSection = (typeof reportSections)[number];

/** The report as the server sends it; each part is looked at where it is used. */
export type Report = Readonly<Record<string, unknown>>;

/** The first column of every section is text. Null is unknown; moments are ISO 8601 in UTC, whole days of UTC dates. */
export type SectionTable = { columns: readonly string[]; rows: unknown[][] };

const makers: Record<ReportSection, (report: Report) => SectionTable> = {
  totals: totalsTable,
  items: itemsTable,
  series: seriesTable,
  notes: notesTable,
  coverage: coverageTable,
};

/** Whether every section finds its part: an answer without one must not look like a report with nothing in it. */
export function isReport(data: Report): boolean {
  const objectsThere = [data.campaign, data.totals, data.coverage].every((part) => asObject(part) !== null);
  return objectsThere && [data.items, data.series, data.notes].every(Array.isArray);
}

/** One section of a campaign report as a table. */
export function reportTable(section: ReportSection, report: Report): SectionTable {
  return makers[section](report);
}

const totalColumns = ['start', 'end', 'change', 'change_percent', 'items', 'items_missing', 'quality'];

function totalsTable(report: Report): SectionTable {
  const totals = Object.entries(asObject(report.totals) ?? {});
  return {
    columns: ['metric', ...totalColumns],
    rows: totals.map(([metric, total]) => [metric, ...pick(total, totalColumns)]),
  };
}

const itemColumns = ['name', 'platform', 'kind', 'url', 'item_id'];
const valueColumns = ['start', 'end', 'change', 'change_percent', 'quality'];

/** One row an item; a metric that no item has takes no columns. */
function itemsTable(report: Report): SectionTable {
  const items = objects(report.items);
  const metrics = [...new Set(items.flatMap((item) => Object.keys(asObject(item.metrics) ?? {})))];
  return {
    columns: [
      ...itemColumns,
      ...['item_status', 'first_observed_at (UTC)', 'last_observed_at (UTC)'],
      ...metrics.flatMap((metric) => valueColumns.map((column) => `${metric}_${column}`)),
      ...['engagement_rate_by_views_percent', 'engagement_rate_formula', 'gaps'],
    ],
    rows: items.map((item) => [
      ...pick(item, itemColumns),
      ...[item.status, moment(item.first_observed_at), moment(item.last_observed_at)],
      ...metrics.flatMap((metric) => pick(asObject(item.metrics)?.[metric], valueColumns)),
      ...pick(objects(item.rates)[0], ['percent', 'formula']),
      objects(item.gaps).map(gapText).join('; '),
    ]),
  };
}

function gapText({ from, to, cause }: Report): string {
  return `${moment(from)}/${moment(to)} ${cause}`;
}

/** A point for each metric, platform and day or week; `at` is the first day of it. */
function seriesTable(report: Report): SectionTable {
  const pointColumns = ['value', 'items', 'items_missing', 'quality'];
  return {
    columns: ['platform', 'metric', 'step', 'at (UTC)', ...pointColumns],
    rows: objects(report.series).flatMap((series) =>
      objects(series.points).map((point) => [
        ...pick(series, ['platform', 'metric', 'step']),
        moment(point.at)?.slice(0, 10),
        ...pick(point, pointColumns),
      ]),
    ),
  };
}

function notesTable(report: Report): SectionTable {
  const notes: unknown[] = Array.isArray(report.notes) ? report.notes : [];
  const method = report.method === undefined ? [] : [['method', report.method]];
  return { columns: ['kind', 'text'], rows: [...notes.map((note) => ['note', note]), ...method] };
}

/** One row: what the report is of, and how much of it was observed. */
function coverageTable(report: Report): SectionTable {
  const counts = ['expected_observations', 'observations', 'items', 'items_never_observed'];
  const { campaign, coverage } = report;
  return {
    columns: [
      ...['campaign', 'campaign_id', 'campaign_status', 'report_name', 'report_id', 'final'],
      ...['period_start (UTC)', 'period_end (UTC)', 'generated_at (UTC)', 'history_days', 'partial_period'],
      ...counts,
    ],
    rows: [
      [
        ...pick(campaign, ['name', 'id', 'status']),
        ...pick(report, ['report_name', 'report_id', 'final']),
        ...[moment(report.period_start), moment(report.period_end), moment(report.generated_at)],
        ...pick(report, ['history_days', 'partial_period']),
        ...pick(coverage, counts),
      ],
    ],
  };
}

function pick(value: unknown, names: readonly string[]): unknown[] {
  const object = asObject(value);
  return names.map((name) => object?.[name]);
}

function objects(value: unknown): Report[] {
  return Array.isArray(value) ? value.map((one: unknown) => asObject(one) ?? {}) : [];
}

/** Unix ms as ISO 8601 in UTC. A Date would be shown in the zone of the file, where a day of UTC may be another day. */
function moment(at: unknown): string | undefined {
  const isMoment = typeof at === 'number' && Math.abs(at) <= momentMaxMs;
  return isMoment ? new Date(at).toISOString() : undefined;
}

/** Beyond it no date exists, and `toISOString` throws. */
const momentMaxMs = 8.64e15;
