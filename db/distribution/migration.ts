import type { Sql } from 'postgres';
import { listTables, type TablePlacement } from './catalog.ts';
import { canReference, distributeTable, widenUniqueIndexes } from './steps.ts';

const createTable = /^\s*CREATE TABLE "(\w+)"/i;
const foreignKey = /^\s*ALTER TABLE "(\w+)" ADD CONSTRAINT "\w+" FOREIGN KEY .* REFERENCES "public"\."(\w+)"/i;
const uniqueIndex = /^\s*CREATE UNIQUE INDEX "\w+" ON "(\w+)" USING btree \(([^)]*)\)/i;
const uniqueConstraint = /^\s*ALTER TABLE "(\w+)" ADD CONSTRAINT ("\w+") UNIQUE\(([^)]*)\)/i;

/**
 * Returns an SQL statement of a migration in a form that a distributed database (Citus) accepts: unique indexes also
 * include the column that selects the shard. Returns null for a foreign key between tables on different nodes, which
 * cannot exist.
 */
export async function adaptStatement(tx: Sql, statement: string): Promise<string | null> {
  const key = foreignKey.exec(statement);
  const index = uniqueIndex.exec(statement) ?? uniqueConstraint.exec(statement);
  if (!key && !index) return statement;
  const tables = new Map((await listTables(tx)).map((table) => [table.name, table]));
  if (key) return canReference(tables.get(key[1] ?? ''), tables.get(key[2] ?? '')) ? statement : null;
  return index ? widened(statement, index, tables.get(index[1] ?? '')) : statement;
}

function widened(statement: string, match: RegExpExecArray, table: TablePlacement | undefined): string {
  if (table?.placement.kind !== 'shards') return statement;
  const columns = match.at(-1) ?? '';
  const column = `"${table.placement.column}"`;
  if (columns.includes(column)) return statement;
  if (uniqueIndex.test(statement)) return statement.replace(`(${columns})`, `(${columns},${column})`);
  return `CREATE UNIQUE INDEX ${match[2]} ON "${table.name}" USING btree (${columns},${column})`;
}

/** Distributes the table over the nodes of the Citus cluster if the migration statement has created one. */
export async function distributeCreatedTable(tx: Sql, statement: string): Promise<void> {
  const name = createTable.exec(statement)?.[1];
  const table = name === undefined ? undefined : (await listTables(tx)).find((one) => one.name === name);
  if (!table || table.distributed) return;
  await widenUniqueIndexes(tx, table);
  await distributeTable(tx, table);
}
