import type { Fragment, Sql } from 'postgres';
import { creditsUsed, monthOf } from '../calendar.ts';
import { inWorkspace, isOneOf, workspaceIdOf } from '../distribution/one-workspace.ts';

/**
 * Selects the monthly caps that limit the movements (the ledger entries to add). `workspace`: the cap of a workspace
 * for scheduled work. `key`: the caps of the API keys. `returned`: no caps limit the movements, but the returned
 * credits are subtracted from the used part of the keys' caps, so `movements` needs the column `charged_month`. Null:
 * no caps. `now` selects the UTC month of a cap.
 */
type MovementOptions = ({ cap: 'workspace' | 'key'; now: Date } | { cap: 'returned' } | { cap: null }) & OneWorkspace;

/**
 * The workspace of all movements. Citus requires it as a constant, to send the statement to the node of this workspace.
 * Null when the movements belong to several workspaces.
 */
interface OneWorkspace {
  workspace: string | null;
}

/** The parts of an SQL statement that enforce one kind of monthly cap. */
interface CapSql {
  /** SQL for the column of `movements` with the id of the workspace or API key that has the cap. */
  owner: Fragment;
  /**
   * SQL that locks the rows with the monthly caps and selects `owner_id`, `cap_id` and `left_over`. Owners with the
   * same `cap_id` share a cap. `left_over` is the number of credits that may still be spent this month, or null when
   * there is no cap.
   */
  lock: Fragment;
  /** CTE, with a leading comma, that adds the applied movements to the used part of the monthly caps. */
  count: Fragment;
}

/**
 * Returns the CTEs that change balances and add ledger entries. No other SQL code writes these tables. Usage: `with
 * movements as materialized (…), ${applyMovements(sql, options)} select … from decided`.
 *
 * The caller defines the CTE `movements`, with one row for each ledger entry: workspace_id, position, kind, credits,
 * charge_id, request_id, key_id, route, reason, created_at, and any other columns. `credits` is negative for a charge.
 * `position` is unique. The CTE `decided` has all these columns and also `refusal` (null when applied, otherwise `cap`
 * or `balance`), entry_no and balance_after.
 *
 * The movements of a workspace are applied in the order of `position`. A refused movement still reduces the credits
 * that are left for later movements of the statement, so a refusal is final only for a movement that was sent alone.
 * Other refused movements can be retried alone. Locks are taken in this order: the rows that `movements` locks,
 * balances, caps, then the rows that the caller writes from `decided`. Each group is sorted by its key.
 */
export function applyMovements(sql: Sql, options: MovementOptions): Fragment {
  const { owner, lock, count } = capSql(sql, options);
  const { workspace } = options;
  return sql`
    balances as materialized (
      select workspace_id, balance, entries from credit_balances
      where ${isOneOf(sql, workspace, 'movements')} order by workspace_id for no key update
    ), caps as materialized (${lock}), ${decide(sql, owner)}, changed_balances as (
      update credit_balances b set balance = b.balance + t.credits, entries = b.entries + t.entries
      from (select workspace_id, sum(credits) as credits, count(*) as entries
            from decided where refusal is null group by workspace_id) t
      where b.workspace_id = t.workspace_id${inWorkspace(sql, 'b', workspace)}
    ), new_entries as (
      insert into ledger_entries
        (workspace_id, entry_no, kind, credits, balance_after, charge_id, request_id, key_id, route, reason, created_at)
      select ${workspaceIdOf(sql, workspace)}, entry_no, kind, credits, balance_after, charge_id, request_id, key_id, route, reason, created_at
      from decided where refusal is null
    )${count}`;
}

/**
 * Returns the CTEs that decide which of the `movements` can be applied. These CTEs read `balances` and `caps`, and the
 * last one is `decided`.
 */
function decide(sql: Sql, owner: Fragment): Fragment {
  return sql`totals as (
      select m.*, c.cap_id, b.balance as balance_before, b.entries as entries_before,
        b.balance + sum(m.credits) over (partition by m.workspace_id order by m.position) < 0 as over_balance,
        -sum(m.credits) over (partition by c.cap_id order by m.position) > c.left_over as over_cap
      from movements m join balances b on b.workspace_id = m.workspace_id left join caps c on c.owner_id = ${owner}
    ), refusals as (
      select *, case when over_cap then 'cap' when over_balance then 'balance' end as refusal from totals
    ), decided as materialized (
      select *, entries_before + count(*) filter (where refusal is null) over so_far as entry_no,
        (balance_before + coalesce(sum(credits) filter (where refusal is null) over so_far, 0))::bigint as balance_after
      from refusals window so_far as (partition by workspace_id order by position)
    )`;
}

function capSql(sql: Sql, options: MovementOptions): CapSql {
  if (options.cap === 'workspace') return workspaceCap(sql, options);
  if (options.cap === 'key') return keyCap(sql, options);
  return {
    owner: sql`m.workspace_id`,
    lock: sql`select null::uuid as owner_id, null::uuid as cap_id, null::bigint as left_over where false`,
    count: options.cap === 'returned' ? countReturned(sql, options) : sql``,
  };
}

// Subtracts returned credits from the used part of the keys' monthly caps. Does not change a cap that has begun a new
// month since the charge, because it no longer includes the charge.
function countReturned(sql: Sql, { workspace }: OneWorkspace): Fragment {
  return sql`, counted_caps as (
      update api_keys k set cap_used = greatest(0, k.cap_used - t.credits)
      from (select d.workspace_id, coalesce(o.cap_key_id, o.key_id) as key_id, d.charged_month, sum(d.credits) as credits
            from decided d join api_keys o on o.workspace_id = d.workspace_id and o.key_id = d.key_id
            where d.refusal is null${inWorkspace(sql, 'o', workspace)} group by 1, 2, 3) t
      where k.workspace_id = t.workspace_id and k.key_id = t.key_id and k.cap_month = t.charged_month
        ${inWorkspace(sql, 'k', workspace)}
    )`;
}

/**
 * Returns the SQL that locks the monthly caps of the API keys `k` that `keys` selects. Its columns are those of `lock`
 * in {@link CapSql}. The row `c` counts the cap: it is the row of the key itself, or of the oldest key with which a
 * rotated key shares the cap.
 */
function lockKeyCaps(sql: Sql, now: Date, keys: Fragment): Fragment {
  return sql`
      select k.key_id as owner_id, c.key_id as cap_id, k.monthly_cap - ${creditsUsed(sql, 'c', now)} as left_over
      from api_keys k join api_keys c on c.workspace_id = k.workspace_id and c.key_id = coalesce(k.cap_key_id, k.key_id)
      where k.monthly_cap is not null and ${keys}
      order by c.key_id for no key update of c`;
}

/**
 * Returns the SQL assignments that add `credits` to the used part of a monthly cap. `table` is the name or alias of the
 * table.
 */
function addToUsed(sql: Sql, table: string, now: Date, credits: Fragment): Fragment {
  return sql`cap_month = ${monthOf(now)}::date, cap_used = ${creditsUsed(sql, table, now)} + ${credits}`;
}

function workspaceCap(sql: Sql, { now, workspace }: OneWorkspace & { now: Date }): CapSql {
  return {
    owner: sql`m.workspace_id`,
    lock: sql`
      select workspace_id as owner_id, workspace_id as cap_id,
        monthly_cap - ${creditsUsed(sql, 'work_settings', now)} as left_over
      from work_settings where ${isOneOf(sql, workspace, 'balances')} order by workspace_id for no key update`,
    count: sql`, counted_caps as (
      insert into work_settings as s (workspace_id, cap_month, cap_used)
      select ${workspaceIdOf(sql, workspace)}, ${monthOf(now)}::date, -sum(credits) from decided where refusal is null
      group by workspace_id order by workspace_id
      on conflict (workspace_id) do update set ${addToUsed(sql, 's', now, sql`excluded.cap_used`)}
    )`,
  };
}

// Returns the SQL condition for the API keys whose caps are locked. With `workspace`, the condition selects all keys of
// the workspace, because Citus cannot read `movements` here. Locking all keys does not delay other charges, because the
// balance of the workspace is already locked.
function isOneKey(sql: Sql, workspace: string | null): Fragment {
  if (workspace === null) return sql`(k.workspace_id, k.key_id) in (select workspace_id, key_id from movements)`;
  return sql`k.workspace_id = ${workspace}::uuid`;
}

function keyCap(sql: Sql, { now, workspace }: OneWorkspace & { now: Date }): CapSql {
  return {
    owner: sql`m.key_id`,
    lock: lockKeyCaps(sql, now, sql`${isOneKey(sql, workspace)} and (select count(*) from balances) > 0`),
    count: sql`, counted_caps as (
      update api_keys k set ${addToUsed(sql, 'k', now, sql`t.credits`)}
      from (select cap_id, -sum(credits) as credits from decided
            where refusal is null and cap_id is not null group by cap_id) t
      where k.key_id = t.cap_id${inWorkspace(sql, 'k', workspace)}
    )`,
  };
}

/** One charge of a workspace for {@link chargeInSteps}: the API key, the request and the number of credits. */
interface ChargeMovement {
  charge_id: string;
  key_id: string;
  request_id: string;
  route: string;
  cost: number;
}

/** The decision about a charge: applied or refused. `entry_no` and `balance_after` are the values after the charge. */
interface DecidedCharge {
  charge_id: string;
  refusal: 'cap' | 'balance' | null;
  entry_no: number;
  balance_after: number;
}

interface KeyCap {
  owner_id: string;
  cap_id: string;
  left_over: number;
}

/**
 * Charges one workspace as {@link applyMovements} does with the caps of its API keys, but in several small statements,
 * because Citus plans them faster than one large statement. Uses the same SQL for the decision and the caps. Must be
 * called inside a transaction. Returns an empty array when the workspace does not exist.
 */
export async function chargeInSteps(
  tx: Sql,
  workspaceId: string,
  charges: readonly ChargeMovement[],
  now: Date,
): Promise<DecidedCharge[]> {
  const keyIds = [...new Set(charges.map(({ key_id }) => key_id))];
  const [balances, caps] = await Promise.all([
    tx<{ balance: number; entries: number }[]>`
      select balance, entries from credit_balances where workspace_id = ${workspaceId} for no key update`,
    tx<KeyCap[]>`${lockKeyCaps(tx, now, tx`k.workspace_id = ${workspaceId} and k.key_id = any(${keyIds}::uuid[])`)}`,
  ]);
  const [balance] = balances;
  if (!balance) return [];
  const decided = await decideCharges(tx, workspaceId, charges, { ...balance, caps });
  const applied = charges.flatMap((charge) => {
    const one = decided.find(({ charge_id, refusal }) => charge_id === charge.charge_id && refusal === null);
    return one ? [{ ...charge, ...one }] : [];
  });
  if (applied.length > 0)
    await writeCharges(tx, workspaceId, applied, {
      now,
      capOf: new Map(caps.map((cap) => [cap.owner_id, cap.cap_id])),
    });
  return decided;
}

// Decides which charges can be applied. The statement gets balances and caps as parameters and reads no table, so the
// Citus coordinator runs it without the other nodes.
function decideCharges(
  tx: Sql,
  workspaceId: string,
  charges: readonly ChargeMovement[],
  { balance, entries, caps }: { balance: number; entries: number; caps: readonly KeyCap[] },
): Promise<DecidedCharge[]> {
  return tx<DecidedCharge[]>`
    with movements as (
      select ${workspaceId}::uuid as workspace_id, charge_id, key_id, -cost as credits, position
      from unnest(${charges.map(({ charge_id }) => charge_id)}::uuid[], ${charges.map(({ key_id }) => key_id)}::uuid[],
        ${charges.map(({ cost }) => cost)}::bigint[]) with ordinality as c (charge_id, key_id, cost, position)
    ), balances as (
      select ${workspaceId}::uuid as workspace_id, ${balance}::bigint as balance, ${entries}::bigint as entries
    ), caps as (
      select * from unnest(${caps.map(({ owner_id }) => owner_id)}::uuid[], ${caps.map(({ cap_id }) => cap_id)}::uuid[],
        ${caps.map(({ left_over }) => left_over)}::bigint[]) as k (owner_id, cap_id, left_over)
    ), ${decide(tx, tx`m.key_id`)}
    select charge_id, refusal, entry_no, balance_after from decided order by position`;
}

async function writeCharges(
  tx: Sql,
  workspaceId: string,
  applied: readonly (ChargeMovement & DecidedCharge)[],
  { now, capOf }: { now: Date; capOf: ReadonlyMap<string, string> },
): Promise<void> {
  const credits = applied.reduce((sum, { cost }) => sum + cost, 0);
  const common = { workspace_id: workspaceId, kind: 'charge', created_at: now };
  const rows = applied.map(({ charge_id, key_id, request_id, route, cost, entry_no, balance_after }) => ({
    ...common,
    ...{ charge_id, key_id, request_id, route, credits: -cost, entry_no, balance_after },
  }));
  const ofCaps = Map.groupBy(
    applied.filter(({ key_id }) => capOf.has(key_id)),
    ({ key_id }) => capOf.get(key_id) as string,
  );
  await Promise.all([
    tx`update credit_balances set balance = balance - ${credits}::bigint, entries = entries + ${applied.length}::bigint
      where workspace_id = ${workspaceId}`,
    tx`insert into ledger_entries ${tx(rows)}`,
    ...[...ofCaps].map(
      ([capId, own]) => tx`
      update api_keys set ${addToUsed(tx, 'api_keys', now, tx`${own.reduce((sum, { cost }) => sum + cost, 0)}::bigint`)}
      where workspace_id = ${workspaceId} and key_id = ${capId}`,
    ),
  ]);
}
