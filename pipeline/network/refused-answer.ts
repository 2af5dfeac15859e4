import { SourceError } from '../errors.ts';
import { dig, parseJson, toText } from '../parse/values.ts';
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

const maxMessageBytes = 4096;

/**
 * Returns the message of a platform's error answer: the field `message` of a JSON body, or the beginning of a body that
 * is not JSON.
 */
export function refusedMessage(answer: UpstreamAnswer): string {
  const body = refusedBody(answer);
  if (body === undefined) return answer.body.toString('utf8', 0, maxMessageBytes);
  return toText(dig(body, 'message')) ?? '';
}

/** Seconds to wait when a platform answers "please wait a few minutes" without a time. */
export const fewMinutesS = 300;

/**
 * Returns true for a message with which a platform limits our requests for some minutes. Instagram also sends such a
 * message with status 401, as if a login were required.
 */
export function asksToWait(message: string): boolean {
  return /please wait a few minutes/i.test(message);
}
