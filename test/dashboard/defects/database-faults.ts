import { inTransaction } from '../../../db/transaction.ts';
import { createTriggers } from '../../setup/citus.ts';
import type { DashboardSetup } from '../dashboard-server.ts';

/** Runs `work` while no session can be read, as in a database that has no free connection. */
export async function withoutSessions<T>({ db }: DashboardSetup, work: () => Promise<T>): Promise<T> {
  // One statement after the other, because Citus accepts only one with the name of a table that it manages.
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

/** Runs `work` while each of these changes waits too long for a locked row, such as "insert on campaigns". */
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
