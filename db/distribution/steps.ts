import type { Sql } from 'postgres';
import { type ForeignKey, listForeignKeys, listTables, type PlacedTable, uniqueIndexesWithout } from './catalog.ts';

/** A longer time limit than the usual one of the driver (docs/adr/0077), because a large table is copied to other nodes. */
const patience: object = { deadline: 24 * 3_600_000 };

/**
 * Allows a transaction to change both the definitions and the rows of distributed tables. Citus then uses one
 * connection to each node.
 */
export async function sequentially(tx: Sql): Promise<void> {
  await tx`select set_config('citus.multi_shard_modify_mode', 'sequential', true)`;
}

/**
 * Adds the distribution column to the unique indexes of a table that do not include it, because each node can check
 * only its own rows. The indexes are on random values (hashes, ids), which are unique without a check.
 */
export async function widenUniqueIndexes(tx: Sql, { name: table, placement }: PlacedTable): Promise<void> {
  if (placement.kind !== 'shards') return;
  for (const { name, constraint, columns } of await uniqueIndexesWithout(tx, table, placement.column)) {
    if (constraint !== null) await tx`alter table ${tx(table)} drop constraint ${tx(constraint)}`;
    else await tx`drop index ${tx(name)}`;
    await tx`create unique index ${tx(name)} on ${tx(table)} (${tx([...columns, placement.column] as string[])})`;
  }
}

/** Distributes a table according to its placement. */
export async function placeTable(tx: Sql, { name, placement }: PlacedTable): Promise<void> {
  if (placement.kind === 'reference') await tx`select create_reference_table(${name}::regclass)`;
  if (placement.kind !== 'shards') return;
  const together = name === placement.with ? 'none' : (placement.with ?? 'none');
  await tx.unsafe(
    'select create_distributed_table($1::regclass, $2, colocate_with => $3)',
    [name, placement.column, together],
    patience,
  );
  // Citus leaves the rows that it has copied to the shards in the local table, where no statement sees them.
  await tx`select truncate_local_data_after_distributing_table(${name}::regclass)`;
}

/** Drops the foreign keys from or to tables that will be distributed. Returns the dropped foreign keys. */
export async function dropForeignKeys(tx: Sql, tables: readonly PlacedTable[]): Promise<ForeignKey[]> {
  const moved = new Set(tables.filter(({ placement }) => placement.kind !== 'coordinator').map(({ name }) => name));
  const dropped = (await listForeignKeys(tx)).filter(
    ({ table, referenced }) => moved.has(table) || moved.has(referenced),
  );
  for (const { table, name } of dropped) await tx`alter table ${tx(table)} drop constraint ${tx(name)}`;
  return dropped;
}

/**
 * Adds the foreign keys that are possible with the placements of their tables. Returns the foreign keys that are not
 * possible, as `table.name`.
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

/** Returns true when a foreign key can exist: to a table with a copy on every node, or between rows on the same node. */
export function canReference(from: PlacedTable | undefined, to: PlacedTable | undefined): boolean {
  if (!from || !to) return false;
  if (to.placement.kind === 'reference') return true;
  if (to.placement.kind === 'coordinator') return from.placement.kind === 'coordinator';
  return from.placement.kind === 'shards' && from.placement.with !== null && from.placement.with === to.placement.with;
}
