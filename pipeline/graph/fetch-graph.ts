import type { SourceContext } from '../collect/collect.ts';
import type { UpstreamRequest } from '../network/fetcher.ts';
import { refusedBody } from '../network/refused-answer.ts';
import { parseJson } from '../parse/values.ts';
import { type GraphRefusal, graphRefusal } from './refusal.ts';

const graphVersion = 'v25.0';

/** Returns the URL of a node or edge of the Graph API, in the version that all sources use. */
export function graphUrl(path: string, query: Record<string, string>): string {
  return `https://graph.facebook.com/${graphVersion}/${path}?${new URLSearchParams(query)}`;
}

export interface GraphAnswer {
  /** The JSON, also of an error answer; undefined when an error answer has no JSON. */
  body: unknown;
  /** Null for a successful answer. */
  refusal: GraphRefusal | null;
}

/** Sends one request to the Graph API. Returns errors of the API; throws SOURCE_RESPONSE_CHANGED when a 200 answer is not JSON. */
export async function fetchGraph(
  source: string,
  request: UpstreamRequest,
  context: SourceContext,
): Promise<GraphAnswer> {
  const answer = await context.fetch(request, context.signal);
  const body = answer.status === 200 ? parseJson(answer.body) : refusedBody(answer);
  return { body, refusal: graphRefusal(source, answer, body, context.now()) };
}
