import type { Sql } from 'postgres';
import { creditsUsed } from '../calendar.ts';

/** The settings of a workspace for scheduled work: tracking, bulk analyses and sheet imports. */
export interface WorkSettings {
  /** True while all scheduled tracking checks and batches (bulk analyses, sheet imports) are paused. */
  paused: boolean;
  /**
   * Maximum number of credits that tracking, bulk analyses and sheet imports together may spend in a UTC month; null
   * means no limit.
   */
  monthly_cap: number | null;
  /**
   * Number of credits that tracking, bulk analyses and sheet imports have spent in the current UTC month. `monthly_cap`
   * limits this number.
   */
  cap_used: number;
  /**
   * The alert level of the balance. When the balance falls below it, the webhook event `credits.low` is sent. Null: no
   * event is sent.
   */
  low_balance_alert: number | null;
}

/** A change of the settings for scheduled work. Missing settings keep their value. */
export type WorkSettingsChange = Partial<Omit<WorkSettings, 'cap_used'>>;

const maxCredits = 1_000_000_000;

/** Returns a sentence that says why a change of the settings is invalid; null when it is valid. */
export function refusedChange({ monthly_cap = null, low_balance_alert = null }: WorkSettingsChange): string | null {
  const isAmount = (value: number | null) =>
    value === null || (Number.isInteger(value) && value >= 0 && value <= maxCredits);
  if (!isAmount(monthly_cap))
    return `The monthly cap must be a whole number of credits, 0 to ${maxCredits.toLocaleString('en-US')}.`;
  if (!isAmount(low_balance_alert))
    return `The alert must be a whole number of credits, 0 to ${maxCredits.toLocaleString('en-US')}.`;
  return null;
}

/**
 * Returns the settings of a workspace for scheduled work, or default values when none are stored. Returns null when the
 * workspace does not exist.
 */
export async function readWorkSettings(sql: Sql, workspaceId: string, now: Date): Promise<WorkSettings | null> {
  const [row] = await sql<WorkSettings[]>`
    select coalesce(s.paused, false) as paused, s.monthly_cap, s.low_balance_alert,
      ${creditsUsed(sql, 's', now)} as cap_used
    from workspaces w left join work_settings s on s.workspace_id = w.workspace_id
    where w.workspace_id = ${workspaceId}`;
  return row ?? null;
}

/**
 * Changes the settings of a workspace for scheduled work and returns the new settings. Returns null when the workspace
 * does not exist. The caller must check the change with {@link refusedChange} first.
 */
export async function changeWorkSettings(
  sql: Sql,
  workspaceId: string,
  change: WorkSettingsChange,
  now: Date,
): Promise<WorkSettings | null> {
  const { paused = null, monthly_cap = null, low_balance_alert = null } = change;
  const [row] = await sql<WorkSettings[]>`
    insert into work_settings as s (workspace_id, paused, monthly_cap, low_balance_alert)
    select workspace_id, coalesce(${paused}::boolean, false), ${monthly_cap}::bigint, ${low_balance_alert}::bigint
    from workspaces where workspace_id = ${workspaceId}
    on conflict (workspace_id) do update set
      paused = coalesce(${paused}::boolean, s.paused),
      monthly_cap = case when ${change.monthly_cap !== undefined} then excluded.monthly_cap else s.monthly_cap end,
      low_balance_alert = case when ${change.low_balance_alert !== undefined} then excluded.low_balance_alert
        else s.low_balance_alert end
    returning paused, monthly_cap, low_balance_alert,
      ${creditsUsed(sql, 's', now)} as cap_used`;
  return row ?? null;
}
