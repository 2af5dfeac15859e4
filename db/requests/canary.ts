import type { Sql } from 'postgres';
import { clockDifferenceMs } from '../durations.ts';

export type CanaryState = 'right' | 'wrong' | 'failed';

export interface CanaryKey {
  collector: string;
  subject: string;
}

/**
 * The last result of a canary subject: a well-known public profile, post or list that is requested regularly to test a
 * source. All values except `failures` are null before the first result.
 */
export interface CanaryResult extends CanaryKey {
  checked_at: Date | null;
  right_at: Date | null;
  state: CanaryState | null;
  detail: string | null;
  source: string | null;
  failures: number;
}

/**
 * Stores the list of canary subjects (well-known profiles, posts and lists that are requested to test the sources).
 * Spreads the first requests of new subjects over the interval. Deletes subjects that are not in the list.
 */
export async function syncSubjects(
  sql: Sql,
  subjects: readonly CanaryKey[],
  { now, interval_ms }: { now: Date; interval_ms: number },
): Promise<void> {
  const collectors = subjects.map(({ collector }) => collector);
  const names = subjects.map(({ subject }) => subject);
  const due = subjects.map((_, index) =>
    new Date(now.getTime() + ((index + 1) * interval_ms) / subjects.length).toISOString(),
  );
  await sql`
    with listed as materialized (
      select * from unnest(${collectors}::text[], ${names}::text[], ${due}::timestamptz[]) as l (collector, subject, due_at)
    ), dropped as (
      delete from canary_subjects where (collector, subject) not in (select collector, subject from listed)
    )
    insert into canary_subjects (collector, subject, due_at) select * from listed on conflict do nothing`;
}

/**
 * Returns the canary subjects that are due, and sets their next request to one interval from now. Two processes never
 * get the same subject.
 */
export async function takeDueSubjects(
  sql: Sql,
  { now, interval_ms, limit }: { now: Date; interval_ms: number; limit: number },
): Promise<CanaryKey[]> {
  // A request is never due later than this, unless the clock was set back after it was planned.
  const latest = new Date(now.getTime() + interval_ms + clockDifferenceMs);
  return sql<CanaryKey[]>`
    update canary_subjects set due_at = ${new Date(now.getTime() + interval_ms)}
    where (collector, subject) in (
      select collector, subject from canary_subjects where due_at <= ${now} or due_at > ${latest}
      order by due_at limit ${limit}
      for update skip locked
    ) returning collector, subject`;
}

/**
 * Stores the result of requesting a canary subject. Returns the number of consecutive failures before this result
 * (`before`) and including it (`failures`).
 */
export async function storeCanary(
  sql: Sql,
  { collector, subject, state, detail, source, checked_at }: Omit<CanaryResult, 'right_at' | 'failures'>,
): Promise<{ before: number; failures: number }> {
  const right = state === 'right';
  const [row] = await sql<{ before: number; failures: number }[]>`
    with known as (
      select failures from canary_subjects where collector = ${collector} and subject = ${subject} for update
    )
    update canary_subjects c set state = ${state}, detail = ${detail}, source = ${source}, checked_at = ${checked_at},
      right_at = case when ${right} then ${checked_at}::timestamptz else c.right_at end,
      failures = case when ${right} then 0 else known.failures + 1 end
    from known where c.collector = ${collector} and c.subject = ${subject}
    returning known.failures as before, c.failures`;
  return row ?? { before: 0, failures: 0 };
}

/**
 * Returns the last result of each canary subject (a well-known profile, post or list that is requested to test a
 * source).
 */
export async function readCanaries(sql: Sql): Promise<CanaryResult[]> {
  return sql<CanaryResult[]>`
    select collector, subject, checked_at, right_at, state, detail, source, failures
    from canary_subjects order by collector, subject`;
}
