import type { Sql } from 'postgres';
import { evaluateChecks, lockEvaluation, type RaisedAlert } from '../../db/alerts/evaluate.ts';
import { inTransaction, lockWorkspace } from '../../db/transaction.ts';
import { alertData, alertMessage } from '../alerts/messages.ts';
import { notify } from '../notify/notify.ts';
import { announce } from '../notify/webhooks.ts';
import type { Job, JobContext } from '../queue/job.ts';

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
    while (!context.signal.aborted) {
      const evaluated = await inTransaction(context.db.sql, (tx) => evaluate(tx, context));
      if (evaluated === 0) return;
    }
  },
};

async function evaluate(tx: Sql, context: JobContext): Promise<number> {
  if (!(await lockEvaluation(tx))) return 0;
  const { evaluated, raised } = await evaluateChecks(tx, context.now());
  const byWorkspace = [...Map.groupBy(raised, ({ workspace_id }) => workspace_id)];
  const sorted = byWorkspace.toSorted(([a], [b]) => (a < b ? -1 : 1));
  // Locks all workspaces, in the order of their IDs, before the first message is queued. All messages share one entry
  // of the job queue, which other transactions add after they have locked their workspace.
  for (const [workspaceId] of sorted) await lockWorkspace(tx, workspaceId);
  for (const [workspaceId, alerts] of sorted) await tell(context, tx, workspaceId, alerts);
  return evaluated;
}

/**
 * Stores one message for each recipient with all of the recipient's alerts, and one webhook event for each alert. Other
 * jobs send them.
 */
async function tell(context: JobContext, tx: Sql, workspaceId: string, alerts: readonly RaisedAlert[]): Promise<void> {
  const recipientIds = new Set(alerts.flatMap(({ recipient_ids }) => recipient_ids));
  for (const recipientId of recipientIds) {
    const own = alerts.filter(({ recipient_ids }) => recipient_ids.includes(recipientId));
    const notice = { kind: 'alert', subject_key: own[0]?.alert_id ?? '', message: alertMessage(own) };
    await notify(context, tx, workspaceId, { recipient_ids: [recipientId] }, notice);
  }
  for (const alert of alerts) await announce(context, tx, workspaceId, 'alert.raised', alertData(alert));
}
