import type { Sql } from 'postgres';

/**
 * Opens all connections and lets each ask every node, because the first statement of a connection to a coordinator loads its tables and
 * connects to the nodes. A failure is ignored: it shows in the requests.
 */
export async function warmUp(sql: Sql, connections: number): Promise<void> {
  const askEveryNode = () => sql`select count(*) from rate_windows`;
  await Promise.allSettled(Array.from({ length: connections }, askEveryNode));
}
