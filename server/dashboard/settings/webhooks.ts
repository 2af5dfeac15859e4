import { html } from 'hono/html';
import { type Allowance, throttleMember } from '../../../db/accounts/throttle.ts';
import { isDeliveryOf } from '../../../db/deliveries/webhook-deliveries.ts';
import {
  type Endpoint,
  listEndpoints,
  maxEndpoints,
  removeEndpoint,
  switchEndpoint,
} from '../../../db/deliveries/webhooks.ts';
import { publicAddresses } from '../../../pipeline/network/outbound.ts';
import {
  createEndpoint,
  redeliver,
  sendTest,
  type WebhookEvent,
  webhookEvents,
} from '../../../pipeline/notify/webhooks.ts';
import { timeText } from '../../design/dates.ts';
import type { WebhooksDeps } from '../deps.ts';
import {
  card,
  field,
  form,
  notice,
  type Piece,
  secret,
  success,
  table,
  tag,
  time,
  titleColumn,
} from '../ui/components.ts';
import { at, type Problem } from '../ui/forms/field-problem.ts';
import { awaitingPath } from '../ui/parts/awaited.ts';
import { listWithForm } from '../ui/parts/blocks.ts';
import { whoCan } from '../ui/rules.ts';
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
import { deliveryLog } from './webhooks-log.ts';

const area = '/dashboard/settings/webhooks';
/**
 * Limits the test messages and manually resent messages of a workspace, because each of them is sent up to seven times
 * while the receiver fails, and the receiver can be any server.
 */
const sentByHand: Allowance = { limit: 20, window_seconds: 600 };

const eventNames: Record<WebhookEvent, string> = {
  'check.completed': 'a tracked item was checked',
  'report.ready': 'a weekly report is ready',
  'credits.low': 'the balance falls below your alert',
  'batch.finished': 'a bulk analysis is finished',
  'import.finished': 'a sheet import is finished',
  'import.failed': 'a sheet import failed',
  'alert.raised': 'one of your alert rules applies',
};

/** Creates the webhook pages: endpoints, their secrets and the log of messages. */
export function webhooksSection(deps: WebhooksDeps): Section {
  return {
    pages: {
      [area]: (visit) => listPage(visit, deps, null),
      [`${area}/:endpoint_id`]: (visit) => endpointPage(visit, deps, null),
    },
    forms: {
      [area]: (visit) => create(visit, deps),
      [`${area}/:endpoint_id/test`]: (visit) => test(visit, deps),
      [`${area}/:endpoint_id/off`]: (visit) => turn(visit, deps, 'off'),
      [`${area}/:endpoint_id/on`]: (visit) => turn(visit, deps, 'on'),
      [`${area}/:endpoint_id/remove`]: (visit) => remove(visit, deps),
      [`${area}/:endpoint_id/deliveries/:delivery_id/again`]: (visit) => sendAgain(visit, deps),
    },
    audits: {
      [area]: { action: 'added a webhook', subject: ({ form: fields }) => text(fields, 'url') },
      [`${area}/:endpoint_id/off`]: { action: 'turned off a webhook', subject: endpointOf },
      [`${area}/:endpoint_id/on`]: { action: 'turned on a webhook', subject: endpointOf },
      [`${area}/:endpoint_id/remove`]: { action: 'removed a webhook', subject: endpointOf },
    },
    once: {
      [area]: area,
      [`${area}/:endpoint_id/test`]: `${area}/:endpoint_id`,
      [`${area}/:endpoint_id/deliveries/:delivery_id/again`]: `${area}/:endpoint_id`,
    },
    notices: {
      'webhook-tested': 'Sending the test message. The log below shows the result.',
      'webhook-again': 'Sending the message again. The log below shows the result.',
      'webhook-off': 'Webhook turned off. No messages are sent to it.',
      'webhook-on': 'Webhook turned on.',
      'webhook-removed': 'Webhook and log removed.',
    },
  };
}

const endpointOf = ({ params }: Visit) => params.endpoint_id ?? null;

async function listPage(visit: Visit | FormVisit, { db }: WebhooksDeps, problem: Problem | null): Promise<Page> {
  const endpoints = await listEndpoints(db.sql, visit.visitor.workspace_id);
  const typed = 'form' in visit ? visit.form : null;
  const canAdd = endpoints.length < maxEndpoints;
  const list =
    endpoints.length > 0
      ? card('Your webhooks', endpointTable(endpoints))
      : html`<p>No webhooks yet. ${whoCan(visit.visitor, area, 'Add one below.', 'add webhooks')}</p>`;
  const add = {
    label: 'New webhook',
    form: canAdd ? newForm(typed) : null,
    entries: endpoints.length,
    is_open: problem !== null,
  };
  const full = html`<p>A workspace can have ${maxEndpoints} webhooks. Remove one to add another.</p>`;
  const content = html`<p>For developers: Tidemark tells your own server about events, such as a finished report, with a signed POST request (<a href="https://www.standardwebhooks.com/">Standard Webhooks</a>). To get emails or Slack messages instead, use <a href="/dashboard/alerts">Notifications</a>. <a href="/docs/webhooks">How webhooks work</a></p>
${notice(problem, 'bad')}${listWithForm(list, add)}${canAdd ? null : full}`;
  return { title: 'Webhooks', content, status: problem ? 400 : 200 };
}

function endpointTable(endpoints: readonly Endpoint[]): Piece {
  const rows = endpoints.map((endpoint) => [
    html`<div class="address"><a href="${area}/${endpoint.endpoint_id}">${endpoint.url}</a></div>`,
    stateOf(endpoint),
    endpoint.events.join(', '),
    time(endpoint.created_at),
  ]);
  return table(
    'Webhooks of this workspace',
    [titleColumn('Webhook URL'), 'Status', { heading: 'Events', long: true }, { heading: 'Created', time: true }],
    rows,
    {
      as_cards: true,
    },
  );
}

function stateOf({ disabled_at }: Endpoint): Piece {
  return disabled_at ? tag('off', 'warn') : tag('on', 'good');
}

function newForm(typed: FormData | null): Piece {
  const checked = typed ? typed.getAll('events') : [...webhookEvents];
  const hint =
    'An https URL on the public internet. Verify the signature of each message to be sure that it is from us.';
  const value = typed ? text(typed, 'url') : '';
  const boxes = webhookEvents.map(
    (event) =>
      html`<label class="check"><input type="checkbox" name="events" value="${event}" ${checked.includes(event) ? 'checked' : ''}><span><code>${event}</code>: ${eventNames[event]}</span></label>`,
  );
  return form(
    area,
    [
      field('Webhook URL', 'url', {
        type: 'url',
        required: true,
        maxlength: 2000,
        value,
        hint,
        placeholder: 'https://…',
      }),
      html`<fieldset class="field"><legend>Send a message when</legend>${boxes}</fieldset>`,
    ],
    'Create webhook',
  );
}

async function create(visit: FormVisit, deps: WebhooksDeps): Promise<Page> {
  const input = { url: text(visit.form, 'url'), events: visit.form.getAll('events').map(String) };
  const created = await createEndpoint(deps.db.sql, visit.visitor.workspace_id, input, publicAddresses);
  if (!created.ok) return listPage(visit, deps, at(created.field, created.message));
  const content = html`${success('Copy the secret now. You will not see it again.')}
${secret('Secret', created.secret)}
<p>Use it with any Standard Webhooks library to verify our messages. Next, send a test message.</p>
<div class="row"><a class="button" href="${area}/${created.endpoint_id}">Open webhook</a></div>`;
  return { title: 'Your new webhook', content };
}

async function endpointPage(visit: Visit, deps: WebhooksDeps, problem: string | null): Promise<Page> {
  const endpoint = await ownEndpoint(visit, deps);
  const { url, events, created_at } = endpoint;
  const content = html`<p><a href="${area}">All webhooks</a></p>
${notice(problem, 'bad')}
${card('Settings', [
  html`<p><code>${url}</code></p><p>${stateOf(endpoint)} ${events.join(', ')} <span class="hint">since ${time(created_at)} UTC</span></p>`,
  endpoint.disabled_at
    ? notice(`Turned off at ${timeText(endpoint.disabled_at)} UTC. ${endpoint.disabled_reason ?? ''}`)
    : null,
  actions(endpoint),
])}
${card('Messages', await deliveryLog(visit, endpoint, deps))}`;
  return { title: 'Webhook', content, status: problem ? 409 : 200 };
}

function actions({ endpoint_id, disabled_at }: Endpoint): Piece {
  const path = `${area}/${endpoint_id}`;
  const question = 'Remove this webhook and its log? No more messages will be sent.';
  const turn = disabled_at
    ? form(`${path}/on`, null, 'Turn on', 'quiet')
    : form(`${path}/off`, null, 'Turn off', 'quiet');
  return html`<div class="row">${disabled_at ? null : form(`${path}/test`, null, 'Send test message')}${turn}
<form method="post" action="${path}/remove" data-confirm="${question}"><button class="danger">Remove webhook</button></form></div>`;
}

async function ownEndpoint({ params, visitor }: Visit, { db }: WebhooksDeps): Promise<Endpoint> {
  const endpointId = idOf(params.endpoint_id);
  const found = (await listEndpoints(db.sql, visitor.workspace_id)).find((one) => one.endpoint_id === endpointId);
  if (!found) throw new PageNotFound();
  return found;
}

/**
 * Counts a message that a user sends by hand. Returns the page with the reason after too many such messages, else null.
 */
async function tooManyByHand(visit: FormVisit, deps: WebhooksDeps): Promise<Page | null> {
  const { db, now } = deps;
  const wait = await throttleMember(db.sql, 'webhooks by hand', visit.visitor, sentByHand, now());
  if (wait === null) return null;
  const problem = `You can send ${sentByHand.limit} messages by hand in 10 minutes. Try again in ${Math.ceil(wait / 60)} min.`;
  return { ...(await endpointPage(visit, deps, problem)), status: 429 };
}

async function test(visit: FormVisit, deps: WebhooksDeps): Promise<Page | Response> {
  const { endpoint_id } = await ownEndpoint(visit, deps);
  const refused = await tooManyByHand(visit, deps);
  if (refused) return refused;
  const sent = await sendTest(deps, visit.visitor.workspace_id, endpoint_id);
  if (sent === null) return endpointPage(visit, deps, 'This webhook is off. Turn it on first.');
  return redirect(`${area}/${endpoint_id}`, 'webhook-tested');
}

async function turn(visit: FormVisit, { db, now }: WebhooksDeps, to: 'on' | 'off'): Promise<Response> {
  const endpointId = idOf(visit.params.endpoint_id);
  const off = to === 'off' ? { at: now(), reason: 'Turned off in the dashboard.' } : null;
  if (!(await switchEndpoint(db.sql, visit.visitor.workspace_id, endpointId, off))) throw new PageNotFound();
  return redirect(`${area}/${endpointId}`, `webhook-${to}`);
}

async function remove({ params, visitor }: FormVisit, { db }: WebhooksDeps): Promise<Response> {
  if (!(await removeEndpoint(db.sql, visitor.workspace_id, idOf(params.endpoint_id)))) throw new PageNotFound();
  return redirect(area, 'webhook-removed');
}

async function sendAgain(visit: FormVisit, deps: WebhooksDeps): Promise<Page | Response> {
  const deliveryId = idOf(visit.params.delivery_id);
  const { endpoint_id } = await ownEndpoint(visit, deps);
  const { workspace_id } = visit.visitor;
  if (!(await isDeliveryOf(deps.db.sql, workspace_id, endpoint_id, deliveryId))) throw new PageNotFound();
  const refused = await tooManyByHand(visit, deps);
  if (refused) return refused;
  if (await redeliver(deps, workspace_id, deliveryId))
    return redirect(awaitingPath(`${area}/${endpoint_id}`, deps.now()), 'webhook-again');
  return endpointPage(
    visit,
    deps,
    'This message is still being sent, or the webhook is off. Turn the webhook on, or try again in a minute.',
  );
}
