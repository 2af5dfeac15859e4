import type { Sql } from 'postgres';
import { combineCalls } from '../combine-calls.ts';

/** Maximum number of API keys whose workspace is kept in memory. Beyond this number, the oldest entry is removed. */
const maxRemembered = 200_000;

/**
 * Returns a function that finds the workspace of an API key by the key's hash, on any node of a distributed database.
 * The function returns null when no key has this hash. Workspaces are kept in memory, because the workspace of a key
 * never changes. The caller must still check whether the key is valid.
 */
export function createKeyDirectory(sql: Sql): (hash: string) => Promise<string | null> {
  const remembered = new Map<string, string>();
  const find = combineCalls((hashes: string[]) => findWorkspaces(sql, hashes), { slots: 2, max_calls: 500 });
  return async (hash) => {
    const known = remembered.get(hash);
    if (known !== undefined) return known;
    const found = await find(hash);
    if (found === null) return null;
    const [oldest] = remembered.size >= maxRemembered ? remembered.keys() : [];
    if (oldest !== undefined) remembered.delete(oldest);
    remembered.set(hash, found);
    return found;
  };
}

async function findWorkspaces(sql: Sql, hashes: string[]): Promise<(string | null)[]> {
  const rows = await sql<{ hash: string; workspace_id: string }[]>`
    select hash, workspace_id from api_keys where hash = any(${[...new Set(hashes)]}::text[])`;
  const found = new Map(rows.map(({ hash, workspace_id }) => [hash, workspace_id]));
  return hashes.map((hash) => found.get(hash) ?? null);
}
