import type { CanarySettings } from '../canary/canary.ts';
import { createOutbound } from '../network/outbound.ts';
import type { SendMail } from '../notify/mail.ts';
import type { Job } from '../queue/job.ts';
import { createSheetsClient, readServiceAccount } from '../sheets/client.ts';
import { writeLimits } from '../sheets/import-writing.ts';
import { analyseBatch } from './analyse-batch.ts';
import { createCanary } from './canary.ts';
import { cleanup } from './cleanup.ts';
import { createDeliverWebhooks } from './deliver-webhooks.ts';
import { evaluateAlerts } from './evaluate-alerts.ts';
import { foldMonths } from './fold-months.ts';
import { keepPictures } from './keep-pictures.ts';
import { createLowBalance } from './low-balance.ts';
import { createPushSheets } from './push-sheets.ts';
import { createRunImports } from './run-imports.ts';
import { sendDigests } from './send-digests.ts';
import { createSendNotifications } from './send-notifications.ts';
import { trackCheck } from './track-check.ts';
import { trackSweep } from './track-sweep.ts';
import { weeklyReports } from './weekly-reports.ts';

interface JobSettings {
  google_service_account: string | null;
  mail: SendMail;
  /**
   * URL of the SMTP server that sends emails. Null when the operator has set none: alerts and reports are then only
   * shown in the dashboard.
   */
  smtp_url: string | null;
  /**
   * Settings of the job that requests well-known public profiles, to notice changes of a platform. Null: the job does
   * nothing.
   */
  canary: CanarySettings | null;
}

/**
 * Creates all background jobs. To add a job, create a file in this folder and add a line here. Throws when the key file
 * of the Google service account is invalid.
 */
export function createJobs({ google_service_account: account, mail, smtp_url, canary }: JobSettings): Job[] {
  const client = account === null ? null : createSheetsClient(readServiceAccount(account));
  const post = createOutbound();
  return [
    trackSweep,
    trackCheck,
    analyseBatch,
    weeklyReports,
    createPushSheets(client),
    createRunImports({ client, mail, limits: writeLimits }),
    createDeliverWebhooks(post),
    evaluateAlerts,
    sendDigests,
    createSendNotifications({ mail: smtp_url === null ? null : mail, post }),
    createLowBalance(mail),
    keepPictures,
    createCanary(canary, mail),
    foldMonths,
    cleanup,
  ];
}

/**
 * Returns all background jobs for code that only reads their names, schedules and limits. These jobs must not be run,
 * because they have no mail server and no Google account.
 */
export function listJobs(): Job[] {
  return createJobs({ google_service_account: null, mail: async () => undefined, smtp_url: null, canary: null });
}
