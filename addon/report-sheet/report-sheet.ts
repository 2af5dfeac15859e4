import { isReport, type Report } from '../formulas/report-tables.ts';
import { noKey, unreadable } from '../formulas/tables.ts';
import { asObject, fetchAnswers } from '../platform/client.ts';
import { fileStore } from '../platform/file-store.ts';
import { holdLock } from '../platform/lock.ts';
import { FailureError, PlainError } from '../platform/page-call.ts';
import { actionServer, keyStores } from '../platform/platform.ts';
import { recordRun } from '../refresh/runs.ts';
import { columnWidthPx, drawCharts, nameColumns } from './charts.ts';
import { arrangeReport, type ReportLayout } from './layout.ts';
import { newReportSheet, prepareSheet, readSaved, sheetById, writeSaved } from './target.ts';

type Sheet = GoogleAppsScript.Spreadsheet.Sheet;

const idForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const headingColor = '#e8eef4';
const titlePoints = 12;

export type ReportInserted = { ok: true; message: string; sheet: string };

/** Thrown when a report cannot be loaded. `code`: the error code of the server. */
export class ReportError extends FailureError {}

/**
 * Writes a campaign's report into its own sheet, or updates it, and activates that sheet.
 *
 * @param reportId a finished week; null for the newest finished week, or the current week before the first has ended.
 * @throws PlainError when the report does not exist, the key may not read it, or another execution is writing.
 */
export function insertReport(campaignId: unknown, reportId: unknown): ReportInserted {
  if (!isId(campaignId)) throw new PlainError('Choose a campaign.');
  const week = reportId === undefined || reportId === null || reportId === '' ? null : reportId;
  if (week !== null && !isId(week)) throw new PlainError('Choose a report from the list.');
  const written = writeReport(campaignId, week);
  const message = `${written.sheet}: ${written.state}. It cost 0 credits.`;
  recordRun({ what: 'Campaign report', rows: written.items, ok: written.items, failed: 0, credits: 0, message });
  return { ok: true, message, sheet: written.sheet };
}

export type ReportWritten = { sheet: string; items: number; state: string };

/** Loads a report and writes it into its sheet. @param activate false when a trigger runs, because no user is there. @throws PlainError */
export function writeReport(campaignId: string, reportId: string | null, activate = true): ReportWritten {
  const report = loadReport(campaignId, reportId);
  const layout = arrangeReport(report);
  return holdLock(() => {
    const file = SpreadsheetApp.getActiveSpreadsheet();
    const store = fileStore(keyStores().document);
    const saved = readSaved(store, campaignId);
    const existing = saved === null ? null : sheetById(file, saved.sheet_id);
    const sheet = existing ?? newReportSheet(file, String(asObject(report.campaign)?.name ?? ''));
    const known = existing === null ? null : saved;
    prepareSheet(sheet, known, layout);
    writeTables(sheet, layout);
    if (known === null) setWidths(sheet, layout);
    const charts = drawCharts(sheet, layout.charts, known?.charts ?? {});
    const { columns, rows } = layout;
    writeSaved(store, campaignId, { sheet_id: sheet.getSheetId(), report_id: reportId, columns, rows, charts });
    if (activate) file.setActiveSheet(sheet);
    SpreadsheetApp.flush();
    const items = Array.isArray(report.items) ? report.items.length : 0;
    return { sheet: sheet.getName(), items, state: stateOf(report, items) };
  });
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && idForm.test(value);
}

function loadReport(campaignId: string, reportId: string | null): Report {
  const { key, network, origin } = actionServer();
  if (key === null) throw new ReportError(noKey);
  const week = reportId === null ? '' : `&report_id=${encodeURIComponent(reportId)}`;
  const url = `${origin}/v1/workflows/campaign-report?id=${encodeURIComponent(campaignId)}${week}`;
  const [answer] = fetchAnswers([url], key, network);
  if (answer?.ok === false) throw new ReportError(answer.failure);
  const report = asObject(answer?.data);
  if (report === null || !isReport(report)) throw new ReportError(unreadable);
  return report;
}

function stateOf(report: Report, items: number): string {
  const from = dayOf(report.period_start);
  const count = items === 1 ? '1 item' : `${items} items`;
  return report.final === true
    ? `the finished week from ${from}, ${count}`
    : `the week from ${from} so far, which is not final, ${count}`;
}

function dayOf(at: unknown): string {
  const date = new Date(typeof at === 'number' ? at : Number.NaN);
  return Number.isNaN(date.getTime()) ? 'an unknown day' : date.toISOString().slice(0, 10);
}

/** Writes each table in one call. The cells must have no number format before, because it would change how the values are read. */
function writeTables(sheet: Sheet, { tables }: ReportLayout): void {
  for (const { row, cells, formats, heading_row } of tables) {
    const width = cells[0]?.length ?? 0;
    sheet.getRange(row, 1, cells.length, width).setValues(cells).setNumberFormats(formats);
    if (cells.length > 1) sheet.getRange(row, 1, 1, 1).setFontWeight('bold').setFontSize(titlePoints);
    if (heading_row === null) continue;
    sheet.getRange(heading_row, 1, 1, width).setFontWeight('bold').setBackground(headingColor).setWrap(true);
  }
  const [head] = tables;
  if (head !== undefined) {
    sheet.getRange(2, 2, head.cells.length - 1, 1).setHorizontalAlignment('left');
    sheet.getRange(2, 1, head.cells.length - 1, 1).setFontWeight('bold');
  }
}

/** Sets the column widths of a new sheet. Later calls do not, because the user may have changed them. */
function setWidths(sheet: Sheet, { columns }: ReportLayout): void {
  sheet.setColumnWidths(1, nameColumns, columnWidthPx.name);
  const others = columns - nameColumns;
  if (others > 0) sheet.setColumnWidths(nameColumns + 1, others, columnWidthPx.other);
}
