import { type BatchPlan, bulkAnalysis, type NewRow } from '../../db/deliveries/batches.ts';
import type { Tier } from '../../db/tier.ts';

import { type OwnColumns, ownColumnsProblem } from '../rows/own-columns.ts';
import { refusedRow } from '../rows/profile-row.ts';
import { tiers } from '../tiers.ts';
import { type RowKind, rowKinds } from './row-requests.ts';

export const maxLineCharacters = 2_048;
/** Maximum number of characters in a list that a user submits for a bulk analysis, including blank lines. */
export const maxBatchCharacters = 1_000_000;

/** Returns true when a list has more lines that are not blank than the tier allows in one bulk analysis. */
export function hasTooManyLines(lines: readonly string[], tier: Tier): boolean {
  return lines.filter((line) => line.trim() !== '').length > tiers[tier].batch_urls;
}

/**
 * Returns one row for each line of a submitted list that is not blank, with its line number. When the whole list is
 * refused (empty, too long), returns one sentence that says why.
 */
export function readLines(
  lines: readonly string[],
  tier: Tier,
  own: OwnColumns | null = null,
): { ok: true; rows: NewRow[] } | { ok: false; message: string } {
  const characters = lines.reduce((sum, line) => sum + line.length + 1, 0);
  if (characters > maxBatchCharacters) {
    return {
      ok: false,
      message: `The list has ${characters} characters: use at most ${maxBatchCharacters} in one bulk analysis.`,
    };
  }
  const filled = lines
    .map((line, index) => ({ row_no: index + 1, text: line.trim() }))
    .filter(({ text }) => text !== '');
  if (filled.length === 0)
    return { ok: false, message: 'The list is empty: paste at least one profile link, one per line.' };
  const { batch_urls } = tiers[tier];
  if (filled.length > batch_urls) {
    const message = `This list has ${filled.length} profile URLs. The tier ${tiers[tier].name} allows at most ${batch_urls} per bulk analysis: use fewer.`;
    return { ok: false, message };
  }
  const problem = own && ownColumnsProblem(own);
  if (problem !== null) return { ok: false, message: problem };
  const rows = newRows(filled, bulkAnalysis);
  if (own === null) return { ok: true, rows };
  const cellsOf = (rowNo: number) => JSON.stringify((own.rows[rowNo - 1] ?? []).map(storableText));
  return { ok: true, rows: rows.map((row) => ({ ...row, own_cells: cellsOf(row.row_no) })) };
}

/**
 * Returns the rows to store for the lines of a batch (bulk analysis). A line without a valid URL becomes a row that
 * shows the error. A line with the same account as an earlier line refers to the earlier line.
 */
export function newRows(lines: readonly { row_no: number; text: string }[], plan: BatchPlan): NewRow[] {
  const kind = rowKinds[plan.kind];
  const first = new Map<string, number>();
  return lines.map(({ row_no, text }) => {
    const url = storableText(text.slice(0, maxLineCharacters));
    const parsed = text.length <= maxLineCharacters ? kind.parse(text, plan) : tooLong;
    if (!parsed.ok) return refused(row_no, url, kind, parsed.message);
    const { path, params, channel } = parsed.request;
    const account = JSON.stringify([path, channel?.params ?? params]);
    const duplicateOf = first.get(account) ?? null;
    if (duplicateOf === null) first.set(account, row_no);
    return { row_no, url, duplicate_of: duplicateOf, status: null, cells: null };
  });
}

const tooLong = {
  ok: false,
  message: `The line is too long: use a URL of at most ${maxLineCharacters} characters.`,
} as const;

function refused(rowNo: number, url: string, kind: RowKind, message: string): NewRow {
  const code = 'INVALID_INPUT';
  const cells = JSON.stringify(refusedRow(kind.blank(url, null), { code, message }));
  return { row_no: rowNo, url, duplicate_of: null, status: code, cells };
}

/** Replaces the characters that PostgreSQL cannot store in a text: NUL and unpaired surrogates. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed();
}
