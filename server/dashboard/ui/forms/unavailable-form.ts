import { html } from 'hono/html';
import { newId } from '../../../../db/ids.ts';
import { isRemovedMeanwhile } from '../../../../db/unavailable.ts';
import { asRequestError } from '../../../http/errors.ts';
import type { Piece } from '../components.ts';
import { pageIdField } from './form-once.ts';
import { readTyped, sendAgain } from './typed-form.ts';

/** Requests whose form was passed to the function that handles it. */
const begun = new WeakSet<Request>();

/** Notes that the work of a form begins. If it fails later, a part of it may be saved. */
export function beginForm(request: Request): void {
  begun.add(request);
}

/** Returns true when a form could not be handled because the database is away or busy. Such a form is answered with 503. */
export const isAway = (error: unknown): boolean =>
  asRequestError(error).code === 'SERVICE_UNAVAILABLE' && !isRemovedMeanwhile(error);

/**
 * Returns the content of the error page for a form that could not be handled because the database is away or busy. It
 * shows what was typed and has a button that sends it again. Nothing is stored. Returns null for other errors, for pages
 * and for forms without typed text.
 */
export async function unavailableForm(error: unknown, request: Request, { pathname, search }: URL): Promise<Piece> {
  if (request.method !== 'POST' || !isAway(error)) return null;
  const form = await readTyped(request).catch(() => null);
  if (!form || form.typed.length === 0) return null;
  const origin = pageOf(request);
  const page = origin ? html`<a href="${origin}" target="_blank" rel="noopener">the page of the form</a>` : 'its page';
  const state = begun.has(request)
    ? html`<p>The service lost its database or had to wait too long for it, so your change may be saved or not. Look at ${page} first. If your change is missing, send the form again. Your ledger shows every charge.</p>`
    : html`<p>Nothing was changed, because the service cannot reach its database. Send the form again in a few seconds.</p>`;
  const missing =
    form.missing.length > 0
      ? html`<p class="hint">Not kept: ${form.missing.join(' and ')}. To enter it again, open ${page}.</p>`
      : null;
  // The new id makes this a new form: while the database is away, the id of the first one cannot be released.
  const fields = form.fields.map(([name, value]): [string, string] => [name, name === pageIdField ? newId() : value]);
  return html`${state}${missing}${sendAgain(pathname + search, { ...form, fields })}`;
}

/** Returns the path of the page from which a form was sent. Returns null when the browser did not say. */
function pageOf({ headers }: Request): string | null {
  const referrer = headers.get('referer') ?? '';
  if (!URL.canParse(referrer)) return null;
  const { pathname, search } = new URL(referrer);
  return pathname.startsWith('//') ? null : pathname + search;
}
