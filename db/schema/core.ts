import { sql } from 'drizzle-orm';
import {
  bigint,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';

const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });
const credits = (name: string) => bigint(name, { mode: 'number' });

/** The account that owns keys, credits and all tracked data; one is created with each user. */
export const workspaces = pgTable(
  'workspaces',
  {
    workspace_id: uuid().primaryKey(),
    name: text().notNull(),
    email: text(),
    /** The highest tier of all packs bought. */
    tier: text().notNull().default('air'),
    created_at: moment('created_at').notNull().defaultNow(),
  },
  (table) => [check('workspaces_tier', sql`${table.tier} in ('air', 'pro', 'pro_max', 'ultra')`)],
);

/** API keys. Only the hash of a key is stored. `monthly_cap` limits the credits charged through it in a UTC month. */
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

/** The current balance and number of ledger entries of a workspace. Changes only together with an entry (db/money/movements.ts). */
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

/** The ledger, append-only. In each workspace `entry_no` counts from 1 without gaps; `balance_after` includes the entry. */
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
    /** Internal, one for each charge and for its return. Being unique, it makes a retry safe when the reply to a charge was lost. */
    charge_id: uuid(),
    /** As returned to the caller, who may choose it. One request may have several charges. */
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

/** The current rate limit window of each workspace. `used` counts refused requests too, so that positions are exact. */
export const rateWindows = pgTable('rate_windows', {
  workspace_id: uuid()
    .primaryKey()
    .references(() => workspaces.workspace_id, { onDelete: 'cascade' }),
  ends_at: moment('ends_at').notNull(),
  used: integer().notNull(),
});

/** The cache: the newest answer to each request, for all workspaces. Written with its charge, or for rows charged with an earlier page. */
export const responses = pgTable(
  'responses',
  {
    cache_key: uuid().primaryKey(),
    route: text().notNull(),
    /** The `data` of the answer as JSON text, which is put into the response without parsing. */
    body: text().notNull(),
    /** JSON text of the members of `meta` that belong to the answer and not to the request. */
    meta: text().notNull(),
    retrieved_at: moment('retrieved_at').notNull(),
  },
  (table) => [index('responses_retrieved_at').on(table.retrieved_at)],
);

/** Answers stored for 24 hours under the caller's Idempotency-Key; `mode` separates samples from live data. */
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

/** Rows of a source page that were not returned yet, kept for ten minutes. A cursor names the page and the workspace that paid for it. */
export const bufferedPages = pgTable(
  'buffered_pages',
  {
    page_id: uuid().primaryKey(),
    /** JSON text of the rows and their metadata. */
    page: text().notNull(),
    created_at: moment('created_at').notNull(),
  },
  (table) => [index('buffered_pages_created_at').on(table.created_at)],
);

/** Requests and credits by day, key, route and outcome; written in batches, outside of requests. */
export const usage = pgTable(
  'usage',
  {
    workspace_id: uuid()
      .notNull()
      .references(() => workspaces.workspace_id, { onDelete: 'cascade' }),
    day: date({ mode: 'string' }).notNull(),
    key_id: uuid().notNull(),
    route: text().notNull(),
    /** `OK`, `HIT` or an error code. */
    outcome: text().notNull(),
    requests: bigint({ mode: 'number' }).notNull(),
    credits: credits('credits').notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspace_id, table.day, table.key_id, table.route, table.outcome] })],
);

/** Results of live requests to the sources by hour and route, over all processes; written in batches, outside of requests. */
export const routeHealth = pgTable(
  'route_health',
  {
    hour: moment('hour').notNull(),
    route: text().notNull(),
    answered: bigint({ mode: 'number' }).notNull(),
    failed: bigint({ mode: 'number' }).notNull(),
    last_success_at: moment('last_success_at'),
    /** Number of answered requests in each latency bucket. */
    latency: integer().array().notNull(),
  },
  (table) => [primaryKey({ columns: [table.hour, table.route] })],
);

/** Secrets that are generated once and shared by all processes. */
export const settings = pgTable('settings', { name: text().primaryKey(), value: text().notNull() });

/** Companies and their pages in the advertising library, as verified by the operator. */
export const verifiedPages = pgTable(
  'verified_pages',
  {
    /** The name in its lookup form: NFC, lower case, single spaces. */
    company: text().primaryKey(),
    display_name: text().notNull(),
    page_id: text().notNull(),
    verified_at: moment('verified_at').notNull(),
  },
  (table) => [check('verified_pages_page_id', sql`${table.page_id} ~ '^[0-9]{5,20}$'`)],
);

/** The used part of an upstream's daily quota, over all processes. */
export const quotaUsage = pgTable(
  'quota_usage',
  {
    source: text().notNull(),
    bucket: text().notNull(),
    /** The day in the time zone of the source, not in UTC. */
    day: date({ mode: 'string' }).notNull(),
    /** At least the sum of `methods`; more when the source itself said that the bucket is used up. */
    units: bigint({ mode: 'number' }).notNull(),
    /** Method -> the units of its calls. */
    methods: jsonb().$type<Record<string, number>>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.source, table.bucket, table.day] })],
);
