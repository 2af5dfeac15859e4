import { html } from 'hono/html';
import { catalog } from '../data/catalog.ts';
import type { Parameter } from '../data/parameter.ts';
import { type Availability, parametersOf, type Route } from '../data/route.ts';
import { apiVersion } from '../openapi/document.ts';
import { campaignsParameters, reportParameters } from '../workflows/campaigns.ts';
import { type Workflow, workflows } from '../workflows/catalog.ts';
import { type Html, layout } from './layout.ts';

const anchor = (path: string) => path.slice(1).replaceAll('/', '-');

const availabilityLabels: Record<Availability, string> = {
  available: 'Live data',
  preview: 'Live data; test it before you rely on it',
  unavailable: 'Cached answers and samples only; live requests get error 503',
  planned: 'Not available yet: requests get error 501',
};

/** Returns the reference page, which lists every route with a form that sends a request to it. */
export function referencePage(baseUrl: string): Html | Promise<Html> {
  const sections = Map.groupBy(catalog, (route) => route.path.split('/')[2] as string);
  return layout(
    'Reference',
    '/docs',
    html`<h1>API reference</h1>
<p>Version ${apiVersion}. Every route is a <code>GET</code> request with your key in the header <code>x-api-key</code>. A development key returns fixed samples for free. A production key returns live public data, or an error. In paths, <code>photo</code> is Instagram, <code>shortvideo</code> TikTok, <code>longvideo</code> YouTube. For programs: <a href="/openapi.json">OpenAPI 3.1</a>, <a href="/llms.txt">llms.txt</a>.</p>
<pre tabindex="0"><code>curl -H "x-api-key: $KEY" "${baseUrl}/v1/photo/profile?handle=tidemark.sample"</code></pre>
<p class="keyline"><label for="key">API key for the forms on this page</label><input id="key" type="password" autocomplete="off" spellcheck="false" placeholder="tide_test_…"><span class="hint">stored in this tab only</span></p>
<h2>All routes</h2>
<div class="scroll"><table class="routes"><thead><tr><th scope="col">Path</th><th scope="col" class="number">Credits</th><th scope="col">Availability</th><th scope="col">Result</th></tr></thead><tbody>
${catalog.map(
  (route) =>
    html`<tr><td><a href="#${anchor(route.path)}"><code>${breakable(route.path)}</code></a></td><td class="number">${route.cost}</td><td>${badge(route.availability)}</td><td>${route.summary}</td></tr>`,
)}
</tbody></table></div>
${accountSection()}
${[...sections].map(
  ([name, routes]) =>
    html`<section aria-labelledby="group-${name}"><h2 id="group-${name}">${name}</h2>${routes.map(routeArticle)}</section>`,
)}
<script src="/docs/try.js" type="module"></script>`,
    { markdown: '/docs.md' },
  );
}

/** Returns a path in which a line can break after each slash. */
const breakable = (path: string) =>
  path
    .split('/')
    .slice(1)
    .map((part) => html`/${part}<wbr>`);

function badge(availability: Availability): Html | Promise<Html> {
  return html`<span class="badge ${availability}" title="${availabilityLabels[availability]}">${availability}</span>`;
}

function routeArticle(route: Route): Html | Promise<Html> {
  const parameters = { ...route.identifiers, ...parametersOf(route) };
  const names = Object.keys(route.identifiers);
  const container = route.availability === 'planned' ? null : route.container;
  const required =
    names.length === 1
      ? html`<code>${names[0] as string}</code> is required.`
      : html`Send exactly one of ${names.map((name, index) => html`${index > 0 ? ', ' : ''}<code>${name}</code>`)}.`;
  return html`<article id="${anchor(route.path)}"><h3><code>${route.path}</code> ${badge(route.availability)} <span class="price">${route.cost} ${route.cost === 1 ? 'credit' : 'credits'}</span></h3>
<p>${route.summary}${container ? html`, in <code>data.${container}</code>` : ''}. ${required}</p>
${tryForm(route.path, parameters, names)}</article>`;
}

type Field = Pick<Parameter, 'description' | 'example'>;

function tryForm(path: string, parameters: Record<string, Field>, open: string[]): Html | Promise<Html> {
  return html`<form class="try" action="${path}" method="get"><details><summary>Parameters and test request</summary>
<div class="fields">${Object.entries(parameters).map(([name, parameter]) => {
    const id = `${anchor(path)}-${name}`;
    const value = name === open[0] ? parameter.example : '';
    return html`<label for="${id}"><code>${name}</code></label><input id="${id}" name="${name}" value="${value}" placeholder="${parameter.example}" autocomplete="off"><span class="hint">${parameter.description}</span>`;
  })}</div>
<button type="submit">Send</button><pre class="answer" hidden tabindex="0" aria-live="polite"></pre></details></form>`;
}

function accountSection(): Html | Promise<Html> {
  return html`<section aria-labelledby="group-sheets"><h2 id="group-sheets">Account and workflows</h2>
<article id="v1-credit-balance"><h3><code>/v1/credit/balance</code> <span class="price">free</span></h3><p>Credits left, in <code>data.credits_remaining</code>, with the workspace, its tier and the key of the request.</p>${tryForm('/v1/credit/balance', {}, [])}</article>
${workflows.map(workflowArticle)}
<article id="v1-workflows-campaigns"><h3><code>/v1/workflows/campaigns</code> <span class="price">free</span></h3><p>The campaigns of the workspace, in <code>data.items</code>. Needs a production key.</p>${tryForm('/v1/workflows/campaigns', campaignsParameters, [])}</article>
<article id="v1-workflows-campaign-report"><h3><code>/v1/workflows/campaign-report</code> <span class="price">free</span></h3><p>The newest finished weekly report of a campaign, in <code>data</code>. Before the first one is finished: the current week so far. Needs a production key, and a workspace that has bought a credit pack once. <code>id</code> is required.</p>${tryForm('/v1/workflows/campaign-report', reportParameters, ['id'])}</article></section>`;
}

function workflowArticle({ path, price, description, columns, parameters, required }: Workflow): Html | Promise<Html> {
  return html`<article id="${anchor(path)}"><h3><code>${path}</code> <span class="price">${price}</span></h3><p>${description} <code>${required}</code> is required.</p>
<p>The rows are in <code>data.rows</code>, their columns in <code>data.columns</code>: <code>${columns.join(', ')}</code>.</p>${tryForm(path, parameters, [required])}</article>`;
}
