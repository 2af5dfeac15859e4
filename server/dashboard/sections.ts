import { batchesSection } from './batches.ts';
import { campaignsSection } from './campaigns.ts';
import { creditsSection } from './credits.ts';
import type { CreateSection } from './deps.ts';
import { keysSection } from './keys.ts';
import { connectSection } from './oauth.ts';
import { overviewSection } from './overview.ts';
import { playgroundSection } from './playground.ts';
import { settingsSection } from './settings.ts';
import { trackingSection } from './tracking.ts';
import { usageSection } from './usage.ts';
import { webhooksSection } from './webhooks.ts';

/** Every section of the dashboard, in the order of the menu. Routes, menu, notices and the sweep tests follow this list. */
export const sections: readonly CreateSection[] = [
  overviewSection,
  keysSection,
  creditsSection,
  usageSection,
  playgroundSection,
  trackingSection,
  campaignsSection,
  batchesSection,
  settingsSection,
  webhooksSection,
  connectSection,
];
