import type { SourceContext } from '../collect/collect.ts';
import type { UpstreamRequest } from '../network/fetcher.ts';
import { refusedBody } from '../network/refused-answer.ts';
import { parseJson } from '../parse/values.ts';
import { type GraphRefusal, graphRefusal } from './refusal.ts';

const graphVersion = 'v25.0';

/** The address of a node or edge of the Graph API in the version that all our sources speak. */
export function graphUrl(path: string, query: Record<string, string>): string {
  return `https://graph.facebook.com/${graphVersion}/${path}?${new URLSearchParams(query)}`;
}

export interface GraphAnswer {
  /** The JSON, of a refusal too; undefined when a refusal carries none. */
  body: unknown;
  /** Null when the answer is to be read. */
  refusal: GraphRefusal | null;
}

/** Asks the Graph API once. Throws SOURCE_RESPONSE_CHANGED when a 200 is no JSON; what the API refuses is returned. */
export async function askGraph(source: string, request: UpstreamRequest, context: SourceContext): Promise<GraphAnswer> {
  const answer = await context.fetch(request, context.signal);
  const body = answer.status === 200 ? parseJson(answer.body) : refusedBody(answer);
  return { body, refusal: graphRefusal(source, answer, body, context.now()) };
}
