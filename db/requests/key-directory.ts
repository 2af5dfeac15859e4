import type { Sql } from 'postgres';
import { batchCalls } from '../batcher.ts';

/** Maximum number of remembered keys. When it is reached, the oldest entry is removed. */
const maxRemembered = 200_000;

/**
 * Returns a function that finds the workspace of a key by its hash, on any node; null when no key has this hash. The
 * workspace of a key never changes, so it is remembered. The caller must check on the node of the workspace whether the
 * key is valid.
 */
export function createKeyDirectory(sql: Sql): (hash: string) => Promise<string | null> {
  const remembered = new Map<string, string>();
  const find = batchCalls((hashes: string[]) => findWorkspaces(sql, hashes), { slots: 2, max_calls: 500 });
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
