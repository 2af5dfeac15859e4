import type { Sql } from 'postgres';
import { isDistributed } from '../distribution/distributed.ts';
import { ownWorkspace, tableOf } from '../distribution/one-workspace.ts';
import { applyMovements } from './movements.ts';

type EntryKind = 'starter' | 'purchase' | 'adjustment';

interface Movement {
  kind: EntryKind;
  /** Number of credits: positive when they are added, negative when they are taken away. */
  credits: number;
  reason: string;
}

/**
 * Adds credits to a workspace or takes them away, for any reason except a charge. Returns the new balance. Returns
 * null, and changes nothing, when the balance would be negative or the workspace does not exist.
 */
export async function moveCredits(sql: Sql, workspaceId: string, movement: Movement): Promise<number | null> {
  const { kind, credits, reason } = movement;
  const [entry] = await sql<{ balance_after: number }[]>`
    with movements as materialized (
      select ${workspaceId}::uuid as workspace_id, 1 as position, ${kind}::text as kind, ${credits}::bigint as credits,
        null::uuid as charge_id, null::text as request_id, null::uuid as key_id, null::text as route,
        ${reason}::text as reason, now() as created_at
    ), ${applyMovements(sql, { cap: null, workspace: ownWorkspace(sql, workspaceId) })}
    select balance_after from decided where refusal is null`;
  return entry?.balance_after ?? null;
}

/** Returns the credit balance of a workspace; null when the workspace does not exist. */
export async function readBalance(sql: Sql, workspaceId: string): Promise<number | null> {
  const [row] = await sql<{ balance: number }[]>`
    select balance from credit_balances where workspace_id = ${workspaceId}`;
  return row?.balance ?? null;
}

interface LedgerMismatch {
  workspace_id: string;
  entry_no: number | null;
  problem: string;
}

interface LedgerProof {
  workspaces: number;
  entries: number;
  mismatches: LedgerMismatch[];
}

const maxListed = 100;

/**
 * Checks every balance against the ledger. For each workspace, the entry numbers must have no gaps, each
 * `balance_after` must be the sum of all entries so far, and the last `balance_after` must be the balance. Also checks
 * each return of credits against its charge.
 */
export async function checkLedger(sql: Sql): Promise<LedgerProof> {
  const [totals] = await sql<{ workspaces: number; entries: number }[]>`
    select (select count(*) from credit_balances) as workspaces, (select count(*) from ledger_entries) as entries`;
  const found = await findMismatches(sql, null);
  const mismatches = isDistributed(sql) ? await checkAlone(sql, found) : found;
  return {
    workspaces: totals?.workspaces ?? 0,
    entries: totals?.entries ?? 0,
    mismatches: mismatches.slice(0, maxListed),
  };
}

/**
 * Checks the workspaces with mismatches again, each in its own statement, and returns the remaining mismatches. In a
 * distributed database (Citus), only such a statement reads the balance and the entries at the same moment.
 */
async function checkAlone(sql: Sql, found: readonly LedgerMismatch[]): Promise<LedgerMismatch[]> {
  const confirmed: LedgerMismatch[] = [];
  for (const workspace of new Set(found.map(({ workspace_id }) => workspace_id))) {
    confirmed.push(...(await findMismatches(sql, workspace)));
    if (confirmed.length >= maxListed) break;
  }
  return confirmed;
}

/**
 * Returns the mismatches between balances and ledger entries, of one workspace or (with null) of all. Returns at most
 * {@link maxListed}, but all of them in a distributed database (Citus).
 */
async function findMismatches(sql: Sql, workspace: string | null): Promise<LedgerMismatch[]> {
  const entries = tableOf(sql, 'ledger_entries', workspace);
  const limit = isDistributed(sql) ? null : maxListed;
  return sql<LedgerMismatch[]>`
    with sums as (
      select workspace_id, entry_no, balance_after,
        sum(credits) over so_far as total, row_number() over so_far as position
      from ${entries} e window so_far as (partition by workspace_id order by entry_no)
    ), last as (
      select distinct on (workspace_id) workspace_id, total, position from sums order by workspace_id, position desc
    )
    select workspace_id, entry_no, 'entry number ' || entry_no || ' is at position ' || position as problem
    from sums where entry_no <> position
    union all
    select workspace_id, entry_no, 'balance after the entry is ' || balance_after || ', the sum of entries is ' || total
    from sums where balance_after <> total
    union all
    select b.workspace_id, null, 'balance is ' || b.balance || ' after ' || b.entries || ' entries, the sum of entries is '
      || coalesce(l.total, 0) || ' after ' || coalesce(l.position, 0)
    from ${tableOf(sql, 'credit_balances', workspace)} b left join last l on l.workspace_id = b.workspace_id
    where b.balance <> coalesce(l.total, 0) or b.entries <> coalesce(l.position, 0)
    union all
    select r.workspace_id, r.entry_no, 'the entry returns ' || r.credits || ' credits, its charge took ' || coalesce(-c.credits, 0)
    from ${entries} r left join ${entries} c
      on c.workspace_id = r.workspace_id and c.charge_id = r.charge_id and c.kind = 'charge'
    where r.kind = 'return' and r.credits + coalesce(c.credits, 0) <> 0
    limit ${limit}`;
}
