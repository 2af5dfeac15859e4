import type { Fragment, Sql } from 'postgres';
import { monthOf } from '../month.ts';

/**
 * Which monthly cap limits the movements. A movement adds or takes credits. `workspace`: the cap of scheduled work. `key`:
 * the cap of a key. `returned`: no cap, and the credits count as not used by their keys; `movements` must then have the
 * column `charged_month`. `now` selects the UTC month.
 */
export type MovementOptions = { cap: 'workspace' | 'key'; now: Date } | { cap: 'returned' } | { cap: null };

/** The SQL for one kind of monthly cap. */
interface CapSql {
  /** The column of `movements` with the id of the workspace or key that has the cap. */
  owner: Fragment;
  /**
   * Locks the rows with the caps. Selects owner_id and left_over: the credits that may still be spent this month, or null
   * when there is no cap.
   */
  lock: Fragment;
  /** CTE that adds the applied movements to the used part of the caps. It begins with a comma. */
  count: Fragment;
}

/**
 * Returns the CTEs that move credits. No other SQL writes balances and ledger entries.
 * Usage: `with movements as materialized (…), ${applyMovements(sql, options)} select … from decided`.
 *
 * The caller defines the CTE `movements`, with one row for each ledger entry: workspace_id, position, kind, credits, charge_id,
 * request_id, key_id, route, reason, created_at, and any other columns. `credits` is negative for a charge; `position` is unique.
 * The CTE `decided` has all these columns and `refusal` (null when applied, else `cap` or `balance`), entry_no and balance_after.
 *
 * The movements of a workspace are applied in the order of `position`. A refused movement still counts against the later ones
 * of its statement, so a refusal is final only for a movement that was sent alone. Locks are taken in this order: the rows that
 * `movements` locks, balances, caps, then the rows that the caller writes from `decided`. Each group is sorted by its key.
 */
export function applyMovements(sql: Sql, options: MovementOptions): Fragment {
  const { owner, lock, count } = capSql(sql, options);
  return sql`
    balances as materialized (
      select workspace_id, balance, entries from credit_balances
      where workspace_id in (select workspace_id from movements) order by workspace_id for no key update
    ), caps as materialized (${lock}), totals as (
      select m.*, b.balance as balance_before, b.entries as entries_before,
        b.balance + sum(m.credits) over (partition by m.workspace_id order by m.position) < 0 as over_balance,
        -sum(m.credits) over (partition by ${owner} order by m.position) > c.left_over as over_cap
      from movements m join balances b on b.workspace_id = m.workspace_id left join caps c on c.owner_id = ${owner}
    ), refusals as (
      select *, case when over_cap then 'cap' when over_balance then 'balance' end as refusal from totals
    ), decided as materialized (
      select *, entries_before + count(*) filter (where refusal is null) over so_far as entry_no,
        (balance_before + coalesce(sum(credits) filter (where refusal is null) over so_far, 0))::bigint as balance_after
      from refusals window so_far as (partition by workspace_id order by position)
    ), changed_balances as (
      update credit_balances b set balance = b.balance + t.credits, entries = b.entries + t.entries
      from (select workspace_id, sum(credits) as credits, count(*) as entries
            from decided where refusal is null group by workspace_id) t
      where b.workspace_id = t.workspace_id
    ), new_entries as (
      insert into ledger_entries
        (workspace_id, entry_no, kind, credits, balance_after, charge_id, request_id, key_id, route, reason, created_at)
      select workspace_id, entry_no, kind, credits, balance_after, charge_id, request_id, key_id, route, reason, created_at
      from decided where refusal is null
    )${count}`;
}

function capSql(sql: Sql, options: MovementOptions): CapSql {
  if (options.cap === 'workspace') return workspaceCap(sql, monthOf(options.now));
  if (options.cap === 'key') return keyCap(sql, monthOf(options.now));
  return {
    owner: sql`m.workspace_id`,
    lock: sql`select null::uuid as owner_id, null::bigint as left_over where false`,
    count: options.cap === 'returned' ? countReturned(sql) : sql``,
  };
}

// Does not change a cap that has begun a new month since the charge, because that cap no longer includes the charge.
function countReturned(sql: Sql): Fragment {
  return sql`, counted_caps as (
      update api_keys k set cap_used = greatest(0, k.cap_used - t.credits)
      from (select workspace_id, key_id, charged_month, sum(credits) as credits from decided
            where refusal is null group by workspace_id, key_id, charged_month) t
      where k.workspace_id = t.workspace_id and k.key_id = t.key_id and k.cap_month = t.charged_month
    )`;
}

function workspaceCap(sql: Sql, month: string): CapSql {
  return {
    owner: sql`m.workspace_id`,
    lock: sql`
      select workspace_id as owner_id,
        monthly_cap - case when cap_month = ${month}::date then cap_used else 0 end as left_over
      from work_settings where workspace_id in (select workspace_id from balances) order by workspace_id for no key update`,
    count: sql`, counted_caps as (
      insert into work_settings as s (workspace_id, cap_month, cap_used)
      select workspace_id, ${month}::date, -sum(credits) from decided where refusal is null
      group by workspace_id order by workspace_id
      on conflict (workspace_id) do update set cap_month = excluded.cap_month,
        cap_used = case when s.cap_month = excluded.cap_month then s.cap_used else 0 end + excluded.cap_used
    )`,
  };
}

function keyCap(sql: Sql, month: string): CapSql {
  return {
    owner: sql`m.key_id`,
    lock: sql`
      select key_id as owner_id, monthly_cap - case when cap_month = ${month}::date then cap_used else 0 end as left_over
      from api_keys
      where monthly_cap is not null and (workspace_id, key_id) in (select workspace_id, key_id from movements)
        and (select count(*) from balances) > 0
      order by key_id for no key update`,
    count: sql`, counted_caps as (
      update api_keys k set cap_month = ${month}::date,
        cap_used = case when k.cap_month = ${month}::date then k.cap_used else 0 end + t.credits
      from (select key_id, -sum(credits) as credits from decided
            where refusal is null and key_id in (select owner_id from caps) group by key_id) t
      where k.key_id = t.key_id
    )`,
  };
}
