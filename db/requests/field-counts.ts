import type { Sql } from 'postgres';
import { dayOf } from '../calendar.ts';
import { dayMs, minuteMs } from '../durations.ts';
import { type CounterWriter, createCounterWriter } from './counter-writer.ts';

/** How often a source's answers contained a field. In a list, a field is counted once per record. */
export interface FieldCount {
  collector: string;
  source: string;
  field: string;
  given: number;
  missing: number;
  rounded: number;
}

interface FieldCountWriter extends Omit<CounterWriter<Counter>, 'add'> {
  /** Adds the field counts of one answer. The counts are written to the database within a minute. */
  add(counts: readonly FieldCount[]): void;
}

interface FieldCountOptions {
  now: () => Date;
  on_error: (error: unknown) => void;
}

/**
 * Number of UTC days for which field counts are kept and shown, including today. A day has at most about 1,500 rows:
 * one for each field of each source.
 */
export const fieldCountDays = 7;

interface Counter extends FieldCount {
  day: string;
}

const firstDay = (now: Date) => dayOf(new Date(now.getTime() - (fieldCountDays - 1) * dayMs));

/**
 * Creates a writer that adds up field counts in memory and writes them once a minute in one statement, so that no
 * request waits for the database.
 */
export function createFieldCountWriter(sql: Sql, { now, on_error }: FieldCountOptions): FieldCountWriter {
  const writer = createCounterWriter<Counter>({
    name: 'field',
    flush_every_ms: minuteMs,
    max_counters: 10_000,
    idOf: ({ day, collector, source, field }) => `${day} ${collector} ${source} ${field}`,
    merge(counter, more) {
      counter.given += more.given;
      counter.missing += more.missing;
      counter.rounded += more.rounded;
    },
    statements: (counters) => [{ counters, run: () => write(sql, counters, now()) }],
    on_error,
  });
  return {
    add(counts) {
      const day = dayOf(now());
      writer.add(counts.map((count) => ({ ...count, day })));
    },
    flush: writer.flush,
    close: writer.close,
  };
}

async function write(sql: Sql, counters: readonly Counter[], now: Date): Promise<void> {
  const column = <K extends keyof Counter>(name: K) => counters.map((counter) => counter[name]);
  await sql`
    with counted as materialized (
      select * from unnest(${column('day')}::date[], ${column('collector')}::text[], ${column('source')}::text[],
        ${column('field')}::text[], ${column('given')}::bigint[], ${column('missing')}::bigint[], ${column('rounded')}::bigint[])
        as c (day, collector, source, field, given, missing, rounded)
    ), expired as (
      delete from field_counts where day < ${firstDay(now)}::date
    )
    insert into field_counts as f (day, collector, source, field, given, missing, rounded)
    select * from counted where day >= ${firstDay(now)}::date order by day, collector, source, field
    on conflict (day, collector, source, field) do update set
      given = f.given + excluded.given, missing = f.missing + excluded.missing, rounded = f.rounded + excluded.rounded`;
}

/** Returns the field counts of the last {@link fieldCountDays} days, added up by collector, source and field. */
export async function readFieldCounts(sql: Sql, now: Date): Promise<FieldCount[]> {
  return sql<FieldCount[]>`
    select collector, source, field, sum(given)::bigint as given, sum(missing)::bigint as missing,
      sum(rounded)::bigint as rounded
    from field_counts where day >= ${firstDay(now)}::date
    group by collector, source, field order by collector, source, field`;
}
