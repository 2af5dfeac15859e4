import { bigint, date, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';

/**
 * How often the answers of a source contained each field, by UTC day, for all processes. Written once a minute for all
 * answers together.
 */
export const fieldCounts = pgTable(
  'field_counts',
  {
    day: date({ mode: 'string' }).notNull(),
    collector: text().notNull(),
    source: text().notNull(),
    field: text().notNull(),
    /** Number of records that had the field. */
    given: bigint({ mode: 'number' }).notNull(),
    /** Number of records in which the field was null or an empty list. */
    missing: bigint({ mode: 'number' }).notNull(),
    /** Number of records in which the platform had rounded the field. */
    rounded: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.collector, table.source, table.field] })],
);
