import type { LinkContent, OpenedDataLink } from '../../db/deliveries/data-links.ts';
import type { StoredAnswer } from '../../db/requests/responses.ts';
import type { LinkTable } from '../../pipeline/links/tables.ts';
import { postColumns } from '../../pipeline/rows/post-row.ts';
import { profileColumns } from '../../pipeline/rows/profile-row.ts';
import { withDates } from '../../pipeline/rows/times.ts';
import { cacheKeyOf, type Meter, type Metered, type MeteredRequest } from '../data/meter.ts';
import { maxLimit } from '../data/parameters.ts';
import type { Admitted } from '../http/authenticate.ts';
import { asRequestError, RequestError } from '../http/errors.ts';
import { newestPosts } from '../workflows/posts-rows.ts';
import { profileRows } from '../workflows/profile-rows.ts';
import { answerRows, type Caller, type Row, type WorkflowDeps } from '../workflows/rows.ts';

/** Age of the oldest stored answer that a link shows. Older ones are deleted. */
const storedAge = '30d';
const storedSeconds = 30 * 86_400;
/** Maximum milliseconds of a read that fetches values. Google Sheets waits for about half a minute. */
const deadlineMs = 20_000;
const notStored =
  'No stored value yet: request this account once, for example in the add-on, or let the link fetch new values.';
/** Columns about the cost of a request. A reader of a link has no use for them. */
const costColumns: ReadonlySet<string> = new Set(['cached', 'credits_charged']);

type FetchedContent = Extract<LinkContent, { kind: 'profiles' | 'posts' }>;

export interface FetchedTable {
  table: LinkTable;
  credits_charged: number;
}

/** Returns the profiles or the newest posts that a link shows: stored values, and new ones when this read may fetch them. */
export async function fetchedTable(
  content: FetchedContent,
  link: OpenedDataLink,
  requestId: string,
  deps: WorkflowDeps,
): Promise<FetchedTable> {
  const caller: Caller = {
    admission: admissionOf(link),
    request_id: requestId,
    idempotency_key: null,
    signal: AbortSignal.timeout(deadlineMs),
  };
  const age = { platform: null, cache_max_age: link.refresh ?? storedAge };
  const own = { ...deps, meter: meterOf(link, deps), links: async (url: string) => url };
  const addresses = content.urls.map((url) => ({ ...age, url }));
  if (content.kind === 'profiles') {
    const answered = await answerRows(addresses, profileRows, caller, own);
    return tableOf(
      chosenColumns(content.fields),
      answered.map(({ row }) => row),
    );
  }
  const rows: Row[] = [];
  // One account after the other: each list may need a second request, and both must fit into the credits that are left.
  for (const address of addresses) {
    const answered = await newestPosts({ ...address, limit: content.limit }, caller, own);
    rows.push(...answered.rows.slice(0, content.limit));
  }
  return tableOf(postColumns, rows);
}

/** Returns the chosen columns of a profile. The state and the time of the values are always among them. */
function chosenColumns(fields: readonly string[] | null): readonly string[] {
  if (fields === null) return profileColumns;
  const wanted = new Set([...fields, 'url', 'status', 'retrieved_at', 'message']);
  return profileColumns.filter((column) => wanted.has(column));
}

function tableOf(known: readonly string[], rows: readonly Row[]): FetchedTable {
  const columns = known.filter((column) => !costColumns.has(column));
  const cells = rows.map((row) => {
    const status = row.message === notStored ? 'NOT_STORED' : row.status;
    return columns.map((column) => (column === 'status' ? (status ?? null) : (row[column] ?? null)));
  });
  const charged = rows.reduce((sum, { credits_charged: credits }) => sum + Number(credits ?? 0), 0);
  return { table: { columns, rows: withDates(columns, cells) }, credits_charged: charged };
}

/**
 * Returns what the meter must know about the link. Its balance is never above the rest of its monthly cap. Its reads have a limit
 * of their own, so they do not count toward the limits of requests with a key.
 */
function admissionOf({ workspace_id, key_id, tier, credits_left, window_ends_at }: OpenedDataLink): Admitted {
  return {
    workspace_id,
    key_id: key_id ?? workspace_id,
    kind: 'sheet',
    scopes: null,
    networks: null,
    tier,
    balance: credits_left,
    position: 1,
    total_position: 1,
    claim: null,
    window_ends_at,
  };
}

/**
 * Returns the meter of a link. It answers from the cache, however old the answer is. When this read may fetch values, an
 * outdated answer is fetched again first; if that fails, the stored answer is shown.
 */
function meterOf(link: OpenedDataLink, deps: WorkflowDeps): Meter {
  return async (input) => {
    if (!link.may_refresh) return (await storedAnswer(input, deps)) ?? refuse();
    try {
      return await deps.meter(input);
    } catch (error) {
      if (asRequestError(error).code === 'INTERNAL') throw error;
      const stored = await storedAnswer(input, deps);
      if (stored === null) throw withCause(error, link);
      return stored;
    }
  };
}

/** Returns the error that a row shows. It names the cap when the cap of the link, and not the balance, was too low. */
function withCause(error: unknown, { balance, credits_left }: OpenedDataLink): unknown {
  if (asRequestError(error).code !== 'INSUFFICIENT_CREDITS' || credits_left >= balance) return error;
  const message =
    'The monthly cap of this data link is used up: it continues on the 1st (UTC), or make a link with a higher cap.';
  return new RequestError('INSUFFICIENT_CREDITS', { message });
}

function refuse(): never {
  throw new RequestError('SOURCE_UNAVAILABLE', { message: notStored });
}

/** Returns the newest stored answer. A longer list than requested serves too. */
async function storedAnswer({ request, admission }: MeteredRequest, deps: WorkflowDeps): Promise<Metered | null> {
  const longer = request.route.container === 'items' ? maxLimit - request.limit : 0;
  const requests = Array.from({ length: longer + 1 }, (_, more) => ({ ...request, limit: request.limit + more }));
  const answers = await Promise.all(requests.map((one) => deps.cached(cacheKeyOf(one), storedSeconds)));
  const [newest] = answers.filter(isStored).toSorted((a, b) => +b.retrieved_at - +a.retrieved_at);
  if (!newest) return null;
  const metering = { cached: true, credits_charged: 0, credits_remaining: admission.balance };
  return { answer: newest, metering, sandbox: false, replayed: false };
}

const isStored = (answer: StoredAnswer | null): answer is StoredAnswer => answer !== null;
