import { readFileSync } from 'node:fs';
import type { Hono } from 'hono';
import { createLinkResolver } from '../../pipeline/share-links.ts';
import type { AnswerAs } from '../replies.ts';
import { type Accounts, createAccounts } from './accounts.ts';
import type { DashboardDeps } from './deps.ts';
import { mountOAuth } from './oauth.ts';
import { createReportReader } from './report-source.ts';
import { mountDashboard } from './routes.ts';
import { sections } from './sections.ts';
import { mountShared } from './share-public.ts';
import { mountSignIn } from './sign-in.ts';

export interface Dashboard {
  accounts: Accounts;
  /** Mounts every page. `answerAs` calls the API with a key of the workspace. */
  mount(app: Hono, answerAs: AnswerAs): void;
}

/** Creates the pages for people: sign-in, shared reports and the dashboard. They call the same functions as the API and the jobs. */
export function createDashboard(deps: DashboardDeps): Dashboard {
  const accounts = createAccounts({ ...deps, session_secret: deps.config.session_secret });
  const links = createLinkResolver(deps.sources);
  const read_report = createReportReader(deps);
  return {
    accounts,
    mount(app, answerAs) {
      mountFiles(app);
      mountOAuth(app, { ...deps, accounts });
      mountSignIn(app, { ...deps, accounts, mails: deps.config.mails });
      mountShared(app, { ...deps, read_report });
      const created = sections.map((create) => create({ ...deps, accounts, read_report, links, answerAs }));
      mountDashboard(app, { ...deps, accounts, sections: created });
    },
  };
}

/** Mounts the style sheet and the script of the pages. Both are read once, at start. */
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
