import type { Sql } from 'postgres';
import { allObservations } from '../observations/all-observations.ts';

/** Numbers of rows in a database, which are compared to check whether a copy of the database is complete. */
export interface RowCounts {
  workspaces: number;
  ledger_entries: number;
  tracked_items: number;
  observations: number;
  campaigns: number;
  reports: number;
}

/** Returns the numbers of rows in the whole database, for all workspaces together. */
export async function readRowCounts(sql: Sql): Promise<RowCounts> {
  const [row] = await sql<RowCounts[]>`
    select (select count(*) from workspaces) as workspaces, (select count(*) from ledger_entries) as ledger_entries,
      (select count(*) from tracked_items) as tracked_items, (select count(*) from ${allObservations(sql, null)} o) as observations,
      (select count(*) from campaigns) as campaigns, (select count(*) from reports) as reports`;
  if (!row) throw new Error('The query that counts the rows of all tables returned no row.');
  return row;
}
