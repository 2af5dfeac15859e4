import type { SourceContext } from '../../collect/collect.ts';
import { isPageToken } from '../../collect/source-cursor.ts';
import type { SourcesConfig } from '../../collect/sources.ts';
import { SourceError } from '../../errors.ts';
import { askGraph, graphUrl } from '../../graph/ask.ts';
import { dig, toText } from '../../parse/values.ts';

/** What every source of this API has in common. */
export const graphSource = {
  name: 'instagram-graph',
  credentials: (config: SourcesConfig): boolean =>
    Boolean(config.instagram_graph_token && config.instagram_graph_user_id),
} as const;

/** The account of the operator, in whose name everything is asked. */
export function ownId({ config }: SourceContext): string {
  return config.instagram_graph_user_id ?? '';
}

/** Where fields are asked for: a node or edge, and the query without the token. */
export interface GraphAddress {
  path: string;
  query: Record<string, string>;
}

/** Asks for a list of fields and gives the answer's body; every refusal is thrown. */
export type Ask = (fields: string) => Promise<unknown>;

/**
 * One asker for one collect. `optional` are the fields that a version or a grant may lack: the API refuses the whole request
 * then, is asked again without them, and not for them any more. A passing fault is tried once more, all else is thrown.
 */
export function graphAsker(
  context: SourceContext,
  addressOf: (fields: string) => GraphAddress,
  optional: readonly string[] = [],
): Ask {
  const accessToken = context.config.instagram_graph_token ?? '';
  let refused: readonly string[] = [];
  let mayRetry = true;
  return async function ask(fields) {
    const wanted = without(fields, refused);
    const { path, query } = addressOf(wanted);
    const url = graphUrl(path, { ...query, access_token: accessToken });
    const { body, refusal } = await askGraph(graphSource.name, { url }, context);
    if (refusal === null) return body;
    if (refusal.meaning === 'invalid_parameter' && without(wanted, optional) !== wanted) {
      refused = optional;
      return ask(fields);
    }
    if (refusal.meaning === 'transient' && mayRetry) {
      mayRetry = false;
      return ask(fields);
    }
    throw refusal.error;
  };
}

function without(fields: string, names: readonly string[]): string {
  return names.reduce((left, name) => left.replaceAll(new RegExp(`\\b${name}\\b,?`, 'g'), ''), fields);
}

/** The cursor of an edge's next page, null at the end; the address of that page carries the token and is left unread. */
export function nextCursor(edge: unknown): string | null {
  const after = toText(dig(edge, 'paging', 'cursors', 'after'));
  if (after !== null && !isPageToken(after)) throw graphChanged('a cursor of another form');
  return after;
}

export function graphChanged(reason: string): SourceError {
  return new SourceError('SOURCE_RESPONSE_CHANGED', { reason: `${graphSource.name}: ${reason}` });
}
