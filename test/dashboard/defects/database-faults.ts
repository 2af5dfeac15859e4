import { inTransaction } from '../../../db/transaction.ts';
import { createTriggers } from '../../setup/citus.ts';
import type { DashboardSetup } from '../dashboard-server.ts';

/** Runs `work` while reading any session fails, as when the database has no free connection. */
export async function withoutSessions<T>({ db }: DashboardSetup, work: () => Promise<T>): Promise<T> {
  // Sends the statements one by one, because Citus refuses several statements in one query when they name its tables.
  await inTransaction(db.sql, async (tx) => {
    await tx`create function no_connection() returns boolean language plpgsql volatile as
      $$ begin raise exception 'sorry, too many clients already' using errcode = '53300'; end $$`;
    await tx`alter table auth_sessions rename to kept_sessions`;
    await tx`create view auth_sessions as select * from kept_sessions where no_connection()`;
  });
  try {
    return await work();
  } finally {
    await inTransaction(db.sql, async (tx) => {
      await tx`drop view auth_sessions`;
      await tx`drop function no_connection`;
      await tx`alter table kept_sessions rename to auth_sessions`;
    });
  }
}

/**
 * Runs `work` while each of these changes, such as "insert on campaigns", fails because a row stays locked for too
 * long.
 */
export async function whileLocked<T>(
  { db }: DashboardSetup,
  changes: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  const triggers = changes.map(
    (change, index) => `create trigger locked_${index} before ${change} for each row execute function locked()`,
  );
  await createTriggers(db.sql, [
    `create function locked() returns trigger language plpgsql as
      $$ begin raise exception 'canceling statement due to lock timeout' using errcode = '55P03'; end $$`,
    ...triggers,
  ]);
  try {
    return await work();
  } finally {
    await db.sql.unsafe('drop function locked cascade');
  }
}
