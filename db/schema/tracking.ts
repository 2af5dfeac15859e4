import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  date,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import { workspaces } from './core.ts';
import { type Metric, metrics } from './metrics.ts';

const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });
const number = (name: string) => bigint(name, { mode: 'number' });
const ownedBy = () =>
  uuid('workspace_id')
    .notNull()
    .references(() => workspaces.workspace_id, { onDelete: 'cascade' });

/** Settings of scheduled work. The cap covers tracking and bulk analysis together and resets on the 1st (UTC). */
export const workSettings = pgTable(
  'work_settings',
  {
    workspace_id: ownedBy().primaryKey(),
    /** Pauses every scheduled check and batch of the workspace. */
    paused: boolean().notNull().default(false),
    monthly_cap: number('monthly_cap'),
    cap_month: date({ mode: 'string' }),
    cap_used: number('cap_used').notNull().default(0),
    /** `credits.low` is sent once when the balance falls below this; null switches it off. */
    low_balance_alert: number('low_balance_alert'),
    /** When the members got an email about it; null again once the balance is no longer below the alert. */
    low_balance_mailed_at: moment('low_balance_mailed_at'),
  },
  (table) => [check('work_settings_cap', sql`${table.monthly_cap} is null or ${table.monthly_cap} >= 0`)],
);

export const trackingLists = pgTable(
  'tracking_lists',
  {
    workspace_id: ownedBy(),
    list_id: uuid().notNull(),
    name: text().notNull(),
    created_at: moment('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.workspace_id, table.list_id] })],
);

/** A saved account or item. The first successful check sets `platform_id`; a different one later sets `identity_changed`. */
export const trackedItems = pgTable(
  'tracked_items',
  {
    workspace_id: ownedBy(),
    item_id: uuid().notNull(),
    platform: text().notNull(),
    kind: text().notNull(),
    /** As the user entered it. */
    url: text().notNull(),
    /** The normalized parameter of the collector: handle, shortcode, video id or channel id. */
    identifier: text().notNull(),
    platform_id: text(),
    name: text(),
    list_id: uuid(),
    status: text().notNull().default('active'),
    identity_changed: boolean().notNull().default(false),
    /** Minute of the UTC day at which the daily check is due, 0 to 1439. */
    check_minute: smallint().notNull(),
    /** Setting this claims the one attempt in 24 hours. */
    last_attempt_at: moment('last_attempt_at'),
    /** The attempt that holds the claim. Claiming again with the same id continues it. */
    attempt_id: uuid(),
    /** The schedule ignores a skipped item until then. */
    retry_at: moment('retry_at'),
    created_at: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace_id, table.item_id] }),
    unique('tracked_items_once').on(table.workspace_id, table.platform, table.kind, table.identifier),
    index('tracked_items_due').on(table.status, table.last_attempt_at),
    check('tracked_items_status', sql`${table.status} in ('active', 'paused')`),
    check('tracked_items_minute', sql`${table.check_minute} between 0 and 1439`),
  ],
);

/** The last attempts of removed items, kept for 24 hours: adding an item again does not allow a second attempt. */
export const removedAttempts = pgTable(
  'removed_attempts',
  {
    workspace_id: ownedBy(),
    platform: text().notNull(),
    kind: text().notNull(),
    identifier: text().notNull(),
    last_attempt_at: moment('last_attempt_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace_id, table.platform, table.kind, table.identifier] }),
    index('removed_attempts_time').on(table.last_attempt_at),
  ],
);

/** Every attempt, and every skip with its cause; `outcome` is `OK`, an error code, or `SKIPPED_` and a cause. */
export const checkAttempts = pgTable(
  'check_attempts',
  {
    workspace_id: ownedBy(),
    item_id: uuid().notNull(),
    attempt_id: uuid().notNull(),
    attempted_at: moment('attempted_at').notNull(),
    trigger: text().notNull(),
    outcome: text().notNull(),
    credits: integer().notNull(),
    duration_ms: integer(),
    message: text(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace_id, table.item_id, table.attempt_id] }),
    foreignKey({
      columns: [table.workspace_id, table.item_id],
      foreignColumns: [trackedItems.workspace_id, trackedItems.item_id],
    }).onDelete('cascade'),
    index('check_attempts_time').on(table.workspace_id, table.attempted_at),
    check('check_attempts_trigger', sql`${table.trigger} in ('scheduled', 'manual')`),
  ],
);

const metricColumns = Object.fromEntries(metrics.map((name) => [name, number(name)])) as Record<
  Metric,
  ReturnType<typeof number>
>;

/**
 * Results of successful checks; null means not stated by the source. `quality` has two bits for each metric, in the order of
 * the columns: 0 exact, 1 rounded, 2 hidden, 3 not exposed. Partitioned by month of `observed_at` (see the migration).
 */
export const observations = pgTable(
  'observations',
  {
    workspace_id: uuid().notNull(),
    item_id: uuid().notNull(),
    observed_at: moment('observed_at').notNull(),
    ...metricColumns,
    quality: integer().notNull().default(0),
    source: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspace_id, table.item_id, table.observed_at] })],
);

export const campaigns = pgTable(
  'campaigns',
  {
    workspace_id: ownedBy(),
    campaign_id: uuid().notNull(),
    name: text().notNull(),
    status: text().notNull().default('active'),
    /** Printed instead of the name; for the two highest tiers. */
    report_name: text(),
    starts_on: date({ mode: 'string' }).notNull(),
    /** The last day that counts; null runs until it is archived. */
    ends_on: date({ mode: 'string' }),
    created_at: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace_id, table.campaign_id] }),
    check('campaigns_status', sql`${table.status} in ('active', 'paused', 'archived', 'ended')`),
    check('campaigns_dates', sql`${table.ends_on} is null or ${table.ends_on} >= ${table.starts_on}`),
  ],
);

export const campaignItems = pgTable(
  'campaign_items',
  {
    workspace_id: ownedBy(),
    campaign_id: uuid().notNull(),
    item_id: uuid().notNull(),
    attached_at: moment('attached_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace_id, table.campaign_id, table.item_id] }),
    foreignKey({
      columns: [table.workspace_id, table.campaign_id],
      foreignColumns: [campaigns.workspace_id, campaigns.campaign_id],
    }).onDelete('cascade'),
    foreignKey({
      columns: [table.workspace_id, table.item_id],
      foreignColumns: [trackedItems.workspace_id, trackedItems.item_id],
    }).onDelete('cascade'),
  ],
);

/** The report of a finished week; `body` is the JSON text of its `data` and never changes. */
export const reports = pgTable(
  'reports',
  {
    workspace_id: ownedBy(),
    campaign_id: uuid().notNull(),
    report_id: uuid().notNull(),
    period_start: moment('period_start').notNull(),
    period_end: moment('period_end').notNull(),
    body: text().notNull(),
    created_at: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace_id, table.campaign_id, table.report_id] }),
    unique('reports_once').on(table.workspace_id, table.campaign_id, table.period_start),
    foreignKey({
      columns: [table.workspace_id, table.campaign_id],
      foreignColumns: [campaigns.workspace_id, campaigns.campaign_id],
    }).onDelete('cascade'),
  ],
);
