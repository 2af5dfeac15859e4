import type { Sql } from 'postgres';
import { bulkAnalysis } from '../../db/deliveries/batches.ts';
import { createCacheReader } from '../../db/requests/responses.ts';
import type { Tier } from '../../db/tier.ts';
import { parseProfileAddress } from '../rows/profile-address.ts';
import { BatchError } from './batches.ts';
import { readLines } from './lines.ts';
import { creditsPerProfile, profileRequest } from './row-requests.ts';
import { freeAnswer } from './rows.ts';

const maxAgeSeconds = bulkAnalysis.max_age_seconds;

/** The expected result of a batch. All numbers except `cost` are numbers of lines. */
export interface BatchPreview {
  total: number;
  duplicates: number;
  /** Number of different accounts whose row is free, because the cache has a recent answer. */
  cached: number;
  to_fetch: number;
  /** Maximum cost of the batch, in credits. */
  cost: number;
  /** Lines without a profile URL. Each has its line number and a message that says what to send instead. */
  unreadable: { line: number; text: string; message: string }[];
}

/** Returns the expected result and the maximum cost of a batch. Calls no source and creates no batch. Throws BatchError. */
export async function previewBatch(
  { db, now }: { db: { pipelined: Sql }; now: () => Date },
  tier: Tier,
  lines: readonly string[],
): Promise<BatchPreview> {
  const read = readLines(lines, tier);
  if (!read.ok) throw new BatchError('INVALID_INPUT', read.message);
  const { rows } = read;
  const cached = createCacheReader(db.pipelined);
  const accounts = rows.filter(({ status, duplicate_of }) => status === null && duplicate_of === null);
  const free = await Promise.all(
    accounts.map(async ({ url }) => {
      const parsed = parseProfileAddress(url);
      return parsed.ok && (await freeAnswer(profileRequest(parsed.profile), cached, now(), maxAgeSeconds)) !== null;
    }),
  );
  const toFetch = free.filter((known) => !known).length;
  return {
    total: rows.length,
    duplicates: rows.filter(({ duplicate_of }) => duplicate_of !== null).length,
    cached: free.length - toFetch,
    to_fetch: toFetch,
    cost: toFetch * creditsPerProfile,
    unreadable: rows
      .filter(({ status }) => status !== null)
      .map(({ row_no, url, cells }) => ({ line: row_no, text: url, message: messageIn(cells) })),
  };
}

function messageIn(cells: string | null): string {
  return String((JSON.parse(cells ?? '{}') as { message?: string }).message ?? '');
}
