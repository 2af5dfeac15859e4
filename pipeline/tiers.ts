import type { Tier } from '../db/tier.ts';

export interface TierLimits {
  /** The name of the tier (paid plan) that users see. */
  name: string;
  /** Maximum number of profile URLs in one bulk analysis (`batch`). */
  batch_urls: number;
  /** Maximum number of active and paused campaigns of a workspace. Archived campaigns do not count. */
  campaigns: number;
  tracked_items: number;
  tracking_lists: number;
  /** Number of past days that reports and pages show. Older numbers are hidden. */
  history_days: number;
  /** True when the numbers of tracked accounts and posts are fetched daily. When false, users must start each fetch. */
  daily_checks: boolean;
  /** True when a workspace may choose the name on its printed reports. */
  report_name: boolean;
}

/**
 * The limits of each tier (paid plan); docs/limits.md shows them. A workspace has the highest tier of
 * all its purchases.
 */
export const tiers: Readonly<Record<Tier, TierLimits>> = {
  air: {
    name: 'Air',
    batch_urls: 5,
    campaigns: 0,
    tracked_items: 1,
    tracking_lists: 1,
    history_days: 7,
    daily_checks: false,
    report_name: false,
  },
  pro: {
    name: 'Pro',
    batch_urls: 25,
    campaigns: 1,
    tracked_items: 10,
    tracking_lists: 1,
    history_days: 30,
    daily_checks: true,
    report_name: false,
  },
  pro_max: {
    name: 'Pro Max',
    batch_urls: 100,
    campaigns: 5,
    tracked_items: 50,
    tracking_lists: 5,
    history_days: 90,
    daily_checks: true,
    report_name: true,
  },
  ultra: {
    name: 'Ultra',
    batch_urls: 200,
    campaigns: 20,
    tracked_items: 200,
    tracking_lists: 20,
    history_days: 365,
    daily_checks: true,
    report_name: true,
  },
};

/** The longest history limit of all tiers, in days. The cleanup job deletes older numbers of tracked items. */
export const maxHistoryDays = tiers.ultra.history_days;
