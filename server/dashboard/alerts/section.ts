import { html } from 'hono/html';
import { listRecipients } from '../../../db/alerts/recipients.ts';
import { type AlertRule, listRules, removeRule, switchRule } from '../../../db/alerts/rules.ts';
import { describeCondition } from '../../../pipeline/alerts/sentences.ts';
import type { SectionDeps } from '../deps.ts';
import { card, controlsColumn, form, notice, type Piece, table, tag, time, titleColumn } from '../ui/components.ts';
import type { Problem } from '../ui/forms/field-problem.ts';
import { emptyState } from '../ui/parts/blocks.ts';
import { may, whoCan } from '../ui/rules.ts';
import {
  type FormVisit,
  idOf,
  type Page,
  PageNotFound,
  redirect,
  type Section,
  text,
  type Visit,
} from '../ui/section.ts';
import { messageLog, messagePage, sendNotificationAgain } from './log.ts';
import {
  askAgain,
  createRecipient,
  deleteRecipient,
  newRecipientForms,
  recipientCards,
  saveRecipient,
  testRecipient,
} from './recipients.ts';
import { editRulePage, newRulePage } from './rule-form.ts';
import { createRule, saveRule } from './save-rule.ts';
import { type AlertsDeps, alertsArea, recipientName } from './shared.ts';

const notices = {
  'rule-made': 'Alert rule created. It watches from the next check on.',
  'rule-changed': 'Alert rule changed.',
  'rule-removed': 'Alert rule removed.',
  'recipient-added':
    'Recipient added. It gets only what you choose: open it below and tick reports or summaries, or choose it in an alert rule.',
  'recipient-asked': 'We asked the recipient by email to confirm. Nothing else is sent until then.',
  'recipient-wait': 'Too many confirmation emails today. Ask again tomorrow.',
  'recipient-saved': 'Messages saved.',
  'recipient-not-saved':
    'Not saved: the selected campaigns were deleted. Open the recipient and select its messages again.',
  'recipient-tested': 'Sending the test message. The log below shows the result.',
  'recipient-not-tested':
    'No test message was sent. Either the recipient unsubscribed or was removed, or your workspace used up its limit of 20 test messages in 10 minutes or 500 messages a day.',
  'recipient-removed': 'Recipient removed.',
  'message-wait': 'You can send 20 messages by hand in 10 minutes. Try again later.',
  'message-again': 'Sending the message again. The log below shows the result.',
};

/** Creates the pages of notifications: alert rules, recipients, and the log of messages. */
export function alertsSection(deps: SectionDeps): Section {
  const show = (visit: Visit | FormVisit, problem: Problem | null) => overviewPage(visit, deps, problem);
  const label = ({ form: fields }: FormVisit) => text(fields, 'email') || text(fields, 'label');
  return {
    menu: { path: alertsArea, label: 'Notifications' },
    pages: {
      [alertsArea]: (visit) => show(visit, null),
      [`${alertsArea}/rules`]: (visit) => newRulePage(visit, deps, null),
      [`${alertsArea}/rules/:rule_id`]: (visit) => editRulePage(visit, deps, null),
      [`${alertsArea}/log/:notification_id`]: (visit) => messagePage(visit, deps),
    },
    forms: {
      [`${alertsArea}/rules`]: (visit) => createRule(visit, deps),
      [`${alertsArea}/rules/:rule_id`]: (visit) => saveRule(visit, deps),
      [`${alertsArea}/rules/:rule_id/on`]: (visit) => turn(visit, deps, true),
      [`${alertsArea}/rules/:rule_id/off`]: (visit) => turn(visit, deps, false),
      [`${alertsArea}/rules/:rule_id/remove`]: (visit) => deleteRule(visit, deps),
      [`${alertsArea}/recipients`]: (visit) => createRecipient(visit, deps, show),
      [`${alertsArea}/recipients/:recipient_id`]: (visit) => saveRecipient(visit, deps),
      [`${alertsArea}/recipients/:recipient_id/test`]: (visit) => testRecipient(visit, deps),
      [`${alertsArea}/recipients/:recipient_id/ask`]: (visit) => askAgain(visit, deps),
      [`${alertsArea}/recipients/:recipient_id/remove`]: (visit) => deleteRecipient(visit, deps, show),
      [`${alertsArea}/log/:notification_id/again`]: (visit) => sendNotificationAgain(visit, deps),
    },
    audits: {
      [`${alertsArea}/rules`]: { action: 'created an alert rule', subject: ({ form: fields }) => text(fields, 'name') },
      [`${alertsArea}/rules/:rule_id`]: {
        action: 'changed an alert rule',
        subject: ({ form: fields }) => text(fields, 'name'),
      },
      [`${alertsArea}/rules/:rule_id/remove`]: {
        action: 'removed an alert rule',
        subject: ({ params }) => params.rule_id ?? null,
      },
      [`${alertsArea}/recipients`]: { action: 'added a recipient of messages', subject: label },
      [`${alertsArea}/recipients/:recipient_id/remove`]: {
        action: 'removed a recipient of messages',
        subject: (visit) => recipientLabel(visit, deps),
      },
    },
    once: {
      [`${alertsArea}/rules`]: alertsArea,
      [`${alertsArea}/recipients`]: alertsArea,
      [`${alertsArea}/recipients/:recipient_id/ask`]: alertsArea,
      [`${alertsArea}/recipients/:recipient_id/test`]: alertsArea,
      [`${alertsArea}/log/:notification_id/again`]: alertsArea,
    },
    notices,
  };
}

async function recipientLabel({ params, visitor }: Visit, { db }: AlertsDeps): Promise<string | null> {
  const recipients = await listRecipients(db.sql, visitor.workspace_id);
  return recipients.find(({ recipient_id }) => recipient_id === params.recipient_id)?.label ?? null;
}

async function overviewPage(visit: Visit | FormVisit, deps: AlertsDeps, problem: Problem | null): Promise<Page> {
  const noMails = deps.config.mails
    ? null
    : notice(
        'No mail server is set up, so emails are not sent: you find them in the log below. Slack and webhooks work.',
      );
  const content = html`<p>Get a message when numbers change, a report is ready or something failed: by email or in Slack. Developers can also send alerts to their own server by <a href="/dashboard/settings/webhooks">webhook</a>. <a href="/docs/alerts">How alerts work</a></p>
${noMails}
${card('Alert rules', html`${await ruleTable(visit, deps)}`)}
${card('Recipients', await recipientCards(visit.visitor, deps))}
${card('Add a recipient', newRecipientForms(visit, problem))}
${card('Messages', await messageLog(visit, deps))}`;
  const actions = html`<a class="button" data-needs="${alertsArea}/rules" href="${alertsArea}/rules">New alert rule</a>`;
  return { title: 'Notifications', actions, content, status: problem ? 400 : 200 };
}

async function ruleTable({ visitor }: Visit, { db }: AlertsDeps): Promise<Piece> {
  const { workspace_id } = visitor;
  const [rules, recipients] = await Promise.all([
    listRules(db.sql, workspace_id),
    listRecipients(db.sql, workspace_id),
  ]);
  const names = new Map(recipients.map((one) => [one.recipient_id, recipientName(one)]));
  if (rules.length === 0)
    return emptyState({
      icon: 'bell',
      heading: 'No alert rules yet',
      text: `For example: followers fall by 5% in a week, views reach a million, or a handle changes its owner. ${whoCan(visitor, `${alertsArea}/rules`, '', 'create alert rules')}`,
    });
  const mayEdit = may(visitor, 'POST', `${alertsArea}/rules`);
  const ruleName = ({ name }: AlertRule) => html`<b><bdi>${name}</bdi></b>`;
  const rows = rules.map((rule) => [
    html`<span>${mayEdit ? html`<a href="${alertsArea}/rules/${rule.rule_id}">${ruleName(rule)}</a>` : ruleName(rule)}<br><span class="hint">${describeCondition(rule)}</span></span>`,
    watched(rule),
    rule.recipient_ids
      .map((id) => names.get(id))
      .filter((name) => name !== undefined)
      .join(', ') || 'Webhooks only',
    html`<span>${rule.enabled ? tag('on', 'good') : tag('off', 'warn')} ${quietNote(rule)}</span>`,
    time(rule.last_alert_at),
    ruleActions(rule),
  ]);
  return table(
    'Alert rules',
    [
      titleColumn('Rule'),
      { heading: 'Watches', long: true },
      { heading: 'Sent to', long: true },
      'Status',
      { heading: 'Last alert', time: true },
      controlsColumn,
    ],
    rows,
    {
      as_cards: true,
    },
  );
}

function watched({ scope, scope_name }: AlertRule): Piece {
  if (scope === 'all') return 'All items';
  const word = { item: 'Item', list: 'List', campaign: 'Campaign' }[scope];
  return scope_name === null
    ? tag(`${word.toLowerCase()} was removed`, 'warn')
    : html`<span>${word} <bdi>${scope_name}</bdi></span>`;
}

const quietReasons = {
  missing: 'Not compared: a number is missing.',
  exactness: 'Not compared: one number is exact and the other rounded.',
} as const;

function quietNote({ quiet_reason, quiet_at }: AlertRule): Piece {
  if (quiet_reason === null) return null;
  return html`<span class="hint">${quietReasons[quiet_reason]} ${time(quiet_at)}</span>`;
}

function ruleActions({ rule_id, name, enabled }: AlertRule): Piece {
  const path = `${alertsArea}/rules/${rule_id}`;
  return html`<div class="row"><a class="button quiet" data-needs="${path}" href="${path}">Edit<span class="hidden"> ${name}</span></a>${form(`${path}/${enabled ? 'off' : 'on'}`, null, enabled ? 'Turn off' : 'Turn on', 'quiet')}
<form method="post" action="${path}/remove" data-confirm="Remove the alert rule ${name}?"><button class="danger">Remove</button></form></div>`;
}

async function turn({ params, visitor }: FormVisit, { db }: AlertsDeps, on: boolean): Promise<Response> {
  if (!(await switchRule(db.sql, visitor.workspace_id, idOf(params.rule_id), on))) throw new PageNotFound();
  return redirect(alertsArea, 'rule-changed');
}

async function deleteRule({ params, visitor }: FormVisit, { db }: AlertsDeps): Promise<Response> {
  if (!(await removeRule(db.sql, visitor.workspace_id, idOf(params.rule_id)))) throw new PageNotFound();
  return redirect(alertsArea, 'rule-removed');
}
