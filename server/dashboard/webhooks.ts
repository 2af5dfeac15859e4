import { html } from 'hono/html';
import {
  type Endpoint,
  isDeliveryOf,
  listEndpoints,
  max_endpoints,
  removeEndpoint,
  switchEndpoint,
} from '../../db/webhooks.ts';
import { publicAddresses } from '../../pipeline/outbound.ts';
import { createEndpoint, redeliver, sendTest, type WebhookEvent, webhookEvents } from '../../pipeline/webhooks.ts';
import type { WebhooksDeps } from './deps.ts';
import { type FormVisit, idOf, type Page, PageNotFound, redirect, type Section, text, type Visit } from './section.ts';
import { card, field, form, notice, type Piece, secret, table, tag, time } from './ui.ts';
import { deliveryLog } from './webhooks-log.ts';

const here = '/dashboard/settings/webhooks';

const eventNames: Record<WebhookEvent, string> = {
  'check.completed': 'a tracked item was checked',
  'report.ready': 'a weekly report is frozen',
  'credits.low': 'the balance fell below your alert',
  'batch.finished': 'a bulk analysis is finished',
};

/** Addresses that are told what happens, with the log of what was sent to them. */
export function webhooksSection(deps: WebhooksDeps): Section {
  return {
    pages: {
      [here]: (visit) => listPage(visit, deps, null),
      [`${here}/:endpoint_id`]: (visit) => endpointPage(visit, deps, null),
    },
    forms: {
      [here]: (visit) => make(visit, deps),
      [`${here}/:endpoint_id/test`]: (visit) => test(visit, deps),
      [`${here}/:endpoint_id/off`]: (visit) => turn(visit, deps, 'off'),
      [`${here}/:endpoint_id/on`]: (visit) => turn(visit, deps, 'on'),
      [`${here}/:endpoint_id/remove`]: (visit) => remove(visit, deps),
      [`${here}/:endpoint_id/deliveries/:delivery_id/again`]: (visit) => sendAgain(visit, deps),
    },
    notices: {
      'webhook-tested': 'A test message is on its way: reload to see what came of it.',
      'webhook-again': 'The message is sent again: reload to see what came of it.',
      'webhook-off': 'The webhook is switched off: nothing is sent to it.',
      'webhook-on': 'The webhook is switched on.',
      'webhook-removed': 'The webhook is removed, with its log.',
    },
  };
}

async function listPage(visit: Visit | FormVisit, { db }: WebhooksDeps, problem: string | null): Promise<Page> {
  const endpoints = await listEndpoints(db.sql, visit.visitor.workspace_id);
  const typed = 'form' in visit ? visit.form : null;
  const room = endpoints.length < max_endpoints;
  const full = html`<p>There are ${max_endpoints} webhooks, the most a workspace may have: remove one to make another.</p>`;
  const content = html`<p>Your servers are told when something happened, by a signed POST (<a href="https://www.standardwebhooks.com/">Standard Webhooks</a>).</p>
${endpoints.length > 0 ? card('Your webhooks', endpointTable(endpoints)) : null}
${card('New webhook', [notice(problem, 'bad'), room ? newForm(typed) : full])}`;
  return { title: 'Webhooks', content, status: problem ? 400 : 200 };
}

function endpointTable(endpoints: readonly Endpoint[]): Piece {
  const rows = endpoints.map((endpoint) => [
    html`<div class="address"><a href="${here}/${endpoint.endpoint_id}">${endpoint.url}</a></div>`,
    stateOf(endpoint),
    endpoint.events.join(', '),
    time(endpoint.created_at),
  ]);
  return table('Webhooks of this workspace; times in UTC', ['Address', 'State', 'Events', 'Created'], rows);
}

function stateOf({ disabled_at }: Endpoint): Piece {
  return disabled_at ? tag('off', 'warn') : tag('on', 'good');
}

function newForm(typed: FormData | null): Piece {
  const wanted = typed ? typed.getAll('events') : [...webhookEvents];
  const hint = 'https, on the public internet. A secret path is fine; the signature is what proves that we sent it.';
  const value = typed ? text(typed, 'url') : '';
  const boxes = webhookEvents.map(
    (event) =>
      html`<label class="check"><input type="checkbox" name="events" value="${event}" ${wanted.includes(event) ? 'checked' : ''}><span><code>${event}</code>: ${eventNames[event]}</span></label>`,
  );
  return form(
    here,
    [
      field('Address', 'url', { type: 'url', required: true, maxlength: 2000, value, hint, placeholder: 'https://…' }),
      html`<fieldset class="field"><legend>Tell it when</legend>${boxes}</fieldset>`,
    ],
    'Make the webhook',
  );
}

async function make(visit: FormVisit, deps: WebhooksDeps): Promise<Page> {
  const wish = { url: text(visit.form, 'url'), events: visit.form.getAll('events').map(String) };
  const made = await createEndpoint(deps.db.sql, visit.visitor.workspace_id, wish, publicAddresses);
  if (!made.ok) return listPage(visit, deps, made.message);
  const content = html`${notice('Copy the secret now: it is shown only this once.', 'good')}
${secret('Secret', made.secret)}
<p>Any Standard Webhooks library verifies our messages with it. Next, send a test and see what your server answers.</p>
<div class="row"><a class="button" href="${here}/${made.endpoint_id}">To the webhook</a></div>`;
  return { title: 'Your new webhook', content };
}

async function endpointPage(visit: Visit, deps: WebhooksDeps, problem: string | null): Promise<Page> {
  const endpoint = await ownEndpoint(visit, deps);
  const { url, events, created_at } = endpoint;
  const content = html`<p><a href="${here}">All webhooks</a></p>
${notice(problem, 'bad')}
${card('Where and what', [
  html`<p><code>${url}</code></p><p>${stateOf(endpoint)} ${events.join(', ')} <span class="hint">since ${time(created_at)} UTC</span></p>`,
  endpoint.disabled_at
    ? notice(
        `Switched off at ${endpoint.disabled_at.toISOString().slice(0, 16).replace('T', ' ')} UTC. ${endpoint.disabled_reason ?? ''}`,
      )
    : null,
  actions(endpoint),
])}
${card('Deliveries', await deliveryLog(visit, endpoint, deps))}`;
  return { title: 'Webhook', content, status: problem ? 409 : 200 };
}

function actions({ endpoint_id, disabled_at }: Endpoint): Piece {
  const path = `${here}/${endpoint_id}`;
  const question = 'Remove this webhook with its log? Nothing is sent to it any more.';
  const turn = disabled_at
    ? form(`${path}/on`, null, 'Switch on', 'quiet')
    : form(`${path}/off`, null, 'Switch off', 'quiet');
  return html`<div class="row">${disabled_at ? null : form(`${path}/test`, null, 'Send a test')}${turn}
<form method="post" action="${path}/remove" data-confirm="${question}"><button class="danger">Remove</button></form></div>`;
}

async function ownEndpoint({ params, visitor }: Visit, { db }: WebhooksDeps): Promise<Endpoint> {
  const endpoint_id = idOf(params.endpoint_id);
  const found = (await listEndpoints(db.sql, visitor.workspace_id)).find((one) => one.endpoint_id === endpoint_id);
  if (!found) throw new PageNotFound();
  return found;
}

async function test(visit: FormVisit, deps: WebhooksDeps): Promise<Page | Response> {
  const { endpoint_id } = await ownEndpoint(visit, deps);
  const sent = await sendTest(deps, visit.visitor.workspace_id, endpoint_id);
  if (sent === null) return endpointPage(visit, deps, 'The webhook is switched off: switch it on first.');
  return redirect(`${here}/${endpoint_id}`, 'webhook-tested');
}

async function turn(visit: FormVisit, { db, now }: WebhooksDeps, to: 'on' | 'off'): Promise<Response> {
  const endpoint_id = idOf(visit.params.endpoint_id);
  const off = to === 'off' ? { at: now(), reason: 'Somebody switched it off in the dashboard.' } : null;
  if (!(await switchEndpoint(db.sql, visit.visitor.workspace_id, endpoint_id, off))) throw new PageNotFound();
  return redirect(`${here}/${endpoint_id}`, `webhook-${to}`);
}

async function remove({ params, visitor }: FormVisit, { db }: WebhooksDeps): Promise<Response> {
  if (!(await removeEndpoint(db.sql, visitor.workspace_id, idOf(params.endpoint_id)))) throw new PageNotFound();
  return redirect(here, 'webhook-removed');
}

async function sendAgain(visit: FormVisit, deps: WebhooksDeps): Promise<Page | Response> {
  const delivery_id = idOf(visit.params.delivery_id);
  const { endpoint_id } = await ownEndpoint(visit, deps);
  const { workspace_id } = visit.visitor;
  if (!(await isDeliveryOf(deps.db.sql, workspace_id, endpoint_id, delivery_id))) throw new PageNotFound();
  if (await redeliver(deps, workspace_id, delivery_id)) return redirect(`${here}/${endpoint_id}`, 'webhook-again');
  return endpointPage(visit, deps, 'This message is still on its way, or the webhook is switched off.');
}
