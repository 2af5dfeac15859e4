import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { moment } from './columns.ts';

const credits = (name: string) => bigint(name, { mode: 'number' });

/** A workspace owns keys, credits and tracked data. Each user gets one at the start. */
export const workspaces = pgTable(
  'workspaces',
  {
    workspace_id: uuid().primaryKey(),
    name: text().notNull(),
    email: text(),
    /** The highest tier of the packs that the workspace bought, or a tier that the operator set. */
    tier: text().notNull().default('air'),
    /** True for a workspace with invented data, which its only member can look at and delete. */
    sample: boolean().notNull().default(false),
    created_at: moment('created_at').notNull().defaultNow(),
  },
  (table) => [check('workspaces_tier', sql`${table.tier} in ('air', 'pro', 'pro_max', 'ultra')`)],
);

/** The workspace that a row belongs to. The row is deleted with it. */
export const ownedBy = () =>
  uuid('workspace_id')
    .notNull()
    .references(() => workspaces.workspace_id, { onDelete: 'cascade' });

/** API keys. Only the hash of a key is stored. `monthly_cap`: maximum number of credits charged through it in a UTC month. */
export const apiKeys = pgTable(
  'api_keys',
  {
    workspace_id: uuid()
      .notNull()
      .references(() => workspaces.workspace_id, { onDelete: 'cascade' }),
    key_id: uuid().notNull(),
    hash: text().notNull(),
    kind: text().notNull(),
    name: text().notNull(),
    last_four: text().notNull(),
    created_at: moment('created_at').notNull().defaultNow(),
    last_used_at: moment('last_used_at'),
    expires_at: moment('expires_at'),
    revoked_at: moment('revoked_at'),
    monthly_cap: credits('monthly_cap'),
    cap_month: date({ mode: 'string' }),
    cap_used: credits('cap_used').notNull().default(0),
    /** The routes that the key may be used for; null: all. */
    scopes: text().array(),
    /** The addresses and networks (CIDR) that the key works from; null: all. */
    networks: text().array(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace_id, table.key_id] }),
    uniqueIndex('api_keys_hash').on(table.hash),
    uniqueIndex('api_keys_key_id').on(table.key_id),
    check('api_keys_kind', sql`${table.kind} in ('live', 'test', 'sheet')`),
    check('api_keys_cap', sql`${table.monthly_cap} is null or ${table.monthly_cap} >= 0`),
    check(
      'api_keys_scopes',
      sql`cardinality(${table.scopes}) > 0 and ${table.scopes} <@ array['data', 'workflows', 'mcp']`,
    ),
    check('api_keys_networks', sql`cardinality(${table.networks}) > 0`),
  ],
);

/** The balance and the number of ledger entries of a workspace. They change only together with a ledger entry (db/money/movements.ts). */
export const creditBalances = pgTable(
  'credit_balances',
  {
    workspace_id: uuid()
      .primaryKey()
      .references(() => workspaces.workspace_id, { onDelete: 'cascade' }),
    balance: credits('balance').notNull().default(0),
    entries: credits('entries').notNull().default(0),
  },
  (table) => [check('credit_balances_not_negative', sql`${table.balance} >= 0`)],
);

/**
 * The ledger: all changes of a balance. Rows are never changed. `entry_no` counts from 1 without gaps in each workspace;
 * `balance_after` is the balance after the entry.
 */
export const ledgerEntries = pgTable(
  'ledger_entries',
  {
    workspace_id: uuid()
      .notNull()
      .references(() => workspaces.workspace_id, { onDelete: 'cascade' }),
    entry_no: credits('entry_no').notNull(),
    kind: text().notNull(),
    credits: credits('credits').notNull(),
    balance_after: credits('balance_after').notNull(),
    /**
     * Internal id of a charge and of its return. It is unique, so that a charge whose reply was lost can be retried without
     * charging twice.
     */
    charge_id: uuid(),
    /** The request id that was returned to the client. The client may choose it. One request may have several charges. */
    request_id: text(),
    key_id: uuid(),
    route: text(),
    reason: text(),
    created_at: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace_id, table.entry_no] }),
    unique('ledger_entries_charge').on(table.workspace_id, table.charge_id, table.kind),
    index('ledger_entries_request').on(table.workspace_id, table.request_id),
    check('ledger_entries_kind', sql`${table.kind} in ('starter', 'purchase', 'charge', 'return', 'adjustment')`),
    check(
      'ledger_entries_charge_shape',
      sql`(${table.kind} in ('charge', 'return')) = (${table.charge_id} is not null)
        and (${table.kind} <> 'charge' or ${table.credits} < 0) and (${table.kind} <> 'return' or ${table.credits} > 0)`,
    ),
    check('ledger_entries_not_negative', sql`${table.balance_after} >= 0`),
  ],
);

/**
 * The current rate limit window of each workspace. `used`: requests that count toward the limit; `total`: all requests,
 * including requests with a free answer. Both also count refused requests, so that positions in the window are exact.
 */
export const rateWindows = pgTable('rate_windows', {
  workspace_id: uuid()
    .primaryKey()
    .references(() => workspaces.workspace_id, { onDelete: 'cascade' }),
  ends_at: moment('ends_at').notNull(),
  used: integer().notNull(),
  total: integer().notNull().default(0),
});

/**
 * The cache: the newest answer to each request, shared by all workspaces. A row is written together with its charge, or
 * without a charge when its data was charged with an earlier page.
 */
export const responses = pgTable(
  'responses',
  {
    cache_key: uuid().primaryKey(),
    route: text().notNull(),
    /** The `data` of the answer as JSON text. It is copied into the response without parsing. */
    body: text().notNull(),
    /** JSON text of the members of `meta` that stay the same when the answer is returned again. */
    meta: text().notNull(),
    retrieved_at: moment('retrieved_at').notNull(),
  },
  (table) => [index('responses_retrieved_at').on(table.retrieved_at)],
);

/** Answers that are stored for 24 hours for an Idempotency-Key. `mode` separates sample data from live data. */
export const replays = pgTable(
  'replays',
  {
    workspace_id: uuid()
      .notNull()
      .references(() => workspaces.workspace_id, { onDelete: 'cascade' }),
    mode: text().notNull(),
    idempotency_key: text().notNull(),
    fingerprint: uuid().notNull(),
    body: text().notNull(),
    meta: text().notNull(),
    retrieved_at: moment('retrieved_at').notNull(),
    created_at: moment('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace_id, table.mode, table.idempotency_key] }),
    index('replays_created_at').on(table.created_at),
  ],
);

/**
 * Rows of a source's page that were fetched but not returned yet. They are kept for ten minutes. A cursor names this page
 * and the workspace that paid for it.
 */
export const bufferedPages = pgTable(
  'buffered_pages',
  {
    page_id: uuid().primaryKey(),
    /** The rows and their metadata as JSON text. */
    page: text().notNull(),
    created_at: moment('created_at').notNull(),
  },
  (table) => [index('buffered_pages_created_at').on(table.created_at)],
);

/** Number of requests and credits by day, key, route and outcome. Written every second for all requests together. */
export const usage = pgTable(
  'usage',
  {
    workspace_id: uuid()
      .notNull()
      .references(() => workspaces.workspace_id, { onDelete: 'cascade' }),
    day: date({ mode: 'string' }).notNull(),
    key_id: uuid().notNull(),
    route: text().notNull(),
    /** `OK`, `HIT` (answered from the cache), `SANDBOX` or an error code. */
    outcome: text().notNull(),
    requests: bigint({ mode: 'number' }).notNull(),
    credits: credits('credits').notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspace_id, table.day, table.key_id, table.route, table.outcome] })],
);

/** Results of live requests to the sources by hour and route, for all processes. Written every few seconds for all requests together. */
export const routeHealth = pgTable(
  'route_health',
  {
    hour: moment('hour').notNull(),
    route: text().notNull(),
    answered: bigint({ mode: 'number' }).notNull(),
    failed: bigint({ mode: 'number' }).notNull(),
    last_success_at: moment('last_success_at'),
    /** Number of answered requests in each latency bucket, see db/requests/health.ts. */
    latency: integer().array().notNull(),
  },
  (table) => [primaryKey({ columns: [table.hour, table.route] })],
);

/** Well-known public subjects that the job `canary` asks the sources for, with the last result of each. */
export const canarySubjects = pgTable(
  'canary_subjects',
  {
    collector: text().notNull(),
    /** Its parameters, written as `handle=nasa`. */
    subject: text().notNull(),
    due_at: moment('due_at').notNull(),
    checked_at: moment('checked_at'),
    right_at: moment('right_at'),
    /** `right`; `wrong`: the answer differs from the expected values; `failed`: no answer. */
    state: text(),
    /** For `wrong`: how the answer differs from the expected values. For `failed`: the error code. */
    detail: text(),
    source: text(),
    /** Number of results in a row that were not right. */
    failures: integer().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.collector, table.subject] })],
);

/** Secrets that are generated once and shared by all processes. */
export const settings = pgTable('settings', { name: text().primaryKey(), value: text().notNull() });

/** Companies and their pages in the advertising library. The operator has verified that they belong together. */
export const verifiedPages = pgTable(
  'verified_pages',
  {
    /** The name as it is searched: Unicode NFC, lower case, single spaces. */
    company: text().primaryKey(),
    display_name: text().notNull(),
    page_id: text().notNull(),
    verified_at: moment('verified_at').notNull(),
  },
  (table) => [check('verified_pages_page_id', sql`${table.page_id} ~ '^[0-9]{5,20}$'`)],
);

/** The used part of a source's daily quota, for all processes. `bucket`: a group of API methods with one common quota. */
export const quotaUsage = pgTable(
  'quota_usage',
  {
    source: text().notNull(),
    bucket: text().notNull(),
    /** The day in the time zone of the source, which is not UTC. */
    day: date({ mode: 'string' }).notNull(),
    /** Number of used units. It is more than the sum of `methods` when the source refused calls before we had counted the whole quota. */
    units: bigint({ mode: 'number' }).notNull(),
    /** Units used by each API method. */
    methods: jsonb().$type<Record<string, number>>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.source, table.bucket, table.day] })],
);
