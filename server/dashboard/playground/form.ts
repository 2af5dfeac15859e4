import { html } from 'hono/html';
import type { KeyKind } from '../../../db/accounts/key-text.ts';
import type { KeyRow } from '../../../db/accounts/keys.ts';
import type { Availability } from '../../data/route.ts';
import { callSamples, keyPlaceholder } from '../../docs/call-samples.ts';
import { code, notice, type Piece, select, tag } from '../ui/components.ts';
import { whoCan } from '../ui/rules.ts';
import type { Visitor } from '../ui/visitor.ts';
import { fieldName, hasEstimate, type PlayCall, type PlayRoute, parameterFields, scenarioLists } from './routes.ts';

const availabilityNotes: Record<Availability, string | null> = {
  available: null,
  preview: 'Preview: it works, but may still change. Test it before your customers use it.',
  unavailable: 'Not available: live requests return error 503. A development key returns a sample.',
  planned: 'Planned: every request returns error 501. You are not charged.',
};
const availabilityTones = { available: 'good', preview: 'plain', unavailable: 'warn', planned: 'warn' } as const;

/** Returns the summary, price and availability of an API route. */
export function routePiece({ path, summary, price, availability }: PlayRoute): Piece {
  return html`<p><code>GET ${path}</code> ${tag(availability, availabilityTones[availability])}</p>
<p>${summary}. Price: ${price}. <a href="/docs/credits#errors-are-free">Errors are free</a>, and so are requests with a development key.</p>
${notice(availabilityNotes[availability])}`;
}

const kindNames: Record<KeyKind, string> = {
  test: 'Development, free samples',
  live: 'Production, live data',
  sheet: 'Sheet, workflow routes only',
};

/**
 * Returns the form of an API call. Pressing Enter in a field presses the first button, which must therefore cost
 * nothing: this button only shows the cost of the call, or is disabled.
 */
export function callForm(
  { route, values, key_id }: PlayCall,
  keys: readonly KeyRow[],
  { once, visitor }: { once: string; visitor: Visitor },
): Piece {
  const [chosen] = keys;
  if (chosen === undefined) {
    const create = html`<a href="/dashboard/keys">Create one</a>; requests with a development key are free.`;
    return html`<p class="notice warn">This workspace has no active key. ${whoCan(visitor, '/dashboard/keys', create, 'create one')}</p>`;
  }
  const choices = keys.map((key): [string, string] => [
    key.key_id,
    `${key.name} (${kindNames[key.kind]}, …${key.last_four})`,
  ]);
  const estimate = html`<button name="act" value="estimate" class="quiet">Show cost</button>`;
  return html`<form method="post" action="/dashboard/playground#result">
<input type="hidden" name="route" value="${route.path}"><input type="hidden" name="once" value="${once}">
${select('Key', 'key', choices, { value: key_id })}
${parameterFields(route, values)}${scenarioLists(route)}
<p class="row">${hasEstimate(route) ? estimate : html`<button disabled hidden></button>`}<button name="act" value="run">Send request</button></p></form>`;
}

/**
 * Returns the fields of an API call as hidden inputs. The download button submits these inputs to get the same answer
 * again.
 */
export function hiddenCall({ route, values, key_id }: PlayCall, once: string): Piece {
  const fields = Map.groupBy(values, ([name]) => name);
  const hidden = (name: string, value: string) => html`<input type="hidden" name="${name}" value="${value}">`;
  return html`${hidden('route', route.path)}${hidden('once', once)}${hidden('key', key_id)}
${[...fields].map(([name, pairs]) => hidden(fieldName(name), pairs.map(([, value]) => value).join('\n')))}`;
}

/** Returns code samples of an API call, with a placeholder for the API key. */
export function samplesPiece({ route, values }: PlayCall, baseUrl: string): Piece {
  const samples = callSamples({ base_url: baseUrl, path: route.path, query: values });
  const formula = samples.some(({ id }) => id === 'sheet');
  return html`<p>Replace <code>${keyPlaceholder}</code> with your key.</p>
${samples.map(({ id, label, code: lines }) => code(`sample-${id}`, label, lines))}
${formula ? html`<p class="hint">A formula uses a cached answer of up to 1 day, free, unless you set another maximum age.</p>` : null}`;
}
