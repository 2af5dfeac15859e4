import { html } from 'hono/html';
import { type Delivery, deliveriesPerPage, listDeliveries } from '../../../db/deliveries/webhook-deliveries.ts';
import type { Endpoint } from '../../../db/deliveries/webhooks.ts';
import { retryDelaysS } from '../../../pipeline/jobs/deliver-webhooks.ts';
import type { WebhooksDeps } from '../deps.ts';
import { controlsColumn, count, type Piece, table, tag, time } from '../ui/components.ts';
import { awaitedIn, reloadLink } from '../ui/parts/awaited.ts';
import { isDue, liveAttributes } from '../ui/parts/live.ts';
import { idOf, type Visit } from '../ui/section.ts';

const maxAttempts = retryDelaysS.length + 1;
const daysKept = 30;

/** Returns one page of the log of webhook messages that were sent to an endpoint, newest first. */
export async function deliveryLog(
  { url, visitor }: Visit,
  endpoint: Endpoint,
  { db, now }: WebhooksDeps,
): Promise<Piece> {
  const older = url.searchParams.get('before');
  const before = older === null ? null : idOf(older);
  const { endpoint_id } = endpoint;
  const deliveries = await listDeliveries(db.sql, visitor.workspace_id, endpoint_id, before);
  if (deliveries.length === 0)
    return html`<p>${before ? 'No older messages.' : 'No messages yet. Send a test message to try this webhook.'}</p>`;
  const path = `/dashboard/settings/webhooks/${endpoint_id}`;
  const number = (heading: string) => ({ heading, number: true });
  const columns = [
    { heading: 'Time', time: true },
    'Status',
    { heading: 'Event', wide: true },
    number('Attempts'),
    number('HTTP status'),
    { heading: 'Last answer', long: true },
    { heading: 'Message', long: true },
    controlsColumn,
  ];
  const rows = deliveries.map((delivery) => rowOf(delivery, path, endpoint.disabled_at === null));
  const last = deliveries.length === deliveriesPerPage ? deliveries.at(-1) : undefined;
  // A message that is sent again keeps the time at which it was created.
  const isSentAgain = awaitedIn(url, now())?.refreshed === true;
  const isSending = deliveries.some(
    ({ status, created_at }) => status === 'waiting' && (isSentAgain || isDue(created_at, now())),
  );
  const follow = isSending ? liveAttributes({ id: 'messages', path: url.pathname + url.search }) : null;
  return html`<div id="messages"${follow}>${isSending ? reloadLink(url) : null}${table('Messages, newest first', columns, rows, { as_cards: true })}</div>
<p>${last ? html`<a href="${path}?before=${last.delivery_id}">Older messages</a> · ` : null}${before ? html`<a href="${path}">Newest messages</a> · ` : null}<span class="hint">We try up to ${maxAttempts} times to send a message. Finished messages are kept for ${daysKept} days.</span></p>`;
}

function rowOf(delivery: Delivery, path: string, on: boolean): Piece[] {
  const { delivery_id, event, status, attempts, last_status, last_message, body, created_at } = delivery;
  const resendForm = html`<form method="post" action="${path}/deliveries/${delivery_id}/again"><button class="quiet small">Send again</button></form>`;
  return [
    time(created_at),
    states[status],
    html`<code>${event}</code>`,
    count(attempts),
    last_status === null ? '–' : String(last_status),
    last_message ?? '',
    html`<details><summary>Show</summary><pre tabindex="0"><code>${body}</code></pre><p class="hint">webhook-id ${delivery_id}</p></details>`,
    on && status !== 'waiting' ? resendForm : null,
  ];
}

const states: Record<Delivery['status'], Piece> = {
  waiting: tag('waiting'),
  delivered: tag('delivered', 'good'),
  failed: tag('failed', 'bad'),
};
