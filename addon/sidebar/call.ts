import type * as pageEntries from '../page-entries.ts';
import type { PageFailure } from '../platform/page-replies.ts';
import type * as sheetEntries from '../sheet-entries.ts';

type Entries = typeof pageEntries & Omit<typeof sheetEntries, 'refreshOnSchedule'>;

/** The type of `google.script.run`. Each call needs a new chain of handlers. */
type Runner = {
  withSuccessHandler: (handler: (reply: unknown) => void) => Runner;
  withFailureHandler: (handler: (error: unknown) => void) => Runner;
} & Record<string, (...args: unknown[]) => void>;
declare const google: { script: { run: Runner } };

const noReply: PageFailure = {
  ok: false,
  message: 'Google Sheets did not answer. Check your connection and try again; if that does not help, reload the file.',
};

/** Calls a function of the add-on. Never rejects: an error becomes an answer with a sentence for the user. */
export function callServer<Name extends keyof Entries>(
  name: Name,
  ...args: Parameters<Entries[Name]>
): Promise<ReturnType<Entries[Name]> | PageFailure> {
  return new Promise((resolve) => {
    try {
      google.script.run
        .withSuccessHandler((reply) => resolve(isReply(reply) ? (reply as ReturnType<Entries[Name]>) : noReply))
        .withFailureHandler(() => resolve(noReply))
        [name]?.(...args);
    } catch {
      resolve(noReply);
    }
  });
}

function isReply(reply: unknown): boolean {
  return typeof reply === 'object' && reply !== null && 'ok' in reply;
}
