import type { Fragment, Sql } from 'postgres';
import { isDistributed } from '../distribution/distributed.ts';
import { inWorkspace, workspaceIdOf } from '../distribution/one-workspace.ts';
import { newIdInSql } from '../ids.ts';
import { allObservations } from '../observations/all-observations.ts';
import { metrics } from '../schema/metrics.ts';
import { checksAtOnce, isOf } from './pending.ts';
import type { NewRule } from './rules.ts';

/** An alert that an alert rule raised for one tracking check, with all data that its messages show. */
export interface RaisedAlert
  extends Pick<NewRule, 'condition' | 'metric' | 'direction' | 'amount' | 'days' | 'checks' | 'recipient_ids'> {
  workspace_id: string;
  alert_id: string;
  rule_id: string;
  rule_name: string;
  item_id: string;
  item_name: string | null;
  item_url: string;
  attempted_at: Date;
  value: number | null;
  previous: number | null;
  /** True when the platform rounded the numbers that the alert rule compared. */
  rounded: boolean;
}

/** The number of tracking checks that were evaluated, and the alerts that they raised. */
interface Evaluated {
  evaluated: number;
  raised: RaisedAlert[];
}

/**
 * Returns an SQL condition that limits a table to the rows of one workspace, because with Citus each statement must
 * name one workspace. Without Citus, the condition is empty.
 */
type Only = (table: string) => Fragment;

/**
 * Evaluates the alert rules for the oldest pending tracking check of each item of these workspaces, and stores the
 * alerts. The same statement marks these checks as evaluated, so that no check is evaluated twice. The caller must have
 * locked the workspaces and their rules with `lockPending`, and must repeat the call until `evaluated` is 0. Leaves out
 * rules that were added after that lock and are locked by another transaction; they apply to later checks.
 */
export async function evaluateChecks(tx: Sql, workspaceIds: readonly string[], now: Date): Promise<Evaluated> {
  if (!isDistributed(tx)) return evaluateTogether(tx, workspaceIds, now);
  const total: Evaluated = { evaluated: 0, raised: [] };
  for (const id of workspaceIds) {
    const { evaluated, raised } = await evaluateTogether(tx, [id], now);
    total.evaluated += evaluated;
    total.raised.push(...raised);
  }
  return total;
}

async function evaluateTogether(tx: Sql, workspaceIds: readonly string[], now: Date): Promise<Evaluated> {
  const workspace = isDistributed(tx) ? (workspaceIds[0] ?? '') : null;
  const only = (table: string) => inWorkspace(tx, table, workspace);
  const isChosen = isOf(tx, workspaceIds);
  const [row] = await tx<
    { evaluated: number; raised: (Omit<RaisedAlert, 'attempted_at'> & { attempted_at: string })[] }[]
  >`
    with oldest as materialized (${oldestChecks(tx, workspaceIds)}
    ), next as materialized (
      select * from oldest order by attempted_at limit ${checksAtOnce}
    ), pending as materialized (${lockChecks(tx, workspace)}
    ), rules as materialized (
      select * from alert_rules where ${isChosen} and enabled for no key update skip locked
    ), done as (
      update check_attempts a set alerts_pending = false from pending p
      where a.workspace_id = p.workspace_id and a.item_id = p.item_id and a.attempt_id = p.attempt_id${only('a')}
    ), compared as materialized (${comparedChecks(tx, only)}),
    due as materialized (select * from compared where ${conditionHolds(tx, only)} and not ${isQuiet(tx, only)}),
    quiet as (
      update alert_rules r set quiet_at = c.attempted_at, quiet_reason = c.quiet_reason
      from (select distinct on (workspace_id, rule_id) * from compared where quiet_reason is not null
        order by workspace_id, rule_id, attempted_at desc) c
      where r.workspace_id = c.workspace_id and r.rule_id = c.rule_id${only('r')}
    ), raised as (
      insert into alerts (workspace_id, alert_id, rule_id, item_id, attempt_id, attempted_at, value, previous, rounded)
      select ${workspaceIdOf(tx, workspace)}, ${newIdInSql(tx, now)}, rule_id, item_id, attempt_id, attempted_at,
        value, previous, coalesce(exactness = 1, false)
      from due on conflict do nothing returning *
    )
    select (select count(*)::int from pending) as evaluated,
      coalesce((select json_agg(to_jsonb(a) || to_jsonb(d) order by d.rule_id, d.item_url)
        from raised a join due d using (workspace_id, rule_id, attempt_id)), '[]') as raised`;
  const raised = (row?.raised ?? []).map((alert) => ({ ...alert, attempted_at: new Date(alert.attempted_at) }));
  return { evaluated: row?.evaluated ?? 0, raised };
}

/**
 * Returns the SQL that selects the oldest pending check of each item of these workspaces. Reads no other checks,
 * because each step finds the next item in the index. With Citus, `workspaceIds` has one id.
 */
function oldestChecks(tx: Sql, workspaceIds: readonly string[]): Fragment {
  const isOwn = isDistributed(tx) ? isOf(tx, workspaceIds) : tx`workspace_id = w.id`;
  const firstOf = (isNext: Fragment) => tx`
        select * from check_attempts where ${isOwn} and alerts_pending${isNext}
        order by workspace_id, item_id, attempted_at, attempt_id limit 1`;
  return tx`
      select o.* from unnest(${[...workspaceIds]}::uuid[]) as w (id) cross join lateral (
        with recursive firsts as (
          (${firstOf(tx``)})
          union all
          select n.* from firsts f cross join lateral (${firstOf(tx` and item_id > f.item_id`)}) n
        ) select * from firsts) o`;
}

/**
 * Returns the SQL that locks the checks to evaluate. Skips checks that are being deleted, because waiting for the
 * deletion of several items could cause a deadlock. With `workspace` (Citus), uses arrays, because Citus cannot lock
 * the rows of a join.
 */
function lockChecks(tx: Sql, workspace: string | null): Fragment {
  if (workspace !== null) {
    return tx`
      select * from check_attempts where workspace_id = ${workspace}::uuid and alerts_pending
        and item_id = any(array(select item_id from next)) and attempt_id = any(array(select attempt_id from next))
      for no key update skip locked`;
  }
  return tx`
    select a.* from next n join check_attempts a
      on a.workspace_id = n.workspace_id and a.item_id = n.item_id and a.attempt_id = n.attempt_id
    where a.alerts_pending for no key update of a skip locked`;
}

/**
 * Tolerance in hours for the earlier number of a rule about a change over some days. That number may be this much older
 * or newer than intended, because checks are 24 hours apart.
 */
const toleranceHours = 12;
/** Maximum age in days of the previous number that a rule with a threshold compares. */
const thresholdDays = 90;

/**
 * Returns the SQL that joins pending tracking checks with the alert rules for their items, and with the two numbers
 * that each rule compares. `exactness` is 0 for an exact number and 1 for a rounded one. Exact numbers are never
 * compared with rounded ones.
 */
function comparedChecks(tx: Sql, only: Only) {
  const shift = tx`2 * (array_position(${[...metrics]}::text[], r.metric) - 1)`;
  return tx`
    select r.workspace_id, r.rule_id, r.name as rule_name, r.condition, r.metric, r.direction, r.amount, r.days, r.checks,
      r.cooldown_hours, r.recipient_ids, p.item_id, p.attempt_id, p.attempted_at, p.outcome,
      i.name as item_name, i.url as item_url, new.value, new.exactness, old.value as previous,
      old.observed_at as previous_at, last_ok.at as last_ok_at,
      case when r.condition <> 'change' or p.outcome <> 'OK' then null
        when new.value is null or old.value is null then 'missing'
        when new.exactness <> old.exactness then 'exactness' end as quiet_reason
    from pending p
    join tracked_items i on i.workspace_id = p.workspace_id and i.item_id = p.item_id${only('i')}
    join rules r on r.workspace_id = p.workspace_id and r.created_at <= p.attempted_at
      and case r.scope when 'all' then true when 'item' then r.scope_id = p.item_id
        when 'list' then r.scope_id = i.list_id
        else exists (select from campaign_items c where c.workspace_id = r.workspace_id${only('c')}
          and c.campaign_id = r.scope_id and c.item_id = p.item_id) end
    left join lateral (
      select (to_jsonb(o) ->> r.metric)::float8 as value, (o.quality >> ${shift}) & 3 as exactness
      from ${allObservations(tx, tx`p.attempted_at`)} o
      where o.workspace_id = p.workspace_id and o.item_id = p.item_id and o.observed_at = p.attempted_at${only('o')}
    ) new on r.metric is not null and p.outcome = 'OK'
    left join lateral (
      select value, exactness, observed_at from (
        select (to_jsonb(o) ->> r.metric)::float8 as value, (o.quality >> ${shift}) & 3 as exactness, o.observed_at
        from ${allObservations(tx, tx`(p.attempted_at - greatest(r.days + 1, ${thresholdDays}) * interval '24 hours')`)} o
        where o.workspace_id = p.workspace_id and o.item_id = p.item_id and o.observed_at < p.attempted_at${only('o')}
          and o.observed_at >= p.attempted_at - case when r.condition = 'change'
            then r.days * interval '24 hours' + ${toleranceHours} * interval '1 hour'
            else ${thresholdDays} * interval '24 hours' end
          and (r.condition <> 'change' or o.observed_at <=
            p.attempted_at - r.days * interval '24 hours' + ${toleranceHours} * interval '1 hour')
      ) known
      where value is not null and (r.condition = 'change' or exactness = new.exactness)
      order by case when r.condition = 'change'
        then abs(extract(epoch from p.attempted_at - r.days * interval '24 hours' - observed_at))
        else extract(epoch from p.attempted_at - observed_at) end
      limit 1
    ) old on new.value is not null
    left join lateral (
      select max(a.attempted_at) as at from check_attempts a
      where a.workspace_id = p.workspace_id and a.item_id = p.item_id and a.outcome = 'OK'${only('a')}
        and a.attempted_at < p.attempted_at
    ) last_ok on r.condition in ('not_found', 'handle_changed', 'failing') and p.outcome <> 'OK'`;
}

/**
 * Returns the SQL condition for raising an alert. `above` and `below` are true only for the check at which the number
 * crosses the threshold. If a number is unknown, the condition is false.
 */
function conditionHolds(tx: Sql, only: Only) {
  return tx`coalesce(case condition
    when 'change' then quiet_reason is null and previous > 0 and abs(value - previous) * 100 >= amount * previous
      and case direction when 'up' then value > previous when 'down' then value < previous else true end
    when 'above' then value > amount and previous <= amount
    when 'below' then value < amount and previous >= amount
    when 'not_found' then outcome = 'RESOURCE_NOT_FOUND'
    when 'handle_changed' then outcome = 'IDENTITY_CHANGED'
    when 'failing' then outcome <> 'OK' and outcome not like 'SKIPPED%' and (
      select count(*) from check_attempts a
      where a.workspace_id = compared.workspace_id${only('a')} and a.item_id = compared.item_id
        and a.attempted_at > coalesce(last_ok_at, '-infinity') and a.attempted_at <= compared.attempted_at
        and a.outcome not like 'SKIPPED%') >= checks
  end, false)`;
}

/**
 * Returns the SQL condition for suppressing an alert. The condition is true during the cool-down after an earlier
 * alert. For checks that keep failing, it is true until a check succeeds. For a threshold, it is true when the previous
 * number is older than an earlier alert, because exact and rounded numbers may cross the threshold one after the other.
 */
function isQuiet(tx: Sql, only: Only) {
  return tx`exists (
    select from alerts e
    where e.workspace_id = compared.workspace_id${only('e')} and e.rule_id = compared.rule_id and e.item_id = compared.item_id
      and (e.attempted_at > compared.attempted_at - compared.cooldown_hours * interval '1 hour'
        or condition in ('not_found', 'handle_changed', 'failing')
          and e.attempted_at > coalesce(last_ok_at, '-infinity')
        or condition in ('above', 'below') and e.attempted_at > previous_at))`;
}
