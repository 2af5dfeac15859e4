import type { MiddlewareHandler } from 'hono';
import { html } from 'hono/html';
import { answerPage } from './answer-page.ts';
import { publicPage } from './layout.ts';

/**
 * Refuses every request that changes something, of any content type, unless the browser says that it comes from a page of this
 * server: the `Origin` header must be that of BASE_URL. `Sec-Fetch-Site`, where it is sent, must agree.
 */
export function ownFormsOnly(baseUrl: string): MiddlewareHandler {
  const allowed = originsOf(new URL(baseUrl));
  return async (c, next) => {
    const site = c.req.header('sec-fetch-site') ?? 'same-origin';
    if (allowed.has(c.req.header('origin') ?? '') && site === 'same-origin') return next();
    const content = html`<h1>Form refused</h1><p>This form was not sent from a page of this server. Open <a href="${baseUrl}">${baseUrl}</a> and send the form from there.</p>`;
    return answerPage(publicPage('Form refused', content), 403);
  };
}

const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'];

/** Returns the origin of the server. On the own machine, the other names of the machine count as well. */
function originsOf(base: URL): ReadonlySet<string> {
  if (!loopbackNames.includes(base.hostname)) return new Set([base.origin]);
  const port = base.port === '' ? '' : `:${base.port}`;
  return new Set(loopbackNames.map((name) => `${base.protocol}//${name}${port}`));
}
