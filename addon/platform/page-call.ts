import { type Failure, failureSentence } from './failure-sentence.ts';
import { googleCause } from './google-errors.ts';
import { failureLink, knownFailure } from './page-failure.ts';
import type { PageFailure, PageLink } from './page-replies.ts';
import { basicPermissions, type Permission, permissionFailure } from './permissions.ts';
import { network } from './platform.ts';

/** Maximum number of characters of Google's error text that a message for the user quotes. */
const maxMessageCharacters = 200;

/**
 * Wraps a function that the sidebar calls. The wrapped function throws when a formula calls it, because only a user may
 * start it. For the sidebar, an error becomes a sentence with its cause, see {@link failureOf}.
 */
export function forPage<Args extends unknown[], Reply>(
  entry: (...args: Args) => Reply,
): (...args: Args) => Reply | PageFailure {
  return (...args) => {
    SpreadsheetApp.getUi();
    try {
      return entry(...args);
    } catch (error) {
      return failureOf(error);
    }
  };
}

/**
 * Wraps a function that the menu calls. The wrapped function throws when a formula calls it, because only a user may
 * start it. Every other error is shown in a dialog, with its cause and a link to the page that helps.
 */
export function forMenu(entry: () => void): () => void {
  return () => {
    const ui = SpreadsheetApp.getUi();
    try {
      entry();
    } catch (error) {
      const { message, link } = failureOf(error);
      const text = link === undefined ? message : `${message}\n\n${link.label}: ${link.url}`;
      ui.alert('This did not work', text, ui.ButtonSet.OK);
    }
  };
}

/**
 * Returns a sentence for the user about an error: the message of a {@link PlainError}, the sentence for a known cause,
 * or a sentence that quotes Google's error text.
 */
export function failureOf(error: unknown): PageFailure {
  const code = error instanceof PlainError ? error.code : googleCause(String(error));
  const missing = code === 'PERMISSION_MISSING' ? permissionFailure(basicPermissions) : null;
  if (missing !== null) return missing;
  if (error instanceof PlainError) {
    const { message, link } = error;
    return { ok: false, message, ...(code !== null && { code }), ...(link !== null && { link }) };
  }
  network.log(`A function of the add-on failed: ${String(error)}`);
  if (code !== null) return knownFailure(code);
  const reason = (error instanceof Error ? error.message : String(error)).slice(0, maxMessageCharacters);
  const message = `Google Sheets refused this: “${reason}” Reload the file and try again.`;
  return { ok: false, message, code: 'GOOGLE_ERROR', link: failureLink('GOOGLE_ERROR') };
}

/** An error whose message is a complete sentence for the user. `code` and `link`: see {@link PageFailure}. */
export class PlainError extends Error {
  readonly code: string | null;
  readonly link: PageLink | null;

  constructor(message: string, code: string | null = null, link: PageLink | null = null) {
    super(message);
    this.code = code;
    this.link = link ?? (code === null ? null : failureLink(code));
  }
}

/**
 * An error of the API, or of the connection to it, with a sentence for the user about the cause. `more`: a sentence
 * that is added at the end.
 */
export class FailureError extends PlainError {
  constructor(failure: Failure, more = '') {
    super(`${failureSentence(failure)} ${more}`.trim(), failure.code);
  }
}

/**
 * Checks that the user has given the add-on a permission.
 *
 * @throws PlainError with a link to Google's consent page when the permission is missing.
 */
export function requirePermission(name: Permission): void {
  const failure = permissionFailure([name]);
  if (failure !== null) throw new PlainError(failure.message, failure.code, failure.link);
}
