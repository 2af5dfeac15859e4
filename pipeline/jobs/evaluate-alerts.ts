import type { Sql } from 'postgres';
import { evaluateChecks, type RaisedAlert } from '../../db/alerts/evaluate.ts';
import { type EvaluatedSoFar, lockEvaluation, lockPending, type Pending } from '../../db/alerts/pending.ts';
import { dayMs } from '../../db/durations.ts';
import { inTransaction } from '../../db/transaction.ts';
import { alertData, alertMessage } from '../alerts/messages.ts';
import { notify } from '../notify/notify.ts';
import { announce } from '../notify/webhooks.ts';
import type { Job, JobContext } from '../queue/job.ts';

/**
 * Limits after which a transaction evaluates no further checks. The transaction locks workspaces, and pages wait for
 * these locks. The next run evaluates the remaining checks.
 */
const transactionLimits = { milliseconds: 6_000, alerts: 500 } as const;

/**
 * Every minute, applies the users' alert rules to the new checks of tracked items. One transaction stores the alerts
 * and their messages and marks the checks as evaluated. If the process is killed, no alert is therefore lost or raised
 * twice.
 */
export const evaluateAlerts: Job = {
  name: 'evaluate-alerts',
  schedule: '* * * * *',
  items_per_run: 1,
  expire_seconds: 120,
  retries: 0,
  async run(_, context) {
    let done: EvaluatedSoFar = { workspaces: [], since: null };
    while (!context.signal.aborted) {
      const { next, since } = await inTransaction(context.db.sql, (tx) => evaluate(tx, context, done));
      if (next.length === 0) return;
      done = { workspaces: [...done.workspaces, ...next], since };
    }
  },
};

/**
 * Evaluates the pending checks of the next workspaces that are not in `done`. Evaluates as many checks as possible, so
 * that a recipient gets one message about all of them. Leaves out workspaces that another transaction has locked, until
 * the next run. Returns the IDs of these workspaces, and the time of the oldest pending check in the remaining
 * workspaces.
 */
async function evaluate(tx: Sql, context: JobContext, done: EvaluatedSoFar): Promise<Omit<Pending, 'locked'>> {
  if (!(await lockEvaluation(tx))) return { next: [], since: null };
  const endsAt = context.now().getTime() + transactionLimits.milliseconds;
  const { locked, ...pending } = await lockPending(tx, done);
  const raised: RaisedAlert[] = [];
  let evaluated = locked.length;
  while (evaluated > 0 && context.now().getTime() < endsAt && raised.length < transactionLimits.alerts) {
    const round = await evaluateChecks(tx, locked, context.now());
    raised.push(...round.raised);
    evaluated = round.evaluated;
  }
  const dayOf = ({ attempted_at }: RaisedAlert) => Math.floor(attempted_at.getTime() / dayMs);
  const newestDayFirst = raised.toSorted((a, b) => dayOf(b) - dayOf(a));
  const byWorkspace = Map.groupBy(newestDayFirst, ({ workspace_id }) => workspace_id);
  for (const id of locked) await tell(context, tx, id, byWorkspace.get(id) ?? []);
  return pending;
}

/**
 * Stores one message for each recipient with all of the recipient's alerts, and one webhook event for each alert. Other
 * jobs send these messages and events.
 */
async function tell(context: JobContext, tx: Sql, workspaceId: string, alerts: readonly RaisedAlert[]): Promise<void> {
  const recipientIds = new Set(alerts.flatMap(({ recipient_ids }) => recipient_ids));
  for (const recipientId of recipientIds) {
    const own = alerts.filter(({ recipient_ids }) => recipient_ids.includes(recipientId));
    const notice = { kind: 'alert', subject_key: own[0]?.alert_id ?? '', message: alertMessage(own, context.now()) };
    await notify(context, tx, workspaceId, { recipient_ids: [recipientId] }, notice);
  }
  for (const alert of alerts) await announce(context, tx, workspaceId, 'alert.raised', alertData(alert));
}
