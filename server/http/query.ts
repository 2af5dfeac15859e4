/** Query parameters by name. Each one has the list of all values that were sent. */
export type Query = Record<string, string[]>;

/** Reads the query parameters of a URL. A `+` is read as a space. */
export function readQuery(url: string): Query {
  const query: Query = Object.create(null);
  const start = url.indexOf('?');
  if (start === -1) return query;
  for (const [name, value] of new URLSearchParams(url.slice(start))) {
    const values = query[name];
    if (values) values.push(value);
    else query[name] = [value];
  }
  return query;
}
