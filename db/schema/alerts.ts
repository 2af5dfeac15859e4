import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  doublePrecision,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import { moment } from './columns.ts';
import { ownedBy } from './core.ts';

/**
 * A person or Slack channel that gets messages (alerts, reports, …) of a workspace. Emails go only to addresses that
 * their owner has confirmed.
 */
export const alertRecipients = pgTable(
  'alert_recipients',
  {
    workspace_id: ownedBy(),
    recipient_id: uuid().notNull(),
    channel: text().notNull(),
    /** The email address of the recipient or the secret URL of a Slack webhook. */
    address: text().notNull(),
    label: text().notNull(),
    /**
     * The kinds of messages that the recipient gets besides alerts. See recipientTopics in pipeline/notify/topics.ts.
     */
    topics: text().array().notNull().default([]),
    /** The campaigns whose weekly reports the recipient gets. An empty list means all campaigns. */
    campaign_ids: uuid().array().notNull().default([]),
    confirmed_at: moment('confirmed_at'),
    unsubscribed_at: moment('unsubscribed_at'),
    created_at: moment('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace_id, table.recipient_id] }),
    unique('alert_recipients_once').on(table.workspace_id, table.channel, table.address),
    check('alert_recipients_channel', sql`${table.channel} in ('mail', 'slack')`),
  ],
);

/** Alert rules. The condition of a rule is evaluated once for each tracking check of the items in its scope. */
export const alertRules = pgTable(
  'alert_rules',
  {
    workspace_id: ownedBy(),
    rule_id: uuid().notNull(),
    name: text().notNull(),
    scope: text().notNull(),
    /** The id of the item, list or campaign that the rule applies to; null for all items of the workspace. */
    scope_id: uuid(),
    condition: text().notNull(),
    metric: text(),
    direction: text(),
    /** The percentage of the condition `change`, or the threshold of the conditions `above` and `below`. */
    amount: doublePrecision(),
    /** Number of days over which the condition `change` compares two numbers. */
    days: integer(),
    /** Number of consecutive failed checks after which the condition `failing` is true. */
    checks: integer(),
    /** Number of hours after an alert during which the rule raises no other alert for the same item. */
    cooldown_hours: integer().notNull(),
    recipient_ids: uuid().array().notNull(),
    enabled: boolean().notNull().default(true),
    /**
     * When the alert rule last could not compare two numbers. Null when this has not happened since the rule was last
     * changed. `quiet_reason` says why.
     */
    quiet_at: moment('quiet_at'),
    quiet_reason: text(),
    created_at: moment('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspace_id, table.rule_id] }),
    check('alert_rules_scope', sql`${table.scope} in ('all', 'item', 'list', 'campaign')`),
    check('alert_rules_scope_id', sql`(${table.scope} = 'all') = (${table.scope_id} is null)`),
    check(
      'alert_rules_condition',
      sql`case ${table.condition}
        when 'change' then ${table.metric} is not null and ${table.direction} is not null and ${table.amount} > 0 and ${table.days} > 0
        when 'above' then ${table.metric} is not null and ${table.amount} is not null
        when 'below' then ${table.metric} is not null and ${table.amount} is not null
        when 'failing' then ${table.checks} > 0
        when 'not_found' then true when 'handle_changed' then true else false end`,
    ),
  ],
);

/** Every alert that an alert rule raised. A rule raises at most one alert for a tracking check. */
export const alerts = pgTable(
  'alerts',
  {
    workspace_id: ownedBy(),
    alert_id: uuid().notNull(),
    rule_id: uuid().notNull(),
    item_id: uuid().notNull(),
    attempt_id: uuid().notNull(),
    /** Time of the tracking check that raised the alert. */
    attempted_at: moment('attempted_at').notNull(),
    /**
     * The number that the check found. `previous` is the number with which it was compared. Both are null when the
     * condition compares no numbers.
     */
    value: doublePrecision(),
    previous: doublePrecision(),
    rounded: boolean().notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.workspace_id, table.alert_id] }),
    unique('alerts_once').on(table.workspace_id, table.rule_id, table.attempt_id),
    index('alerts_of_items').on(table.workspace_id, table.rule_id, table.item_id, table.attempted_at),
    foreignKey({
      columns: [table.workspace_id, table.rule_id],
      foreignColumns: [alertRules.workspace_id, alertRules.rule_id],
    }).onDelete('cascade'),
  ],
);

/** The log of sent and waiting messages (email and Slack): one row for each message and recipient. */
export const notifications = pgTable(
  'notifications',
  {
    workspace_id: ownedBy(),
    notification_id: uuid().notNull(),
    recipient_id: uuid().notNull(),
    kind: text().notNull(),
    /**
     * Identifies the subject of the message, such as a report. A recipient gets at most one message of each kind about
     * the same subject.
     */
    subject_key: text().notNull(),
    /** The content of the message. See the type Message in pipeline/notify/message.ts. */
    message: jsonb().notNull(),
    status: text().notNull().default('waiting'),
    attempts: integer().notNull().default(0),
    next_at: moment('next_at').notNull(),
    result: text(),
    created_at: moment('created_at').notNull(),
    sent_at: moment('sent_at'),
  },
  (table) => [
    primaryKey({ columns: [table.workspace_id, table.notification_id] }),
    unique('notifications_once').on(table.workspace_id, table.recipient_id, table.kind, table.subject_key),
    index('notifications_due').on(table.next_at).where(sql`${table.status} = 'waiting'`),
    index('notifications_created').on(table.created_at),
    foreignKey({
      columns: [table.workspace_id, table.recipient_id],
      foreignColumns: [alertRecipients.workspace_id, alertRecipients.recipient_id],
    }).onDelete('cascade'),
    check('notifications_status', sql`${table.status} in ('waiting', 'sent', 'shown', 'failed', 'skipped')`),
  ],
);
