import { html } from 'hono/html';
import { dayOf } from '../../../db/calendar.ts';
import { type ReportBrand, readBrand } from '../../../db/campaigns/report-brands.ts';
import { reportColumns, reportRows } from '../../../pipeline/report/csv.ts';
import type { Report } from '../../../pipeline/report/report.ts';
import type { Html } from '../../docs/layout.ts';
import { type TableFormat, tableResponse } from '../../http/attachment.ts';
import type { CampaignPageDeps } from '../deps.ts';
import { answerPage } from '../ui/answer-page.ts';
import { printPage } from '../ui/layout.ts';
import { tabs } from '../ui/parts/blocks.ts';
import { type Page, PageNotFound, type Section, type Visit } from '../ui/section.ts';
import { brandFooter, brandHead } from './brand.ts';
import { reportContent } from './content.ts';
import { reportTitle } from './figures.ts';
import { type PictureOf, picturesOf } from './pictures.ts';
import type { ReadReport } from './source.ts';

const path = '/dashboard/campaigns/:campaign_id/reports/:report_id';
/** Replaces the report id in the URL of the current week's report, which has no id. */
export const currentWeek = 'running';

/** Creates the pages of a report: on screen, as CSV and Excel, and for printing. */
export function reportSection(deps: Pick<CampaignPageDeps, 'db' | 'media' | 'read_report'>): Section {
  return {
    pages: {
      [path]: async (visit) => {
        const report = await reportOf(visit, deps);
        return reportPage(report, await picturesOf(report, visit.visitor.workspace_id, deps), visit);
      },
      [`${path}/csv`]: async (visit) => tableAnswer(await reportOf(visit, deps), 'csv'),
      [`${path}/xlsx`]: async (visit) => tableAnswer(await reportOf(visit, deps), 'xlsx'),
      [`${path}/print`]: async (visit) => {
        const { campaign_id, report_id } = visit.params;
        const back = `/dashboard/campaigns/${campaign_id}/reports/${report_id}`;
        const [report, brand] = await Promise.all([
          reportOf(visit, deps),
          readBrand(deps.db.sql, visit.visitor.workspace_id),
        ]);
        const pictureOf = await picturesOf(report, visit.visitor.workspace_id, deps);
        return answerPage(
          printedReport(report, { brand, back, picture_of: pictureOf, details: printsDetails(visit.url) }),
        );
      },
    },
    forms: {},
  };
}

async function reportOf({ params, visitor }: Visit, { read_report }: { read_report: ReadReport }): Promise<Report> {
  const { workspace_id, tier } = visitor;
  const { campaign_id = '', report_id = '' } = params;
  const report = await read_report({
    workspace_id,
    tier,
    campaign_id,
    report_id: report_id === currentWeek ? null : report_id,
  });
  if (!report) throw new PageNotFound();
  return report;
}

function reportPage(report: Report, pictureOf: PictureOf, { params, url }: Visit): Page {
  const here = url.pathname.replace(/\/$/, '');
  const campaign = `/dashboard/campaigns/${params.campaign_id}`;
  const actions = html`<a class="button quiet" href="${here}/print">Print or save as PDF</a><a class="button quiet" href="${here}/csv">Download CSV</a><a class="button quiet" href="${here}/xlsx">Download Excel</a><a class="button quiet" data-needs="/dashboard/links" href="/dashboard/links?show=report:${params.campaign_id}:items">Create a data link…</a>`;
  const crumbs = [[report.campaign.name, campaign] as const];
  return { title: reportTitle(report), crumbs, actions, content: reportContent(report, 'screen', pictureOf) };
}

interface Printing {
  brand: ReportBrand;
  /** Path of the page that the link Back opens. */
  back: string;
  picture_of: PictureOf;
  /** True when the details after the summary of the report are printed, too. */
  details: boolean;
}

/** Returns true when a report is printed with its details. The query parameter `details=no` leaves the details out. */
export function printsDetails(url: URL): boolean {
  return url.searchParams.get('details') !== 'no';
}

/** Returns a report as a page for printing, without the menu of the dashboard. */
export function printedReport(report: Report, { brand, back, picture_of, details }: Printing): Html | Promise<Html> {
  const title = reportTitle(report);
  const choice = tabs(
    'What to print',
    [
      ['Summary and details', `${back}/print`],
      ['Summary only', `${back}/print?details=no`],
    ],
    details ? `${back}/print` : `${back}/print?details=no`,
  );
  const content = html`<div class="row actions no-print"><a class="button quiet" href="${back}">Back</a>
<button type="button" data-print hidden>Print or save as PDF</button><p class="hint">Use the print dialog of your browser to print on A4 or to save a PDF.</p></div>
<div class="no-print">${choice}</div>
${brandHead(report, brand)}${reportContent(report, details ? 'paper' : 'paper summary', picture_of)}${brandFooter(brand)}`;
  return printPage(title, content);
}

function tableAnswer(report: Report, format: TableFormat): Response {
  return tableResponse(`campaign-report-${dayOf(report.period_start)}`, format, reportColumns, reportRows(report));
}
