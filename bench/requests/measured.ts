import { median } from '../benchmark.ts';
import { cpuSeconds } from '../cpu-time.ts';
import type { BenchServer } from '../database.ts';
import type { LoadResult } from './load/load.ts';
import type { ServedContestant } from './servers.ts';

/**
 * A measurement with the CPU time of each answer, in microseconds. `database_us` is null where it cannot be read.
 */
export interface Measured extends LoadResult {
  server_us: number;
  database_us: number | null;
}

/**
 * Runs a load and measures how much CPU time the server and PostgreSQL used for each answer. Other programs on
 * the machine change this time less than the number of answers per second.
 */
export async function withCpuTime(
  served: Pick<ServedContestant, 'usage'>,
  { pid }: Pick<BenchServer, 'pid'>,
  run: () => Promise<LoadResult>,
): Promise<Measured> {
  const databaseBefore = pid === null ? null : cpuSeconds(pid);
  const serverBefore = (await served.usage()).cpu_seconds;
  const result = await run();
  const serverAfter = (await served.usage()).cpu_seconds;
  const databaseAfter = pid === null ? null : cpuSeconds(pid);
  const answers = Object.values(result.statuses).reduce((sum, count) => sum + count, 0);
  const each = (seconds: number) => (seconds / answers) * 1e6;
  return {
    ...result,
    server_us: each(serverAfter - serverBefore),
    database_us: databaseBefore === null || databaseAfter === null ? null : each(databaseAfter - databaseBefore),
  };
}

/** Returns two table cells: the median CPU time per answer of the server, and that of the database. */
export function cpuColumns(results: readonly Measured[]): [string, string] {
  const database = results.map((result) => result.database_us).filter((value) => value !== null);
  const microseconds = (values: readonly number[]) => (values.length > 0 ? `${median(values).toFixed(0)} µs` : '');
  return [microseconds(results.map((result) => result.server_us)), microseconds(database)];
}
