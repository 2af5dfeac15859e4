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

/** A workspace owns API keys, credits and tracked data. A user who belongs to no workspace gets one at sign-in. */
export const workspaces = pgTable(
  'workspaces',
  {
    workspace_id: uuid().primaryKey(),
    name: text().notNull(),
    email: text(),
    /** The highest tier of the packs that the workspace bought, or the tier that the operator set. */
    tier: text().notNull().default('air'),
    /** True for a workspace with invented sample data. Its only member can just view it and delete it. */
    sample: boolean().notNull().default(false),
    created_at: moment('created_at').notNull().defaultNow(),
  },
  (table) => [check('workspaces_tier', sql`${table.tier} in ('air', 'pro', 'pro_max', 'ultra')`)],
);

/** Returns the column with the workspace that a row belongs to. Deleting the workspace deletes the row too. */
export const ownedBy = () =>
  uuid('workspace_id')
    .notNull()
    .references(() => workspaces.workspace_id, { onDelete: 'cascade' });

/**
 * API keys. Only the hash of a key is stored. `monthly_cap` is the maximum number of credits charged through the key in
 * a UTC month.
 */
export const apiKeys = pgTable(
  'api_keys',
  {
    workspace_id: ownedBy(),
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
    /**
     * The API key whose row counts the used part of the monthly cap of this key: the oldest key of a chain of rotated
     * keys, which share the cap. Null: this row.
     */
    cap_key_id: uuid(),
    /** The uses that the API key is limited to (KeyScope in db/accounts/keys.ts); null for all uses. */
    scopes: text().array(),
    /** The IP addresses and CIDR networks from which the API key works. Null: the key works from everywhere. */
    networks: text().array(),
    /**
     * The email address of the member to whom the API key was shown when it was created. Null when it was shown to no
     * one, and for keys that were created before this column existed.
     */
    created_by: text(),
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

/**
 * The credit balance and the number of ledger entries of each workspace. Both change only together with a ledger entry
 * (db/money/movements.ts).
 */
export const creditBalances = pgTable(
  'credit_balances',
  {
    workspace_id: ownedBy().primaryKey(),
    balance: credits('balance').notNull().default(0),
    entries: credits('entries').notNull().default(0),
  },
  (table) => [check('credit_balances_not_negative', sql`${table.balance} >= 0`)],
);

/**
 * The ledger: every change of a workspace's credit balance. Rows are never changed. `entry_no` counts from 1 without
 * gaps in each workspace. `balance_after` is the balance after the entry.
 */
export const ledgerEntries = pgTable(
  'ledger_entries',
  {
    workspace_id: ownedBy(),
    entry_no: credits('entry_no').notNull(),
    kind: text().notNull(),
    credits: credits('credits').notNull(),
    balance_after: credits('balance_after').notNull(),
    /**
     * Internal id of a charge. The return of its credits has the same id. A charge whose reply was lost can be retried
     * without charging twice, because the id is unique.
     */
    charge_id: uuid(),
    /** The request id of the response, which the client may choose. One request may have several charges. */
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
 * The current rate limit window of each workspace. `used` counts the requests that count toward the limit. `total`
 * counts all requests, including free ones. Both include refused requests, so that each request has an exact position
 * in the window.
 */
export const rateWindows = pgTable('rate_windows', {
  workspace_id: ownedBy().primaryKey(),
  ends_at: moment('ends_at').notNull(),
  used: integer().notNull(),
  total: integer().notNull().default(0),
});

/**
 * The cache of API answers: the newest answer to each request, shared by all workspaces. A row is written together with
 * its charge, unless its data was already charged with an earlier page of results.
 */
export const responses = pgTable(
  'responses',
  {
    cache_key: uuid().primaryKey(),
    route: text().notNull(),
    /** The `data` of the answer as JSON text, which is copied into the response without parsing. */
    body: text().notNull(),
    /** JSON text of those fields of the answer's `meta` that stay the same when the answer is returned again. */
    meta: text().notNull(),
    retrieved_at: moment('retrieved_at').notNull(),
  },
  (table) => [index('responses_retrieved_at').on(table.retrieved_at)],
);

/** Answers that are stored for 24 hours for an Idempotency-Key. `mode` keeps sample data apart from live data. */
export const replays = pgTable(
  'replays',
  {
    workspace_id: ownedBy(),
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
 * The rest of a page of a source's results: rows that were fetched but not yet returned to the client, kept for ten
 * minutes. A pagination cursor contains the ids of this row and of the workspace that paid for the page.
 */
export const bufferedPages = pgTable(
  'buffered_pages',
  {
    page_id: uuid().primaryKey(),
    /** The remaining rows of the page and their metadata, as JSON text. */
    page: text().notNull(),
    created_at: moment('created_at').notNull(),
  },
  (table) => [index('buffered_pages_created_at').on(table.created_at)],
);

/**
 * Usage statistics: number of API requests and credits by day, API key, route and outcome. Written every second for all
 * requests together.
 */
export const usage = pgTable(
  'usage',
  {
    workspace_id: ownedBy(),
    day: date({ mode: 'string' }).notNull(),
    key_id: uuid().notNull(),
    route: text().notNull(),
    /** The outcome of the requests: `OK`, `HIT` (answered from the cache), `SANDBOX` (sample data) or an error code. */
    outcome: text().notNull(),
    requests: bigint({ mode: 'number' }).notNull(),
    credits: credits('credits').notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspace_id, table.day, table.key_id, table.route, table.outcome] })],
);

/** Named values that all processes share, such as secrets that are generated once. */
export const settings = pgTable('settings', { name: text().primaryKey(), value: text().notNull() });

/**
 * Companies and their pages in a platform's ad library. The operator of the server has verified that they belong
 * together.
 */
export const verifiedPages = pgTable(
  'verified_pages',
  {
    /** The company name in its search form: Unicode NFC, lower case, single spaces. */
    company: text().primaryKey(),
    display_name: text().notNull(),
    page_id: text().notNull(),
    verified_at: moment('verified_at').notNull(),
  },
  (table) => [check('verified_pages_page_id', sql`${table.page_id} ~ '^[0-9]{5,20}$'`)],
);

/**
 * The used units of the sources' daily API quotas, for all processes. A `bucket` is a group of API methods that share
 * one quota.
 */
export const quotaUsage = pgTable(
  'quota_usage',
  {
    source: text().notNull(),
    bucket: text().notNull(),
    /** The day in the source's time zone for its quota, which is not UTC. */
    day: date({ mode: 'string' }).notNull(),
    /**
     * Number of used quota units. The number is more than the sum of `methods` when the source reported a used-up quota
     * before our count reached it.
     */
    units: bigint({ mode: 'number' }).notNull(),
    /** Used quota units by API method. */
    methods: jsonb().$type<Record<string, number>>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.source, table.bucket, table.day] })],
);
