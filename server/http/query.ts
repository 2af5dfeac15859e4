/** Query parameters by name. Each parameter has a list of all values that were sent. */
export type Query = Record<string, string[]>;

/** Matches a query string without anything to decode: no `%`, no `+` and only ASCII letters. */
const plainQuery = /^[\w.~@:/,=&-]*$/;

/** Reads the query parameters of a URL. A `+` is read as a space. */
export function readQuery(url: string): Query {
  const query: Query = Object.create(null);
  const start = url.indexOf('?');
  if (start === -1) return query;
  const text = url.slice(start + 1);
  for (const [name, value] of plainQuery.test(text) ? plainPairs(text) : new URLSearchParams(text)) {
    const values = query[name];
    if (values) values.push(value);
    else query[name] = [value];
  }
  return query;
}

/** Splits a query string that needs no decoding. Returns the same pairs as URLSearchParams, but is faster. */
function plainPairs(text: string): [string, string][] {
  const pairs: [string, string][] = [];
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const end = pair.indexOf('=');
    pairs.push(end === -1 ? [pair, ''] : [pair.slice(0, end), pair.slice(end + 1)]);
  }
  return pairs;
}
