import type { Sql } from 'postgres';

export interface LedgerEntry {
  entry_no: number;
  kind: 'starter' | 'purchase' | 'charge' | 'return' | 'adjustment';
  credits: number;
  balance_after: number;
  request_id: string | null;
  route: string | null;
  /** Name of the key that was charged; null when no key was charged or the key was removed. */
  key_name: string | null;
  reason: string | null;
  created_at: Date;
}

/** Returns ledger entries of a workspace, newest first, at most `limit`. With `before`, only those older than that entry. */
export async function listEntries(
  sql: Sql,
  workspaceId: string,
  { before, limit }: { before: number | null; limit: number },
): Promise<LedgerEntry[]> {
  return sql<LedgerEntry[]>`
    select l.entry_no, l.kind, l.credits, l.balance_after, l.request_id, l.route, l.reason, l.created_at, k.name as key_name
    from ledger_entries l left join api_keys k on k.workspace_id = l.workspace_id and k.key_id = l.key_id
    where l.workspace_id = ${workspaceId} and (${before}::bigint is null or l.entry_no < ${before}::bigint)
    order by l.entry_no desc limit ${limit}`;
}
