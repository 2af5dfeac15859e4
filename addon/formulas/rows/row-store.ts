import type { CellServices } from '../../platform/client.ts';
import { asObject } from '../../platform/client.ts';
import { hashOf, utf8Bytes } from '../../text.ts';
import type { Row } from '../tables.ts';

/**
 * Maximum number of cache entries that hold the rows of a spreadsheet. The cache of Apps Script (CacheService) keeps
 * about 1,000 entries for each spreadsheet.
 */
const maxBuckets = 100;
/** The number of seconds for which a row is cached: six hours, the maximum of CacheService. */
const keptSeconds = 21_600;
/** Maximum bytes of a bucket (a cache entry with many rows). CacheService refuses entries of more than 100 kB. */
const maxBucketBytes = 95_000;
const claimsName = 'claims';

/**
 * The cached data for one URL or handle: the last good row, and the last failure when it came after that row.
 * `retrieved_ms`: when the server read the platform. `received_ms`: when this spreadsheet received the row or failure.
 * All times are in Unix ms.
 */
export type StoredRow = {
  row?: { retrieved_ms: number; received_ms: number; cells: Row };
  failure?: { received_ms: number; cells: Row };
};
type Bucket = Record<string, StoredRow>;
type Claims = Record<string, number>;

/**
 * A cache of the rows that the formulas of this spreadsheet received in the last six hours. The cache never contains an
 * API key.
 */
export type RowStore = {
  read(values: readonly string[]): Map<string, StoredRow>;
  write(rows: ReadonlyMap<string, StoredRow>): void;
  /** Returns which of the values another formula cell is requesting now. */
  claimed(values: readonly string[]): Set<string>;
  claim(values: readonly string[], untilMs: number): void;
  release(values: readonly string[]): void;
};

/**
 * Opens the cached rows of one kind of request. `scope`: everything that a row depends on besides its URL or handle:
 * the route, its parameters and the API key. Only a hash of `scope` is stored.
 */
export function openRowStore(scope: string, cells: CellServices, nowMs: () => number): RowStore {
  const prefix = hashOf(scope).toString(36);
  const idOf = (value: string): string => `${prefix} ${value}`;
  const claimOf = (value: string): string => hashOf(idOf(value)).toString(36);
  return {
    read(values) {
      const buckets = readJson<Bucket>(cells, [...new Set(values.map(bucketOf))]);
      return new Map(
        values.flatMap((value) => {
          const stored = buckets[bucketOf(value)]?.[idOf(value)];
          return stored === undefined ? [] : [[value, stored]];
        }),
      );
    },
    write(rows) {
      const names = [...new Set([...rows.keys()].map(bucketOf))];
      const buckets = readJson<Bucket>(cells, names);
      for (const [value, row] of rows) {
        const name = bucketOf(value);
        buckets[name] = { ...buckets[name], [idOf(value)]: row };
      }
      const texts = Object.entries(buckets).map(([name, bucket]) => [name, trimmed(bucket)]);
      cells.write(Object.fromEntries(texts), keptSeconds);
    },
    claimed(values) {
      const claims = openClaims(cells, nowMs());
      return new Set(values.filter((value) => claims[claimOf(value)] !== undefined));
    },
    claim(values, untilMs) {
      const claims = openClaims(cells, nowMs());
      for (const value of values) claims[claimOf(value)] = untilMs;
      cells.write({ [claimsName]: JSON.stringify(claims) }, keptSeconds);
    },
    release(values) {
      const claims = openClaims(cells, nowMs());
      for (const value of values) delete claims[claimOf(value)];
      cells.write({ [claimsName]: JSON.stringify(claims) }, keptSeconds);
    },
  };
}

/**
 * Returns the claims that have not expired. A claim says that a formula cell is requesting the row of a URL or handle.
 */
function openClaims(cells: CellServices, nowMs: number): Claims {
  const claims = readJson<Claims>(cells, [claimsName])[claimsName] ?? {};
  return Object.fromEntries(Object.entries(claims).filter(([, untilMs]) => untilMs > nowMs));
}

function bucketOf(value: string): string {
  return `rows_${hashOf(value) % maxBuckets}`;
}

function readJson<T extends object>(cells: CellServices, names: string[]): Record<string, T> {
  const found = Object.entries(cells.read(names)).flatMap(([name, text]) => {
    const value = parsed(text);
    return value === null ? [] : [[name, value as T]];
  });
  return Object.fromEntries(found);
}

function parsed(text: string): object | null {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Returns a bucket (a cache entry with many rows) as JSON. When the JSON is too large, leaves out the oldest rows. */
function trimmed(bucket: Bucket): string {
  const entries = Object.entries(bucket).sort(([, a], [, b]) => receivedMs(b) - receivedMs(a));
  let text = JSON.stringify(Object.fromEntries(entries));
  while (entries.length > 0 && utf8Bytes(text) > maxBucketBytes) {
    entries.splice(Math.floor(entries.length * 0.8));
    text = JSON.stringify(Object.fromEntries(entries));
  }
  return text;
}

function receivedMs({ row, failure }: StoredRow): number {
  return row?.received_ms ?? failure?.received_ms ?? 0;
}
