import type { SourceContext } from '../../collect/collect.ts';
import { isPageToken } from '../../collect/source-cursor.ts';
import type { SourcesConfig } from '../../collect/sources.ts';
import { responseChanged, type SourceError } from '../../errors.ts';
import { fetchGraph, graphUrl } from '../../graph/fetch-graph.ts';
import { dig, toText } from '../../parse/values.ts';

/** The name and the credentials check that all data sources of the Instagram Graph API have in common. */
export const graphSource = {
  name: 'instagram-graph',
  credentials: (config: SourcesConfig): boolean =>
    Boolean(config.instagram_graph_token && config.instagram_graph_user_id),
} as const;

/** Returns the ID of the operator's Instagram account. Every request to the Graph API is sent as this account. */
export function ownId({ config }: SourceContext): string {
  return config.instagram_graph_user_id ?? '';
}

/** The path of an object (node) or list (edge) in the Graph API, and the query without the access token. */
interface GraphAddress {
  path: string;
  query: Record<string, string>;
}

/**
 * Requests a comma-separated list of fields from the Graph API and returns the body of the answer. Throws when the
 * answer contains an error.
 */
export type ReadFields = (fields: string) => Promise<unknown>;

/**
 * Creates a function that requests fields from the Graph API. The API refuses a whole request when the token lacks the
 * permission for one field. In this case, the function repeats the request without the `optional` fields and omits them
 * in later requests too. The function retries one transient error and throws every other error.
 */
export function createGraphReader(
  context: SourceContext,
  addressOf: (fields: string) => GraphAddress,
  optional: readonly string[] = [],
): ReadFields {
  const accessToken = context.config.instagram_graph_token ?? '';
  let refused: readonly string[] = [];
  let mayRetry = true;
  return async function readFields(fields) {
    const wanted = without(fields, refused);
    const { path, query } = addressOf(wanted);
    const url = graphUrl(path, { ...query, access_token: accessToken });
    const { body, refusal } = await fetchGraph(graphSource.name, { url }, context);
    if (refusal === null) return body;
    if (refusal.meaning === 'invalid_parameter' && without(wanted, optional) !== wanted) {
      refused = optional;
      return readFields(fields);
    }
    if (refusal.meaning === 'transient' && mayRetry) {
      mayRetry = false;
      return readFields(fields);
    }
    throw refusal.error;
  };
}

function without(fields: string, names: readonly string[]): string {
  return names.reduce((left, name) => left.replaceAll(new RegExp(`\\b${name}\\b,?`, 'g'), ''), fields);
}

/**
 * Returns the cursor of the next page; null at the end of the list. The URL of the next page, which the Graph API also
 * sends, is not used because it contains the access token.
 */
export function nextCursor(edge: unknown): string | null {
  const after = toText(dig(edge, 'paging', 'cursors', 'after'));
  if (after !== null && !isPageToken(after)) throw graphChanged('a cursor in an unknown format');
  return after;
}

/** Returns the error for an answer of the Graph API in an unknown format. `reason` is for the log. */
export function graphChanged(reason: string): SourceError {
  return responseChanged(`${graphSource.name}: ${reason}`);
}
