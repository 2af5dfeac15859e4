import type { Sql } from 'postgres';

export type EntryKind = 'starter' | 'purchase' | 'adjustment';

export interface Movement {
  kind: EntryKind;
  /** Added when positive, taken when negative; never below a balance of zero. */
  credits: number;
  reason: string;
}

/** Moves credits other than charges; returns the balance after it, or null when it would go below zero or no such workspace exists. */
export async function moveCredits(sql: Sql, workspaceId: string, movement: Movement): Promise<number | null> {
  const [entry] = await sql<{ balance_after: number }[]>`
    with moved as (
      update credit_balances set balance = balance + ${movement.credits}, entries = entries + 1
      where workspace_id = ${workspaceId} and balance + ${movement.credits} >= 0
      returning workspace_id, balance, entries
    )
    insert into ledger_entries (workspace_id, entry_no, kind, credits, balance_after, reason)
    select workspace_id, entries, ${movement.kind}, ${movement.credits}::bigint, balance, ${movement.reason} from moved
    returning balance_after`;
  return entry?.balance_after ?? null;
}

/** The balance of a workspace, null when there is none. */
export async function readBalance(sql: Sql, workspaceId: string): Promise<number | null> {
  const [row] = await sql<{ balance: number }[]>`
    select balance from credit_balances where workspace_id = ${workspaceId}`;
  return row?.balance ?? null;
}

export interface LedgerMismatch {
  workspace_id: string;
  entry_no: number | null;
  problem: string;
}

export interface LedgerProof {
  workspaces: number;
  entries: number;
  mismatches: LedgerMismatch[];
}

const maxListed = 100;

/** Proves every balance from its entries: numbered without a gap, each `balance_after` the sum so far, the last one the balance. */
export async function checkLedger(sql: Sql): Promise<LedgerProof> {
  const [totals] = await sql<{ workspaces: number; entries: number }[]>`
    select (select count(*) from credit_balances) as workspaces, (select count(*) from ledger_entries) as entries`;
  const mismatches = await sql<LedgerMismatch[]>`
    with proven as (
      select workspace_id, entry_no, balance_after,
        sum(credits) over so_far as total, row_number() over so_far as place
      from ledger_entries window so_far as (partition by workspace_id order by entry_no)
    ), last as (
      select distinct on (workspace_id) workspace_id, total, place from proven order by workspace_id, place desc
    )
    select workspace_id, entry_no, 'number ' || entry_no || ' stands at place ' || place as problem
    from proven where entry_no <> place
    union all
    select workspace_id, entry_no, 'entry says ' || balance_after || ', the sum of entries is ' || total
    from proven where balance_after <> total
    union all
    select b.workspace_id, null, 'balance is ' || b.balance || ' after ' || b.entries || ' entries, the entries sum up to '
      || coalesce(l.total, 0) || ' over ' || coalesce(l.place, 0)
    from credit_balances b left join last l on l.workspace_id = b.workspace_id
    where b.balance <> coalesce(l.total, 0) or b.entries <> coalesce(l.place, 0)
    limit ${maxListed}`;
  return { workspaces: totals?.workspaces ?? 0, entries: totals?.entries ?? 0, mismatches: [...mismatches] };
}
