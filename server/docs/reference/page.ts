import { html } from 'hono/html';
import type { Parameter } from '../../data/parameter.ts';
import { apiVersion } from '../../openapi/document.ts';
import { campaignsParameters, reportParameters } from '../../workflows/campaigns.ts';
import { type Workflow, workflows } from '../../workflows/catalog.ts';
import { type Html, layout } from '../layout.ts';
import { referenceMenu, routeAddress, routesByPlatform } from './menu.ts';
import { availabilityLabel } from './route-page.ts';
import { keyField, routeAnchor, tryForm } from './try-form.ts';

const description = 'All routes with their prices: profiles, posts, videos, comments and search as JSON.';

/**
 * Returns the reference page: a list of all routes with prices, each with a link to its page, and the routes for
 * spreadsheets.
 */
export function referencePage(baseUrl: string): Html | Promise<Html> {
  return layout(
    'API reference',
    '/docs/api',
    html`<h1>API reference</h1>
<p>Version ${apiVersion}. Every route is a <code>GET</code> request with your key in the header <code>x-api-key</code>. A test key returns fixed samples for free. A production key returns live public data, or an error. In paths, <code>photo</code> is Instagram, <code>shortvideo</code> TikTok, <code>longvideo</code> YouTube. For programs: <a href="/openapi.json">OpenAPI 3.1</a>, <a href="/llms.txt">llms.txt</a>.</p>
<pre tabindex="0"><code>curl -H "x-api-key: $KEY" "${baseUrl}/v1/photo/profile?handle=tidemark.sample"</code></pre>
${[...routesByPlatform()].map(
  ([platform, routes]) => html`<h2>${platform}</h2>
<div class="scroll"><table class="routes"><thead><tr><th scope="col">Path</th><th scope="col" class="number">Credits</th><th scope="col">Availability</th><th scope="col">Result</th></tr></thead><tbody>
${routes.map(
  (route) =>
    html`<tr><td><a href="${routeAddress(route.path)}"><code>${breakable(route.path)}</code></a></td><td class="number">${route.cost}</td><td><span class="badge ${route.availability}" title="${availabilityLabel(route)}">${route.availability}</span></td><td>${route.summary}</td></tr>`,
)}
</tbody></table></div>`,
)}
<h2 id="spreadsheets">Rows for spreadsheets, and your account</h2>
${keyField}
${article('/v1/credit/balance', 'free', html`Credits left, in <code>data.credits_remaining</code>, with the workspace, its tier and the key of the request.`, {}, '')}
${workflows.map(workflowArticle)}
${article('/v1/workflows/campaigns', 'free', html`The campaigns of the workspace, in <code>data.items</code>. Needs a production key.`, campaignsParameters, '')}
${article('/v1/workflows/campaign-report', 'free', html`The newest finished weekly report of a campaign, in <code>data</code>. Before the first one is finished: the current week so far. Needs a production key, and the tier Pro or higher.`, reportParameters, 'id')}
<script src="/docs/try.js" type="module"></script>`,
    { side: referenceMenu('/docs/api'), markdown: '/docs.md', preview: { description, base_url: baseUrl } },
  );
}

/** Returns a path in which a line can break after each slash. */
const breakable = (path: string) =>
  path
    .split('/')
    .slice(1)
    .map((part) => html`/${part}<wbr>`);

function article(
  path: string,
  price: string,
  about: Html | Promise<Html>,
  parameters: Record<string, Pick<Parameter, 'description' | 'example'>>,
  required: string,
): Html | Promise<Html> {
  return html`<article id="${routeAnchor(path)}"><h3><code>${path}</code> <span class="price">${price}</span></h3><p>${about}${required === '' ? '' : html` <code>${required}</code> is required.`}</p>
<details><summary>Parameters and test request</summary>${tryForm(path, parameters, required)}</details></article>`;
}

function workflowArticle({ path, price, description, columns, parameters, required }: Workflow): Html | Promise<Html> {
  const about = html`${description} The rows are in <code>data.rows</code>, their columns in <code>data.columns</code>: <code>${columns.join(', ')}</code>.`;
  return article(path, price, about, parameters, required);
}
