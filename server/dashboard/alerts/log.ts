import { html } from 'hono/html';
import {
  findNotification,
  type LoggedNotification,
  listNotifications,
  messagesPerPage,
  type NotificationStatus,
  retryNotification,
} from '../../../db/alerts/notifications.ts';
import { mailDelaysS } from '../../../pipeline/jobs/send-notifications.ts';
import type { Message } from '../../../pipeline/notify/message.ts';
import { messageKinds } from '../../../pipeline/notify/topics.ts';
import { card, controlsColumn, form, type Piece, table, tag, time, titleColumn } from '../ui/components.ts';
import { reloadLink } from '../ui/parts/awaited.ts';
import { isDue, liveAttributes } from '../ui/parts/live.ts';
import { type FormVisit, idOf, type Page, PageNotFound, redirect, type Visit } from '../ui/section.ts';
import { type AlertsDeps, alertsArea, recipientName, tooManyByHand } from './shared.ts';

const states: Record<NotificationStatus, Piece> = {
  waiting: tag('waiting'),
  sent: tag('sent', 'good'),
  shown: tag('not emailed', 'warn'),
  failed: tag('failed', 'bad'),
  skipped: tag('not sent'),
};

/** Returns one page of the log of notifications (emails and Slack messages), newest first. */
export async function messageLog({ url, visitor }: Visit, { db, now }: AlertsDeps): Promise<Piece> {
  const older = url.searchParams.get('before');
  const before = older === null ? null : idOf(older);
  const messages = await listNotifications(db.sql, visitor.workspace_id, before);
  if (messages.length === 0) return html`<p>${before ? 'No older messages.' : 'No messages yet.'}</p>`;
  const last = messages.length === messagesPerPage ? messages.at(-1) : undefined;
  const columns = [
    { heading: 'Time', time: true },
    titleColumn('Message'),
    { heading: 'To', long: true },
    'Status',
    { heading: 'Reason', wide: true },
    controlsColumn,
  ];
  const isSending = messages.some(({ status, next_at }) => status === 'waiting' && isDue(next_at, now()));
  const follow = isSending ? liveAttributes({ id: 'messages', path: url.pathname + url.search }) : null;
  return html`<div id="messages"${follow}>${isSending ? reloadLink(url) : null}${table('Messages, newest first', columns, messages.map(rowOf), { as_cards: true })}</div>
<p>${last ? html`<a href="${alertsArea}?before=${last.notification_id}">Older messages</a> · ` : null}${before ? html`<a href="${alertsArea}">Newest messages</a> · ` : null}<span class="hint">We try up to ${mailDelaysS.length + 1} times to send a message, and keep it here for 90 days.</span></p>`;
}

function rowOf(notification: LoggedNotification): Piece[] {
  const { notification_id, created_at, kind, message, status, result } = notification;
  const path = `${alertsArea}/log/${notification_id}`;
  return [
    time(created_at),
    html`<span><a href="${path}"><bdi>${(message as Message).subject}</bdi></a> <span class="hint">${messageKinds[kind] ?? kind}</span></span>`,
    html`<bdi>${recipientName(notification)}</bdi>`,
    states[status],
    result ?? '',
    status === 'failed' ? form(`${path}/again`, null, 'Send again', 'quiet') : null,
  ];
}

/** Returns the page about one notification, with the content that its recipient sees. */
export async function messagePage({ params, visitor }: Visit, { db }: AlertsDeps): Promise<Page> {
  const found = await findNotification(db.sql, visitor.workspace_id, idOf(params.notification_id));
  if (!found) throw new PageNotFound();
  const { subject, lines, tables = [], notes = [], action } = found.message as Message;
  const { created_at, sent_at, status, attempts, result, next_at } = found;
  const content = html`<p>This is one message that Tidemark sent or tried to send, as its recipient sees it. <a href="${alertsArea}">All messages</a></p>
<p>${states[status]} To <bdi>${recipientName(found)}</bdi>, created ${time(created_at)} UTC${sent_at ? html`, sent ${time(sent_at)} UTC` : null}${attempts > 1 ? `, ${attempts} attempts` : ''}.
${status === 'waiting' && attempts > 0 ? html`Next attempt: ${time(next_at)} UTC.` : null} ${result ?? ''}</p>
${card('Message', [
  html`${lines.map((line) => html`<p><bdi>${line}</bdi></p>`)}`,
  html`${tables.map(({ columns, rows }) =>
    table(
      columns[0] ?? 'Message',
      columns,
      rows.map((cells) => cells.map((cell) => html`<bdi>${cell}</bdi>`)),
    ),
  )}`,
  html`${notes.map((note) => html`<p class="hint">${note}</p>`)}`,
  action && !action.open_to_recipient ? html`<p><a class="button" href="${action.path}">${action.label}</a></p>` : null,
])}`;
  return { title: subject, content };
}

/** Sends a failed notification again. */
export async function sendNotificationAgain({ params, visitor }: FormVisit, deps: AlertsDeps): Promise<Response> {
  const { db, now, queue } = deps;
  const notificationId = idOf(params.notification_id);
  if (await tooManyByHand(visitor, deps)) return redirect(alertsArea, 'message-wait');
  const again = await retryNotification(db.sql, visitor.workspace_id, notificationId, now());
  if (!again) throw new PageNotFound();
  await queue.send('send-notifications', [{ key: 'send-notifications', data: {} }]);
  return redirect(alertsArea, 'message-again');
}
