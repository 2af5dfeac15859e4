import { html } from 'hono/html';
import { errorTable } from '../../../pipeline/errors.ts';
import { quantity } from '../../../pipeline/quantity.ts';
import { hasLiveData } from '../../data/offered.ts';
import type { Parameter } from '../../data/parameter.ts';
import { type Availability, parametersOf, type Route } from '../../data/route.ts';
import { highlightJson } from '../../design/json.ts';
import { callSamples } from '../call-samples.ts';
import { type Html, layout } from '../layout.ts';
import { exampleAnswer } from './example-answer.ts';
import { accuracyCell, accuracySources, type LiveFigures } from './field-accuracy.ts';
import { fieldsOf } from './fields.ts';
import { referenceMenu, routeAddress } from './menu.ts';
import { keyField, tryForm } from './try-form.ts';

const availabilityLabels: Record<Availability, string> = {
  available: 'Live data',
  preview: 'Live data; test it before you rely on it',
  unavailable: 'Cached answers and samples only; live requests get error 503',
  planned: 'Not available yet: requests get error 501',
};

/** Returns a sentence that says which data a route returns. A preview can be without live data. */
export function availabilityLabel(route: Route): string {
  const { availability } = route;
  return availability === 'preview' && !hasLiveData(route)
    ? 'Preview with samples only; live requests get error 503'
    : availabilityLabels[availability];
}

/** Returns the page of one route: price, parameters, fields, example answer, code, a form to try it, and errors. */
export function routePage(route: Route, baseUrl: string, live: LiveFigures): Html | Promise<Html> {
  const { path, summary, availability, cost } = route;
  const credits = quantity(cost, 'credit');
  const description = `GET ${path}: parameters, fields with how often they are filled, an example answer and code. ${credits}.`;
  return layout(
    summary,
    routeAddress(path),
    html`<h1>${summary}</h1>
<p class="route"><code>GET ${path}</code></p>
<p><span class="badge ${availability}">${availabilityLabel(route)}</span> · <b>${credits}</b> for each answer with new data. <a href="/docs/credits#errors-are-free">Errors are free</a>, and so are cached answers and requests with a development key.</p>
<div class="split"><div>${parameterTable(route)}${fieldTable(route, live)}</div>
<div class="example">${codeBlocks(route, baseUrl)}${exampleBlock(route)}</div></div>
<h2 id="try">Try it</h2>${keyField}${tryForm(path, allParameters(route), Object.keys(route.identifiers)[0])}
${errorTableOf(availability)}
<script src="/docs/try.js" type="module"></script>`,
    { side: referenceMenu(path), preview: { description, base_url: baseUrl } },
  );
}

const allParameters = (route: Route): Record<string, Parameter> => ({ ...route.identifiers, ...parametersOf(route) });

function parameterTable(route: Route): Html | Promise<Html> {
  const identifiers = Object.keys(route.identifiers);
  const needed = (name: string) => {
    if (identifiers.includes(name)) return identifiers.length === 1 ? 'required' : 'one of these';
    return name in (route.required ?? {}) ? 'required' : 'optional';
  };
  return html`<h2 id="parameters">Parameters</h2>
<dl class="rows">${Object.entries(allParameters(route)).map(
    ([name, { description, example }]) =>
      html`<div><dt><code>${name}</code> <span class="hint">${needed(name)}</span></dt><dd>${description}${example === '' ? '' : html`. Example: <code>${example}</code>`}</dd></div>`,
  )}</dl>`;
}

function fieldTable(route: Route, live: LiveFigures): Html | Promise<Html> | null {
  if (route.availability === 'planned') return null;
  const { container, collector } = route;
  const sources = accuracySources(collector.name, live);
  return html`<h2 id="fields">Fields of the answer</h2>
<p>${container === 'items' ? html`Each entry of <code>data.items</code>` : html`<code>data.${container}</code>`} has these fields. ${sources}</p>
<dl class="rows">${fieldsOf(collector.record).map(
    ({ name, type, null_means, meaning }) =>
      html`<div><dt><code>${name}</code> <span class="hint">${type}</span></dt><dd>${meaning}.${null_means === null ? '' : html` <span class="hint">Null: ${null_means}.</span>`}${accuracyCell(collector.name, name, live)}</dd></div>`,
  )}</dl>`;
}

function codeBlocks(route: Route, baseUrl: string): Html | Promise<Html> {
  const needed = { ...route.required };
  const [first] = Object.entries(route.identifiers);
  const query = [...(first ? [first] : []), ...Object.entries(needed)].map(
    ([name, { example }]) => [name, example] as const,
  );
  const samples = callSamples({ base_url: baseUrl, path: route.path, query });
  return html`<h2 id="code">Request</h2>${samples.map(
    ({ id, label, code }, index) =>
      html`<details class="code-tab" name="code"${index === 0 ? html` open` : ''}><summary>${label}</summary><figure class="code"><figcaption><span></span><button type="button" data-copy="code-${id}">Copy</button></figcaption><pre id="code-${id}" tabindex="0"><code>${code}</code></pre></figure></details>`,
  )}`;
}

function exampleBlock(route: Route): Html | Promise<Html> | null {
  if (route.availability === 'planned') return null;
  return html`<h2 id="answer">Example answer</h2><figure class="code"><figcaption>JSON<button type="button" data-copy="example-answer">Copy</button></figcaption>
<pre id="example-answer" tabindex="0"><code>${highlightJson(exampleAnswer(route))}</code></pre></figure>`;
}

/** Error codes that the documentation page of each implemented route lists. */
const usualErrors = ['INVALID_INPUT', 'RESOURCE_NOT_FOUND', 'SOURCE_RESTRICTED', 'SOURCE_CAPACITY'] as const;

function errorTableOf(availability: Availability): Html | Promise<Html> {
  const codes = availability === 'planned' ? (['SOURCE_NOT_IMPLEMENTED'] as const) : usualErrors;
  return html`<h2 id="errors">Errors</h2>
<dl class="rows">${codes.map(
    (code) =>
      html`<div><dt><a href="/docs/errors#${code}"><code>${code}</code></a> <span class="hint">${errorTable[code].status}</span></dt><dd>${errorTable[code].message}</dd></div>`,
  )}</dl>
<p>Errors are never charged. <a href="/docs/errors">All errors</a></p>`;
}
