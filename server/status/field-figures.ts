import type { Sql } from 'postgres';
import { hasPassed } from '../../db/durations.ts';
import { type FieldCount, readFieldCounts } from '../../db/requests/field-counts.ts';

/**
 * Counts of how often each source gave each field of a record (such as `followers`) on this server in the last days.
 * The key is the name of the collector, which is the module that fetches one kind of record.
 */
export type FieldFigures = ReadonlyMap<string, readonly FieldCount[]>;

const maxAgeMs = 60_000;

/**
 * Creates a function that returns the counts of received fields, at most a minute old. This function rejects when the
 * database cannot be reached.
 */
export function createFieldFigures(sql: Sql, now: () => Date): () => Promise<FieldFigures> {
  let readAtMs = Number.NEGATIVE_INFINITY;
  let figures: Promise<FieldFigures> | null = null;

  async function read(): Promise<FieldFigures> {
    return Map.groupBy(await readFieldCounts(sql, now()), ({ collector }) => collector);
  }

  return () => {
    const nowMs = now().getTime();
    if (figures === null || hasPassed(maxAgeMs, readAtMs, nowMs)) {
      readAtMs = nowMs;
      figures = read();
      figures.catch(() => {
        figures = null;
      });
    }
    return figures;
  };
}
