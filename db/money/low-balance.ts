import type { Sql } from 'postgres';

/** A workspace whose balance is below its alert level and whose members have not been emailed about this yet. */
export interface LowWorkspace {
  workspace_id: string;
  name: string;
  balance: number;
  threshold: number;
  emails: string[];
}

/**
 * Clears the time of the last low-balance email for workspaces whose balance has returned to the alert level or above,
 * so that the next fall sends an email again. Returns the number of these workspaces.
 */
export async function resetLowBalanceMails(sql: Sql): Promise<number> {
  const recovered = sql`s.low_balance_mailed_at is not null and (s.low_balance_alert is null or b.balance >= s.low_balance_alert)`;
  const rows = await sql<{ workspace_id: string }[]>`
    select s.workspace_id from work_settings s join credit_balances b on b.workspace_id = s.workspace_id
    where ${recovered}`;
  let reset = 0;
  // Changes one workspace at a time, because a single statement for all of them could deadlock with charges of checks,
  // which lock the same settings.
  for (const { workspace_id } of rows) {
    const { count } = await sql`
      update work_settings s set low_balance_mailed_at = null from credit_balances b
      where s.workspace_id = ${workspace_id} and b.workspace_id = ${workspace_id} and ${recovered}`;
    reset += count;
  }
  return reset;
}

/** Returns at most `limit` workspaces whose members should get a low-balance email. */
export async function listLowWorkspaces(sql: Sql, limit: number): Promise<LowWorkspace[]> {
  return sql<LowWorkspace[]>`
    select s.workspace_id, w.name, b.balance, s.low_balance_alert as threshold,
      array(select u.email from members m join auth_users u on u.id = m.user_id
        where m.workspace_id = s.workspace_id order by m.created_at limit 20) as emails
    from work_settings s
    join workspaces w on w.workspace_id = s.workspace_id
    join credit_balances b on b.workspace_id = s.workspace_id
    where s.low_balance_mailed_at is null and b.balance < s.low_balance_alert
    order by s.workspace_id limit ${limit}`;
}

/** Records that the members of a workspace got the low-balance email. */
export async function markLowBalanceMailed(sql: Sql, workspaceId: string, now: Date): Promise<void> {
  await sql`update work_settings set low_balance_mailed_at = ${now} where workspace_id = ${workspaceId}`;
}

interface LowBalance {
  balance: number;
  threshold: number;
  /** Number of the workspace's newest ledger entry when the balance was read. */
  entry_no: number;
}

/**
 * Returns true when the balance of the workspace is below its alert level. If so, locks the settings of the workspace
 * until the transaction ends, so that only one process sends the alert.
 */
export async function lockLowBalance(tx: Sql, workspaceId: string): Promise<boolean> {
  const rows = await tx`
    select s.workspace_id from work_settings s join credit_balances b on b.workspace_id = s.workspace_id
    where s.workspace_id = ${workspaceId} and b.balance < s.low_balance_alert for no key update of s`;
  return rows.length === 1;
}

/**
 * Returns the balance when it is below the alert level and no alert was sent since it fell below; otherwise null. Each
 * sent alert contains the number of the newest ledger entry at that time. The alert was sent after the fall if this
 * number is higher than that of the last entry with a balance at or above the level.
 */
export async function unsentLowBalance(tx: Sql, workspaceId: string): Promise<LowBalance | null> {
  const [row] = await tx<LowBalance[]>`
    select b.balance, s.low_balance_alert as threshold, b.entries as entry_no
    from work_settings s join credit_balances b on b.workspace_id = s.workspace_id
    where s.workspace_id = ${workspaceId} and b.balance < s.low_balance_alert
      and not exists (
        select from webhook_deliveries d
        where d.workspace_id = ${workspaceId} and d.event = 'credits.low'
          and (d.body::json #>> '{data,entry_no}')::bigint > coalesce((
            select l.entry_no from ledger_entries l
            where l.workspace_id = ${workspaceId} and l.balance_after >= s.low_balance_alert
            order by l.entry_no desc limit 1), 0))`;
  return row ?? null;
}

/** Returns those of the given workspaces whose balance is below their alert level. */
export async function belowAlert(sql: Sql, workspaceIds: readonly string[]): Promise<string[]> {
  const rows = await sql<{ workspace_id: string }[]>`
    select s.workspace_id from work_settings s join credit_balances b on b.workspace_id = s.workspace_id
    where s.workspace_id = any(${[...workspaceIds]}::uuid[]) and b.balance < s.low_balance_alert`;
  return rows.map(({ workspace_id }) => workspace_id);
}
