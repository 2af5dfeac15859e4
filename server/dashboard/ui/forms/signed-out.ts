import { html } from 'hono/html';
import { answerPage } from '../answer-page.ts';
import { publicPage } from '../layout.ts';
import { redirect } from '../section.ts';
import { readTyped, sendAgainButton } from './typed-form.ts';

/**
 * Redirects to the sign-in page, from which the user returns to the same page. For a submitted form, returns a page
 * with the typed texts instead, so that the texts are not lost.
 */
export function toSignIn(request: Request, url: URL): Response | Promise<Response> {
  if (request.method === 'POST') return answerSignedOut(request, url);
  if (request.method !== 'GET' && request.method !== 'HEAD') return redirect('/sign-in');
  return redirect(`/sign-in?next=${encodeURIComponent(url.pathname + url.search)}`);
}

/**
 * Returns a page for a form that arrived after the session had expired. The page shows the typed texts and has a button
 * that sends the form again after a new sign-in in another tab. Nothing is stored. A form without typed text leads to
 * the sign-in page.
 */
async function answerSignedOut(request: Request, { pathname, search }: URL): Promise<Response> {
  const form = await readTyped(request);
  if (form.typed.length === 0) return redirect('/sign-in');
  const content = html`<div class="box"><h1>You were signed out</h1>
<p>Nothing was changed. What you typed is kept on this page.</p>
<ol><li><a href="/sign-in" target="_blank" rel="noopener">Sign in in a new tab</a></li><li>Come back to this tab and send the form again.</li></ol>
${form.missing.length > 0 ? html`<p class="hint">Not kept: ${form.missing.join(' and ')}. To enter it again, open the page of the form after you signed in.</p>` : null}
${sendAgainButton(pathname + search, form)}</div>`;
  return answerPage(publicPage('You were signed out', content), 401);
}
