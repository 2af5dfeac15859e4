import { sql } from 'drizzle-orm';
import { bigint, check, foreignKey, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { campaigns } from './campaigns.ts';
import { moment } from './columns.ts';
import { ownedBy } from './core.ts';
import { authSessions, authUsers } from './sign-in.ts';

/**
 * The users (members) of each workspace. The role of a member decides what the member may do in the workspace
 * (db/accounts/roles.ts).
 */
export const members = pgTable(
  'members',
  {
    workspace_id: ownedBy(),
    user_id: text()
      .notNull()
      .references(() => authUsers.id, { onDelete: 'cascade' }),
    role: text().notNull().default('owner'),
    created_at: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace_id, table.user_id] }),
    index('members_user').on(table.user_id),
    check('members_role', sql`${table.role} in ('owner', 'editor', 'viewer')`),
  ],
);

/** The workspace that a session has open. A session without a row uses the workspace that its user joined first. */
export const sessionWorkspaces = pgTable('session_workspaces', {
  session_id: text()
    .primaryKey()
    .references(() => authSessions.id, { onDelete: 'cascade' }),
  workspace_id: ownedBy(),
});

/**
 * Invitations to a workspace that are not accepted yet. Only the hash of the token in the invitation link is stored.
 */
export const invitations = pgTable(
  'invitations',
  {
    workspace_id: ownedBy(),
    invitation_id: uuid().notNull(),
    /**
     * The only email address that may accept the invitation. Null: anyone who has the link may accept the invitation,
     * but only once.
     */
    email: text(),
    role: text().notNull(),
    token_hash: text().notNull().unique(),
    invited_by: text().notNull(),
    created_at: moment('created_at').notNull(),
    expires_at: moment('expires_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace_id, table.invitation_id] }),
    check('invitations_role', sql`${table.role} in ('owner', 'editor', 'viewer')`),
  ],
);

/** The users who operate this server. They see all workspaces on the Admin page. */
export const operators = pgTable('operators', {
  user_id: text()
    .primaryKey()
    .references(() => authUsers.id, { onDelete: 'cascade' }),
  created_at: moment('created_at').notNull().defaultNow(),
});

/**
 * Counters that limit attempts, such as sign-ins, in a time window. `bucket` is a hash of what is limited, so that no
 * email or IP address is stored.
 */
export const throttles = pgTable('throttles', {
  bucket: uuid().primaryKey(),
  ends_at: moment('ends_at').notNull(),
  used: integer().notNull(),
});

/** Purchases of credit packs. Each payment has one row, even if its event arrives several times. */
export const purchases = pgTable(
  'purchases',
  {
    workspace_id: ownedBy(),
    /** The id that the payment service gave to the payment. */
    payment_id: text().notNull(),
    pack: text().notNull(),
    credits: bigint({ mode: 'number' }).notNull(),
    /** The paid amount including tax, in the smallest unit of the currency. */
    amount: bigint({ mode: 'number' }).notNull(),
    currency: text().notNull(),
    refunded_amount: bigint({ mode: 'number' }).notNull().default(0),
    /** Number of credits that refunds and disputes of this payment take back. */
    refunded_credits: bigint({ mode: 'number' }).notNull().default(0),
    /**
     * Number of credits that refunds and disputes actually took back. The number is less than `refunded_credits` when
     * the balance was too low.
     */
    taken_credits: bigint({ mode: 'number' }).notNull().default(0),
    created_at: moment('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace_id, table.payment_id] }),
    index('purchases_payment').on(table.payment_id),
    check('purchases_pack', sql`${table.pack} in ('pro', 'pro_max', 'ultra')`),
  ],
);

/**
 * Refunds and disputes of payments: one row for all refunds of a payment together, and one row for each refund and for
 * each dispute. A row can exist before its payment is stored, because events may arrive in any order.
 */
export const paymentReversals = pgTable(
  'payment_reversals',
  {
    payment_id: text().notNull(),
    /** `refund` for all refunds of the payment together, `refund:` and the id of a refund, or the id of a dispute. */
    source: text().notNull(),
    amount: bigint({ mode: 'number' }).notNull(),
    /**
     * State of the dispute: 0 open, 1 lost, 2 won. A failed or canceled refund has the state 2. A state replaces only a
     * lower one, because events may arrive in any order.
     */
    stage: integer().notNull(),
    updated_at: moment('updated_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.payment_id, table.source] })],
);

/** Ids of the processed events of the payment service. An event that arrives again is ignored. */
export const paymentEvents = pgTable('payment_events', {
  event_id: text().primaryKey(),
  type: text().notNull(),
  received_at: moment('received_at').notNull(),
});

/**
 * Links with which anyone can read one campaign report. A link's token is computed from a secret key and the id of the
 * link, and only the hash of the token is stored.
 */
export const reportShares = pgTable(
  'report_shares',
  {
    workspace_id: ownedBy(),
    share_id: uuid().notNull(),
    campaign_id: uuid().notNull(),
    /**
     * The id of the shared report. Null shares the report of the current period: the link then always shows the newest
     * period.
     */
    report_id: uuid(),
    token_hash: text().notNull().unique(),
    created_at: moment('created_at').notNull(),
    expires_at: moment('expires_at').notNull(),
    revoked_at: moment('revoked_at'),
    /**
     * The person or client that the report link is for, as entered by a member. Readers of the report do not see this
     * text.
     */
    label: text().notNull().default(''),
    /** Number of times that people opened the report link, without bots and link previews. */
    views: integer().notNull().default(0),
    last_viewed_at: moment('last_viewed_at'),
  },
  (table) => [
    primaryKey({ columns: [table.workspace_id, table.share_id] }),
    foreignKey({
      columns: [table.workspace_id, table.campaign_id],
      foreignColumns: [campaigns.workspace_id, campaigns.campaign_id],
    }).onDelete('cascade'),
  ],
);

/** The branding of a workspace's campaign reports. Reports of workspaces without a row have no logo. */
export const reportBrands = pgTable('report_brands', {
  workspace_id: ownedBy().primaryKey(),
  /** The logo as a data URL of a PNG, JPEG or WebP file. */
  logo: text(),
  /** The color of the report's cover, as `#rrggbb`. */
  color: text(),
  footer: text(),
  updated_at: moment('updated_at').notNull(),
});

/**
 * The audit log of each workspace: who changed which key, setting, session or member, when and from where. Rows are
 * never changed.
 */
export const auditEntries = pgTable(
  'audit_entries',
  {
    workspace_id: ownedBy(),
    entry_id: uuid().notNull(),
    created_at: moment('created_at').notNull(),
    /** The email address of the user who acted, or `operator`. */
    actor: text().notNull(),
    action: text().notNull(),
    /** The name of the changed object, such as an API key. */
    subject: text(),
    address: text(),
    device: text(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace_id, table.entry_id] }),
    index('audit_entries_time').on(table.created_at),
  ],
);
