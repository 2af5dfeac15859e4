import type { Sql } from 'postgres';
import { bulkAnalysis } from '../../db/deliveries/batches.ts';
import { createCacheReader } from '../../db/requests/responses.ts';
import type { Tier } from '../../db/tier.ts';
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
   * line has no valid profile URL.
   */
  state: 'fetch' | 'cached' | 'duplicate' | 'unreadable';
  /** The error message of an `unreadable` line, with the correction that the user should make. Null for other lines. */
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
  own: OwnColumns | null = null,
): Promise<BatchPreview> {
  const read = readLines(list, tier, own);
  if (!read.ok) throw new BatchError('INVALID_INPUT', read.message);
  const cached = createCacheReader(db.pipelined);
  const isCached = async (url: string) => {
    const request = requestOf(url);
    return request !== null && (await freeAnswer(request, cached, now(), maxAgeSeconds)) !== null;
  };
  const lines = await Promise.all(
    read.rows.map(async ({ row_no, url, status, duplicate_of, cells }): Promise<PreviewLine> => {
      const line = { line: row_no, text: url, duplicate_of, message: null };
      if (status !== null) return { ...line, state: 'unreadable', message: messageIn(cells) };
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
    cost: lines.reduce((sum, { state, text }) => sum + (state === 'fetch' ? (requestOf(text)?.cost ?? 0) : 0), 0),
    lines,
  };
}

function requestOf(url: string): RowRequest | null {
  const parsed = parseProfileAddress(url);
  return parsed.ok ? profileRowRequest(parsed.profile) : null;
}

function messageIn(cells: string | null): string {
  return String((JSON.parse(cells ?? '{}') as { message?: string }).message ?? '');
}
