import type { PageFailure } from './page-replies.ts';
import { network } from './platform.ts';

/**
 * Wraps an entry point of the sidebar. It throws in a cell, and gives the page a sentence instead of an exception: the
 * message of a {@link PlainError}, or a general one for other errors, which are logged.
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
