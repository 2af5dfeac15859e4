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

/** The account that owns keys, credits and everything tracked; one is made with each user. */
export const workspaces = pgTable(
  'workspaces',
  {
    workspace_id: uuid().primaryKey(),
    name: text().notNull(),
    email: text(),
    /** The highest pack ever bought. */
    tier: text().notNull().default('air'),
    created_at: moment('created_at').notNull().defaultNow(),
  },
  (table) => [check('workspaces_tier', sql`${table.tier} in ('air', 'pro', 'pro_max', 'ultra')`)],
);

/** Only the hash of a key is kept; `monthly_cap` counts credits charged through this key in a UTC month. */
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
  },
  (table) => [
    primaryKey({ columns: [table.workspace_id, table.key_id] }),
    uniqueIndex('api_keys_hash').on(table.hash),
    uniqueIndex('api_keys_key_id').on(table.key_id),
    check('api_keys_kind', sql`${table.kind} in ('live', 'test', 'sheet')`),
    check('api_keys_cap', sql`${table.monthly_cap} is null or ${table.monthly_cap} >= 0`),
  ],
);

/** What a workspace has now, and how many ledger entries say so; moves only together with an entry. */
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

/** Append-only. `entry_no` counts from 1 without a gap in each workspace; `balance_after` is the balance once it is in. */
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
    /** Ours, one for each charge: what makes a charge happen once even when its answer is lost on the way. */
    charge_id: uuid(),
    /** As the caller sees it; a caller may choose it, and one request may carry several charges. */
    request_id: text(),
    key_id: uuid(),
    route: text(),
    reason: text(),
    created_at: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace_id, table.entry_no] }),
    unique('ledger_entries_charge').on(table.workspace_id, table.charge_id),
    index('ledger_entries_request').on(table.workspace_id, table.request_id),
    check('ledger_entries_kind', sql`${table.kind} in ('starter', 'purchase', 'charge', 'adjustment')`),
    check(
      'ledger_entries_charge_shape',
      sql`(${table.kind} = 'charge') = (${table.charge_id} is not null) and (${table.kind} <> 'charge' or ${table.credits} < 0)`,
    ),
    check('ledger_entries_not_negative', sql`${table.balance_after} >= 0`),
  ],
);

/** The running minute of each workspace; `used` counts refused requests too, so that positions in it are exact. */
export const rateWindows = pgTable('rate_windows', {
  workspace_id: uuid()
    .primaryKey()
    .references(() => workspaces.workspace_id, { onDelete: 'cascade' }),
  ends_at: moment('ends_at').notNull(),
  used: integer().notNull(),
});

/** The newest answer of each request, shared by all workspaces. Written by the statement that charges it, or for rows that were charged with an earlier page. */
export const responses = pgTable(
  'responses',
  {
    cache_key: uuid().primaryKey(),
    route: text().notNull(),
    /** The `data` of the answer as JSON text, spliced into the envelope without parsing. */
    body: text().notNull(),
    /** The members of `meta` that belong to the answer and not to the request, as JSON text. */
    meta: text().notNull(),
    retrieved_at: moment('retrieved_at').notNull(),
  },
  (table) => [index('responses_retrieved_at').on(table.retrieved_at)],
);

/** Answers kept for 24 hours under the caller's Idempotency-Key; `mode` keeps samples and live data apart. */
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

/** Rows of a source page that were not given yet; a cursor names one for ten minutes. Who paid for them is in the cursor. */
export const bufferedPages = pgTable(
  'buffered_pages',
  {
    page_id: uuid().primaryKey(),
    /** JSON text of the rows and of what is said of them. */
    page: text().notNull(),
    created_at: moment('created_at').notNull(),
  },
  (table) => [index('buffered_pages_created_at').on(table.created_at)],
);

/** Requests and credits by day, key, route and outcome; written in batches, off the request path. */
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

/** What came of live requests to the sources, by hour and route, over all processes; written in batches, off the request path. */
export const routeHealth = pgTable(
  'route_health',
  {
    hour: moment('hour').notNull(),
    route: text().notNull(),
    answered: bigint({ mode: 'number' }).notNull(),
    failed: bigint({ mode: 'number' }).notNull(),
    last_success_at: moment('last_success_at'),
    /** Answered requests by how long they took, one count for each bucket. */
    latency: integer().array().notNull(),
  },
  (table) => [primaryKey({ columns: [table.hour, table.route] })],
);

/** Secrets made once and kept here, so that several processes agree on them. */
export const settings = pgTable('settings', { name: text().primaryKey(), value: text().notNull() });

/** Which page of the advertising library is a company's, as the operator verified it. */
export const verifiedPages = pgTable(
  'verified_pages',
  {
    /** The name as it is looked up: NFC, lower case, spaces folded. */
    company: text().primaryKey(),
    display_name: text().notNull(),
    page_id: text().notNull(),
    verified_at: moment('verified_at').notNull(),
  },
  (table) => [check('verified_pages_page_id', sql`${table.page_id} ~ '^[0-9]{5,20}$'`)],
);

/** How much of an upstream's daily quota is used, over all processes; one statement spends it. */
export const quotaUsage = pgTable(
  'quota_usage',
  {
    source: text().notNull(),
    bucket: text().notNull(),
    /** The source's own day, not that of UTC. */
    day: date({ mode: 'string' }).notNull(),
    /** At least the sum of `methods`: more when the source itself called the bucket spent. */
    units: bigint({ mode: 'number' }).notNull(),
    /** Method -> the units that its calls took. */
    methods: jsonb().$type<Record<string, number>>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.source, table.bucket, table.day] })],
);
