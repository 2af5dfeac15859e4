import { readFileSync } from 'node:fs';
import type { Hono } from 'hono';
import { createLinkResolver } from '../../pipeline/collect/share-links.ts';
import type { AnswerAs } from '../http/responses.ts';
import { type Accounts, createAccounts } from './account/accounts.ts';
import { mountOAuth } from './account/oauth.ts';
import { mountSignIn } from './account/sign-in.ts';
import { mountSubscriptions } from './alerts/subscriptions.ts';
import type { DashboardDeps } from './deps.ts';
import { mountShared } from './reports/share-public.ts';
import { createReportReader } from './reports/source.ts';
import { sections } from './sections.ts';
import { mountDashboard } from './ui/page-routes.ts';

export interface Dashboard {
  accounts: Accounts;
  /** Adds every page to the HTTP application. `answerAs` calls the API with a key of the workspace. */
  mount(app: Hono, answerAs: AnswerAs): void;
}

/**
 * Creates the web pages for people: sign-in, shared reports and the dashboard. They call the same functions as the API and the background
 * jobs.
 */
export function createDashboard(deps: DashboardDeps): Dashboard {
  const accounts = createAccounts({ ...deps, session_secret: deps.config.session_secret });
  const links = createLinkResolver(deps.sources);
  const readReport = createReportReader(deps);
  return {
    accounts,
    mount(app, answerAs) {
      mountFiles(app);
      mountOAuth(app, { ...deps, accounts });
      mountSignIn(app, { ...deps, accounts, mails: deps.config.mails });
      mountShared(app, { ...deps, read_report: readReport });
      mountSubscriptions(app, { ...deps, read_report: readReport });
      const created = sections.map((create) => create({ ...deps, accounts, read_report: readReport, links, answerAs }));
      mountDashboard(app, { ...deps, accounts, sections: created });
    },
  };
}

/** Adds the routes of the style sheet and the script of the pages. Both files are read once, when the server starts. */
function mountFiles(app: Hono): void {
  const files = { 'style.css': 'text/css', 'page.js': 'text/javascript' };
  for (const [name, type] of Object.entries(files)) {
    const body = readFileSync(new URL(name, import.meta.url), 'utf8');
    const headers = {
      'content-type': `${type}; charset=utf-8`,
      'cache-control': 'public, max-age=300',
      'x-content-type-options': 'nosniff',
    };
    app.get(`/dashboard/${name}`, () => new Response(body, { headers }));
  }
}
