import { html } from 'hono/html';
import type { KeyKind, KeyRow } from '../../db/keys.ts';
import { callSamples, key_placeholder } from '../docs/call-samples.ts';
import type { Availability } from '../route.ts';
import {
  type Call,
  fieldName,
  hasEstimate,
  type PlayRoute,
  parameterFields,
  scenarioLists,
} from './playground-routes.ts';
import { code, notice, type Piece, select, tag } from './ui.ts';

const availabilityNotes: Record<Availability, string | null> = {
  available: null,
  preview: 'Preview: live, to be evaluated before customer use.',
  unavailable: 'Not available: live requests answer 503. A development key shows a sample.',
  planned: 'Planned: every key gets the answer 501, and nothing is charged.',
};
const availabilityTones = { available: 'good', preview: 'plain', unavailable: 'warn', planned: 'warn' } as const;

/** What a route gives and costs, and how far it is to be relied on. */
export function routePiece({ path, summary, price, availability }: PlayRoute): Piece {
  return html`<p><code>GET ${path}</code> ${tag(availability, availabilityTones[availability])}</p>
<p>${summary}. Price: ${price}; an error costs nothing, and a development key never does.</p>
${notice(availabilityNotes[availability])}`;
}

const kindNames: Record<KeyKind, string> = {
  test: 'Development, free samples',
  live: 'Production, live data',
  sheet: 'Sheet, workflow routes only',
};

/** The form of a call. The button that costs nothing stands first: it is what the Enter key presses. */
export function callForm({ route, values, key_id }: Call, keys: readonly KeyRow[], once: string): Piece {
  const [chosen] = keys;
  if (chosen === undefined) {
    return html`<p class="notice warn">There is no key that works. <a href="/dashboard/keys">Make one</a>; a development key costs nothing.</p>`;
  }
  const choices = keys.map((key): [string, string] => [
    key.key_id,
    `${key.name} (${kindNames[key.kind]}, …${key.last_four})`,
  ]);
  const estimate = html`<button name="act" value="estimate" class="quiet">See the cost first</button>`;
  return html`<form method="post" action="/dashboard/playground#result">
<input type="hidden" name="route" value="${route.path}"><input type="hidden" name="once" value="${once}">
${select('Key', 'key', choices, { value: key_id })}
${parameterFields(route, values)}${scenarioLists(route)}
<p class="row">${hasEstimate(route) ? estimate : null}<button name="act" value="run">Run</button></p></form>`;
}

/** The fields of a call that was made, hidden, so that its answer can be asked for again. */
export function sameCall({ route, values, key_id }: Call, once: string): Piece {
  const fields = Map.groupBy(values, ([name]) => name);
  const hidden = (name: string, value: string) => html`<input type="hidden" name="${name}" value="${value}">`;
  return html`${hidden('route', route.path)}${hidden('once', once)}${hidden('key', key_id)}
${[...fields].map(([name, pairs]) => hidden(fieldName(name), pairs.map(([, value]) => value).join('\n')))}`;
}

/** The call as code. */
export function samplesPiece({ route, values }: Call, base_url: string): Piece {
  const samples = callSamples({ base_url, path: route.path, query: values });
  const formula = samples.some(({ id }) => id === 'sheet');
  return html`<p>Put your key where <code>${key_placeholder}</code> stands.</p>
${samples.map(({ id, label, code: lines }) => code(`sample-${id}`, label, lines))}
${formula ? html`<p class="hint">A formula takes an answer of up to a day from the cache, free, unless it names another age.</p>` : null}`;
}
