/** Returns the value by which a row of a table is sorted, or null when this value is unknown. */
export type SortKey<T> = (row: T) => string | number | null;

/**
 * Returns the rows sorted by `sort`, which is the name of a key in `keys`, or `-name` for descending order. Unknown
 * values come last. When the name is unknown, the order does not change.
 */
export function sortRows<T>(rows: readonly T[], sort: string, keys: Readonly<Record<string, SortKey<T>>>): T[] {
  const [name, direction] = sort.startsWith('-') ? [sort.slice(1), -1] : [sort, 1];
  const keyOf = Object.hasOwn(keys, name) ? keys[name] : undefined;
  if (!keyOf) return [...rows];
  return rows.toSorted((a, b) => {
    const [left, right] = [keyOf(a), keyOf(b)];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    if (typeof left === 'string') return direction * left.localeCompare(String(right), 'en', { sensitivity: 'base' });
    return direction * (left - Number(right));
  });
}

/** Returns the text of the search field from the page's URL, in lower case. */
export const searchIn = ({ searchParams }: URL): string =>
  (searchParams.get('q') ?? '').trim().slice(0, 200).toLowerCase();

/** Returns the rows of one page of a table. The page number in the URL is limited to the last page. */
export function pageOfRows<T>(rows: readonly T[], url: URL, size: number): { rows: T[]; url: URL } {
  const last = Math.max(1, Math.ceil(rows.length / size));
  const page = Math.min(Math.max(1, Math.trunc(Number(url.searchParams.get('page'))) || 1), last);
  const address = new URL(url);
  address.searchParams.set('page', String(page));
  return { rows: rows.slice((page - 1) * size, page * size), url: address };
}
