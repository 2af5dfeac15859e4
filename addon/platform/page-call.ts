import type { PageFailure } from './page-replies.ts';
import { network } from './platform.ts';

/**
 * Wraps a function that the sidebar calls. The wrapped function throws when a formula calls it. For the sidebar, an error
 * becomes a sentence: the message of a {@link PlainError}, or a general sentence for any other error, which is logged.
 */
export function forPage<Args extends unknown[], Reply>(
  entry: (...args: Args) => Reply,
): (...args: Args) => Reply | PageFailure {
  return (...args) => {
    SpreadsheetApp.getUi();
    try {
      return entry(...args);
    } catch (error) {
      if (error instanceof PlainError) return { ok: false, message: error.message };
      network.log(`A function of the sidebar failed: ${String(error)}`);
      return { ok: false, message: 'Google Sheets did not allow this. Reload the file and try again.' };
    }
  };
}

/** An error whose message is a sentence for the user. */
export class PlainError extends Error {}
