import { bigint, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { moment } from './columns.ts';

/**
 * Results of requests to the sources (Instagram, TikTok, YouTube) by hour and route, for all processes. Written every
 * few seconds for all requests together.
 */
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

/**
 * Canary subjects: well-known public profiles, posts and lists that the job `canary` requests to test the sources. Each
 * row has the last result.
 */
export const canarySubjects = pgTable(
  'canary_subjects',
  {
    collector: text().notNull(),
    /** The parameters of the request as text, such as `handle=nasa`. */
    subject: text().notNull(),
    due_at: moment('due_at').notNull(),
    checked_at: moment('checked_at'),
    right_at: moment('right_at'),
    /**
     * The last result: `right`, `wrong` (the answer differs from the expected values) or `failed` (there was no
     * answer).
     */
    state: text(),
    /** How a `wrong` answer differs from the expected values, or the error code of a `failed` request. */
    detail: text(),
    source: text(),
    /** Number of consecutive results that were not `right`. */
    failures: integer().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.collector, table.subject] })],
);
