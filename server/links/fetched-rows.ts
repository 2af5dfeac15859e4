import type { LinkContent, OpenedDataLink } from '../../db/deliveries/data-links.ts';
import { cachedSeconds, type StoredAnswer } from '../../db/requests/responses.ts';
import type { CacheAge } from '../../pipeline/collect/cache-ages.ts';
import { maxLimit } from '../../pipeline/collect/page.ts';
import type { LinkTable } from '../../pipeline/links/tables.ts';
import { postColumns, profileColumns } from '../../pipeline/rows/columns.ts';
import { withDates } from '../../pipeline/rows/times.ts';
import { cacheKeyOf, type Meter, type Metered, type MeteredRequest } from '../data/meter.ts';
import type { Admitted } from '../http/authenticate.ts';
import { asRequestError, creditsCharged, RequestError } from '../http/errors.ts';
import { type ChargedCredits, sumCredits } from '../http/reply.ts';
import {
  answerRows,
  type RequestedAddress,
  type WorkflowCaller,
  type WorkflowDeps,
  type WorkflowRow,
} from '../workflows/answer-rows.ts';
import { newestPosts } from '../workflows/newest-posts.ts';
import { profileRows } from '../workflows/profile-rows.ts';

/** Maximum age of a cached answer that a data link shows. Older answers are deleted from the cache. */
const storedAge: CacheAge = '30d';
/**
 * Maximum milliseconds of a request to a data link that fetches new values. Google Sheets waits about 30 seconds for an
 * answer.
 */
const deadlineMs = 20_000;
const notStored =
  'No cached value yet: request this account once, for example in the add-on, or let the link fetch new values.';
/** Columns about the cost of a request. A data link does not show them, because its readers do not pay. */
const costColumns: ReadonlySet<string> = new Set(['cached', 'credits_charged']);

type FetchedContent = Extract<LinkContent, { kind: 'profiles' | 'posts' }>;

export interface FetchedTable extends ChargedCredits {
  table: LinkTable;
}

/**
 * Returns the profiles or the newest posts that a data link shows. The values are cached, or new when this request may
 * fetch values.
 */
export async function fetchedTable(
  content: FetchedContent,
  link: OpenedDataLink,
  requestId: string,
  deps: WorkflowDeps,
): Promise<FetchedTable> {
  const caller: WorkflowCaller = {
    admission: admissionOf(link),
    request_id: requestId,
    idempotency_key: null,
    signal: AbortSignal.timeout(deadlineMs),
  };
  const age = { platform: null, cache_max_age: link.refresh ?? storedAge };
  let unconfirmed = false;
  const noteUnconfirmed = () => {
    unconfirmed = true;
  };
  const own = { ...deps, meter: meterOf(link, noteUnconfirmed, deps), links: async (url: string) => url };
  const addresses = content.urls.map((url) => ({ ...age, url }));
  if (content.kind === 'profiles') {
    const answered = await answerRows(addresses, profileRows, caller, own);
    const rows = answered.map(({ row }) => row);
    const credits = sumCredits(rows.map((row) => row.credits_charged as number | null));
    return tableOf(chosenColumns(content.fields), rows, { ...credits, uncertain: credits.uncertain || unconfirmed });
  }
  const { rows, credits } = await newestPostsRows(content, addresses, caller, own);
  return tableOf(postColumns, rows, { ...credits, uncertain: credits.uncertain || unconfirmed });
}

/**
 * Returns the newest posts of several accounts. Reads one account at a time, because each account can need two charged
 * requests, and the remaining credits must pay for both.
 */
async function newestPostsRows(
  { limit }: Extract<LinkContent, { kind: 'posts' }>,
  addresses: readonly RequestedAddress[],
  caller: WorkflowCaller,
  deps: WorkflowDeps,
): Promise<{ rows: WorkflowRow[]; credits: Required<ChargedCredits> }> {
  const rows: WorkflowRow[] = [];
  const credits = { credits_charged: 0, uncertain: false };
  for (const address of addresses) {
    const { rows: posts, metering } = await newestPosts({ ...address, limit }, caller, deps);
    rows.push(...posts.slice(0, limit));
    credits.credits_charged += metering.credits_charged;
    credits.uncertain ||= metering.uncertain === true;
  }
  return { rows, credits };
}

/**
 * Returns the columns of profiles that a data link shows: the columns in `fields`, and always url, status, retrieved_at
 * and message. When `fields` is null, returns all columns.
 */
function chosenColumns(fields: readonly string[] | null): readonly string[] {
  if (fields === null) return profileColumns;
  const wanted = new Set([...fields, 'url', 'status', 'retrieved_at', 'message']);
  return profileColumns.filter((column) => wanted.has(column));
}

function tableOf(known: readonly string[], rows: readonly WorkflowRow[], credits: ChargedCredits): FetchedTable {
  const columns = known.filter((column) => !costColumns.has(column));
  const cells = rows.map((row) => {
    const status = row.message === notStored ? 'NOT_STORED' : row.status;
    return columns.map((column) => (column === 'status' ? (status ?? null) : (row[column] ?? null)));
  });
  return { table: { columns, rows: withDates(columns, cells) }, ...credits };
}

/**
 * Returns the admission of one request to a data link. Data links have their own rate limit, so their requests do not
 * count toward the rate limits of API keys.
 */
function admissionOf({ workspace_id, key_id, tier, balance, credits_left, window_ends_at }: OpenedDataLink): Admitted {
  return {
    workspace_id,
    key_id: key_id ?? workspace_id,
    kind: 'sheet',
    scopes: null,
    networks: null,
    tier,
    balance,
    cap_left: credits_left,
    position: 1,
    total_position: 1,
    claim: null,
    window_ends_at,
  };
}

/**
 * Returns the meter for the requests of a data link. When the link may not fetch values, this meter returns the cached
 * answer, even an outdated one. Otherwise, the meter replaces an outdated answer with a new one. When the fetch fails,
 * the meter returns the outdated answer, if there is one. Calls `noteUnconfirmed` when it is not known whether the
 * failed request was charged.
 */
function meterOf(link: OpenedDataLink, noteUnconfirmed: () => void, deps: WorkflowDeps): Meter {
  return async (input) => {
    if (!link.may_refresh) return (await storedAnswer(input, deps)) ?? refuse();
    try {
      return await deps.meter(input);
    } catch (error) {
      if (asRequestError(error).code === 'INTERNAL') throw error;
      if (creditsCharged(asRequestError(error)) === null) noteUnconfirmed();
      const stored = await storedAnswer(input, deps);
      if (stored === null) throw withCause(error, link);
      return stored;
    }
  };
}

/**
 * Returns the error that a row of a data link shows. When the credits of the link's monthly cap are too few, but the
 * workspace has more, the message names the cap.
 */
function withCause(error: unknown, { balance, credits_left }: OpenedDataLink): unknown {
  if (asRequestError(error).code !== 'INSUFFICIENT_CREDITS' || credits_left >= balance) return error;
  const message =
    'The monthly cap of this data link is used up: wait for the 1st of the month (UTC), or create a link with a higher cap.';
  return new RequestError('INSUFFICIENT_CREDITS', { message });
}

function refuse(): never {
  throw new RequestError('SOURCE_UNAVAILABLE', { message: notStored });
}

/**
 * Returns the newest cached answer to a request, or null. The answer to a request for a longer list can be returned,
 * too.
 */
async function storedAnswer({ request, admission }: MeteredRequest, deps: WorkflowDeps): Promise<Metered | null> {
  const longer = request.route.container === 'items' ? maxLimit - request.limit : 0;
  const requests = Array.from({ length: longer + 1 }, (_, more) => ({ ...request, limit: request.limit + more }));
  const answers = await Promise.all(requests.map((one) => deps.cached(cacheKeyOf(one), cachedSeconds)));
  const [newest] = answers.filter(isStored).toSorted((a, b) => +b.retrieved_at - +a.retrieved_at);
  if (!newest) return null;
  const metering = { cached: true, credits_charged: 0, credits_remaining: admission.balance };
  return { answer: newest, metering, sandbox: false, replayed: false };
}

const isStored = (answer: StoredAnswer | null): answer is StoredAnswer => answer !== null;
