import { hash, randomUUID } from 'node:crypto';
import type { Fragment, Sql } from 'postgres';

/** The form of a UUID in lower case, for regular expressions of JavaScript and PostgreSQL. */
export const idPattern = '^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$';
const id = new RegExp(idPattern, 'i');

/** Returns true when a text has the form of a UUID. All ids in the database are UUIDs. */
export function isId(text: string): boolean {
  return id.test(text);
}

/**
 * Returns a new UUID of version 7. The UUID begins with the time, so that rows created at about the same time are close
 * together in an index.
 */
export function newId(now: Date = new Date()): string {
  const time = now.getTime().toString(16).padStart(12, '0');
  // Takes the random part from randomUUID, because Node generates its random bytes in advance. randomBytes(16) would
  // take six times as long.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

/** Returns an SQL expression that creates a different id for each row, in the format of {@link newId}. */
export function newIdInSql(sql: Sql, now: Date): Fragment {
  return sql`overlay(gen_random_uuid()::text placing ${newId(now).slice(0, 15)} from 1)::uuid`;
}

/**
 * Returns an id that is always the same for the same text: the first 128 bits of its SHA-256 hash in the form of a
 * UUID.
 */
export function digestId(text: string): string {
  const hex = hash('sha256', text);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}
