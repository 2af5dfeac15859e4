import { html } from 'hono/html';
import { throttle } from '../../../db/accounts/throttle.ts';
import {
  addRecipient,
  changeRecipient,
  listRecipients,
  maxRecipients,
  mustStay,
  type Recipient,
  type RecipientChannel,
  removeRecipient,
} from '../../../db/alerts/recipients.ts';
import { listCampaigns } from '../../../db/campaigns/campaigns.ts';
import { daySeconds } from '../../../db/durations.ts';
import { isId, newId } from '../../../db/ids.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { publicAddresses, refusedAddress } from '../../../pipeline/network/outbound.ts';
import type { Message } from '../../../pipeline/notify/message.ts';
import { notify } from '../../../pipeline/notify/notify.ts';
import { nameWithoutLinks } from '../../../pipeline/notify/service-mail.ts';
import { recipientTopics } from '../../../pipeline/notify/topics.ts';
import { field, form, notice, type Piece, tag } from '../ui/components.ts';
import { at, type Problem } from '../ui/forms/field-problem.ts';
import { may, whoCan } from '../ui/rules.ts';
import { type FormVisit, idOf, oneLine, type Page, PageNotFound, redirect, text, type Visit } from '../ui/section.ts';
import type { Visitor } from '../ui/visitor.ts';
import { type AlertsDeps, alertsArea, recipientName, tooManyByHand } from './shared.ts';

/**
 * Maximum number of confirmation emails per day: from one user to one address, from one workspace, and to one address.
 * They are limited, because they go to people who did not ask for them. One user can send an address fewer emails than
 * it can get, so that other users can ask the same person.
 */
const [questionsOfUser, questionsOfWorkspace, questionsToAddress] = [2, 20, 3];

/** Returns the recipients of notifications, each with a form for choosing which messages to send. */
export async function recipientCards(visitor: Visitor, { db }: AlertsDeps): Promise<Piece> {
  const recipients = await listRecipients(db.sql, visitor.workspace_id);
  if (recipients.length === 0) {
    const add = 'Add yourself, a client or a Slack channel below.';
    return html`<p>No recipients yet. ${whoCan(visitor, `${alertsArea}/recipients`, add, 'add recipients')}</p>`;
  }
  if (!may(visitor, 'POST', `${alertsArea}/recipients`))
    return html`<ul class="plain">${recipients.map((recipient) => html`<li>${summaryOf(recipient)}</li>`)}</ul>`;
  const campaigns = await listCampaigns(db.sql, visitor.workspace_id);
  return html`${recipients.map((recipient) => recipientPart(recipient, visitor, campaigns))}`;
}

function summaryOf(recipient: Recipient): Piece {
  return html`<b><bdi>${recipientName(recipient)}</bdi></b> ${stateOf(recipient)} <span class="hint">${topicList(recipient.topics)}</span>`;
}

function recipientPart(
  recipient: Recipient,
  { email }: Visitor,
  campaigns: readonly { campaign_id: string; name: string }[],
): Piece {
  const { recipient_id, topics, campaign_ids } = recipient;
  const path = `${alertsArea}/recipients/${recipient_id}`;
  const box = (name: string, value: string, label: string, on: boolean) =>
    html`<label class="check"><input type="checkbox" name="${name}" value="${value}" ${on ? 'checked' : ''}><span>${label}</span></label>`;
  const topicBoxes = Object.entries(recipientTopics).map(([topic, label]) =>
    box('topics', topic, label, topics.includes(topic)),
  );
  const campaignBoxes = campaigns.map(({ campaign_id, name }) =>
    box('campaign_ids', campaign_id, name, campaign_ids.includes(campaign_id)),
  );
  return html`<details class="recipient"><summary>${summaryOf(recipient)}</summary>
${form(
  path,
  [
    html`<fieldset class="field"><legend>Messages besides alerts</legend>${topicBoxes}</fieldset>`,
    campaigns.length > 0
      ? html`<fieldset class="field"><legend>Weekly reports of</legend><p class="hint">No selection = all campaigns, including future ones. For a client, select only the client’s campaigns.</p>${campaignBoxes}</fieldset>`
      : null,
  ],
  'Save',
)}
${mustStay(recipient, email) ? html`<p class="hint">${unsubscribedHint}</p>` : recipientActions(recipient, path)}</details>`;
}

const unsubscribedHint =
  'This person gets no messages. Only this person can subscribe again, with the link in any earlier email, and then gets the messages that are selected here and the alerts of your rules.';

function recipientActions(recipient: Recipient, path: string): Piece {
  const question = `Remove ${recipientName(recipient)} and the log of its messages?`;
  return html`<div class="row">${recipient.confirmed_at === null ? form(`${path}/ask`, null, 'Ask again', 'quiet') : form(`${path}/test`, null, 'Send test message', 'quiet')}
<form method="post" action="${path}/remove" data-confirm="${question}"><button class="danger">Remove</button></form></div>`;
}

function stateOf({ confirmed_at, unsubscribed_at }: Recipient): Piece {
  if (unsubscribed_at !== null) return tag('unsubscribed', 'warn');
  return confirmed_at === null ? tag('not confirmed yet', 'warn') : tag('on', 'good');
}

function topicList(topics: readonly string[]): string {
  const names = Object.entries(recipientTopics).filter(([topic]) => topics.includes(topic));
  return names.length === 0 ? 'Alerts only' : names.map(([, name]) => name.split(/[:,]/)[0]).join(' · ');
}

/** Returns the forms that add a recipient of notifications: an email address or a Slack channel. */
export function newRecipientForms(visit: Visit | FormVisit, problem: Problem | null): Piece {
  const typed = 'form' in visit ? visit.form : null;
  const channel = typed ? text(typed, 'channel') : '';
  const value = (of: RecipientChannel, name: string) => (typed && channel === of ? text(typed, name) : '');
  const email = value('mail', 'email') || (typed ? '' : visit.visitor.email);
  return html`${notice(problem, 'bad')}<div class="columns new-recipient"><div>${form(
    `${alertsArea}/recipients`,
    [
      html`<input type="hidden" name="channel" value="mail">`,
      field('Email address', 'email', {
        ...{ type: 'email', required: true, maxlength: 254, value: email },
        hint: 'Other people get one email that asks whether they agree. They need no account.',
      }),
    ],
    'Add email address',
  )}</div><div>${form(
    `${alertsArea}/recipients`,
    [
      html`<input type="hidden" name="channel" value="slack">`,
      field('Name of the channel', 'label', {
        ...{ required: true, maxlength: 80, placeholder: '#social', value: value('slack', 'label') },
      }),
      field('Slack webhook URL', 'url', {
        ...{ type: 'url', required: true, maxlength: 2_000, placeholder: 'https://hooks.slack.com/services/…' },
        hint: 'In Slack: Apps, Incoming Webhooks. The URL is a secret, so we do not show it again.',
      }),
    ],
    'Add Slack channel',
  )}</div></div>`;
}

type Show = (visit: FormVisit, problem: Problem) => Promise<Page>;

/** Adds a recipient of notifications. A recipient who is not the user first gets an email that asks for consent. */
export async function createRecipient(visit: FormVisit, deps: AlertsDeps, show: Show): Promise<Page | Response> {
  const { form: fields, visitor } = visit;
  const channel = text(fields, 'channel') === 'slack' ? 'slack' : 'mail';
  const address = channel === 'slack' ? text(fields, 'url') : text(fields, 'email').toLowerCase();
  const label = channel === 'slack' ? oneLine(fields, 'label').slice(0, 80) : address;
  const refused = channel === 'slack' ? refusedAddress(address, publicAddresses) : refusedEmail(address);
  if (refused !== null) return show(visit, at(channel === 'slack' ? 'url' : 'email', refused));
  if (label === '') return show(visit, at('label', 'Enter the name of the Slack channel.'));
  const recipient = { channel, address, label, topics: [], campaign_ids: [] } as const;
  const added = await addRecipient(deps.db.sql, visitor.workspace_id, recipient, deps.now());
  if (added.outcome === 'known') {
    const problem = added.unsubscribed
      ? `${label} unsubscribed. Only this person can subscribe again, with the link in any earlier email.`
      : `${label} is already a recipient.`;
    return show(visit, at(channel === 'slack' ? 'url' : 'email', problem));
  }
  if (added.outcome === 'full')
    return show(visit, `A workspace can have ${maxRecipients} recipients. Remove one first.`);
  if (added.confirmed) return redirect(alertsArea, 'recipient-added');
  const isSent = await ask(visit, deps, { recipient_id: added.recipient_id, address });
  return redirect(alertsArea, isSent ? 'recipient-asked' : 'recipient-wait');
}

function refusedEmail(address: string): string | null {
  const valid = /^[^\s@<>,;:"()[\]\\]{1,64}@[^\s@<>,;:"()[\]\\]+\.[^\s@<>,;:"()[\]\\.]+$/.test(address);
  return valid && address.length <= 254 ? null : 'Enter one email address, such as ann@example.com.';
}

/**
 * Sends the email that asks a person to agree to notifications. Returns false without sending it after too many such
 * emails.
 */
async function ask(
  { visitor }: Visit,
  { db, now, queue }: AlertsDeps,
  { recipient_id, address }: { recipient_id: string; address: string },
): Promise<boolean> {
  const { workspace_id, workspace_name, user_id, email } = visitor;
  const at = now();
  // An email that is refused because of its sender must not count for the address, so the address comes last.
  const limits = {
    [`question to ${address} by ${user_id}`]: questionsOfUser,
    [`questions of ${workspace_id}`]: questionsOfWorkspace,
    [`question to ${address}`]: questionsToAddress,
  };
  for (const [name, limit] of Object.entries(limits)) {
    if ((await throttle(db.sql, name, { limit, window_seconds: daySeconds }, at)) !== null) return false;
  }
  const message: Message = {
    subject: 'Do you want to get reports and alerts by email?',
    lines: [
      `${email} asks you to confirm that the workspace ${nameWithoutLinks(workspace_name)} on Tidemark may send you reports or alerts.`,
      'If you do not want them, ignore this email. You get nothing else until you confirm.',
    ],
    action: { label: 'Read more and confirm', path: '', open_to_recipient: true },
  };
  const notification = { kind: 'confirmation', subject_key: newId(at), message };
  const audience = { recipient_ids: [recipient_id], even_unconfirmed: true };
  await inTransaction(db.sql, (tx) => notify({ now, queue }, tx, workspace_id, audience, notification));
  return true;
}

async function ownRecipient({ params, visitor }: Visit, { db }: AlertsDeps): Promise<Recipient> {
  const recipientId = idOf(params.recipient_id);
  const found = (await listRecipients(db.sql, visitor.workspace_id)).find((one) => one.recipient_id === recipientId);
  if (!found) throw new PageNotFound();
  return found;
}

/** Sends the confirmation email to a recipient of notifications again. */
export async function askAgain(visit: FormVisit, deps: AlertsDeps): Promise<Response> {
  const recipient = await ownRecipient(visit, deps);
  if (recipient.confirmed_at !== null || recipient.unsubscribed_at !== null) return redirect(alertsArea);
  return redirect(alertsArea, (await ask(visit, deps, recipient)) ? 'recipient-asked' : 'recipient-wait');
}

/** Saves which notifications a recipient receives. */
export async function saveRecipient(visit: FormVisit, deps: AlertsDeps): Promise<Response> {
  const { recipient_id } = await ownRecipient(visit, deps);
  const chosen = (name: string) => visit.form.getAll(name).map(String);
  const isSaved = await changeRecipient(deps.db.sql, visit.visitor.workspace_id, recipient_id, {
    topics: chosen('topics').filter((topic) => Object.hasOwn(recipientTopics, topic)),
    campaign_ids: chosen('campaign_ids').filter(isId),
  });
  return redirect(alertsArea, isSaved ? 'recipient-saved' : 'recipient-not-saved');
}

/** Sends a test message to one recipient. */
export async function testRecipient(visit: FormVisit, deps: AlertsDeps): Promise<Response> {
  const { recipient_id } = await ownRecipient(visit, deps);
  const { workspace_id, workspace_name } = visit.visitor;
  if (await tooManyByHand(visit.visitor, deps)) return redirect(alertsArea, 'recipient-not-tested');
  const message: Message = {
    subject: 'Test message',
    lines: [`This is how alerts and reports of the workspace ${workspace_name} arrive here.`],
    action: { label: 'Open notifications', path: alertsArea },
  };
  const notification = { kind: 'test', subject_key: newId(deps.now()), message };
  const sent = await inTransaction(deps.db.sql, (tx) =>
    notify(deps, tx, workspace_id, { recipient_ids: [recipient_id] }, notification),
  );
  return redirect(alertsArea, sent > 0 ? 'recipient-tested' : 'recipient-not-tested');
}

/**
 * Removes a recipient of notifications, unless it is another person, who unsubscribed. Throws PageNotFound when the
 * workspace has no such recipient.
 */
export async function deleteRecipient(visit: FormVisit, { db }: AlertsDeps, show: Show): Promise<Page | Response> {
  const { workspace_id, email } = visit.visitor;
  const outcome = await removeRecipient(db.sql, workspace_id, idOf(visit.params.recipient_id), email);
  if (outcome === null) throw new PageNotFound();
  if (outcome === 'kept')
    return show(visit, 'Not removed: people who unsubscribed stay here, so that no one else can add them again.');
  return redirect(alertsArea, 'recipient-removed');
}
