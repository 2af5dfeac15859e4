import type { Sql } from 'postgres';
import { deleteOld } from '../delete-old.ts';
import { newId } from '../ids.ts';
import type { Metric } from '../schema/metrics.ts';
import { alone, inTransaction, lockWorkspace } from '../transaction.ts';

export const alertScopes = ['all', 'item', 'list', 'campaign'] as const;
export type AlertScope = (typeof alertScopes)[number];

export const alertConditions = ['change', 'above', 'below', 'not_found', 'handle_changed', 'failing'] as const;
export type AlertCondition = (typeof alertConditions)[number];

export const alertDirections = ['both', 'up', 'down'] as const;
type AlertDirection = (typeof alertDirections)[number];

/** The settings of an alert rule, as the user chose them. A field that the condition does not use is null. */
export interface NewRule {
  name: string;
  scope: AlertScope;
  /** The id of the item, list or campaign that the alert rule applies to; null for all items of the workspace. */
  scope_id: string | null;
  condition: AlertCondition;
  metric: Metric | null;
  direction: AlertDirection | null;
  /** The percentage of the condition `change`, or the threshold of the conditions `above` and `below`. */
  amount: number | null;
  days: number | null;
  checks: number | null;
  cooldown_hours: number;
  recipient_ids: string[];
}

export interface AlertRule extends NewRule {
  rule_id: string;
  enabled: boolean;
  /**
   * Name of the item, list or campaign that the alert rule applies to. Null when the rule applies to all items, or when
   * the item, list or campaign was removed.
   */
  scope_name: string | null;
  quiet_at: Date | null;
  /**
   * The last reason (at the time `quiet_at`) why the alert rule could not compare two numbers. Null when this has not
   * happened since the rule was last changed.
   */
  quiet_reason: 'missing' | 'exactness' | null;
  last_alert_at: Date | null;
}

/** Maximum number of alert rules of one workspace. */
export const maxRules = 50;

/**
 * Creates an alert rule. Returns its id, or null when the limit is reached or the workspace has no such item, list or
 * campaign.
 */
export function addRule(sql: Sql, workspaceId: string, rule: NewRule, now: Date): Promise<string | null> {
  return alone(sql, workspaceId, async (tx) => {
    const row = { workspace_id: workspaceId, rule_id: newId(now), ...rule, created_at: now };
    const [possible] = await tx<{ ok: boolean }[]>`
      select (select count(*) from alert_rules where workspace_id = ${workspaceId}) < ${maxRules}
        and ${scopeExists(tx, workspaceId, rule)} as ok`;
    if (!possible?.ok) return null;
    await tx`insert into alert_rules ${tx(row)}`;
    return row.rule_id;
  });
}

/** Returns the SQL condition that the item, list or campaign of an alert rule exists in the workspace. */
const scopeExists = (sql: Sql, workspaceId: string, { scope, scope_id }: NewRule) => sql`
  case ${scope}
    when 'item' then exists (select from tracked_items where workspace_id = ${workspaceId} and item_id = ${scope_id})
    when 'list' then exists (select from tracking_lists where workspace_id = ${workspaceId} and list_id = ${scope_id})
    when 'campaign' then exists (select from campaigns where workspace_id = ${workspaceId} and campaign_id = ${scope_id})
    else true end`;

/**
 * Changes the settings of an alert rule. Does not change its earlier alerts, their cool-down, and whether the rule is
 * on. Returns false when the workspace has no such rule, item, list or campaign.
 */
export function changeRule(sql: Sql, workspaceId: string, ruleId: string, rule: NewRule): Promise<boolean> {
  return inTransaction(sql, async (tx) => {
    // Locks the rule before the workspace, in the same order as the evaluation of alert rules. While the workspace is
    // locked, the campaign of the rule cannot be deleted.
    await tx`select from alert_rules where workspace_id = ${workspaceId} and rule_id = ${ruleId} for no key update`;
    await lockWorkspace(tx, workspaceId);
    const rows = await tx`
      update alert_rules set ${tx({ ...rule, quiet_at: null, quiet_reason: null })}
      where workspace_id = ${workspaceId} and rule_id = ${ruleId} and ${scopeExists(tx, workspaceId, rule)}
      returning rule_id`;
    return rows.length === 1;
  });
}

/** Returns the alert rules of a workspace, newest first. */
export async function listRules(sql: Sql, workspaceId: string): Promise<AlertRule[]> {
  return sql<AlertRule[]>`
    select r.rule_id, r.name, r.scope, r.scope_id, r.condition, r.metric, r.direction, r.amount, r.days, r.checks,
      r.cooldown_hours, r.recipient_ids, r.enabled, r.quiet_at, r.quiet_reason,
      case r.scope
        when 'item' then (select coalesce(i.name, i.url) from tracked_items i
          where i.workspace_id = r.workspace_id and i.item_id = r.scope_id)
        when 'list' then (select l.name from tracking_lists l
          where l.workspace_id = r.workspace_id and l.list_id = r.scope_id)
        when 'campaign' then (select c.name from campaigns c
          where c.workspace_id = r.workspace_id and c.campaign_id = r.scope_id) end as scope_name,
      (select max(a.attempted_at) from alerts a where a.workspace_id = r.workspace_id and a.rule_id = r.rule_id)
        as last_alert_at
    from alert_rules r where r.workspace_id = ${workspaceId} order by r.rule_id desc`;
}

/** Turns an alert rule on or off. Returns false when the workspace has no such rule. */
export async function switchRule(sql: Sql, workspaceId: string, ruleId: string, enabled: boolean): Promise<boolean> {
  const rows = await sql`
    update alert_rules set enabled = ${enabled} where workspace_id = ${workspaceId} and rule_id = ${ruleId}
    returning rule_id`;
  return rows.length === 1;
}

/**
 * Deletes an alert rule and its alerts. Messages that were already sent stay in the message log. Returns false when the
 * workspace has no such rule.
 */
export async function removeRule(sql: Sql, workspaceId: string, ruleId: string): Promise<boolean> {
  const rows = await sql`
    delete from alert_rules where workspace_id = ${workspaceId} and rule_id = ${ruleId} returning rule_id`;
  return rows.length === 1;
}

/**
 * Deletes the alert rules of single items whose removal can no longer be undone. Returns the number of deleted rules.
 */
export function deleteRulesOfRemovedItems(sql: Sql): Promise<number> {
  const isMissingIn = (table: string) => sql`not exists (
    select from ${sql(table)} i where i.workspace_id = alert_rules.workspace_id and i.item_id = alert_rules.scope_id)`;
  const condition = sql`scope = 'item' and ${isMissingIn('tracked_items')} and ${isMissingIn('removed_items')}`;
  return deleteOld(sql, 'alert_rules', condition);
}
