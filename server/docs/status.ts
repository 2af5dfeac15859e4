import { html } from 'hono/html';
import type { ServiceStatus } from '../status/status.ts';
import { type Html, layout } from './layout.ts';

const summaries: Record<ServiceStatus['status'], string> = {
  ok: 'The service and all its sources work.',
  degraded: 'The service works with limits: a source is paused, a route fails, or the numbers below cannot be read.',
};

const stateLabels: Record<ServiceStatus['sources'][number]['state'], string> = {
  closed: 'in use',
  open: 'paused',
  probing: 'being tested',
};

/** Returns the status page. */
export function statusPage(status: ServiceStatus): Html | Promise<Html> {
  return layout(
    'Status',
    '/v1/status',
    html`<h1>Status: ${status.status}</h1>
<p>${summaries[status.status]} Updated ${time(status.generated_at)}. Programs get this page as JSON at the same address.</p>
<h2>Sources</h2>
${sourcesTable(status.sources)}
<h2>Routes</h2>
<p class="hint">Requests of the last 24 hours that fetched new data; samples and cached answers are not counted. &ldquo;Not found&rdquo; and &ldquo;private&rdquo; count as successful answers.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Routes"><table><thead><tr><th scope="col">Path</th><th scope="col">Availability</th><th scope="col" class="number">Requests</th><th scope="col" class="number">Success rate</th><th scope="col" class="number">Median time</th><th scope="col" class="number">95% within</th><th scope="col">Last success</th></tr></thead><tbody>
${status.routes.map(routeRow)}
</tbody></table></div>`,
  );
}

function sourcesTable(sources: ServiceStatus['sources']): Html | Promise<Html> {
  if (sources.length === 0) return html`<p>No source was used since the service started.</p>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Sources"><table><thead><tr><th scope="col">Source</th><th scope="col">State</th><th scope="col" class="number">Failures in a row</th><th scope="col">Paused until</th></tr></thead><tbody>
${sources.map(
  ({ source, state, consecutive_failures, open_until }) =>
    html`<tr><td><code>${source}</code></td><td><span class="badge ${state === 'closed' ? 'available' : 'unavailable'}">${stateLabels[state]}</span></td><td class="number">${consecutive_failures}</td><td>${time(open_until)}</td></tr>`,
)}
</tbody></table></div>`;
}

function routeRow(route: ServiceStatus['routes'][number]): Html | Promise<Html> {
  const { path, availability, requests_24h, success_rate_24h, p50_ms, p95_ms, last_success_at } = route;
  return html`<tr><td><code>${path}</code></td><td><span class="badge ${availability}">${availability}</span></td><td class="number">${requests_24h ?? unknown}</td><td class="number">${percent(success_rate_24h)}</td><td class="number">${milliseconds(p50_ms)}</td><td class="number">${milliseconds(p95_ms)}</td><td>${time(last_success_at)}</td></tr>`;
}

const unknown = '–';
const milliseconds = (value: number | null) => (value === null ? unknown : `${value} ms`);
const percent = (share: number | null) => (share === null ? unknown : `${(share * 100).toFixed(2)} %`);

function time(iso: string | null): Html | Promise<Html> | string {
  if (iso === null) return unknown;
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
}
