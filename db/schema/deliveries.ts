import { sql } from 'drizzle-orm';
import {
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { moment } from './columns.ts';
import { apiKeys, ownedBy } from './core.ts';

export const batches = pgTable(
  'batches',
  {
    workspace_id: ownedBy(),
    batch_id: uuid().notNull(),
    name: text(),
    status: text().notNull().default('queued'),
    /** Why a paused batch is paused; null when it is not paused. See WaitingFor in db/deliveries/batches.ts. */
    waiting_for: text(),
    /**
     * Credits that the first unfinished row of a paused batch can cost. The batch continues when they are available.
     */
    waiting_cost: integer(),
    created_at: moment('created_at').notNull().defaultNow(),
    finished_at: moment('finished_at'),
    /**
     * The kind of data that the batch fetches for each line: `profiles`, `posts` (one row for each link) or
     * `latest_posts` (several rows for each profile).
     */
    kind: text().notNull().default('profiles'),
    /** Number of posts for each profile; null unless the kind is `latest_posts`. */
    posts_each: integer(),
    /**
     * Maximum age in seconds of a cached answer that fills a row without a charge. Otherwise, a new answer is fetched
     * from the source and charged.
     */
    max_age_seconds: integer().notNull().default(86_400),
    /** The sheet import that created this batch for one of its runs; null for a bulk analysis. */
    import_id: uuid(),
    /**
     * The column headings of the uploaded file. Its cells are copied into the results. Null when the user sent only
     * links.
     */
    own_headings: text().array(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace_id, table.batch_id] }),
    check('batches_status', sql`${table.status} in ('queued', 'running', 'paused', 'finished', 'cancelled')`),
    check('batches_kind', sql`${table.kind} in ('profiles', 'posts', 'latest_posts')`),
    index('batches_of_imports').on(table.workspace_id, table.import_id).where(sql`${table.import_id} is not null`),
  ],
);

/**
 * One line of a bulk analysis or sheet import (a batch). `duplicate_of` is the number of another row with the same
 * account, which is fetched only once for both rows.
 */
export const batchRows = pgTable(
  'batch_rows',
  {
    workspace_id: ownedBy(),
    batch_id: uuid().notNull(),
    row_no: integer().notNull(),
    url: text().notNull(),
    duplicate_of: integer(),
    /** The result of the row: `OK` or an error code; null until the row has a result. */
    status: text(),
    credits: integer().notNull().default(0),
    /**
     * The result cells of the row as JSON: an object with one value per column, or a list of such objects for several
     * rows.
     */
    cells: text(),
    answered_at: moment('answered_at'),
    /** The cells of this line in the uploaded file, as a JSON array of texts in the order of `own_headings`. */
    own_cells: text(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace_id, table.batch_id, table.row_no] }),
    foreignKey({
      columns: [table.workspace_id, table.batch_id],
      foreignColumns: [batches.workspace_id, batches.batch_id],
    }).onDelete('cascade'),
    index('batch_rows_duplicates')
      .on(table.workspace_id, table.batch_id, table.duplicate_of)
      .where(sql`${table.duplicate_of} is not null`),
  ],
);

/** Google spreadsheets to which the reports of a campaign or the items of a list are written. */
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
    /** The signing secret of the endpoint in the format of Standard Webhooks, `whsec_…`. */
    secret: text().notNull(),
    events: text().array().notNull(),
    /**
     * When the webhook endpoint was switched off, by a user or because the endpoint answered 410. Null while it is on.
     */
    disabled_at: moment('disabled_at'),
    disabled_reason: text(),
    created_at: moment('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.workspace_id, table.endpoint_id] })],
);

/** The webhook delivery log: one row for each message and endpoint. */
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

/**
 * Data links: secret URLs that show one table as CSV, JSON or xlsx without an API key. Only the hash of the secret is
 * stored.
 */
export const dataLinks = pgTable(
  'data_links',
  {
    workspace_id: ownedBy(),
    link_id: uuid().notNull(),
    token_hash: text().notNull(),
    label: text().notNull(),
    /** The table that the data link shows. See LinkContent in db/deliveries/data-links.ts. */
    content: jsonb().notNull(),
    /**
     * Maximum age of a value, written like `cache_max_age`. A read fetches older values again. Null: the data link
     * never fetches values.
     */
    refresh: text(),
    /**
     * The API key to which fetched values are charged. The key has the monthly cap of the data link. No request can use
     * it.
     */
    key_id: uuid(),
    created_at: moment('created_at').notNull(),
    expires_at: moment('expires_at'),
    revoked_at: moment('revoked_at'),
    last_read_at: moment('last_read_at'),
    reads: integer().notNull().default(0),
    /** The end of the link's current rate limit window. `window_reads` is the number of reads in this window. */
    window_ends_at: moment('window_ends_at'),
    window_reads: integer().notNull().default(0),
    /** When a read of the data link last fetched values from a source. */
    refreshed_at: moment('refreshed_at'),
  },
  (table) => [
    primaryKey({ columns: [table.workspace_id, table.link_id] }),
    uniqueIndex('data_links_token_hash').on(table.token_hash),
    foreignKey({
      columns: [table.workspace_id, table.key_id],
      foreignColumns: [apiKeys.workspace_id, apiKeys.key_id],
    }).onDelete('cascade'),
    check('data_links_refresh', sql`(${table.refresh} is null) = (${table.key_id} is null)`),
  ],
);
