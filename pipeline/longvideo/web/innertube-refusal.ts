import { SourceError } from '../../errors.ts';
import type { UpstreamAnswer } from '../../network/fetcher.ts';
import { dig } from '../../parse/values.ts';
import { nodeText } from './text.ts';

export type WebEndpoint = '/player' | '/next' | '/browse' | '/search' | '/navigation/resolve_url';

/** How much of a page is searched for the signs of a wall. */
const wallSearchBytes = 65_536;

/** Why an answer of one of the web's endpoints is no JSON to read, null when it is. */
export function webRefusal(endpoint: WebEndpoint, answer: UpstreamAnswer): SourceError | null {
  const { status } = answer;
  const reason = `${endpoint} answered ${status}`;
  if (namesNothing(endpoint, status)) return new SourceError('RESOURCE_NOT_FOUND', { reason });
  const refusal = pageRefusal(answer, endpoint);
  if (refusal !== null || !isPage(answer)) return refusal;
  return new SourceError('SOURCE_RESPONSE_CHANGED', { reason: `${reason} with a page` });
}

/**
 * Why an answer of the site is none: a throttle, a wall, an error. Null for any other answer with status 200.
 * A throttle is a wall as well: it counts the visitor, and the same visitor under another name would be a way round it.
 */
export function pageRefusal(answer: UpstreamAnswer, what: string): SourceError | null {
  const { status } = answer;
  const reason = `${what} answered ${status}`;
  if (status === 429 || isSorry(answer)) return wall('SOURCE_CAPACITY', `${reason}: throttled`);
  if (isConsent(answer)) return wall('SOURCE_RESTRICTED', `${reason}: the consent wall`);
  if (status === 401 || status === 403) return wall('SOURCE_RESTRICTED', reason);
  if (status >= 500) return new SourceError('SOURCE_UNAVAILABLE', { reason });
  return status === 200 ? null : new SourceError('SOURCE_RESPONSE_CHANGED', { reason });
}

function wall(code: 'SOURCE_CAPACITY' | 'SOURCE_RESTRICTED', reason: string): SourceError {
  return new SourceError(code, { about: 'block', reason });
}

/** Our own patterns let no malformed identifier through, so an argument that these endpoints refuse names nothing. */
function namesNothing(endpoint: WebEndpoint, status: number): boolean {
  if (endpoint === '/browse') return status === 400 || status === 404;
  return endpoint === '/navigation/resolve_url' && status === 404;
}

/** Why a player answer holds no details of the video, judged by its status first and by its texts second. */
export function playerRefusal(player: unknown): SourceError {
  const playability = dig(player, 'playabilityStatus');
  const screen = dig(playability, 'errorScreen', 'playerErrorMessageRenderer', 'reason');
  const said = [dig(playability, 'reason'), dig(playability, 'messages', 0), nodeText(screen)].join(' ');
  switch (dig(playability, 'status')) {
    case 'ERROR':
      return new SourceError('RESOURCE_NOT_FOUND', { reason: 'the player says ERROR' });
    case 'LOGIN_REQUIRED':
      return loginRefusal(said);
    case 'UNPLAYABLE':
    case 'CONTENT_CHECK_REQUIRED':
    case 'AGE_CHECK_REQUIRED':
      return new SourceError('SOURCE_RESTRICTED', { about: 'resource', reason: 'the player refuses without details' });
    default:
      return new SourceError('SOURCE_RESPONSE_CHANGED', { reason: 'the player answers in no known shape' });
  }
}

function loginRefusal(said: string): SourceError {
  if (/private video/i.test(said)) return new SourceError('RESOURCE_NOT_FOUND', { reason: 'a private video' });
  if (!/\bage\b|inappropriate/i.test(said)) return wall('SOURCE_RESTRICTED', 'the bot wall');
  return new SourceError('SOURCE_RESTRICTED', { about: 'resource', reason: 'the age wall without details' });
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
  return answer.body.subarray(0, wallSearchBytes).toString('latin1');
}
