import type { Sql } from 'postgres';
import { type Placement, placementOf } from './placement.ts';

/**
 * A table of the schema `public`, and where a distributed database (Citus) stores its rows. Partitions are not listed,
 * because Citus distributes them with their table.
 */
export interface TablePlacement {
  name: string;
  placement: Placement;
  /** True when Citus has already distributed the table. */
  distributed: boolean;
}

/** Returns the tables of the schema `public` and where a distributed database (Citus) stores their rows. */
export async function listTables(tx: Sql): Promise<TablePlacement[]> {
  const rows = await tx<{ name: string; primary_key: string[]; distributed: boolean }[]>`
    select c.relname as name,
      array(select a.attname::text from pg_index i join pg_attribute a on a.attrelid = c.oid
        and a.attnum = any((i.indkey::int2[])[0:i.indnkeyatts - 1])
        where i.indrelid = c.oid and i.indisprimary) as primary_key,
      exists (select from pg_dist_partition p where p.logicalrelid = c.oid) as distributed
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    order by c.relname`;
  return rows.map(({ name, primary_key, distributed }) => ({
    name,
    placement: placementOf(name, primary_key),
    distributed,
  }));
}

export interface ForeignKey {
  table: string;
  referenced: string;
  name: string;
  definition: string;
}

/** Returns the foreign keys of the schema `public`. */
export async function listForeignKeys(tx: Sql): Promise<ForeignKey[]> {
  return tx<ForeignKey[]>`
    select t.relname as table, r.relname as referenced, k.conname as name, pg_get_constraintdef(k.oid) as definition
    from pg_constraint k join pg_class t on t.oid = k.conrelid join pg_class r on r.oid = k.confrelid
    where k.contype = 'f' and k.connamespace = 'public'::regnamespace and k.conparentid = 0
      and t.relnamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.objid = t.oid and d.deptype = 'e')
    order by t.relname, k.conname`;
}

interface UniqueIndex {
  name: string;
  /** The unique constraint to which the index belongs; null for an index without a constraint. */
  constraint: string | null;
  columns: string[];
}

/** Returns the unique indexes of a table that do not include the given column. Leaves out the primary key. */
export async function uniqueIndexesWithout(tx: Sql, table: string, column: string): Promise<UniqueIndex[]> {
  return tx<UniqueIndex[]>`
    select c.relname as name,
      (select k.conname from pg_constraint k where k.conindid = i.indexrelid and k.contype = 'u') as constraint,
      array(select a.attname::text from unnest(i.indkey::int2[]) with ordinality as n (number, position)
        join pg_attribute a on a.attrelid = i.indrelid and a.attnum = n.number order by n.position) as columns
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = to_regclass(${table}) and i.indisunique and not i.indisprimary
      and not exists (select from pg_attribute a
        where a.attrelid = i.indrelid and a.attname = ${column} and a.attnum = any(i.indkey))`;
}
