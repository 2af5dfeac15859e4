import type { MiddlewareHandler } from 'hono';
import { html } from 'hono/html';
import { answerPage } from './answer-page.ts';
import { publicPage } from './layout.ts';

/**
 * Returns middleware that protects against cross-site request forgery. The middleware accepts a form only when its
 * `Origin` header is the origin of BASE_URL. When the browser sends `Sec-Fetch-Site`, this header must be
 * `same-origin`.
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

/**
 * Returns the origins from which forms are accepted: the server's own. When BASE_URL is a loopback address, all
 * loopback names, such as localhost and 127.0.0.1, are accepted.
 */
function originsOf(base: URL): ReadonlySet<string> {
  if (!loopbackNames.includes(base.hostname)) return new Set([base.origin]);
  const port = base.port === '' ? '' : `:${base.port}`;
  return new Set(loopbackNames.map((name) => `${base.protocol}//${name}${port}`));
}
