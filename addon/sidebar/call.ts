import type * as pageEntries from '../page-entries.ts';
import type { PageFailure } from '../platform/page-replies.ts';
import type * as sheetEntries from '../sheet-entries.ts';

type Entries = typeof pageEntries & Omit<typeof sheetEntries, 'refreshOnSchedule'>;

/** `google.script.run`, of which every call begins a new chain. */
type Runner = {
  withSuccessHandler: (handler: (reply: unknown) => void) => Runner;
  withFailureHandler: (handler: (error: unknown) => void) => Runner;
} & Record<string, (...args: unknown[]) => void>;
declare const google: { script: { run: Runner } };

const notRun: PageFailure = {
  ok: false,
  message: 'Google Sheets did not answer. Check your connection and try again; if it goes on, reload the file.',
};

/** Runs a function of the add-on; never rejects: what goes wrong on the way is a failure with a sentence. */
export function ask<Name extends keyof Entries>(
  name: Name,
  ...args: Parameters<Entries[Name]>
): Promise<ReturnType<Entries[Name]> | PageFailure> {
  return new Promise((resolve) => {
    try {
      google.script.run
        .withSuccessHandler((reply) => resolve(isReply(reply) ? (reply as ReturnType<Entries[Name]>) : notRun))
        .withFailureHandler(() => resolve(notRun))
        [name]?.(...args);
    } catch {
      resolve(notRun);
    }
  });
}

function isReply(reply: unknown): boolean {
  return typeof reply === 'object' && reply !== null && 'ok' in reply;
}
