import { html } from 'hono/html';
import { newId } from '../../../../db/ids.ts';
import { isRemovedMeanwhile } from '../../../../db/unavailable.ts';
import { asRequestError } from '../../../http/errors.ts';
import type { Piece } from '../components.ts';
import { pageIdField } from './form-once.ts';
import { readTyped, sendAgainButton } from './typed-form.ts';

/** Requests whose form was passed to the function that handles it. */
const begun = new WeakSet<Request>();

/** Records that the handling of a form has begun. If the handling fails later, some of its changes may be saved. */
export function beginForm(request: Request): void {
  begun.add(request);
}

/** Returns true for an error of an unavailable or busy database. A form with this error is answered with status 503. */
export const isAway = (error: unknown): boolean =>
  asRequestError(error).code === 'SERVICE_UNAVAILABLE' && !isRemovedMeanwhile(error);

/**
 * Returns the content of the error page for a form that could not be handled because the database is unavailable or
 * busy. The content shows what the user typed and has a button that sends the form again. Nothing is stored. Returns
 * null for other errors, for pages and for forms without typed text.
 */
export async function unavailableForm(error: unknown, request: Request, { pathname, search }: URL): Promise<Piece> {
  if (request.method !== 'POST' || !isAway(error)) return null;
  const form = await readTyped(request).catch(() => null);
  if (!form || form.typed.length === 0) return null;
  const origin = pageOf(request);
  const page = origin ? html`<a href="${origin}" target="_blank" rel="noopener">the page of the form</a>` : 'its page';
  const state = begun.has(request)
    ? html`<p>The service lost its database or had to wait too long for it, so your change may be saved or not. Look at ${page} first. If your change is missing, send the form again. Your ledger shows every charge.</p>`
    : html`<p>Nothing was changed, because the service cannot use its database. Send the form again in a few seconds.</p>`;
  const missing =
    form.missing.length > 0
      ? html`<p class="hint">Not kept: ${form.missing.join(' and ')}. To enter it again, open ${page}.</p>`
      : null;
  // The form gets a new page id. With the old id, it might count as already handled, because that mark is removed in
  // the database, which is unavailable.
  const fields = form.fields.map(([name, value]): [string, string] => [name, name === pageIdField ? newId() : value]);
  return html`${state}${missing}${sendAgainButton(pathname + search, { ...form, fields })}`;
}

/** Returns the path of the page from which a form was sent. Returns null when the browser did not send it. */
function pageOf({ headers }: Request): string | null {
  const referrer = headers.get('referer') ?? '';
  if (!URL.canParse(referrer)) return null;
  const { pathname, search } = new URL(referrer);
  return pathname.startsWith('//') ? null : pathname + search;
}
