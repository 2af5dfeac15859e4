import type * as pageEntries from '../page-entries.ts';
import { googleCause } from '../platform/google-errors.ts';
import { failureLink, knownFailure } from '../platform/page-failure.ts';
import type { PageFailure } from '../platform/page-replies.ts';
import type * as sheetEntries from '../sheet-entries.ts';
import { afterPress } from './presses.ts';

type Entries = typeof pageEntries & Omit<typeof sheetEntries, 'refreshOnSchedule'>;

/** The type of `google.script.run`, which calls the server code of the add-on. Each call needs its own handlers. */
type Runner = {
  withSuccessHandler: (handler: (reply: unknown) => void) => Runner;
  withFailureHandler: (handler: (error: unknown) => void) => Runner;
} & Record<string, (...args: unknown[]) => void>;
declare const google: { script: { run: Runner } };

/** Maximum number of characters of Google's error text that a message for the user quotes. */
const maxMessageCharacters = 200;

/**
 * True after Google ran a call as a different account from the one that opened the sidebar. The sidebar then makes no
 * further calls, because they would change the wrong account.
 */
let otherAccount = false;

/**
 * Calls a function of the add-on's server code (Apps Script). The promise never rejects: an error becomes an answer
 * with a sentence for the user.
 */
export function callServer<Name extends keyof Entries>(
  name: Name,
  ...args: Parameters<Entries[Name]>
): Promise<ReturnType<Entries[Name]> | PageFailure> {
  if (otherAccount) return Promise.resolve(knownFailure('SEVERAL_ACCOUNTS'));
  const answer = new Promise<ReturnType<Entries[Name]> | PageFailure>((resolve) => {
    try {
      google.script.run
        .withSuccessHandler((reply) => resolve((replyFailure(reply) ?? reply) as ReturnType<Entries[Name]>))
        .withFailureHandler((error) => resolve(callFailure(error)))
        [name]?.(...args);
    } catch (error) {
      resolve(callFailure(error));
    }
  });
  return answer.then(afterPress);
}

/** Returns the reason why an answer of the add-on's server code cannot be used; null when it can. */
function replyFailure(reply: unknown): PageFailure | null {
  if (typeof reply !== 'object' || reply === null || !('ok' in reply)) return callFailure('');
  const openedBy = document.getElementById('opened-by')?.textContent ?? '';
  // A later answer without `opened_by` must not reset `otherAccount`.
  otherAccount ||= 'opened_by' in reply && openedBy !== '' && reply.opened_by !== openedBy;
  return otherAccount ? knownFailure('SEVERAL_ACCOUNTS') : null;
}

/**
 * Returns the failure for a call to the add-on's server code that Google refused or interrupted. Google's errors have
 * no codes, and their texts may be translated.
 */
function callFailure(error: unknown): PageFailure {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const code = navigator.onLine ? googleCause(text) : 'NO_CONNECTION';
  if (code !== null) return knownFailure(code);
  const reason =
    error instanceof Error && error.message !== ''
      ? ` Google says: “${error.message.slice(0, maxMessageCharacters)}”`
      : '';
  const message = `Google Sheets did not answer as expected.${reason} Reload the file and try again.`;
  return { ok: false, message, code: 'GOOGLE_ERROR', link: failureLink('GOOGLE_ERROR') };
}
