import type { Sql } from 'postgres';
import { dayMs } from '../durations.ts';
import { type ForeignKey, listForeignKeys, listTables, type TablePlacement, uniqueIndexesWithout } from './catalog.ts';

/**
 * Time limit of 24 hours for distributing a table, because a large table is copied to other nodes. The usual limit of
 * the driver is much shorter (docs/adr/0077).
 */
const patience: object = { deadline: dayMs };

/**
 * Makes Citus use one connection to each node for the rest of the transaction. Without this, a transaction cannot
 * change both the definitions and the rows of distributed tables.
 */
export async function sequentially(tx: Sql): Promise<void> {
  await tx`select set_config('citus.multi_shard_modify_mode', 'sequential', true)`;
}

/**
 * Makes each unique index of a table include the column that selects the shard. Citus requires this, because each node
 * can check only its own rows. The indexed values are random (hashes, ids), so they stay unique without a check on all
 * nodes.
 */
export async function widenUniqueIndexes(tx: Sql, { name: table, placement }: TablePlacement): Promise<void> {
  if (placement.kind !== 'shards') return;
  for (const { name, constraint, columns } of await uniqueIndexesWithout(tx, table, placement.column)) {
    if (constraint !== null) await tx`alter table ${tx(table)} drop constraint ${tx(constraint)}`;
    else await tx`drop index ${tx(name)}`;
    await tx`create unique index ${tx(name)} on ${tx(table)} (${tx([...columns, placement.column] as string[])})`;
  }
}

/** Distributes a table over the nodes of a Citus cluster or copies it to every node, depending on its placement. */
export async function distributeTable(tx: Sql, { name, placement }: TablePlacement): Promise<void> {
  if (placement.kind === 'reference') await tx`select create_reference_table(${name}::regclass)`;
  if (placement.kind !== 'shards') return;
  const together = name === placement.with ? 'none' : (placement.with ?? 'none');
  await tx.unsafe(
    'select create_distributed_table($1::regclass, $2, colocate_with => $3)',
    [name, placement.column, together],
    patience,
  );
  // Deletes the original rows. Citus leaves these rows in the local table after copying them to the shards, but no
  // statement can read them.
  await tx`select truncate_local_data_after_distributing_table(${name}::regclass)`;
}

/**
 * Drops the foreign keys from or to tables that Citus will distribute, and all other foreign keys of the tables that
 * lose one. Returns the dropped foreign keys. A table must lose all of its keys, because they must be created again in
 * the order of their names: PostgreSQL locks referenced rows in the order in which the keys were created.
 */
export async function dropForeignKeys(tx: Sql, tables: readonly TablePlacement[]): Promise<ForeignKey[]> {
  const moved = new Set(tables.filter(({ placement }) => placement.kind !== 'coordinator').map(({ name }) => name));
  const foreignKeys = await listForeignKeys(tx);
  const ofMoved = foreignKeys.filter(({ table, referenced }) => moved.has(table) || moved.has(referenced));
  const changed = new Set(ofMoved.map(({ table }) => table));
  const dropped = foreignKeys.filter(({ table }) => changed.has(table));
  for (const { table, name } of dropped) await tx`alter table ${tx(table)} drop constraint ${tx(name)}`;
  return dropped;
}

/**
 * Adds the foreign keys that Citus allows between distributed tables. Returns the names (`table.name`) of the others.
 */
export async function addForeignKeys(tx: Sql, foreignKeys: readonly ForeignKey[]): Promise<string[]> {
  const tables = new Map((await listTables(tx)).map((table) => [table.name, table]));
  const leftOut: string[] = [];
  for (const { table, referenced, name, definition } of foreignKeys) {
    if (canReference(tables.get(table), tables.get(referenced))) {
      await tx.unsafe(`alter table "${table}" add constraint "${name}" ${definition}`);
    } else leftOut.push(`${table}.${name}`);
  }
  return leftOut;
}

/**
 * Returns true when Citus allows a foreign key between two tables: to a table with a copy on every node, or between
 * rows on the same node.
 */
export function canReference(from: TablePlacement | undefined, to: TablePlacement | undefined): boolean {
  if (!from || !to) return false;
  if (to.placement.kind === 'reference') return true;
  if (to.placement.kind === 'coordinator') return from.placement.kind === 'coordinator';
  return from.placement.kind === 'shards' && from.placement.with !== null && from.placement.with === to.placement.with;
}
