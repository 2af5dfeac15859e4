import type { Fragment, Sql } from 'postgres';

/** Returns the UTC day of a time as `YYYY-MM-DD`. A number is a time in Unix ms. */
export function dayOf(at: Date | number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/**
 * Returns true when a text is a day as `YYYY-MM-DD` that exists in the calendar. Refuses the year 0, which PostgreSQL
 * does not have.
 */
export function isDay(text: string): boolean {
  const at = /^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(at) && dayOf(at) === text;
}

/** Returns the first day of the UTC month that contains this time, as `YYYY-MM-01`. */
export function monthOf(now: Date): string {
  return `${now.toISOString().slice(0, 7)}-01`;
}

/**
 * Returns the SQL expression for the used part of a monthly cap in the UTC month of `now`, in credits. The value is 0
 * when the stored count belongs to a different month. `table` is the name or alias of the table with the columns
 * `cap_month` and `cap_used`.
 */
export function creditsUsed(sql: Sql, table: string, now: Date): Fragment {
  return sql`case when ${sql(`${table}.cap_month`)} = ${monthOf(now)}::date then ${sql(`${table}.cap_used`)} else 0 end`;
}

/**
 * Returns the last second of a day in UTC, such as 2027-01-31, at which a key or link that expires on this day stops
 * working. Returns an invalid date for a day that does not exist.
 */
export function endOfDay(day: string): Date {
  return new Date(isDay(day) ? `${day}T23:59:59Z` : Number.NaN);
}
