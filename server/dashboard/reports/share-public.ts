import type { Context, Hono } from 'hono';
import { html } from 'hono/html';
import type { Sql } from 'postgres';
import { openShare } from '../../../db/campaigns/report-shares.ts';
import type { Report } from '../../../pipeline/report/report.ts';
import { answerRequest, type WriteLog } from '../../http/request-log.ts';
import { answerPage } from '../ui/answer-page.ts';
import { brokenPage } from '../ui/failure-pages.ts';
import { printPage, publicPage } from '../ui/layout.ts';
import { reportContent } from './content.ts';
import { reportTitle } from './figures.ts';
import { printedReport } from './page.ts';
import type { ReadReport } from './source.ts';

export interface SharedDeps {
  db: { sql: Sql };
  now: () => Date;
  read_report: ReadReport;
  log: WriteLog;
}

const path = '/shared/reports/:token';

/** Adds the page of reports that anyone with the link can read. The URL is a secret, so it is not logged, indexed or sent as a referrer. */
export function mountShared(app: Hono, deps: SharedDeps): void {
  app.get(path, (c) => answer(c, path, deps, (report, token) => sharedPage(report, token)));
  app.get(`${path}/print`, (c) =>
    answer(c, `${path}/print`, deps, (report, token) => answerPage(printedReport(report, `/shared/reports/${token}`))),
  );
}

async function answer(
  c: Context,
  route: string,
  deps: SharedDeps,
  show: (report: Report, token: string) => Promise<Response>,
): Promise<Response> {
  const token = c.req.param('token') ?? '';
  const response = await answerRequest({
    request: c.req.raw,
    route,
    log: deps.log,
    answer: async () => {
      const report = await sharedReport(token, deps);
      return report ? show(report, token) : gonePage();
    },
    failed: (error, { request_id }) => brokenPage(error, request_id),
  });
  response.headers.set('x-robots-tag', 'noindex, nofollow');
  response.headers.set('referrer-policy', 'no-referrer');
  return response;
}

async function sharedReport(token: string, { db, now, read_report }: SharedDeps): Promise<Report | null> {
  const share = await openShare(db.sql, token, now());
  return share ? read_report(share) : null;
}

function sharedPage(report: Report, token: string): Promise<Response> {
  const title = reportTitle(report);
  const content = html`<h1>${title}</h1>
<p class="no-print"><a class="button quiet" href="/shared/reports/${token}/print">Print or save as PDF</a></p>
${reportContent(report, 'screen')}`;
  return answerPage(printPage(title, content));
}

/** Returns the same page for an unknown, an expired and a revoked link, so that no one can find out which links existed. */
function gonePage(): Promise<Response> {
  const content = html`<div class="box"><h1>Report not found</h1><p>This link is wrong, has expired or was revoked. Ask the sender for a new link.</p></div>`;
  return answerPage(publicPage('Report not found', content), 404);
}
