import type { Sql } from 'postgres';
import { dayMs } from '../durations.ts';

/** How often a source's answers contained a field. A field of a list is counted for each record of the list. */
export interface FieldCount {
  collector: string;
  source: string;
  field: string;
  given: number;
  missing: number;
  rounded: number;
}

interface FieldCountWriter {
  /** Adds the field counts of one answer. They are written to the database within a minute. */
  add(counts: readonly FieldCount[]): void;
  /**
   * Writes all field counts to the database. Never throws: counts that cannot be written are kept and written next
   * time.
   */
  flush(): Promise<void>;
  /** Writes all field counts to the database and stops the timer. */
  close(): Promise<void>;
}

interface FieldCountOptions {
  now: () => Date;
  on_error: (error: unknown) => void;
}

const flushEveryMs = 60_000;
/**
 * Number of UTC days for which field counts are kept and shown, including today. A day has at most about 1,500 rows:
 * one for each field of each source.
 */
export const fieldCountDays = 7;
/**
 * Maximum number of counters in memory, one for each field of each source and day. If the database is unavailable for
 * days and the limit is reached, counts of further days are dropped and an error is reported.
 */
const maxCounters = 10_000;

interface Counter extends FieldCount {
  day: string;
}

const dayOf = (now: Date) => now.toISOString().slice(0, 10);
const firstDay = (now: Date) => dayOf(new Date(now.getTime() - (fieldCountDays - 1) * dayMs));

/**
 * Creates a writer that adds up field counts in memory and writes them once a minute in one statement, so that no
 * request waits for the database.
 */
export function createFieldCountWriter(sql: Sql, { now, on_error }: FieldCountOptions): FieldCountWriter {
  let counters = new Map<string, Counter>();
  let writing: Promise<void> = Promise.resolve();
  const timer = setInterval(flush, flushEveryMs);
  timer.unref();

  function add(day: string, count: FieldCount): boolean {
    const id = `${day} ${count.collector} ${count.source} ${count.field}`;
    const known = counters.get(id);
    if (!known && counters.size >= maxCounters) return false;
    if (!known) counters.set(id, { ...count, day });
    else {
      known.given += count.given;
      known.missing += count.missing;
      known.rounded += count.rounded;
    }
    return true;
  }

  function flush(): Promise<void> {
    if (counters.size === 0) return writing;
    const unwritten = counters;
    counters = new Map();
    writing = writing.then(() =>
      write(sql, [...unwritten.values()], now()).catch((error: unknown) => {
        on_error(error);
        for (const { day, ...count } of unwritten.values()) add(day, count);
      }),
    );
    return writing;
  }

  return {
    add(counts) {
      const day = dayOf(now());
      const isFull = counts.filter((count) => !add(day, count)).length > 0;
      if (isFull) on_error(new Error('The field counters are full: some answers are not counted.'));
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
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
