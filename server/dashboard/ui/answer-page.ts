import type { Html } from '../../docs/layout.ts';
import { moveProblem } from './forms/field-problem.ts';

/**
 * Content-Security-Policy of the pages: only files from this server, no framing, and only forms that lead to this
 * server or the payment page.
 */
const pagePolicy =
  "default-src 'none'; style-src 'self'; script-src 'self'; font-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self' https://checkout.stripe.com; base-uri 'none'; frame-ancestors 'none'";

/** Security headers of every page, download and redirect. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': pagePolicy,
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
};

/** Returns a page as a response. `formTargets` are other origins to which the forms of the page may redirect. */
export async function answerPage(
  page: Html | Promise<Html>,
  status = 200,
  formTargets: readonly string[] = [],
): Promise<Response> {
  const policy = pagePolicy.replace("form-action 'self'", ["form-action 'self'", ...formTargets].join(' '));
  return new Response(moveProblem(String(await page)), {
    status,
    headers: { ...pageHeaders, 'content-security-policy': policy },
  });
}
