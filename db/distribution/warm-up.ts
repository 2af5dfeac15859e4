import type { Sql } from 'postgres';

/**
 * Opens all connections of a pool and sends one statement to every node on each of them. The first statement on a
 * connection to a Citus coordinator is slow, because it loads the tables of Citus and connects to the nodes. Errors are
 * ignored here, because later requests would report them.
 */
export async function warmUp(sql: Sql, connections: number): Promise<void> {
  const askEveryNode = () => sql`select count(*) from rate_windows`;
  await Promise.allSettled(Array.from({ length: connections }, askEveryNode));
}
