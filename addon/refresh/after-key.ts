import { connect, setFormulasAllowed } from '../platform/connect.ts';
import type { Account, PageFailure } from '../platform/page-replies.ts';
import { reasonToKeep, stillLoading } from './freeze-reasons.ts';
import { callsSocial } from './sheet-formula-text.ts';

/** Saves an API key, see {@link connect}, and says which formulas the user must run again. */
export function connectKey(location: unknown, pasted: unknown): Account | PageFailure {
  return withHint(connect(location, pasted));
}

/** Allows or forbids formulas to use the owner's key, and says which formulas the user must run again. */
export function allowKeyInFormulas(allowed: unknown): Account {
  return withHint(setFormulasAllowed(allowed));
}

function withHint<Reply extends Account | PageFailure>(reply: Reply): Reply {
  if (!reply.ok || reply.formulas === null || reply.notice !== null) return reply;
  return { ...reply, notice: withoutResultSentence() };
}

/**
 * Returns a sentence for the user when formulas still show an error of the time before they had a key, because Google
 * Sheets does not run them again by itself. Returns null when all formulas have a result.
 */
export function withoutResultSentence(): string | null {
  const count = formulasWithoutResult();
  if (count === 0) return null;
  const formulas = count === 1 ? '1 formula in this file has' : `${count} formulas in this file have`;
  return `${formulas} no result yet. To run them again with this key, choose Refresh now in the section Refresh, for each sheet.`;
}

function formulasWithoutResult(): number {
  let count = 0;
  for (const sheet of SpreadsheetApp.getActiveSpreadsheet().getSheets()) {
    const used = sheet.getDataRange();
    const formulas = used.getFormulas();
    if (!formulas.flat().some(callsSocial)) continue;
    const values = used.getValues();
    formulas.forEach((line, row) => {
      line.forEach((formula, column) => {
        const reason = callsSocial(formula) ? reasonToKeep(values, formulas, { row, column }) : null;
        if (reason !== null && reason !== stillLoading) count += 1;
      });
    });
  }
  return count;
}
