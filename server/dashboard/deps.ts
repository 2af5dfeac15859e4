import type { Database } from '../../db/connect.ts';
import type { LinkResolver } from '../../pipeline/collect/short-links.ts';
import type { MediaAddresses } from '../../pipeline/media/addresses.ts';
import type { SendMail } from '../../pipeline/notify/mail.ts';
import type { JobContext } from '../../pipeline/queue/job.ts';
import type { ClientAddress } from '../http/client-address.ts';
import type { WriteLog } from '../http/handle-request.ts';
import type { CallAs } from '../http/keyed.ts';
import type { Payments } from '../payments/payments.ts';
import type { Accounts } from './account/accounts.ts';
import type { PasswordHash } from './account/auth.ts';
import type { ReadReport } from './reports/source.ts';
import type { Section } from './ui/section.ts';

/** The settings that the dashboard reads from the environment. */
interface DashboardConfig {
  /**
   * Secret that signs session cookies. When null, the server uses a secret that it generated and stored in the
   * database.
   */
  session_secret: string | null;
  /** True when a mail server is configured. Without one, the server writes emails to its log. */
  mails: boolean;
  /** Email of the Google service account with which users share their spreadsheets. Null when none is configured. */
  sheets_account: string | null;
}

export interface DashboardDeps extends Pick<JobContext, 'now' | 'sources' | 'queue' | 'base_url'> {
  db: Database;
  config: DashboardConfig;
  /** The online payment provider. Null when online payment is off and the operator adds credits by hand. */
  payments: Payments | null;
  mail: SendMail;
  /** Creates the URLs of avatars and thumbnails on this server. */
  media: MediaAddresses;
  starter_credits: number;
  /** Only tests set this, to make password hashes cheap. */
  password_hash?: PasswordHash;
  client_address: ClientAddress;
  log: WriteLog;
  on_error(error: unknown): void;
}

/** Services and functions that every section of the dashboard can use. */
export interface SectionDeps extends DashboardDeps {
  accounts: Accounts;
  read_report: ReadReport;
  links: LinkResolver;
  callAs: CallAs;
}

/** Creates one section of the dashboard. sections.ts lists all these functions. */
export type CreateSection = (deps: SectionDeps) => Section;

export type BatchesDeps = Pick<SectionDeps, 'db' | 'now' | 'queue' | 'links'>;
export type CampaignPageDeps = Pick<
  SectionDeps,
  'db' | 'now' | 'queue' | 'base_url' | 'config' | 'media' | 'read_report'
>;
export type TrackingPageDeps = Pick<
  SectionDeps,
  'db' | 'now' | 'sources' | 'queue' | 'links' | 'config' | 'media' | 'base_url'
>;
export type SheetsDeps = Pick<SectionDeps, 'db' | 'now' | 'queue' | 'config' | 'base_url'>;
export type SettingsDeps = Pick<SectionDeps, 'db' | 'now' | 'config' | 'accounts' | 'base_url' | 'mail' | 'on_error'>;
export type WebhooksDeps = Pick<SectionDeps, 'db' | 'now' | 'queue'>;
