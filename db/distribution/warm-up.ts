import type { Sql } from 'postgres';

/**
 * Opens all connections of a pool and sends one statement to every node on each of them. The first statement on a
 * connection to a Citus coordinator is slow, because Citus then loads its tables and connects to the nodes. Ignores
 * errors, because later requests would report them.
 */
export async function warmUp(sql: Sql, connections: number): Promise<void> {
  const askEveryNode = () => sql`select count(*) from rate_windows`;
  await Promise.allSettled(Array.from({ length: connections }, askEveryNode));
}
