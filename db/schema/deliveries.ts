import { sql } from 'drizzle-orm';
import { check, foreignKey, index, integer, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { workspaces } from './core.ts';

const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });
const ownedBy = () =>
  uuid('workspace_id')
    .notNull()
    .references(() => workspaces.workspace_id, { onDelete: 'cascade' });

export const batches = pgTable(
  'batches',
  {
    workspace_id: ownedBy(),
    batch_id: uuid().notNull(),
    name: text(),
    status: text().notNull().default('queued'),
    /** Why a paused batch waits: `INSUFFICIENT_CREDITS`, `CAP_REACHED` or `PAUSED`; else null. */
    waiting_for: text(),
    created_at: moment('created_at').notNull().defaultNow(),
    finished_at: moment('finished_at'),
  },
  (table) => [
    primaryKey({ columns: [table.workspace_id, table.batch_id] }),
    check('batches_status', sql`${table.status} in ('queued', 'running', 'paused', 'finished', 'cancelled')`),
  ],
);

/** One line of a batch as uploaded; `duplicate_of` is the number of the row that is fetched for it. */
export const batchRows = pgTable(
  'batch_rows',
  {
    workspace_id: ownedBy(),
    batch_id: uuid().notNull(),
    row_no: integer().notNull(),
    url: text().notNull(),
    duplicate_of: integer(),
    /** `OK` or an error code; null until the row is answered. */
    status: text(),
    credits: integer().notNull().default(0),
    /** The cells of the profile workflow's row as JSON text. */
    cells: text(),
    answered_at: moment('answered_at'),
  },
  (table) => [
    primaryKey({ columns: [table.workspace_id, table.batch_id, table.row_no] }),
    foreignKey({
      columns: [table.workspace_id, table.batch_id],
      foreignColumns: [batches.workspace_id, batches.batch_id],
    }).onDelete('cascade'),
  ],
);

/** A Google spreadsheet into which reports of a campaign or items of a list are written. */
export const sheetTargets = pgTable(
  'sheet_targets',
  {
    workspace_id: ownedBy(),
    target_id: uuid().notNull(),
    campaign_id: uuid(),
    list_id: uuid(),
    spreadsheet_id: text().notNull(),
    sheet_name: text().notNull(),
    mode: text().notNull(),
    last_pushed_at: moment('last_pushed_at'),
    last_outcome: text(),
    last_message: text(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace_id, table.target_id] }),
    check('sheet_targets_mode', sql`${table.mode} in ('append', 'replace')`),
    check('sheet_targets_one', sql`(${table.campaign_id} is null) <> (${table.list_id} is null)`),
  ],
);

export const webhookEndpoints = pgTable(
  'webhook_endpoints',
  {
    workspace_id: ownedBy(),
    endpoint_id: uuid().notNull(),
    url: text().notNull(),
    /** Standard Webhooks secret, `whsec_…`. */
    secret: text().notNull(),
    events: text().array().notNull(),
    /** Set when the receiver answered 410 or a user switched the endpoint off. */
    disabled_at: moment('disabled_at'),
    disabled_reason: text(),
    created_at: moment('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.workspace_id, table.endpoint_id] })],
);

/** The delivery log: one row for each message and endpoint. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    workspace_id: ownedBy(),
    delivery_id: uuid().notNull(),
    endpoint_id: uuid().notNull(),
    event: text().notNull(),
    body: text().notNull(),
    status: text().notNull().default('waiting'),
    attempts: integer().notNull().default(0),
    last_status: integer(),
    last_message: text(),
    created_at: moment('created_at').notNull(),
    delivered_at: moment('delivered_at'),
  },
  (table) => [
    primaryKey({ columns: [table.workspace_id, table.delivery_id] }),
    foreignKey({
      columns: [table.workspace_id, table.endpoint_id],
      foreignColumns: [webhookEndpoints.workspace_id, webhookEndpoints.endpoint_id],
    }).onDelete('cascade'),
    index('webhook_deliveries_created').on(table.created_at),
    check('webhook_deliveries_status', sql`${table.status} in ('waiting', 'delivered', 'failed')`),
  ],
);
