import { SourceError } from '../errors.ts';
import { parseJson } from '../parse/values.ts';
import type { UpstreamAnswer } from './fetcher.ts';

/**
 * Returns the parsed JSON body of a platform's error answer. Undefined when the body is not JSON, such as the page of a
 * proxy or an incomplete body.
 */
export function refusedBody({ body }: UpstreamAnswer): unknown {
  try {
    return parseJson(body);
  } catch (error) {
    if (error instanceof SourceError) return undefined;
    throw error;
  }
}
