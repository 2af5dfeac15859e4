import type { DashboardBench } from '../dashboard-server.ts';

/** Runs `work` while no session can be read, as in a database that has no free connection. */
export async function withoutSessions<T>({ db }: DashboardBench, work: () => Promise<T>): Promise<T> {
  await db.sql.unsafe(`
    create function no_connection() returns boolean language plpgsql volatile as
      $$ begin raise exception 'sorry, too many clients already' using errcode = '53300'; end $$;
    alter table auth_sessions rename to kept_sessions;
    create view auth_sessions as select * from kept_sessions where no_connection();`);
  try {
    return await work();
  } finally {
    await db.sql.unsafe(`
      drop view auth_sessions;
      drop function no_connection;
      alter table kept_sessions rename to auth_sessions;`);
  }
}
