import { SourceError } from '../errors.ts';
import { parseJson } from '../parse/values.ts';
import type { UpstreamAnswer } from './fetcher.ts';

/** The JSON of a refusal; undefined when it is none (a proxy's page, a cut body), so that its status speaks for itself. */
export function refusedBody({ body }: UpstreamAnswer): unknown {
  try {
    return parseJson(body);
  } catch (error) {
    if (error instanceof SourceError) return undefined;
    throw error;
  }
}
