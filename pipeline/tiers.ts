import type { Tier } from '../db/tier.ts';

export interface TierLimits {
  /** As people read it. */
  name: string;
  /** Profile URLs of one bulk analysis. */
  batch_urls: number;
  /** Campaigns that are active or paused. */
  campaigns: number;
  tracked_items: number;
  tracking_lists: number;
  /** How far back a report and a page may look. */
  history_days: number;
  /** Checks by schedule; without them each check is asked for by a person. */
  daily_checks: boolean;
  /** A printable report name of one's own. */
  report_name: boolean;
}

/** The limits of the specification. The highest tier ever bought counts. */
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

/** History beyond the longest limit is removed. */
export const longestHistoryDays = tiers.ultra.history_days;
