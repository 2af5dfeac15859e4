import type { Sql } from 'postgres';
import { idPattern } from '../ids.ts';

export const entryKinds = ['starter', 'purchase', 'charge', 'return', 'adjustment'] as const;

export interface LedgerEntry {
  entry_no: number;
  kind: (typeof entryKinds)[number];
  credits: number;
  balance_after: number;
  request_id: string | null;
  route: string | null;
  /** The API key that was charged; null when no key was charged. */
  key_id: string | null;
  /** Name of the API key that was charged; null when no key was charged or the key no longer exists. */
  key_name: string | null;
  reason: string | null;
  /** The tracked item whose check was charged; null for other entries, or when the item was removed. */
  item_id: string | null;
  item_name: string | null;
  /** The batch (bulk analysis or import) whose row was charged; null for other entries. */
  batch_id: string | null;
  batch_name: string | null;
  batch_created_at: Date | null;
  /** The sheet import that created the batch; null for other entries. */
  import_id: string | null;
  import_label: string | null;
  created_at: Date;
}

export interface EntryFilter {
  kind?: LedgerEntry['kind'] | null;
  key_id?: string | null;
  /** First and last UTC day of the entries to return, `YYYY-MM-DD`; null means no limit. */
  from?: string | null;
  to?: string | null;
}

/**
 * Returns at most `limit` ledger entries of a workspace, newest first. With `before` (an entry number), returns only
 * older entries.
 */
export async function listEntries(
  sql: Sql,
  workspaceId: string,
  filter: EntryFilter & { before: number | null; limit: number },
): Promise<LedgerEntry[]> {
  const { before, limit, kind = null, key_id = null, from = null, to = null } = filter;
  // The meaning of two columns depends on the kind of entry: for a tracking check, `reason` is the item id; for a batch
  // row, `request_id` is the batch id.
  return sql<LedgerEntry[]>`
    with entries as materialized (
      select * from ledger_entries
      where workspace_id = ${workspaceId} and (${before}::bigint is null or entry_no < ${before}::bigint)
        and (${kind}::text is null or kind = ${kind}) and (${key_id}::uuid is null or key_id = ${key_id}::uuid)
        and (${from}::text is null or created_at >= (${from}::text || 'T00:00:00Z')::timestamptz)
        and (${to}::text is null or created_at < (${to}::text || 'T00:00:00Z')::timestamptz + interval '24 hours')
      order by entry_no desc limit ${limit}
    )
    select l.entry_no, l.kind, l.credits, l.balance_after, l.request_id, l.key_id, l.route, l.reason, l.created_at,
      k.name as key_name,
      i.item_id, coalesce(i.name, i.identifier) as item_name, b.batch_id, b.name as batch_name,
      b.created_at as batch_created_at, b.import_id, s.label as import_label
    from entries l
    left join api_keys k on k.workspace_id = l.workspace_id and k.key_id = l.key_id
    left join tracked_items i on i.workspace_id = l.workspace_id and i.item_id = case
      when l.route = 'tracking' and l.reason ~ ${idPattern} then l.reason::uuid end
    left join batches b on b.workspace_id = l.workspace_id and b.batch_id = case
      when l.key_id is null and l.request_id ~ ${idPattern} then l.request_id::uuid end
    left join sheet_imports s on s.workspace_id = l.workspace_id and s.import_id = b.import_id
    order by l.entry_no desc`;
}
