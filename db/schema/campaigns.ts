import { sql } from 'drizzle-orm';
import { check, date, foreignKey, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core';
import { moment } from './columns.ts';
import { ownedBy } from './core.ts';
import { trackedItems } from './tracking.ts';

export const campaigns = pgTable(
  'campaigns',
  {
    workspace_id: ownedBy(),
    campaign_id: uuid().notNull(),
    name: text().notNull(),
    status: text().notNull().default('active'),
    /** The name of the campaign in reports, shown instead of `name`. Only the two highest tiers may set it. */
    report_name: text(),
    starts_on: date({ mode: 'string' }).notNull(),
    /** The last day of the campaign; null when no end is set. Archiving the campaign sets the last day. */
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

/**
 * Stored campaign reports, one for each finished week. They never change. `body` is the JSON text of the report's
 * `data`.
 */
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
