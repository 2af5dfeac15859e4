import { listNotifications } from '../../../db/alerts/notifications.ts';
import { addRecipient } from '../../../db/alerts/recipients.ts';
import { addRule, type NewRule } from '../../../db/alerts/rules.ts';
import { newId } from '../../../db/ids.ts';
import { ensureMonths } from '../../../db/observations/months.ts';
import { type Metric, metrics } from '../../../db/schema/metrics.ts';
import { createCheckRecorder, createClaims } from '../../../db/tracking/checks.ts';
import { addItem } from '../../../db/tracking/items.ts';
import { evaluateAlerts } from '../../../pipeline/jobs/evaluate-alerts.ts';
import type { Message } from '../../../pipeline/notify/message.ts';
import { createJobSetup } from '../notify/webhook-receiver.ts';

type NewRecipient = Parameters<typeof addRecipient>[2];

export const dayMs = 86_400_000;
/** The time (day 0) at which these tests create their alert rules. */
export const start = new Date('2026-11-02T10:00:00Z');

/** The result of a tracking check on one day. `day` counts from {@link start}. */
export interface Found {
  day: number;
  followers?: number | null;
  rounded?: boolean;
  outcome?: string;
}

function observationOf({ followers = null, rounded = false }: Found) {
  const values = Object.fromEntries(metrics.map((name) => [name, null])) as Record<Metric, number | null>;
  return {
    ...{ platform_id: '1', name: null, source: 'invented', quality: rounded ? 1 : 0 },
    values: { ...values, followers },
  };
}

/** Creates a test database with a workspace, and functions that record tracking checks as the scheduled job does. */
export async function createAlertSetup() {
  const setup = await createJobSetup();
  const { sql, pipelined } = setup.db;
  const [claim, record] = [createClaims(pipelined), createCheckRecorder(pipelined)];
  await ensureMonths(sql, start);
  await ensureMonths(sql, new Date(start.getTime() + 31 * dayMs));
  setup.clock.now = start;

  const rule = (workspaceId: string, change: Partial<NewRule> = {}) =>
    addRule(
      sql,
      workspaceId,
      {
        ...{ name: 'My rule', scope: 'all', scope_id: null, condition: 'change', metric: 'followers' },
        ...{ direction: 'both', amount: 10, days: 1, checks: null, cooldown_hours: 0, recipient_ids: [] },
        ...change,
      } as NewRule,
      start,
    );

  async function recipient(workspaceId: string, change: Partial<NewRecipient> = {}, confirmed = true): Promise<string> {
    const chosen: NewRecipient = {
      ...{ channel: 'mail', address: 'ann@example.com', label: 'Ann', topics: [], campaign_ids: [] },
      ...change,
    };
    const added = await addRecipient(sql, workspaceId, chosen, setup.clock.now);
    if (added.outcome !== 'added') throw new Error(added.outcome);
    if (confirmed)
      await sql`update alert_recipients set confirmed_at = ${start} where recipient_id = ${added.recipient_id}`;
    return added.recipient_id;
  }

  async function item(workspaceId: string, handle = 'ann'): Promise<string> {
    const url = `https://www.instagram.com/${handle}/`;
    const added = await addItem(
      sql,
      workspaceId,
      { platform: 'photo', kind: 'profile', url, identifier: handle } as Parameters<typeof addItem>[2],
      200,
    );
    if (added.outcome === 'full') throw new Error('full');
    return added.item_id;
  }

  /** Records one tracking check of an item, with its charge and observation. */
  async function check(workspaceId: string, itemId: string, found: Found): Promise<void> {
    const at = new Date(start.getTime() + found.day * dayMs);
    const attempt = { workspace_id: workspaceId, item_id: itemId, attempt_id: newId(at) };
    const claimed = await claim({ ...attempt, now: at });
    if (!claimed.claimed) throw new Error(claimed.reason);
    const { outcome = 'OK' } = found;
    await record({
      ...attempt,
      ...{ charge_id: attempt.attempt_id, attempted_at: at, trigger: 'scheduled', outcome, duration_ms: 1 },
      ...{ message: null, observation: outcome === 'OK' ? observationOf(found) : null },
    });
    setup.clock.now = at;
  }

  const evaluate = () => evaluateAlerts.run([], setup.context);
  return {
    ...setup,
    rule,
    recipient,
    item,
    check,
    evaluate,
    /**
     * Records tracking checks one after the other and evaluates each, as on real days. Returns the days that raised an
     * alert.
     */
    async alertDays(workspaceId: string, itemId: string, founds: readonly Found[]): Promise<number[]> {
      for (const found of founds) {
        await check(workspaceId, itemId, found);
        await evaluate();
      }
      const rows = await sql<{ attempted_at: Date }[]>`
        select attempted_at from alerts where item_id = ${itemId} order by attempted_at`;
      return rows.map(({ attempted_at }) => (attempted_at.getTime() - start.getTime()) / dayMs);
    },
    async messages(workspaceId: string): Promise<Message[]> {
      return (await listNotifications(sql, workspaceId)).map(({ message }) => message as Message);
    },
  };
}

export type AlertSetup = Awaited<ReturnType<typeof createAlertSetup>>;
