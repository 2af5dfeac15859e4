import { html } from 'hono/html';
import type { Parameter } from '../../data/parameter.ts';
import type { Html } from '../layout.ts';

/** Returns the HTML anchor of a route. The ids of the inputs in the form of the route begin with this anchor. */
export const routeAnchor = (path: string) => path.slice(1).replaceAll('/', '-');

/** The input for the API key. All forms of a page use the same input. */
export const keyField = html`<p class="keyline"><label for="key">Your API key</label><input id="key" type="password" autocomplete="off" spellcheck="false" placeholder="tide_test_…"><span class="hint">A test key costs nothing. Stored in this tab only.</span></p>`;

/** Returns a form that sends a request. The input of the parameter `first` is filled with its example. */
export function tryForm(
  path: string,
  parameters: Record<string, Pick<Parameter, 'description' | 'example'>>,
  first: string | undefined,
): Html | Promise<Html> {
  return html`<form class="try" action="${path}" method="get">
<div class="fields">${Object.entries(parameters).map(([name, parameter]) => {
    const id = `${routeAnchor(path)}-${name}`;
    const value = name === first ? parameter.example : '';
    return html`<label for="${id}"><code>${name}</code></label><input id="${id}" name="${name}" value="${value}" placeholder="${parameter.example}" autocomplete="off"><span class="hint">${parameter.description}</span>`;
  })}</div>
<button type="submit">Send</button><pre class="answer" hidden tabindex="0" aria-live="polite"></pre></form>`;
}
