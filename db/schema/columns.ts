import { timestamp } from 'drizzle-orm/pg-core';

/** Returns a timestamp column with a time zone. Its values are read as a Date. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });
