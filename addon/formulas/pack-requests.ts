/** Maximum number of characters of a URL that UrlFetchApp (the HTTP client of Apps Script) sends. */
const maxUrlCharacters = 2_082;

/**
 * The URL of a request that contains several values of one repeated query parameter. `values`: these values, in order.
 */
type PackedRequest = { url: string; values: string[] };

/**
 * Distributes the values of a repeated query parameter over as few requests as possible, in order. Apps Script limits
 * the length of a URL, and the server limits the number of values in one request.
 *
 * @param head the URL up to and including its first query parameter.
 * @returns `unsent`: the values that are too long for any request.
 */
export function packRequests(
  head: string,
  { name, per_request_max }: { name: string; per_request_max: number },
  values: readonly string[],
): { requests: PackedRequest[]; unsent: string[] } {
  const requests: PackedRequest[] = [];
  const unsent: string[] = [];
  for (const value of values) {
    const parameter = `&${name}=${encodeURIComponent(wellFormed(value))}`;
    const last = requests[requests.length - 1];
    if (head.length + parameter.length > maxUrlCharacters) {
      unsent.push(value);
    } else if (
      last !== undefined &&
      last.values.length < per_request_max &&
      last.url.length + parameter.length <= maxUrlCharacters
    ) {
      last.url += parameter;
      last.values.push(value);
    } else {
      requests.push({ url: head + parameter, values: [value] });
    }
  }
  return { requests, unsent };
}

/** Replaces unpaired halves of surrogate pairs (invalid Unicode), because `encodeURIComponent` throws for them. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD');
}
