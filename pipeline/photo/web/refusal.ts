import { SourceError, type SourceErrorCode, type SourceErrorOptions } from '../../errors.ts';
import type { UpstreamAnswer } from '../../network/fetcher.ts';
import { asksToWait, fewMinutesS, refusedBody, refusedMessage } from '../../network/refused-answer.ts';
import { retryAfterSeconds } from '../../network/retry-after.ts';
import { dig, toFlag, toText } from '../../parse/values.ts';

/** Number of bytes, from the beginning of an Instagram page, that are searched for signs of a login page. */
const marksMaxBytes = 1_000_000;

const blockPaths = /^\/(?:accounts\/(?:login|suspended)|challenge|consent)(?:\/|$)|^\/?$/;
const blockMessages = new Set([
  'checkpoint_required',
  'challenge_required',
  'feedback_required',
  'login_required',
  'consent_required',
]);
const onlyOfficial =
  'Instagram does not deliver this business account on its website. Only the official Instagram source has it: ask your Tidemark administrator to set it up.';
const blockStatuses: ReadonlySet<number> = new Set([401, 403, 451]);
const shellMarks = ['accounts/login', 'accounts\\/login', '"canonicalRouteName":"comet.igweb.'];

/** Returns the error in an answer of Instagram's website; null for status 200. */
export function webRefusal(answer: UpstreamAnswer, now: Date): SourceError | null {
  const { status } = answer;
  if (status === 200) return null;
  const reason = `HTTP ${status}`;
  if (status === 404 || status === 410) return refusal('RESOURCE_NOT_FOUND', reason);
  if (status >= 300 && status < 400) return redirectRefusal(answer);
  const wait = waiting(answer, now);
  if (status >= 500) return refusal('SOURCE_UNAVAILABLE', reason, wait);
  const error = messageRefusal(refusedBody(answer) ?? { message: refusedMessage(answer) }, wait);
  if (status === 429 && error?.code !== 'SOURCE_CAPACITY') return refusal('SOURCE_CAPACITY', reason, wait);
  if (error) return error;
  return blockStatuses.has(status) ? photoBlocked(reason) : refusal('SOURCE_RESPONSE_CHANGED', reason);
}

/**
 * Returns the error that the field `message` or `require_login` of Instagram's JSON answer reports. Null for an unknown
 * message. The HTTP status does not matter.
 */
export function messageRefusal(body: unknown, options: SourceErrorOptions = {}): SourceError | null {
  const message = toText(dig(body, 'message'))?.toLowerCase() ?? '';
  if (asksToWait(message)) {
    return refusal('SOURCE_CAPACITY', 'please wait', { retry_after_seconds: fewMinutesS, ...options });
  }
  if (toFlag(dig(body, 'require_login')) === true) return photoBlocked('require_login');
  if (blockMessages.has(message)) return photoBlocked(message);
  // Since July 2026, Instagram's profile endpoint returns this error for each business account with a category.
  if (/^asset asset:\S+ has been deleted/.test(message))
    return refusal('SOURCE_NOT_CONFIGURED', 'a business account', { about: 'reach', message: onlyOfficial });
  return message.startsWith('useragent mismatch') ? photoBlocked('useragent mismatch') : null;
}

/**
 * Returns the error for an HTML page that Instagram sent with status 200 instead of JSON: a login page, or an unknown
 * page.
 */
export function pageForJson(answer: UpstreamAnswer): SourceError {
  if (isShell(answer.body)) return photoBlocked('a login page instead of JSON');
  return refusal('SOURCE_RESPONSE_CHANGED', 'the answer is not JSON');
}

/** Returns true for a page of the Instagram website that has no data, such as a login page. */
export function isShell(body: Buffer): boolean {
  const head = body.subarray(0, marksMaxBytes);
  return shellMarks.some((mark) => head.includes(mark));
}

/** Returns true for the page, with status 200, that Instagram shows for an account or post that does not exist. */
export function isMissingPage(body: Buffer, title: string): boolean {
  return /^Page not found/i.test(title) || body.includes('"canonicalRouteName":"comet.igweb.PolarisErrorRoute"');
}

/**
 * Returns true for the page, with status 200, that Instagram shows for an account or post that visitors may not see.
 * The page of an age-restricted account looks like that of a missing account, but contains the minimum age.
 */
export function isRestrictedPage(body: Buffer, title: string): boolean {
  if (/^Restricted profile/i.test(title)) return true;
  const at = body.indexOf('"restricted_age":');
  return at !== -1 && /^"restricted_age":[1-9]/.test(body.toString('latin1', at, at + 24));
}

function redirectRefusal({ headers, url }: UpstreamAnswer): SourceError {
  const location = headers.location ?? '';
  const path = URL.canParse(location, url) ? new URL(location, url).pathname : null;
  if (path !== null && blockPaths.test(path)) return photoBlocked(`redirect to ${path}`);
  return refusal('SOURCE_RESPONSE_CHANGED', 'an unknown redirect');
}

function waiting(answer: UpstreamAnswer, now: Date): SourceErrorOptions {
  const waitSeconds = retryAfterSeconds(answer, now);
  return waitSeconds === null ? {} : { retry_after_seconds: waitSeconds };
}

/**
 * Returns the error for a block of this server by Instagram. Do not use this error when Instagram hides only one
 * account or post.
 */
export function photoBlocked(reason: string): SourceError {
  return refusal('SOURCE_RESTRICTED', reason, { about: 'block' });
}

function refusal(code: SourceErrorCode, reason: string, options: SourceErrorOptions = {}): SourceError {
  return new SourceError(code, { ...options, reason: `instagram: ${reason}` });
}
