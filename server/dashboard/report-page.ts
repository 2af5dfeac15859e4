import { html } from 'hono/html';
import type { Report } from '../../pipeline/report.ts';
import { reportCsv } from '../../pipeline/report-csv.ts';
import { dayOf } from '../../pipeline/report-period.ts';
import { attachmentResponse } from '../attachment.ts';
import type { Html } from '../docs/layout.ts';
import { printPage } from './layout.ts';
import { reportContent } from './report-content.ts';
import { reportTitle } from './report-figures.ts';
import type { ReadReport } from './report-source.ts';
import { answerPage } from './routes.ts';
import { type Page, PageNotFound, type Section, type Visit } from './section.ts';

const path = '/dashboard/campaigns/:campaign_id/reports/:report_id';
/** Stands in an address for the period that runs. */
export const running = 'running';

/** A report of a campaign on a page, as CSV, and made for paper. */
export function reportSection(deps: { read_report: ReadReport }): Section {
  return {
    pages: {
      [path]: async (visit) => reportPage(await reportOf(visit, deps), visit),
      [`${path}/csv`]: async (visit) => csvAnswer(await reportOf(visit, deps)),
      [`${path}/print`]: async (visit) => {
        const { campaign_id, report_id } = visit.params;
        const back = `/dashboard/campaigns/${campaign_id}/reports/${report_id}`;
        return answerPage(printedReport(await reportOf(visit, deps), back));
      },
    },
    forms: {},
  };
}

async function reportOf({ params, visitor }: Visit, { read_report }: { read_report: ReadReport }): Promise<Report> {
  const { workspace_id, tier } = visitor;
  const { campaign_id = '', report_id = '' } = params;
  const wish = { workspace_id, tier, campaign_id, report_id: report_id === running ? null : report_id };
  const report = await read_report(wish);
  if (!report) throw new PageNotFound();
  return report;
}

function reportPage(report: Report, { params, url }: Visit): Page {
  const here = url.pathname.replace(/\/$/, '');
  const content = html`<p class="no-print"><a href="/dashboard/campaigns/${params.campaign_id}">Back to the campaign</a></p>
<div class="row actions no-print"><a class="button quiet" href="${here}/print">Print or save as PDF</a><a class="button quiet" href="${here}/csv">Download CSV</a></div>
${reportContent(report, 'screen')}`;
  return { title: reportTitle(report), content };
}

/** The report alone, made to be printed; `back` leads to the page it belongs to. */
export function printedReport(report: Report, back: string): Html | Promise<Html> {
  const title = reportTitle(report);
  const content = html`<div class="row actions no-print"><a class="button quiet" href="${back}">Back</a>
<button type="button" data-print hidden>Print or save as PDF</button><p class="hint">Your browser prints this page on A4, or saves it as a PDF.</p></div>
<h1>${title}</h1>${reportContent(report, 'paper')}`;
  return printPage(title, content);
}

function csvAnswer(report: Report): Response {
  return attachmentResponse(`campaign-report-${dayOf(report.period_start)}`, 'csv', reportCsv(report));
}
