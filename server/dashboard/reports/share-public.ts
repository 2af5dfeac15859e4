import type { Context, Hono } from 'hono';
import { html } from 'hono/html';
import { type ReportBrand, readBrand } from '../../../db/campaigns/report-brands.ts';
import { countShareView, type OpenedShare, openShare } from '../../../db/campaigns/report-shares.ts';
import type { Report } from '../../../pipeline/report/report.ts';
import { headlineOf } from '../../../pipeline/report/summary/headline.ts';
import { textPreview } from '../../design/document.ts';
import { answerRequest, type WriteLog } from '../../http/handle-request.ts';
import { answerPage } from '../ui/answer-page.ts';
import { brokenPage } from '../ui/failure-pages.ts';
import { printPage, publicPage } from '../ui/layout.ts';
import { brandFooter, brandHead } from './brand.ts';
import { reportContent } from './content.ts';
import { formatDays, reportTitle } from './figures.ts';
import { printedReport, printsDetails } from './page.ts';
import { isPerson } from './person.ts';
import { type PictureDeps, type PictureOf, picturesOf } from './pictures.ts';
import type { ReadReport } from './source.ts';

interface SharedDeps extends PictureDeps {
  now: () => Date;
  read_report: ReadReport;
  log: WriteLog;
}

const path = '/shared/reports/:token';

/**
 * Adds the pages of shared reports, which anyone with the link can read. The URL is a secret, so it is not logged,
 * indexed or sent as a referrer.
 */
export function mountShared(app: Hono, deps: SharedDeps): void {
  app.get(path, (c) => answer(c, path, deps, (shared, token) => sharedPage(shared, token)));
  app.get(`${path}/print`, (c) =>
    answer(c, `${path}/print`, deps, ({ report, ...shown }, token) =>
      answerPage(
        printedReport(report, {
          ...shown,
          back: `/shared/reports/${token}`,
          details: printsDetails(new URL(c.req.url)),
        }),
      ),
    ),
  );
}

async function answer(
  c: Context,
  route: string,
  deps: SharedDeps,
  show: (shared: Shared, token: string) => Promise<Response>,
): Promise<Response> {
  const token = c.req.param('token') ?? '';
  const response = await answerRequest({
    request: c.req.raw,
    route,
    log: deps.log,
    answer: async () => {
      const shared = await openReport(token, deps);
      if (!shared) return invalidLinkPage();
      // Counts a view only of the screen page. Readers open the print page from there, so counting it, too, would count
      // them twice.
      if (route === path && isPerson(c.req.raw)) await countShareView(deps.db.sql, shared.share, deps.now());
      return show(shared, token);
    },
    failed: (error, { request_id }) => brokenPage(error, request_id),
  });
  response.headers.set('x-robots-tag', 'noindex, nofollow');
  response.headers.set('referrer-policy', 'no-referrer');
  return response;
}

interface Shared {
  share: OpenedShare;
  report: Report;
  brand: ReportBrand;
  picture_of: PictureOf;
}

async function openReport(token: string, deps: SharedDeps): Promise<Shared | null> {
  const { db, now, read_report } = deps;
  const share = await openShare(db.sql, token, now());
  if (!share) return null;
  const [report, brand] = await Promise.all([read_report(share), readBrand(db.sql, share.workspace_id)]);
  return report && { share, report, brand, picture_of: await picturesOf(report, share.workspace_id, deps) };
}

function sharedPage({ report, brand, picture_of }: Shared, token: string): Promise<Response> {
  const title = reportTitle(report);
  const content = html`<div class="shared-head">${brandHead(report, brand)}<p class="no-print"><a class="button quiet" href="/shared/reports/${token}/print">Print or save as PDF</a></p></div>
${reportContent(report, 'screen', picture_of)}${brandFooter(brand)}`;
  const description = `${formatDays(report.period_start, report.period_end)}. ${headlineOf(report)}`;
  return answerPage(printPage(title, content, textPreview(title, description, 'article')));
}

/**
 * Returns the same page for an unknown, an expired and a revoked link, so that no one can find out which links existed.
 */
function invalidLinkPage(): Promise<Response> {
  const content = html`<div class="box"><h1>Report not found</h1><p>This link is wrong, has expired or was revoked. Ask the sender for a new link.</p></div>`;
  return answerPage(publicPage('Report not found', content), 404);
}
