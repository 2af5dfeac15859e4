import type { Sql } from 'postgres';
import { bulkAnalysis } from '../../db/deliveries/batches.ts';
import { createCacheReader } from '../../db/requests/responses.ts';
import type { Tier } from '../../db/tier.ts';
import type { LinkFailures } from '../collect/short-links.ts';
import type { OwnColumns } from '../rows/own-columns.ts';
import { parseProfileAddress } from '../rows/profile-address.ts';
import { BatchError } from './batches.ts';
import { readLines } from './lines.ts';
import { freeAnswer } from './row-answers.ts';
import { profileRowRequest, type RowRequest } from './row-requests.ts';

const maxAgeSeconds = bulkAnalysis.max_age_seconds;

/**
 * The expected result of a batch (bulk analysis), shown before the user starts it. All numbers except `cost` count
 * lines of the submitted list.
 */
export interface BatchPreview {
  total: number;
  duplicates: number;
  /** Number of accounts that are free because a recent answer is in the cache. Duplicate lines are not counted here. */
  cached: number;
  to_fetch: number;
  /** Number of lines that do not contain a valid profile URL. */
  unreadable: number;
  /** Number of lines with a short link that could not be followed now. */
  unfollowed: number;
  /** Maximum cost of the bulk analysis, in credits. */
  cost: number;
  /** All lines of the submitted list that are not blank, in the order of the list. */
  lines: PreviewLine[];
}

interface PreviewLine {
  /** Number of this line in the submitted list, from 1. */
  line: number;
  text: string;
  /**
   * `fetch`: the profile is fetched and costs credits. `cached` and `duplicate`: the line is free. `unreadable`: the
   * line has no valid profile URL. `unfollowed`: the line has a short link that could not be followed now. It is
   * followed again when the batch starts, and can then cost as much as a profile.
   */
  state: 'fetch' | 'cached' | 'duplicate' | 'unreadable' | 'unfollowed';
  /** The error message of an `unreadable` or `unfollowed` line. Null for other lines. */
  message: string | null;
  /** The number of the earlier line with the same account. Null when the line is not a duplicate. */
  duplicate_of: number | null;
}

/**
 * Returns the expected result and the maximum cost of a batch (bulk analysis). Reads only the cache: fetches nothing
 * and creates no batch. Throws BatchError when the whole list is refused.
 */
export async function previewBatch(
  { db, now }: { db: { pipelined: Sql }; now: () => Date },
  tier: Tier,
  list: readonly string[],
  { own = null, failures }: { own?: OwnColumns | null; failures?: LinkFailures } = {},
): Promise<BatchPreview> {
  const read = readLines(list, tier, own, failures);
  if (!read.ok) throw new BatchError('INVALID_INPUT', read.message);
  const cached = createCacheReader(db.pipelined);
  const isCached = async (url: string) => {
    const request = requestOf(url);
    return request !== null && (await freeAnswer(request, cached, now(), maxAgeSeconds)) !== null;
  };
  const lines = await Promise.all(
    read.rows.map(async ({ row_no, url, status, duplicate_of, cells }): Promise<PreviewLine> => {
      const line = { line: row_no, text: url, duplicate_of, message: null };
      if (status !== null)
        return {
          ...line,
          state: failures?.get(url)?.retryable ? 'unfollowed' : 'unreadable',
          message: messageIn(cells),
        };
      if (duplicate_of !== null) return { ...line, state: 'duplicate' };
      return { ...line, state: (await isCached(url)) ? 'cached' : 'fetch' };
    }),
  );
  const count = (state: PreviewLine['state']) => lines.filter((line) => line.state === state).length;
  return {
    total: lines.length,
    duplicates: count('duplicate'),
    cached: count('cached'),
    to_fetch: count('fetch'),
    unreadable: count('unreadable'),
    unfollowed: count('unfollowed'),
    cost: lines.reduce((sum, line) => sum + costOf(line), 0),
    lines,
  };
}

/** The maximum cost of a short link whose target is not known: every profile costs 1 credit. */
const unfollowedCost = 1;

function costOf({ state, text }: PreviewLine): number {
  if (state === 'unfollowed') return unfollowedCost;
  return state === 'fetch' ? (requestOf(text)?.cost ?? 0) : 0;
}

function requestOf(url: string): RowRequest | null {
  const parsed = parseProfileAddress(url);
  return parsed.ok ? profileRowRequest(parsed.profile) : null;
}

function messageIn(cells: string | null): string {
  return String((JSON.parse(cells ?? '{}') as { message?: string }).message ?? '');
}
