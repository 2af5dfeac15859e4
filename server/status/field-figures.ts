import type { Sql } from 'postgres';
import { type FieldCount, readFieldCounts } from '../../db/requests/field-counts.ts';

/** How often each source gave each field on this server in the last days, by collector. */
export type FieldFigures = ReadonlyMap<string, readonly FieldCount[]>;

const maxAgeMs = 60_000;

/** Creates a reader of the figures. They are at most a minute old. The reader rejects when the database cannot be reached. */
export function createFieldFigures(sql: Sql, now: () => Date): () => Promise<FieldFigures> {
  let readAtMs = Number.NEGATIVE_INFINITY;
  let figures: Promise<FieldFigures> | null = null;

  async function read(): Promise<FieldFigures> {
    return Map.groupBy(await readFieldCounts(sql, now()), ({ collector }) => collector);
  }

  return () => {
    const nowMs = now().getTime();
    if (figures === null || nowMs - readAtMs >= maxAgeMs) {
      readAtMs = nowMs;
      figures = read();
      figures.catch(() => {
        figures = null;
      });
    }
    return figures;
  };
}
