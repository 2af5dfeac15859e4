import { completeFree, completePaid, type RowAnswer } from '../../db/deliveries/batch-rows.ts';
import type { BatchId } from '../../db/deliveries/batches.ts';
import { digestId } from '../../db/ids.ts';
import { createCacheReader, type StoredAnswer } from '../../db/requests/responses.ts';
import { answerKey } from '../collect/answer-key.ts';
import { collect } from '../collect/collect.ts';
import { SourceError } from '../errors.ts';
import type { JobContext } from '../queue/job.ts';
import { type ProfileAddress, parseProfileAddress, profileKinds } from '../rows/profile-address.ts';
import { answeredRow, blankRow, type ProfileRow, profileAnswer, refusedRow } from '../rows/profile-row.ts';

/** Credits for a row that was fetched from its source. A row from the cache is free. */
export const creditsPerRow = 1;
/** Maximum age of a cached answer that fills a row for free, the same as in the profile workflow. */
const maxAgeMs = 86_400_000;

export interface OpenRow {
  row_no: number;
  url: string;
}

type Refusal = 'INSUFFICIENT_CREDITS' | 'CAP_REACHED';

/** Fills the rows of one batch. A row that fails gets its error code and costs nothing. */
export interface RowAnswers {
  /** Fills the rows that need no source. Returns the other rows. */
  fromCache(rows: readonly OpenRow[]): Promise<OpenRow[]>;
  /**
   * Fetches a row from its sources and charges the workspace when this succeeds. Returns null when the row is finished. If the
   * charge is refused, returns the reason and leaves the row unfinished.
   */
  fromSource(row: OpenRow): Promise<Refusal | null>;
}

type RowContext = Pick<JobContext, 'db' | 'now' | 'sources' | 'log'>;

export function createRowAnswers(batch: BatchId, context: RowContext): RowAnswers {
  const { db, now } = context;
  const cached = createCacheReader(db.pipelined);
  const free = ({ row_no }: OpenRow, cells: ProfileRow) => completeFree(db.pipelined, answerOf(row_no, cells));
  const answerOf = (rowNo: number, cells: ProfileRow): RowAnswer => ({
    ...batch,
    row_no: rowNo,
    status: String(cells.status),
    cells: JSON.stringify(cells),
    now: now(),
  });

  async function fromCache(row: OpenRow): Promise<OpenRow | null> {
    const parsed = parseProfileAddress(row.url);
    if (!parsed.ok) {
      await free(row, refusedRow(blankRow(row.url, null), { code: 'INVALID_INPUT', message: parsed.message }));
      return null;
    }
    const answer = await freeAnswer(parsed.profile, cached, now());
    if (!answer) return row;
    const blank = blankRow(row.url, parsed.profile.platform);
    await free(row, answeredRow(blank, { answer, metering: { cached: true, credits_charged: 0 } }));
    return null;
  }

  return {
    async fromCache(rows) {
      return (await Promise.all(rows.map(fromCache))).filter((row) => row !== null);
    },
    async fromSource(row) {
      const parsed = parseProfileAddress(row.url);
      if (!parsed.ok) throw new Error(`row ${row.row_no} of a batch cannot be fetched: it is not a profile URL`);
      const blank = blankRow(row.url, parsed.profile.platform);
      const fetched = await fetchProfile(parsed.profile, context);
      if ('code' in fetched) {
        await free(row, refusedRow(blank, fetched));
        return null;
      }
      const metering = { cached: false, credits_charged: creditsPerRow };
      const cells = answeredRow(blank, { answer: fetched, metering });
      const charge = { ...chargeOf(batch, row, parsed.profile), answer: fetched };
      const completed = await completePaid(db.pipelined, { ...answerOf(row.row_no, cells), ...charge });
      return completed === 'completed' || completed === 'answered_before' ? null : completed;
    },
  };
}

/** Returns the cached answer that fills a row for free; null when the row needs a source. */
export async function freeAnswer(
  profile: ProfileAddress,
  cached: ReturnType<typeof createCacheReader>,
  now: Date,
): Promise<StoredAnswer | null> {
  const answer = await cached(keyOf(profile));
  return answer && now.getTime() - answer.retrieved_at.getTime() <= maxAgeMs ? answer : null;
}

function chargeOf({ batch_id }: BatchId, { row_no }: OpenRow, profile: ProfileAddress) {
  return {
    charge_id: digestId(JSON.stringify([batch_id, row_no])),
    route: profileKinds[profile.platform].path,
    cost: creditsPerRow,
    cache_key: keyOf(profile),
  };
}

function keyOf({ platform, asked }: ProfileAddress): string {
  return answerKey({ path: profileKinds[platform].path, params: asked, limit: null, position: null });
}

// Does not use the process's abort signal, so that rows in progress finish when the process stops. The time limit of `collect`
// still applies.
async function fetchProfile(
  { platform, asked }: ProfileAddress,
  { sources, log }: RowContext,
): Promise<StoredAnswer | { code: string; message: string }> {
  const { collector } = profileKinds[platform];
  try {
    const signal = new AbortController().signal;
    return profileAnswer(await collect(collector, collector.params.parse(asked), { ...sources, signal }));
  } catch (error) {
    if (error instanceof SourceError) return { code: error.code, message: error.message };
    log.error({ err: error, collector: collector.name }, 'a row of a batch failed');
    return {
      code: 'INTERNAL',
      message: 'This row failed on our side: the error is logged and nothing was charged. Run the row again later.',
    };
  }
}
