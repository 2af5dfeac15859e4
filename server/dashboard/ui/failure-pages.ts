import { html } from 'hono/html';
import type { Role } from '../../../db/accounts/roles.ts';
import { isRemovedMeanwhile } from '../../../db/unavailable.ts';
import { type ErrorCode, errorTable } from '../../../pipeline/errors.ts';
import { icon } from '../../design/icons.ts';
import { asRequestError } from '../../http/errors.ts';
import { answerPage } from './answer-page.ts';
import type { Piece } from './components.ts';
import { dashboardPage, publicPage } from './layout.ts';
import { NotAllowed, OtherWorkspace } from './rules.ts';
import { type MenuEntry, PageNotFound, type Visit } from './section.ts';
import type { Visitor } from './visitor.ts';

/**
 * Returns the error page for a visitor who is not signed in, or whose session could not be read. `form`, if not null,
 * is the form that could not be handled, which the page shows instead of the usual sentence.
 */
export function brokenPage(error: unknown, requestId: string, form: Piece = null): Promise<Response> {
  const { title, sentence } = describe(error);
  const content = html`<h1>${title}</h1>${form ?? html`<p>${sentence}</p>`}${requestLine(requestId)}`;
  return answerFailure(error, publicPage(title, content));
}

/** Returns the page for a URL that does not exist, with links to the pages that most people look for. */
export function unknownPage(): Promise<Response> {
  const content = html`<div class="empty-state">${icon('search')}<h1>Page not found</h1><p>This address does not exist. It may be misspelled, or the page has moved.</p>
<p class="buttons"><a class="button" href="/dashboard">Open the dashboard</a><a class="button quiet" href="/docs">Read the docs</a><a class="button quiet" href="/">Go to the start</a></p></div>`;
  return answerPage(publicPage('Page not found', content), 404);
}

interface Failure extends Pick<Visit, 'visitor' | 'url' | 'request_id'> {
  menu: readonly MenuEntry[];
  /** The form that could not be handled, which the error page shows again. */
  form: Piece;
}

/**
 * Returns the error page for a signed-in user, with the menu. When the requested page does not exist, returns the "not
 * found" page.
 */
export function failedPage(error: unknown, { visitor, url, request_id, menu, form }: Failure): Promise<Response> {
  const known = knownFailure(error, visitor);
  const { title, sentence } = known ?? describe(error);
  const onward =
    known === notFound ? html`<p><a class="button quiet" href="/dashboard">Open the overview</a></p>` : null;
  const content = html`${form ?? html`<p>${sentence}</p>`}${known ? onward : requestLine(request_id)}`;
  const page = dashboardPage({ title, menu, path: url.pathname, visitor, notice: null, content });
  return known ? answerPage(page, known.status) : answerFailure(error, page);
}

const needNames: Readonly<Record<Role, string>> = { owner: 'an owner', editor: 'an editor', viewer: 'a viewer' };

/**
 * Returns title, text and status of the error page for an expected error, such as an unknown page or a missing role.
 * Returns null for every other error.
 */
function knownFailure(error: unknown, { role, sample, workspace_name: workspace }: Visitor) {
  if (error instanceof PageNotFound) return notFound;
  if (error instanceof NotAllowed && sample) return sampleRefusal;
  if (error instanceof NotAllowed)
    return {
      status: 403,
      title: 'Not allowed',
      sentence: `This needs ${needNames[error.need]}, and you are ${needNames[role]} of ${workspace}. Nothing was changed. Ask an owner of the workspace to do it, or to change your role under People.`,
    };
  if (error instanceof OtherWorkspace)
    return {
      status: 409,
      title: 'Another workspace is chosen',
      sentence: `You now work in ${workspace}, but this form was opened for another workspace. Nothing was changed. Choose the workspace at the top, open the page again and repeat it there.`,
    };
  if (isRemovedMeanwhile(error)) return removedMeanwhile;
  return null;
}

const sampleRefusal = {
  status: 403,
  title: 'Only sample data',
  sentence: 'Sample data cannot be changed. Go back to your own workspace with the button above, and do it there.',
};

const removedMeanwhile = {
  status: 409,
  title: 'This was just removed',
  sentence:
    'Something that this form uses was just removed. Nothing was changed. Go back, reload the page and try again.',
};

const notFound = {
  status: 404,
  title: 'Not found',
  sentence: 'This page does not exist, or it belongs to another workspace.',
};

function describe(error: unknown): { title: string; sentence: string } {
  const { code, message } = asRequestError(error);
  if (code === 'BODY_TOO_LARGE') return { title: 'Form too large', sentence: message };
  if (code === 'INVALID_INPUT') return { title: 'Form not accepted', sentence: message };
  if (code === 'SERVICE_UNAVAILABLE')
    return {
      title: 'Not available right now',
      sentence: 'The service cannot use its database. Try again in a few seconds. Your ledger shows every charge.',
    };
  return {
    title: 'Something went wrong',
    sentence:
      'This is an error on our side, and we have logged it. Try again in a moment. Your ledger shows every charge.',
  };
}

const requestLine = (requestId: string): Piece => html`<p class="hint">Request ID: ${requestId}</p>`;

/** Error codes whose own HTTP status an error page has. For any other error, the page has status 500. */
const pageCodes: ReadonlySet<ErrorCode> = new Set(['BODY_TOO_LARGE', 'INVALID_INPUT', 'SERVICE_UNAVAILABLE']);

/** Returns an error page with the HTTP status of the error. */
export async function answerFailure(error: unknown, page: ReturnType<typeof publicPage>): Promise<Response> {
  const { code, retry_after_seconds } = asRequestError(error);
  const response = await answerPage(page, pageCodes.has(code) ? errorTable[code].status : 500);
  if (retry_after_seconds !== null) response.headers.set('retry-after', String(retry_after_seconds));
  return response;
}
