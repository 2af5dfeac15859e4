import { html } from 'hono/html';
import { answerPage } from '../answer-page.ts';
import type { Piece } from '../components.ts';
import { publicPage } from '../layout.ts';
import { readForm, redirect } from '../section.ts';

/**
 * Redirects to the sign-in page, from which the user returns to the same page. For a submitted form, returns a page
 * that shows the typed texts instead, so that they are not lost.
 */
export function toSignIn(request: Request, url: URL): Response | Promise<Response> {
  if (request.method === 'POST') return answerSignedOut(request, url);
  if (request.method !== 'GET' && request.method !== 'HEAD') return redirect('/sign-in');
  return redirect(`/sign-in?next=${encodeURIComponent(url.pathname + url.search)}`);
}

/** Matches the names of form fields with secrets, which are never written into a page. */
const secretField = /password|secret|token|code|answer/i;
/** Matches the names of form fields that the user did not type, such as ids and choices. */
const ownField = /^(?:for_workspace|once|back|act|scope|to|list|campaign|channel|condition)$|_id$|^id$/;

/**
 * Returns a page for a form that arrived after the session had expired. It shows what was typed and has a button that sends it again after
 * a new sign-in in another tab. Nothing is stored. A form without typed text leads to the sign-in page.
 */
async function answerSignedOut(request: Request, { pathname, search }: URL): Promise<Response> {
  const sent = [...(await readForm(request))];
  const kept = sent.flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && !secretField.test(name) ? [[name, value]] : [],
  );
  const typed = kept.filter(([name, value]) => value.trim() !== '' && !ownField.test(name));
  if (typed.length === 0) return redirect('/sign-in');
  const files = sent.some(([, value]) => typeof value !== 'string' && value.size > 0);
  const missing = [
    ...(files ? ['the file'] : []),
    ...(sent.some(([name]) => secretField.test(name)) ? ['the password or code'] : []),
  ];
  const content = html`<div class="box"><h1>You were signed out</h1>
<p>Nothing was changed. What you typed is kept on this page.</p>
<ol><li><a href="/sign-in" target="_blank" rel="noopener">Sign in in a new tab</a></li><li>Come back to this tab and send the form again.</li></ol>
${missing.length > 0 ? html`<p class="hint">Not kept: ${missing.join(' and ')}. To enter it again, open the page of the form after you signed in.</p>` : null}
<form method="post" action="${pathname + search}" enctype="multipart/form-data">${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<button>Send again</button></form>
<h2>What you typed</h2><dl class="typed">${typed.map(typedField)}</dl></div>`;
  return answerPage(publicPage('You were signed out', content), 401);
}

const typedField = ([name, value]: [string, string]): Piece =>
  html`<dt>${name.replaceAll('_', ' ')}</dt><dd><pre>${value}</pre></dd>`;
