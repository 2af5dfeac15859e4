import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import { moment } from './columns.ts';
import { ownedBy } from './core.ts';
import { type Metric, metrics } from './metrics.ts';

const number = (name: string) => bigint(name, { mode: 'number' });

/**
 * Settings of a workspace for scheduled work. `monthly_cap` is the maximum number of credits for tracking, bulk
 * analyses and sheet imports together in a UTC month.
 */
export const workSettings = pgTable(
  'work_settings',
  {
    workspace_id: ownedBy().primaryKey(),
    /** True while all scheduled tracking checks and batches (bulk analyses, sheet imports) are paused. */
    paused: boolean().notNull().default(false),
    monthly_cap: number('monthly_cap'),
    cap_month: date({ mode: 'string' }),
    cap_used: number('cap_used').notNull().default(0),
    /**
     * The alert level of the balance. When the balance falls below it, the webhook event `credits.low` is sent once.
     * Null: no alert is sent.
     */
    low_balance_alert: number('low_balance_alert'),
    /**
     * When the members were emailed about the low balance. Set to null when the balance is back at or above the alert
     * level.
     */
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

/**
 * A tracked account, post or video (an item). The first successful check sets `platform_id`, the platform's own id. If
 * a later check finds a different id at the same URL, the check sets `identity_changed`.
 */
export const trackedItems = pgTable(
  'tracked_items',
  {
    workspace_id: ownedBy(),
    item_id: uuid().notNull(),
    platform: text().notNull(),
    kind: text().notNull(),
    /** The URL of the tracked item as the user entered it. */
    url: text().notNull(),
    /** The identifier of the item on its platform: a handle, shortcode, video id or channel id. */
    identifier: text().notNull(),
    platform_id: text(),
    name: text(),
    list_id: uuid(),
    status: text().notNull().default('active'),
    identity_changed: boolean().notNull().default(false),
    /** The minute of the UTC day, 0 to 1439, at which the first daily check of the item is due. */
    check_minute: smallint().notNull(),
    /**
     * When the last check of the item began. Setting this time reserves the one check that an item may have in 24
     * hours.
     */
    last_attempt_at: moment('last_attempt_at'),
    /**
     * The id of the check in progress; null when no check is in progress. A process with the same id may continue the
     * check.
     */
    attempt_id: uuid(),
    /** Time until which the schedule ignores the item. Set after a skipped check. */
    retry_at: moment('retry_at'),
    created_at: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace_id, table.item_id] }),
    unique('tracked_items_once').on(table.workspace_id, table.platform, table.kind, table.identifier),
    check('tracked_items_status', sql`${table.status} in ('active', 'paused')`),
    check('tracked_items_minute', sql`${table.check_minute} between 0 and 1439`),
  ],
);

/**
 * When removed items were last checked. Kept for 24 hours, so that a user cannot get a second check within 24 hours by
 * removing an item and adding it again.
 */
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

/**
 * Tracked items that were removed in the last 24 hours, so that a removal can be undone. `rows` contains the rows of
 * the item by table, except its observations, which stay in their own tables during this time.
 */
export const removedItems = pgTable(
  'removed_items',
  {
    workspace_id: ownedBy(),
    item_id: uuid().notNull(),
    /** The id of the removal. A removal of several items can be undone only as a whole. */
    removal_id: uuid().notNull(),
    removed_at: moment('removed_at').notNull(),
    rows: jsonb().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace_id, table.item_id] }),
    index('removed_items_time').on(table.removed_at),
  ],
);

/**
 * Tracking checks: each scheduled or manual fetch of an item that was made or skipped. `outcome` is `OK`, an error
 * code, or `SKIPPED_` and the cause.
 */
export const checkAttempts = pgTable(
  'check_attempts',
  {
    /**
     * The workspace of the item. The foreign key to the item is enough: a foreign key to the workspace would be checked
     * for each row.
     */
    workspace_id: uuid().notNull(),
    item_id: uuid().notNull(),
    attempt_id: uuid().notNull(),
    attempted_at: moment('attempted_at').notNull(),
    trigger: text().notNull(),
    outcome: text().notNull(),
    credits: integer().notNull(),
    duration_ms: integer(),
    message: text(),
    /** True until the alert rules of the workspace have been evaluated for this check. */
    alerts_pending: boolean().notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.workspace_id, table.item_id, table.attempt_id] }),
    foreignKey({
      columns: [table.workspace_id, table.item_id],
      foreignColumns: [trackedItems.workspace_id, trackedItems.item_id],
    }).onDelete('cascade'),
    index('check_attempts_time').on(table.workspace_id, table.attempted_at),
    index('check_attempts_alerts').on(table.attempted_at).where(sql`${table.alerts_pending}`),
    index('check_attempts_alerts_of_items')
      .on(table.workspace_id, table.item_id, table.attempted_at, table.attempt_id)
      .where(sql`${table.alerts_pending}`),
    check('check_attempts_trigger', sql`${table.trigger} in ('scheduled', 'manual')`),
  ],
);

const metricColumns = Object.fromEntries(metrics.map((name) => [name, number(name)])) as Record<
  Metric,
  ReturnType<typeof number>
>;

const numbers = (name: string) => number(name).array();
const metricArrays = Object.fromEntries(metrics.map((name) => [name, numbers(name)])) as Record<
  Metric,
  ReturnType<typeof numbers>
>;

/**
 * Observations: the numbers that successful tracking checks found. A metric is null when the source does not state it.
 * `quality` has two bits for each metric, in the order of the columns: 0 exact, 1 rounded, 2 hidden, 3 not exposed. The
 * table is partitioned by the month of `observed_at` (see the migration).
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

/**
 * Observations of past months. A row has the observations of one item in one month (UTC), as one array for each column
 * of `observations`, sorted by time. The elements at the same position of all arrays are one observation. The array of
 * a metric is null when no observation of the month has a value of the metric. Stored in this form, observations take
 * about a fifth of the space that they take in `observations`.
 */
export const observationMonths = pgTable(
  'observation_months',
  {
    workspace_id: ownedBy(),
    item_id: uuid().notNull(),
    /** The first day of the month. */
    month: date({ mode: 'string' }).notNull(),
    observed_at: moment('observed_at').array().notNull(),
    ...metricArrays,
    quality: integer().array().notNull(),
    source: text().array().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace_id, table.item_id, table.month] }),
    index('observation_months_month').on(table.month),
  ],
);
