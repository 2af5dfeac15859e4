/** The database server of this test run. `url`: its address. `run`: part of the name of each database of this run. */
export interface TestServer {
  url: string;
  run: string;
  /** The addresses of all nodes of a Citus cluster, the coordinator first. Empty on a plain PostgreSQL server. */
  nodes: string[];
}

/** Returns the name of a database of a test run. */
export function databaseName(run: string, name: string): string {
  return `tidemark_test_${run}_${name}`;
}

/** Returns the address of another database on the same server. */
export function withDatabase(address: string, name: string): string {
  const url = new URL(address);
  url.pathname = `/${name}`;
  return url.href;
}
