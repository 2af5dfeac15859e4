import type { CanarySettings } from '../canary/canary.ts';
import { createOutbound } from '../network/outbound.ts';
import type { SendMail } from '../notify/mail.ts';
import type { Job } from '../queue/job.ts';
import { createSheetsClient, readServiceAccount } from '../sheets/client.ts';
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

export interface JobSettings {
  google_service_account: string | null;
  mail: SendMail;
  /** URL of a mail server; null when the server has none. Messages are then only shown in the dashboard. */
  smtp_url: string | null;
  /** Null: the canary job does nothing. */
  canary: CanarySettings | null;
}

/**
 * Creates all jobs. To add a job, add its file to this folder and a line here. Throws when the key file of the service account
 * cannot be used.
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
    createRunImports({ client, mail }),
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
 * Returns the jobs only for reading their names, schedules and limits. Do not run them: they have no mail server and no service
 * account.
 */
export function listJobs(): Job[] {
  return createJobs({ google_service_account: null, mail: async () => undefined, smtp_url: null, canary: null });
}
