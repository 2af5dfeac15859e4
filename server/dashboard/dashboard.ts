import { readFileSync } from 'node:fs';
import type { Hono } from 'hono';
import type { Database } from '../../db/connect.ts';
import type { JobContext } from '../../pipeline/jobs/job.ts';
import type { SendMail } from '../../pipeline/mail.ts';
import { createLinkResolver } from '../../pipeline/share-links.ts';
import { createPayments, type PaymentsConfig } from '../payments.ts';
import type { AnswerAs } from '../replies.ts';
import { type Accounts, createAccounts } from './accounts.ts';
import { batchesSection } from './batches.ts';
import { campaignsSections } from './campaigns.ts';
import { creditsSection } from './credits.ts';
import { keysSection } from './keys.ts';
import { connectSection, mountOAuth } from './oauth.ts';
import { overviewSection } from './overview.ts';
import { mountPaymentEvents } from './payment-events.ts';
import { playgroundSection } from './playground.ts';
import { createReportReader } from './report-source.ts';
import { type DashboardRoutes, mountDashboard } from './routes.ts';
import { settingsSection } from './settings.ts';
import { mountShared } from './share-public.ts';
import { mountSignIn } from './sign-in.ts';
import { trackingSection } from './tracking.ts';
import { usageSection } from './usage.ts';
import { webhooksSection } from './webhooks.ts';

/** What the dashboard reads from the environment. */
export interface DashboardConfig {
  /** Null: made once and kept in the database. */
  session_secret: string | null;
  /** Whether a mail server is set; else links stand in the log. */
  mails: boolean;
  /** Null: packs are granted by the operator. */
  payments: PaymentsConfig | null;
  /** The service account that spreadsheets are shared with; null where there is none. */
  sheets_account: string | null;
}

export interface DashboardDeps extends Pick<JobContext, 'now' | 'sources' | 'queue' | 'base_url'> {
  db: Database;
  config: DashboardConfig;
  mail: SendMail;
  starter_credits: number;
  log: DashboardRoutes['log'];
  on_error(error: unknown): void;
}

export interface Dashboard {
  accounts: Accounts;
  /** `answerAs` is the API's own. */
  mount(app: Hono, answerAs: AnswerAs): void;
}

/** The pages for people: sign-in and the areas of the dashboard, over the same functions that the API and the jobs use. */
export function createDashboard(deps: DashboardDeps): Dashboard {
  const { session_secret, payments: paid } = deps.config;
  const payments = paid && createPayments(paid, deps);
  const accounts = createAccounts({ ...deps, session_secret });
  const links = createLinkResolver(deps.sources);
  const read_report = createReportReader(deps);
  const sections = [
    overviewSection(deps),
    keysSection(deps),
    trackingSection({ ...deps, links }),
    usageSection(deps),
    batchesSection({ ...deps, links }),
    ...campaignsSections({ ...deps, read_report }),
    creditsSection({ ...deps, payments }),
    settingsSection({ ...deps, accounts }),
    webhooksSection(deps),
    connectSection({ ...deps, accounts }),
  ];
  return {
    accounts,
    mount(app, answerAs) {
      mountFiles(app);
      if (payments) mountPaymentEvents(app, payments, deps);
      mountOAuth(app, { ...deps, accounts });
      mountSignIn(app, { ...deps, accounts, mails: deps.config.mails });
      mountShared(app, { ...deps, read_report });
      const all = [...sections, playgroundSection({ ...deps, answerAs })];
      mountDashboard(app, { ...deps, accounts, sections: all });
    },
  };
}

/** Style and script of the pages: one file each, read when the service starts. */
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
