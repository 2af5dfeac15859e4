import type { SourceContext } from '../../collect/collect.ts';
import { isPageToken } from '../../collect/source-cursor.ts';
import type { SourcesConfig } from '../../collect/sources.ts';
import { SourceError } from '../../errors.ts';
import { fetchGraph, graphUrl } from '../../graph/fetch-graph.ts';
import { dig, toText } from '../../parse/values.ts';

/** Properties of every source that uses this API. */
export const graphSource = {
  name: 'instagram-graph',
  credentials: (config: SourcesConfig): boolean =>
    Boolean(config.instagram_graph_token && config.instagram_graph_user_id),
} as const;

/** Returns the id of the operator's account, which sends every request. */
export function ownId({ config }: SourceContext): string {
  return config.instagram_graph_user_id ?? '';
}

/** A node or edge to read fields from, and the query without the token. */
export interface GraphAddress {
  path: string;
  query: Record<string, string>;
}

/** Requests a list of fields and returns the body of the answer. Throws when the API answers with an error. */
export type ReadFields = (fields: string) => Promise<unknown>;

/**
 * Creates a reader for one collect call. Without the permission for one of the `optional` fields the API refuses the whole request:
 * then the request is repeated without them, and they are omitted from then on. A transient error is retried once; others are thrown.
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

/** Returns the cursor of an edge's next page, null at the end. The URL of that page contains the access token and is not read. */
export function nextCursor(edge: unknown): string | null {
  const after = toText(dig(edge, 'paging', 'cursors', 'after'));
  if (after !== null && !isPageToken(after)) throw graphChanged('a cursor in an unknown format');
  return after;
}

export function graphChanged(reason: string): SourceError {
  return new SourceError('SOURCE_RESPONSE_CHANGED', { reason: `${graphSource.name}: ${reason}` });
}
