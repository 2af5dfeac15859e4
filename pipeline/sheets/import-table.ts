import type { Sql } from 'postgres';
import type { Batch } from '../../db/deliveries/batches.ts';
import type { SheetImport } from '../../db/deliveries/sheet-imports.ts';
import { resultParts } from '../batches/batches.ts';
import type { ImportTable } from './import-writing.ts';
import { type SheetTable, tableOf } from './tables.ts';
import { idColumns } from './update-rows.ts';

/**
 * Returns the table that a run of a sheet import writes. Each call of `rows` reads the rows from the database again,
 * because all rows together may need several hundred megabytes.
 */
export async function readImportTable(sql: Sql, batch: Batch, settings: SheetImport): Promise<ImportTable> {
  const { fields, kind, mode } = settings;
  async function* rows(): AsyncGenerator<SheetTable['rows'], void> {
    const { columns, parts } = resultParts(sql, batch);
    const indexes = fields.map((field) => columns.indexOf(field));
    for await (const part of parts) {
      const cells = part.map((row) => indexes.map((index) => row[index] ?? null));
      yield tableOf(fields, cells).rows;
    }
  }
  const { rows: _, ...header } = tableOf(fields, []);
  const keyIndex = mode === 'update' ? fields.indexOf(idColumns[kind]) : 0;
  const keys: string[] = [];
  for await (const part of rows()) for (const row of part) keys.push(String(row[keyIndex] ?? ''));
  return { ...header, keys, rows };
}
