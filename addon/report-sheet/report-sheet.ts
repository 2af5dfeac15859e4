import { isId } from '../formulas/arguments.ts';
import { isReport, type Report } from '../formulas/report-tables.ts';
import { noKey, unreadable } from '../formulas/tables.ts';
import { asObject, fetchAnswers } from '../platform/client.ts';
import { fileStore } from '../platform/file-store.ts';
import { holdLock } from '../platform/lock.ts';
import { FailureError, PlainError } from '../platform/page-call.ts';
import { actionServer, keyStores } from '../platform/platform.ts';
import { recordRun } from '../platform/runs.ts';
import { columnWidthPx, drawCharts } from './charts.ts';
import { arrangeDetails } from './details.ts';
import type { SheetPlan, StyledRow } from './layout.ts';
import { objects, textOf } from './read-report.ts';
import { arrangeSummary } from './summary.ts';
import {
  checkProtection,
  newReportSheet,
  type OwnSheet,
  prepareSheet,
  readSaved,
  sheetById,
  writeSaved,
} from './target.ts';

type Sheet = GoogleAppsScript.Spreadsheet.Sheet;

const headingColor = '#e8eef4';
const accentColor = '#1f4e79';
const quietColor = '#5f6368';
const titlePoints = 20;
const headlinePoints = 12;
const sectionPoints = 13;

type ReportInserted = { ok: true; message: string; sheet: string };

/** The error for a campaign report that the server does not return. `code`: the error code of the server. */
export class ReportError extends FailureError {}

/**
 * Writes a campaign's weekly report into its own sheet, or updates that sheet, and then shows it.
 *
 * @param reportId the report of a finished week; null for the newest finished week, or for the current week when no
 * week has ended yet.
 * @throws PlainError when the report does not exist, the API key may not read it, or another window or trigger is
 * writing into the spreadsheet.
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

type ReportWritten = { sheet: string; items: number; state: string };

/**
 * Requests a campaign report from the server and writes it into its two sheets (summary and details).
 *
 * @param activate true to show the summary sheet afterwards; false when a trigger runs, because then no user sees it.
 * @throws PlainError in the same cases as {@link insertReport}.
 */
export function writeReport(campaignId: string, reportId: string | null, activate = true): ReportWritten {
  const { report, workspace } = loadReport(campaignId, reportId);
  const summary = arrangeSummary(report, workspace);
  const details = arrangeDetails(report);
  return holdLock(() => {
    const file = SpreadsheetApp.getActiveSpreadsheet();
    const store = fileStore(keyStores().document);
    const saved = readSaved(store, campaignId);
    const name = textOf(asObject(report.campaign)?.name) ?? '';
    const old = { summary: existing(file, saved), details: existing(file, saved?.details ?? null) };
    if (old.summary !== null) checkProtection(old.summary, summary);
    if (old.details !== null) checkProtection(old.details, details);
    const sheet = old.summary ?? newReportSheet(file, name, 'report');
    const detailsSheet = old.details ?? newReportSheet(file, name, 'details');
    prepareSheet(sheet, old.summary && saved, summary);
    prepareSheet(detailsSheet, (old.details && saved?.details) ?? null, details);
    writePlan(sheet, summary);
    writePlan(detailsSheet, details);
    if (old.summary === null) sheet.setHiddenGridlines(true);
    if (old.summary === null) setWidths(sheet, summary);
    if (old.details === null) setWidths(detailsSheet, details);
    detailsSheet.setFrozenRows(1);
    const charts = drawCharts(sheet, summary.charts, (old.summary && saved?.charts) ?? {});
    const sizes = { ...sizeOf(sheet, summary), details: sizeOf(detailsSheet, details) };
    writeSaved(store, campaignId, { ...sizes, report_id: reportId, charts });
    if (activate) file.setActiveSheet(sheet);
    SpreadsheetApp.flush();
    const items = objects(report.items).length;
    return { sheet: sheet.getName(), items, state: stateOf(report, items) };
  });
}

function existing(file: GoogleAppsScript.Spreadsheet.Spreadsheet, saved: OwnSheet | null): Sheet | null {
  return saved === null ? null : sheetById(file, saved.sheet_id);
}

function sizeOf(sheet: Sheet, { cells }: SheetPlan): OwnSheet {
  return { sheet_id: sheet.getSheetId(), columns: cells[0]?.length ?? 0, rows: cells.length };
}

/**
 * Requests a campaign report and the name of the workspace from the server. The name is null when the server does not
 * return it. Both requests are free.
 */
function loadReport(campaignId: string, reportId: string | null): { report: Report; workspace: string | null } {
  const { key, network, origin } = actionServer();
  if (key === null) throw new ReportError(noKey);
  const week = reportId === null ? '' : `&report_id=${encodeURIComponent(reportId)}`;
  const url = `${origin}/v1/workflows/campaign-report?id=${encodeURIComponent(campaignId)}${week}`;
  const [answer, balance] = fetchAnswers([url, `${origin}/v1/credit/balance`], key, network);
  if (answer?.ok === false) throw new ReportError(answer.failure);
  const report = asObject(answer?.data);
  if (report === null || !isReport(report)) throw new ReportError(unreadable);
  return { report, workspace: balance?.ok === true ? textOf(asObject(balance.data)?.workspace) : null };
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

/**
 * Writes all cells of a report sheet in one call. The cells must have no number format yet, because Google Sheets would
 * read the values according to that format.
 */
function writePlan(sheet: Sheet, { cells, formats, alignments, styles }: SheetPlan): void {
  const range = sheet.getRange(1, 1, cells.length, cells[0]?.length ?? 0);
  range.setValues(cells).setNumberFormats(formats).setHorizontalAlignments(alignments);
  for (const { style, row, width } of styles) setStyle(sheet.getRange(row, 1, 1, width), style);
}

function setStyle(range: GoogleAppsScript.Spreadsheet.Range, style: StyledRow['style']): void {
  if (style === 'title') range.setFontWeight('bold').setFontSize(titlePoints).setFontColor(accentColor);
  if (style === 'headline') range.setFontWeight('bold').setFontSize(headlinePoints);
  if (style === 'quiet') range.setFontColor(quietColor);
  if (style === 'section') range.setFontWeight('bold').setFontSize(sectionPoints).setFontColor(accentColor);
  if (style === 'heading') {
    range.setFontWeight('bold').setBackground(headingColor).setWrap(true).setVerticalAlignment('bottom');
  }
}

/**
 * Sets the column widths of a new report sheet. A refresh of the report does not set them again, because the user may
 * have changed them.
 */
function setWidths(sheet: Sheet, { cells }: SheetPlan): void {
  sheet.setColumnWidth(1, columnWidthPx.name);
  const others = (cells[0]?.length ?? 0) - 1;
  if (others > 0) sheet.setColumnWidths(2, others, columnWidthPx.other);
}
