import { isDay } from '../../db/calendar.ts';
import { checkLedger } from '../../db/money/ledger.ts';
import { type LedgerEntry, listEntries } from '../../db/money/ledger-entries.ts';
import { type Command, existingWorkspace, lines, textTable, wholeNumber, wrongUse } from './command.ts';

export const ledgerCheck: Command = {
  name: 'ledger check',
  usage: '',
  does: 'compares every balance with the sum of its entries; exit code 1 when one differs',
  args: [],
  options: [],
  async run({ db }) {
    const { workspaces, entries, mismatches } = await checkLedger(db.sql);
    const counts = { workspaces, entries, mismatches: mismatches.length };
    const details = mismatches.length > 0 ? `\n\n${textTable(mismatches)}` : '';
    return {
      json: { ...counts, details: mismatches },
      text: lines(counts) + details,
      exit_code: mismatches.length > 0 ? 1 : 0,
    };
  },
};

const defaultLimit = 20;
const maxLimit = 1_000;

export const ledgerShow: Command = {
  name: 'ledger show',
  usage: 'ID [--limit N] [--since DATE] [--before ENTRY]',
  does: `shows the newest ${defaultLimit} ledger entries of a workspace, with the balance after each`,
  args: ['ID'],
  options: ['limit', 'since', 'before'],
  async run(context) {
    const { options, db } = context;
    const limit = atLeastOne('--limit', options.limit) ?? defaultLimit;
    if (limit > maxLimit) throw wrongUse(ledgerShow, `--limit must be at most ${maxLimit}.`);
    const { since = null } = options;
    if (since !== null && !isDay(since))
      throw wrongUse(ledgerShow, `--since must be a date such as 2026-11-30, not "${since}".`);
    const before = atLeastOne('--before', options.before);
    const { workspace_id, name, balance } = await existingWorkspace(ledgerShow, 'ID', context);
    const found = await listEntries(db.sql, workspace_id, { from: since, before, limit: limit + 1 });
    const entries = found.slice(0, limit);
    const next = found.length > limit ? (entries.at(-1)?.entry_no ?? null) : null;
    const older = next === null ? '' : `\n\nOlder entries: add --before ${next}`;
    const workspace = { workspace_id, name, balance };
    return {
      json: { ...workspace, entries, next_before: next },
      text: `${lines(workspace)}\n\n${textTable(entries.map(rowOf))}${older}`,
    };
  },
};

function atLeastOne(option: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  const number = wholeNumber(ledgerShow, option, text);
  if (number < 1) throw wrongUse(ledgerShow, `${option} must be at least 1.`);
  return number;
}

/** Returns the columns of an entry in the table of the command. */
function rowOf({ entry_no, created_at, kind, credits, balance_after, route, request_id, reason }: LedgerEntry) {
  return { entry: entry_no, created_at, kind, credits, balance_after, route, request_id, reason };
}
