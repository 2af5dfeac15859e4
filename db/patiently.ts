import type { Sql } from 'postgres';
import type { Clients } from './connect.ts';
import { isLockWait } from './unavailable.ts';

/**
 * Runs a statement of a background job on the pipelined connections. If the statement waits too long for a locked row,
 * runs it again on the patient connections, which wait longer. Otherwise, a job could lose an answer that it has
 * fetched.
 */
export async function patiently<T>(
  { pipelined, patient }: Pick<Clients, 'pipelined' | 'patient'>,
  statement: (sql: Sql) => Promise<T>,
): Promise<T> {
  try {
    return await statement(pipelined);
  } catch (error) {
    if (!isLockWait(pipelined, error)) throw error;
    return statement(patient);
  }
}
