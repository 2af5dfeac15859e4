import { type BatchPlan, bulkAnalysis, type NewRow } from '../../db/deliveries/batches.ts';
import type { Tier } from '../../db/tier.ts';
import { withoutHints } from '../collect/answer-key.ts';
import { isShortLink, type LinkFailures, noLinkFailures } from '../collect/short-links.ts';
import type { SourceError } from '../errors.ts';
import { type OwnColumns, ownColumnsProblem } from '../rows/own-columns.ts';
import { refusedRow } from '../rows/profile-row.ts';
import { requestsToSend } from '../rows/repeated-rows.ts';
import { tiers } from '../tiers.ts';
import { type BatchRowKind, rowKinds } from './row-requests.ts';

const maxLineCharacters = 2_048;
/** Maximum number of characters in the list that a user submits for a bulk analysis, including blank lines. */
const maxBatchCharacters = 1_000_000;

/**
 * Maximum number of non-blank lines without a profile URL, such as headings and notes. These lines do not count toward
 * the limit of the tier, but each is stored as a row.
 */
const maxOtherLines = 200;

/**
 * Returns true when a list has more lines, or more profile URLs, than the tier allows in one bulk analysis. A share
 * link counts as a profile URL, because it may lead to a profile.
 */
export function hasTooManyLines(lines: readonly string[], tier: Tier): boolean {
  const filled = lines.filter((line) => line.trim() !== '');
  if (filled.length > maxLines(tier)) return true;
  const { parse } = rowKinds[bulkAnalysis.kind];
  const urls = filled.filter((line) => isShortLink(line) || parse(line.trim(), bulkAnalysis).ok);
  return urls.length > tiers[tier].batch_urls;
}

/**
 * Returns the maximum number of non-blank lines in a list. Longer lists are refused before parsing, because parsing a
 * list of the maximum size would keep the server busy for many seconds.
 */
function maxLines(tier: Tier): number {
  return tiers[tier].batch_urls + maxOtherLines;
}

const splitList = 'start several analyses, each with a part of the list.';

/** Returns the words that state how many non-blank lines a list may have, such as in the form and in an error. */
export function listLimit(tier: Tier): string {
  return `at most ${tiers[tier].batch_urls} profile links and ${maxOtherLines} other lines per bulk analysis`;
}

/**
 * Returns one row with a line number for each non-blank line of a submitted list. When the whole list is refused
 * (empty, too long), returns one sentence that says why.
 */
export function readLines(
  lines: readonly string[],
  tier: Tier,
  own: OwnColumns | null = null,
  failures: LinkFailures = noLinkFailures,
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
  if (filled.length > maxLines(tier)) {
    const message = `This list has ${filled.length} lines. The tier ${tiers[tier].name} allows ${listLimit(tier)}: ${splitList}`;
    return { ok: false, message };
  }
  const rows = newRows(filled, bulkAnalysis, failures);
  const problem = tooManyProblem(rows, tier) ?? (own && ownColumnsProblem(own));
  if (problem !== null) return { ok: false, message: problem };
  if (own === null) return { ok: true, rows };
  const cellsOf = (rowNo: number) => JSON.stringify((own.rows[rowNo - 1] ?? []).map(storableText));
  return { ok: true, rows: rows.map((row) => ({ ...row, own_cells: cellsOf(row.row_no) })) };
}

/**
 * Returns one sentence when a list has too many profile URLs for the tier or too many other lines, else null. A share
 * link counts as a profile URL, even when it was not followed.
 */
function tooManyProblem(rows: readonly NewRow[], tier: Tier): string | null {
  const { name, batch_urls } = tiers[tier];
  const others = rows.filter(({ status, url }) => status !== null && !isShortLink(url)).length;
  const urls = rows.length - others;
  if (urls > batch_urls)
    return `This list has ${urls} profile URLs. The tier ${name} allows at most ${batch_urls} per bulk analysis: ${splitList}`;
  if (others > maxOtherLines)
    return `This list has ${others} lines without a profile link: remove some, so that at most ${maxOtherLines} are left.`;
  return null;
}

/**
 * Returns the rows to store for the lines of a batch (bulk analysis). A line without a valid URL, or with a short link
 * of `failures`, becomes a row with an error. When several lines have the same account or post, only one is fetched:
 * the first line that names the author of the post, or else the first line. The other lines refer to the fetched line.
 */
export function newRows(
  lines: readonly { row_no: number; text: string }[],
  plan: BatchPlan,
  failures: LinkFailures = noLinkFailures,
): NewRow[] {
  const kind = rowKinds[plan.kind];
  const read = lines.map(({ row_no, text }) => {
    const url = storableText(text.slice(0, maxLineCharacters));
    const parsed = text.length <= maxLineCharacters ? kind.parse(text, plan) : tooLong;
    if (!parsed.ok) {
      const refusal = failures.get(text) ?? { code: 'INVALID_INPUT', message: parsed.message };
      return { row: refused(row_no, url, kind, refusal), request: null };
    }
    const { path, channel } = parsed.request;
    const params = channel?.params ?? parsed.request.params;
    const request = { key: JSON.stringify([path, withoutHints(params)]), params, row_no };
    return { row: { row_no, url, duplicate_of: null, status: null, cells: null }, request };
  });
  const sent = requestsToSend(read.flatMap(({ request }) => request ?? []));
  return read.map(({ row, request }) => {
    const original = (request && sent.get(request.key)?.row_no) ?? row.row_no;
    return original === row.row_no ? row : { ...row, duplicate_of: original };
  });
}

const tooLong = {
  ok: false,
  message: `The line is too long: use a URL of at most ${maxLineCharacters} characters.`,
} as const;

function refused(
  rowNo: number,
  url: string,
  kind: BatchRowKind,
  { code, message }: Pick<SourceError, 'code' | 'message'>,
): NewRow {
  const cells = JSON.stringify(refusedRow(kind.blank(url, null), { code, message }));
  return { row_no: rowNo, url, duplicate_of: null, status: code, cells };
}

/** Replaces the characters that PostgreSQL cannot store in a text: NUL and unpaired surrogates. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed();
}
