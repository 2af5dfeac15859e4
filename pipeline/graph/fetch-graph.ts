import type { SourceContext } from '../collect/collect.ts';
import type { UpstreamRequest } from '../network/fetcher.ts';
import { refusedBody } from '../network/refused-answer.ts';
import { parseJson } from '../parse/values.ts';
import { type GraphRefusal, graphRefusal } from './refusal.ts';

const graphVersion = 'v25.0';

/**
 * Returns the URL of an object (node) or list (edge) in Meta's Graph API. All our requests use the same version of the
 * API.
 */
export function graphUrl(path: string, query: Record<string, string>): string {
  return `https://graph.facebook.com/${graphVersion}/${path}?${new URLSearchParams(query)}`;
}

export interface GraphAnswer {
  /**
   * The parsed JSON body of the Graph API answer, even of an error answer. Undefined when an error answer is not JSON.
   */
  body: unknown;
  /** The error in the Graph API answer; null when the request succeeded. */
  refusal: GraphRefusal | null;
}

/**
 * Sends one request to Meta's Graph API. Returns an error of the API as `refusal`. Throws SOURCE_RESPONSE_CHANGED when
 * an answer with status 200 is not JSON.
 */
export async function fetchGraph(
  source: string,
  request: UpstreamRequest,
  context: SourceContext,
): Promise<GraphAnswer> {
  const answer = await context.fetch(request, context.signal);
  const body = answer.status === 200 ? parseJson(answer.body) : refusedBody(answer);
  return { body, refusal: graphRefusal(source, answer, body, context.now()) };
}
