import type { Hono } from 'hono';
import { createLinkResolver } from '../../pipeline/collect/short-links.ts';
import type { CallAs } from '../http/keyed.ts';
import { type Accounts, createAccounts } from './account/accounts.ts';
import { mountOAuth } from './account/oauth/oauth.ts';
import { mountSignIn } from './account/sign-in.ts';
import { mountSubscriptions } from './alerts/subscriptions.ts';
import type { DashboardDeps } from './deps.ts';
import { mountJoin } from './people/join.ts';
import { mountShared } from './reports/share-public.ts';
import { createReportReader } from './reports/source.ts';
import { sections } from './sections.ts';
import { mountDashboard } from './ui/page-routes.ts';

interface Dashboard {
  accounts: Accounts;
  /** Adds every page to the HTTP application. `callAs` calls the API on behalf of a workspace, with one of its keys. */
  mount(app: Hono, callAs: CallAs): void;
}

/**
 * Creates the web pages for people: sign-in, shared reports and the dashboard. The pages call the same functions as the
 * API and the background jobs.
 */
export function createDashboard(deps: DashboardDeps): Dashboard {
  const accounts = createAccounts({ ...deps, session_secret: deps.config.session_secret });
  const links = createLinkResolver(deps.sources);
  const readReport = createReportReader(deps);
  return {
    accounts,
    mount(app, callAs) {
      mountOAuth(app, { ...deps, accounts });
      mountSignIn(app, { ...deps, accounts, mails: deps.config.mails });
      mountJoin(app, { ...deps, accounts });
      mountShared(app, { ...deps, read_report: readReport });
      mountSubscriptions(app, { ...deps, read_report: readReport });
      const created = sections.map((create) => create({ ...deps, accounts, read_report: readReport, links, callAs }));
      mountDashboard(app, { ...deps, accounts, sections: created });
    },
  };
}
