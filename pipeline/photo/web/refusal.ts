import { SourceError, type SourceErrorCode, type SourceErrorOptions } from '../../errors.ts';
import type { UpstreamAnswer } from '../../network/fetcher.ts';
import { refusedBody } from '../../network/refused-answer.ts';
import { retryAfterSeconds } from '../../network/retry-after.ts';
import { dig, toFlag, toText } from '../../parse/values.ts';

/** How far into a body the marks of a page are looked for. */
const marksMaxBytes = 1_000_000;

/** What "a few minutes" are taken for when the source asks to wait that long. */
const fewMinutesS = 300;

const wallPaths = /^\/(?:accounts\/(?:login|suspended)|challenge|consent)(?:\/|$)|^\/?$/;
const wallMessages = new Set([
  'checkpoint_required',
  'challenge_required',
  'feedback_required',
  'login_required',
  'consent_required',
]);
const wallStatuses: ReadonlySet<number> = new Set([401, 403, 451]);
const shellMarks = ['accounts/login', 'accounts\\/login', '"canonicalRouteName":"comet.igweb.'];

/** What a refusing answer of the web surfaces says; null when it is a 200 that is to be read. */
export function webRefusal(answer: UpstreamAnswer, now: Date): SourceError | null {
  const { status } = answer;
  if (status === 200) return null;
  if (status === 404) return refusal('RESOURCE_NOT_FOUND', 'HTTP 404');
  if (status >= 300 && status < 400) return redirectRefusal(answer);
  const reason = `HTTP ${status}`;
  const wait = waiting(answer, now);
  if (status >= 500) return refusal('SOURCE_UNAVAILABLE', reason, wait);
  const said = spokenRefusal(refusedBody(answer), wait);
  if (status === 429 && said?.code !== 'SOURCE_CAPACITY') return refusal('SOURCE_CAPACITY', reason, wait);
  if (said) return said;
  return wallStatuses.has(status) ? walled(reason) : refusal('SOURCE_RESPONSE_CHANGED', reason);
}

/** What a JSON answer says in words (`message`, `require_login`), whatever its status; null when it says nothing known. */
export function spokenRefusal(body: unknown, options: SourceErrorOptions = {}): SourceError | null {
  const message = toText(dig(body, 'message'))?.toLowerCase() ?? '';
  if (message.startsWith('please wait a few minutes')) {
    return refusal('SOURCE_CAPACITY', 'please wait', { retry_after_seconds: fewMinutesS, ...options });
  }
  if (toFlag(dig(body, 'require_login')) === true) return walled('require_login');
  if (wallMessages.has(message)) return walled(message);
  return message.startsWith('useragent mismatch') ? walled('useragent mismatch') : null;
}

/** A 200 page where JSON was asked for: the login shell, or something unknown. */
export function pageForJson(answer: UpstreamAnswer): SourceError {
  if (isShell(answer.body)) return walled('a login page instead of JSON');
  return refusal('SOURCE_RESPONSE_CHANGED', 'no JSON where JSON was asked for');
}

/** Whether a page is one of Instagram's own (its data left out), not some other page. */
export function isShell(body: Buffer): boolean {
  const head = body.subarray(0, marksMaxBytes);
  return shellMarks.some((mark) => head.includes(mark));
}

/** Whether a page of status 200 is the one that Instagram shows for what does not exist. */
export function isMissingPage(body: Buffer, title: string): boolean {
  return /^Page not found/i.test(title) || body.includes('"canonicalRouteName":"comet.igweb.PolarisErrorRoute"');
}

function redirectRefusal({ headers, url }: UpstreamAnswer): SourceError {
  const location = headers.location ?? '';
  const path = URL.canParse(location, url) ? new URL(location, url).pathname : null;
  if (path !== null && wallPaths.test(path)) return walled(`redirect to ${path}`);
  return refusal('SOURCE_RESPONSE_CHANGED', 'a redirect that is not known');
}

function waiting(answer: UpstreamAnswer, now: Date): SourceErrorOptions {
  const retry_after_seconds = retryAfterSeconds(answer, now);
  return retry_after_seconds === null ? {} : { retry_after_seconds };
}

/** The platform turns us away as a visitor; what it keeps back of one account or post speaks of that instead. */
export function walled(reason: string): SourceError {
  return refusal('SOURCE_RESTRICTED', reason, { about: 'wall' });
}

function refusal(code: SourceErrorCode, reason: string, options: SourceErrorOptions = {}): SourceError {
  return new SourceError(code, { ...options, reason: `instagram: ${reason}` });
}
