import { hourMs } from '../../durations.ts';
import { type CellServices, deadlineOf, type Network, type Server } from '../../platform/client.ts';
import { isTemporary } from '../../platform/failure-sentence.ts';
import type { Freshness } from '../max-age.ts';
import type { Row, TableQuery } from '../tables.ts';
import { isHandle } from './handles.ts';
import { openRowStore, type RowStore, type StoredRow } from './row-store.ts';

/** Maximum number of rows that one formula cell requests for itself and for the formula cells around it. */
const maxPerRequest = 100;
const pollMs = 700;
/**
 * Milliseconds that a formula cell keeps for its own request. A cell that waits for another cell's request stops
 * waiting when less time is left.
 */
const reserveMs = 10_000;
/**
 * Milliseconds after a failed request for a row. During this time, other formula cells that need the row show the
 * failure and do not request the row again.
 */
const failureKeptMs = 10_000;
/** Milliseconds by which a cached row may be older than `max_age` allows when the server temporarily returns no row. */
const olderMs = 6 * hourMs;
/** Maximum difference, in milliseconds, between the clock of Google and the clock of the API server. */
const clockSkewMs = 60_000;

/**
 * The request of a formula for rows. `one_cell`: the name of the function when the formula reads a single cell; the
 * formula then also requests the rows of the formula cells around it. Null when the formula reads a range or must not
 * use rows that another cell requested. `load`: requests the rows from the server.
 */
type RowsPlan = {
  query: TableQuery;
  freshness: Freshness;
  one_cell: string | null;
  load: (query: TableQuery, values: readonly string[], server: Server) => Map<string, Row>;
};
const olderStatus = 'OK (older)';

/**
 * Returns one row for each value (URL or handle) of a formula. Uses a row from the cache of the spreadsheet when the
 * row is young enough, and requests all other rows from the server. When the server temporarily cannot answer, returns
 * the last known row with the status "OK (older)".
 */
export function findRows(plan: RowsPlan, values: readonly string[], server: Server): Map<string, Row> {
  const { network, key, cells, origin } = server;
  const { query, freshness } = plan;
  if (key === null || cells === undefined || values.length === 0) {
    return plan.load(withAge(query, freshness.parameter), values, server);
  }
  const deadlineMs = query.deadline_ms ?? deadlineOf(network);
  const store = openRowStore(`${origin}${query.path}?${query.query}&key=${key}`, cells, network.now);
  const waiting: Waiting = { plan, store, cells, network, deadlineMs };
  const stored = store.read(values);
  const missing = values.filter((value) => !isUsable(stored.get(value), waiting));
  const requested = plan.one_cell === null ? missing : valuesToRequest(missing, plan.one_cell, waiting);
  const rows = request(plan, requested, server, deadlineMs);
  if (rows.size > 0) cells.hold(() => keep(store, rows, network.now()));
  const known = missing.length === 0 ? stored : store.read(values);
  return new Map(values.map((value) => [value, shownRow(rows.get(value), known.get(value), waiting)]));
}

type Waiting = { plan: RowsPlan; store: RowStore; cells: CellServices; network: Network; deadlineMs: number };

/**
 * Returns the URLs or handles that this formula cell must request: the value that this cell reads (`own`), and the
 * values that the cells around it read. Leaves out values that another cell is already requesting. When another cell is
 * requesting `own`, waits for that row and returns an empty list. When the row does not arrive in time, returns only
 * `own`.
 */
function valuesToRequest([own]: readonly string[], name: string, waiting: Waiting): string[] {
  const { store, cells, network, deadlineMs } = waiting;
  if (own === undefined) return [];
  let neighbours: string[] | null = null;
  for (;;) {
    if (store.claimed([own]).size === 0) {
      // One request contains either handles or URLs, because they need different query parameters.
      neighbours ??= cells.neighbours(name, own).filter((text) => isHandle(text) === isHandle(own));
      const claimed = cells.hold(() => claimValues(own, neighbours ?? [], waiting));
      if (claimed.length > 0) return claimed;
    }
    if (isUsable(store.read([own]).get(own), waiting)) return [];
    if (network.now() + reserveMs > deadlineMs) return [own];
    network.sleep(pollMs + network.random() * pollMs);
  }
}

function claimValues(own: string, neighbours: readonly string[], waiting: Waiting): string[] {
  const { store, deadlineMs } = waiting;
  const values = [own, ...neighbours];
  const stored = store.read(values);
  const taken = store.claimed(values);
  const free = values.filter((value) => !taken.has(value) && !isUsable(stored.get(value), waiting));
  if (free[0] !== own) return [];
  const claimed = free.slice(0, maxPerRequest);
  store.claim(claimed, deadlineMs);
  return claimed;
}

/**
 * Requests the rows from the server. Rows whose data is from before the user's last refresh are requested again with
 * `fresh`, so that the server does not use its cache.
 */
function request(
  { query, freshness, load }: RowsPlan,
  values: readonly string[],
  server: Server,
  deadlineMs: number,
): Map<string, Row> {
  const sent = (parameter: string, some: readonly string[]): Map<string, Row> =>
    load({ ...withAge(query, parameter), deadline_ms: deadlineMs }, some, server);
  const rows = sent(freshness.parameter, values);
  const { refreshed_ms } = freshness;
  if (refreshed_ms === null || freshness.parameter === 'fresh=true') return rows;
  const before = values.filter((value) => {
    const row = rows.get(value);
    // `cached: false` means that the server fetched the row for this request. The row is new even when its time looks
    // too old because the clock of the server is slow.
    const isNew = row?.cached === false;
    return row?.status === 'OK' && !isNew && retrievedMs(row, refreshed_ms) < refreshed_ms - clockSkewMs;
  });
  return new Map([...rows, ...sent('fresh=true', before)]);
}

function withAge(query: TableQuery, parameter: string): TableQuery {
  return { ...query, query: `${parameter}&${query.query}` };
}

/**
 * Stores the received rows in the cache and releases their claims (notes that this cell is requesting them). A failure
 * is stored together with the last good row, because formulas may still show that row.
 */
function keep(store: RowStore, rows: ReadonlyMap<string, Row>, nowMs: number): void {
  const values = [...rows.keys()];
  const earlier = store.read(values);
  const kept = [...rows].map(([value, cells]): [string, StoredRow] => {
    if (cells.status !== 'OK') return [value, { ...earlier.get(value), failure: { received_ms: nowMs, cells } }];
    return [value, { row: { retrieved_ms: retrievedMs(cells, nowMs), received_ms: nowMs, cells } }];
  });
  store.write(new Map(kept));
  store.release(values);
}

function retrievedMs(row: Row, unknownMs: number): number {
  const atMs = Date.parse(String(row.retrieved_at));
  return Number.isNaN(atMs) ? unknownMs : atMs;
}

/** Returns true when a formula cell can show the cached row or the cached failure without a request. */
function isUsable(stored: StoredRow | undefined, { plan, network }: Waiting): boolean {
  const { row, failure } = stored ?? {};
  const isFailed = failure !== undefined && network.now() - failure.received_ms < failureKeptMs;
  if (plan.one_cell !== null && isFailed && isSince(failure.received_ms, plan.freshness)) return true;
  return isRowUsable(row, plan.freshness);
}

/** Returns true when a cached row is young enough for a formula. */
function isRowUsable(row: StoredRow['row'], freshness: Freshness): boolean {
  return row !== undefined && row.retrieved_ms >= freshness.oldest_ms && isSince(row.received_ms, freshness);
}

function isSince(receivedMs: number, { refreshed_ms }: Freshness): boolean {
  return refreshed_ms === null || receivedMs >= refreshed_ms;
}

/**
 * Returns the row that a formula cell shows: the row that the server returned now, or the cached row, which costs
 * nothing.
 */
function shownRow(received: Row | undefined, stored: StoredRow | undefined, { plan }: Waiting): Row {
  const { row, failure } = stored ?? {};
  // A cached failure is ignored when the cached row is young enough, because the failure may come from another formula
  // that needed newer data.
  const newest = received ?? (isRowUsable(row, plan.freshness) ? undefined : failure?.cells);
  if (newest?.status === 'OK') return newest;
  if (row === undefined) return newest ?? {};
  const free = { ...row.cells, cached: true, credits_charged: 0 };
  if (newest === undefined) return free;
  const isOlder = isTemporary(String(newest.status)) && row.retrieved_ms >= plan.freshness.oldest_ms - olderMs;
  return isOlder ? { ...free, status: olderStatus, message: newest.message } : newest;
}
