import { html } from 'hono/html';
import { type ErrorRow, errorTable } from '../../pipeline/errors.ts';
import { type Html, layout } from './layout.ts';

/** One section for each code; the `documentation_url` of an error leads here. */
export function errorsPage(): Html | Promise<Html> {
  const rows = Object.entries(errorTable as Record<string, ErrorRow>);
  return layout(
    'Errors',
    '/docs/errors',
    html`<h1>Errors</h1>
<p>Errors are never charged. The body of every answer that is not 200:</p>
<pre><code>{ "error": { "code", "message", "status", "retryable", "retry_after_seconds", "documentation_url", "details": [{ "parameter", "message" }] },
  "meta": { "request_id", "credits_charged": 0, "sandbox" } }</code></pre>
${rows.map(
  ([
    code,
    row,
  ]) => html`<article id="${code}"><h2><code>${code}</code> <span class="price">${row.status}</span></h2><p>${row.message}</p>
<p class="hint">${row.retryable ? 'The same request can succeed later.' : 'Retrying it as it is does not help.'}</p></article>`,
)}`,
  );
}
