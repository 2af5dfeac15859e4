import { timestamp } from 'drizzle-orm/pg-core';

/** A column with a moment in time, which is read as a Date. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });
