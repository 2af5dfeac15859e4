import { connectSection } from './account/oauth/oauth.ts';
import { addonSection } from './addon/section.ts';
import { adminSection } from './admin/section.ts';
import { alertsSection } from './alerts/section.ts';
import { batchesSection } from './batches/section.ts';
import { campaignsSection } from './campaigns/section.ts';
import { creditsSection } from './credits/section.ts';
import { usageSection } from './credits/usage.ts';
import type { CreateSection } from './deps.ts';
import { linksSection } from './links/section.ts';
import { overviewSection } from './overview/section.ts';
import { sampleSection } from './people/sample.ts';
import { peopleSection } from './people/section.ts';
import { playgroundSection } from './playground/section.ts';
import { auditSection } from './settings/audit.ts';
import { keysSection } from './settings/keys.ts';
import { passkeysSection } from './settings/passkeys.ts';
import { settingsSection } from './settings/section.ts';
import { twoFactorSection } from './settings/two-factor.ts';
import { webhooksSection } from './settings/webhooks.ts';
import { importsSection } from './sheets/section.ts';
import { trackingSection } from './tracking/section.ts';

/**
 * Every section of the dashboard. The routes, the menu entries and the messages come from this list, and tests open
 * every page of its sections.
 */
export const sections: readonly CreateSection[] = [
  overviewSection,
  keysSection,
  addonSection,
  creditsSection,
  usageSection,
  playgroundSection,
  trackingSection,
  campaignsSection,
  alertsSection,
  batchesSection,
  linksSection,
  importsSection,
  peopleSection,
  sampleSection,
  settingsSection,
  adminSection,
  twoFactorSection,
  passkeysSection,
  webhooksSection,
  auditSection,
  connectSection,
];
