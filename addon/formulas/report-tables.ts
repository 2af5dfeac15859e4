import { asObject } from '../platform/client.ts';

export const reportSections = ['totals', 'items', 'series', 'notes', 'coverage'] as const;
type ReportSection = (typeof reportSections)[number];

/**
 * A campaign report as the server sent it. Each value is checked where it is used, because the server may be newer than
 * the add-on.
 */
export type Report = Readonly<Record<string, unknown>>;

/**
 * A section of a campaign report as a table for the sheet. The first column is text. Null means unknown. Times are ISO
 * 8601 in UTC; whole days are UTC dates.
 */
export type SectionTable = { columns: readonly string[]; rows: unknown[][] };

const sectionTables: Record<ReportSection, (report: Report) => SectionTable> = {
  totals: totalsTable,
  items: itemsTable,
  series: seriesTable,
  notes: notesTable,
  coverage: coverageTable,
};

/**
 * Returns true when the answer of the server contains all sections of a campaign report. An incomplete answer must be
 * rejected, because it would look like an empty report.
 */
export function isReport(data: Report): boolean {
  const hasObjects = [data.campaign, data.totals, data.coverage].every((part) => asObject(part) !== null);
  return hasObjects && [data.items, data.series, data.notes].every(Array.isArray);
}

/** Returns one section of a campaign report as a table for the sheet. */
export function reportTable(section: ReportSection, report: Report): SectionTable {
  return sectionTables[section](report);
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

/**
 * Returns the section `items` of a report: one row for each tracked item. The table has columns only for the metrics
 * that at least one item has.
 */
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
      ...[item.status, isoTime(item.first_observed_at), isoTime(item.last_observed_at)],
      ...metrics.flatMap((metric) => pick(asObject(item.metrics)?.[metric], valueColumns)),
      ...pick(objects(item.rates)[0], ['percent', 'formula']),
      objects(item.gaps).map(gapText).join('; '),
    ]),
  };
}

function gapText({ from, to, cause }: Report): string {
  return `${isoTime(from)}/${isoTime(to)} ${cause}`;
}

/**
 * Returns the section `series` of a report: one row for each platform, metric and period (a day or a week). `at` is the
 * first day of the period.
 */
function seriesTable(report: Report): SectionTable {
  const pointColumns = ['value', 'items', 'items_missing', 'quality'];
  return {
    columns: ['platform', 'metric', 'step', 'at (UTC)', ...pointColumns],
    rows: objects(report.series).flatMap((series) =>
      objects(series.points).map((point) => [
        ...pick(series, ['platform', 'metric', 'step']),
        isoTime(point.at)?.slice(0, 10),
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

/** Returns the section `coverage` of a report: one row with the campaign, the period and the number of observations. */
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
        ...[isoTime(report.period_start), isoTime(report.period_end), isoTime(report.generated_at)],
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
  return Array.isArray(value) ? value.map((item: unknown) => asObject(item) ?? {}) : [];
}

/**
 * Returns a time in Unix ms as ISO 8601 text in UTC. The result is not a Date, because Google Sheets would show a Date
 * in the time zone of the spreadsheet, which could change the day.
 */
function isoTime(at: unknown): string | undefined {
  const isTime = typeof at === 'number' && Math.abs(at) <= timeMaxMs;
  return isTime ? new Date(at).toISOString() : undefined;
}

/** The latest time in Unix ms that a JavaScript date can have; `toISOString` throws for a later one. */
const timeMaxMs = 8.64e15;
