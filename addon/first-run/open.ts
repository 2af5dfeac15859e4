import { type SelectionView, viewSelection } from '../formulas/builder/selection.ts';
import { type Choices, readChoices } from '../platform/choices.ts';
import { readAccount } from '../platform/connect.ts';
import { PlainError } from '../platform/page-call.ts';
import type { Account } from '../platform/page-replies.ts';
import { lastRuns, type Run } from '../platform/runs.ts';

/** Maximum number of log entries (imports, refreshes, reports) that the first screen of the sidebar shows. */
const maxRecent = 3;

/**
 * Everything that the first screen of the sidebar shows. `opened_by`: an ID of the Google account, see {@link Account}.
 * `selection`: null when the selected cells cannot be used.
 */
export type Opening = {
  ok: true;
  opened_by: string;
  account: Account;
  choices: Choices;
  selection: SelectionView | null;
  runs: Run[];
};

/**
 * Returns everything that the first screen of the sidebar shows, so that the sidebar needs only one call when it opens.
 */
export function openSidebarPage(): Opening {
  const account = readAccount();
  return {
    ok: true,
    opened_by: account.opened_by,
    account,
    choices: readChoices(),
    selection: selectionOrNull(),
    runs: lastRuns().slice(0, maxRecent),
  };
}

function selectionOrNull(): SelectionView | null {
  try {
    return viewSelection();
  } catch (error) {
    if (error instanceof PlainError) return null;
    throw error;
  }
}
