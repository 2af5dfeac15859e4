import type { Sql } from 'postgres';

interface References {
  table: string;
  /**
   * The tables whose rows are locked by inserting a row, in the order of the locks. PostgreSQL sorts the foreign key
   * triggers by name.
   */
  locked: string[];
  /** The same tables in the order in which `pg_dump` writes the foreign keys, which is by the names of the keys. */
  restored: string[];
}

/**
 * Returns, for each table, the tables that its rows refer to. Leaves out `workspaces`, which can be locked at any
 * position: `lockWorkspace` permits new rows that refer to the workspace, and its row is deleted after all its
 * contents.
 */
export async function listReferences(sql: Sql): Promise<References[]> {
  return sql<References[]>`
    select c.conrelid::regclass::text as table, array_agg(c.confrelid::regclass::text order by t.tgname) as locked,
      array_agg(c.confrelid::regclass::text order by c.conname collate "C") as restored
    from pg_constraint c join pg_trigger t on t.tgconstraint = c.oid and t.tgrelid = c.conrelid
    join pg_proc p on p.oid = t.tgfoid and p.proname = 'RI_FKey_check_ins'
    where c.contype = 'f' and c.connamespace = 'public'::regnamespace and c.conparentid = 0
      and c.confrelid <> 'workspaces'::regclass
    group by 1`;
}
