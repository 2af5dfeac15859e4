import { responseChanged, SourceError } from '../../errors.ts';
import type { UpstreamAnswer } from '../../network/fetcher.ts';
import { refusedBody } from '../../network/refused-answer.ts';
import { dig } from '../../parse/values.ts';
import { nodeText } from './text.ts';

export type WebEndpoint = '/player' | '/next' | '/browse' | '/search' | '/navigation/resolve_url';

/** Number of bytes at the beginning of a YouTube page that are searched for signs of a block. */
const blockSearchBytes = 65_536;

/** Returns the error in an answer of an endpoint of YouTube's website; null when the answer is JSON with status 200. */
export function endpointRefusal(endpoint: WebEndpoint, answer: UpstreamAnswer): SourceError | null {
  const { status } = answer;
  const reason = `${endpoint} answered ${status}`;
  if (isMissing(endpoint, answer)) return new SourceError('RESOURCE_NOT_FOUND', { reason });
  const refusal = pageRefusal(answer, endpoint);
  if (refusal !== null || !isPage(answer)) return refusal;
  return responseChanged(`${reason} with a page`);
}

/**
 * Returns the error in an answer of YouTube's website when YouTube throttled us, blocked us or failed; null for any
 * other answer with status 200. Throttling counts as a block, because trying again with another client would evade
 * YouTube's limit for this visitor.
 */
export function pageRefusal(answer: UpstreamAnswer, requestName: string): SourceError | null {
  const { status } = answer;
  const reason = `${requestName} answered ${status}`;
  if (status === 429 || isSorry(answer)) return blocked('SOURCE_CAPACITY', `${reason}: throttled`);
  if (isConsent(answer)) return blocked('SOURCE_RESTRICTED', `${reason}: consent page`);
  if (status === 401 || status === 403) return blocked('SOURCE_RESTRICTED', reason);
  if (status >= 500) return new SourceError('SOURCE_UNAVAILABLE', { reason });
  return status === 200 ? null : responseChanged(reason);
}

function blocked(code: 'SOURCE_CAPACITY' | 'SOURCE_RESTRICTED', reason: string): SourceError {
  return new SourceError(code, { about: 'block', reason });
}

/**
 * Returns true when YouTube says that the requested resource does not exist. For an unknown ID, YouTube answers
 * "invalid argument", which cannot mean a malformed ID because malformed IDs are refused before the request. Any other
 * 404 or 400, such as for a removed endpoint, does not show whether the resource exists.
 */
function isMissing(endpoint: WebEndpoint, answer: UpstreamAnswer): boolean {
  if (answer.status !== 404 && answer.status !== 400) return false;
  const word = dig(refusedBody(answer), 'error', 'status');
  if (endpoint === '/browse') return word === 'NOT_FOUND' || word === 'INVALID_ARGUMENT';
  return endpoint === '/navigation/resolve_url' && word === 'NOT_FOUND';
}

/**
 * Returns the error for an answer of YouTube's player without video details. The error depends on the status in the
 * answer, and for LOGIN_REQUIRED also on the texts.
 */
export function playerRefusal(player: unknown): SourceError {
  const playability = dig(player, 'playabilityStatus');
  const screen = dig(playability, 'errorScreen', 'playerErrorMessageRenderer', 'reason');
  const texts = [dig(playability, 'reason'), dig(playability, 'messages', 0), nodeText(screen)].join(' ');
  switch (dig(playability, 'status')) {
    case 'ERROR':
      return new SourceError('RESOURCE_NOT_FOUND', { reason: 'the player says ERROR' });
    case 'LOGIN_REQUIRED':
      return loginRefusal(texts);
    case 'UNPLAYABLE':
    case 'CONTENT_CHECK_REQUIRED':
    case 'AGE_CHECK_REQUIRED':
    case 'AGE_VERIFICATION_REQUIRED':
      return new SourceError('SOURCE_RESTRICTED', { about: 'resource', reason: 'the player refuses without details' });
    default:
      return responseChanged('the player answer has an unknown shape');
  }
}

function loginRefusal(texts: string): SourceError {
  if (/private video/i.test(texts)) return new SourceError('RESOURCE_NOT_FOUND', { reason: 'a private video' });
  if (!/\bage\b|inappropriate/i.test(texts))
    return blocked('SOURCE_RESTRICTED', 'the player answered with a login wall');
  return new SourceError('SOURCE_RESTRICTED', { about: 'resource', reason: 'age-restricted, without details' });
}

function isPage(answer: UpstreamAnswer): boolean {
  return answer.body.subarray(0, 64).toString('latin1').trimStart().startsWith('<');
}

function isSorry(answer: UpstreamAnswer): boolean {
  if (/^https:\/\/(?:www\.)?google\.com\/sorry/.test(answer.headers.location ?? '')) return true;
  return isPage(answer) && /recaptcha/.test(head(answer));
}

function isConsent(answer: UpstreamAnswer): boolean {
  if (/^https:\/\/consent\.(?:youtube|google)\.com\//.test(answer.headers.location ?? '')) return true;
  return isPage(answer) && /consent\.(?:youtube|google)\.com/.test(head(answer));
}

function head(answer: UpstreamAnswer): string {
  return answer.body.subarray(0, blockSearchBytes).toString('latin1');
}
