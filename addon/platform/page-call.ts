import type { PageFailure } from './page-replies.ts';
import { network } from './platform.ts';

/**
 * Makes an entry point of the sidebar: it throws in a cell, and a page gets a sentence instead of an exception.
 * What `Error`s of ours say is for people; what Google's say goes to the log.
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
      network.log(`The sidebar failed: ${String(error)}`);
      return { ok: false, message: 'The sheet did not allow this. Reload the file and try again.' };
    }
  };
}

/** An error whose message is a sentence for the person at the sheet. */
export class PlainError extends Error {}
