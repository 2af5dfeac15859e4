import { responseChanged, SourceError, type SourceErrorCode } from '../errors.ts';
import type { UpstreamAnswer } from '../network/fetcher.ts';
import { retryAfterSeconds } from '../network/retry-after.ts';
import { toCount, toText } from '../parse/values.ts';

interface Refusal {
  code: SourceErrorCode;
  about: 'resource' | 'us' | 'block';
  message?: string;
}

const block: Refusal = { code: 'SOURCE_RESTRICTED', about: 'block' };
const busy: Refusal = { code: 'SOURCE_CAPACITY', about: 'us' };

function missing(message: string): Refusal {
  return { code: 'RESOURCE_NOT_FOUND', about: 'resource', message };
}

function restricted(message: string): Refusal {
  return { code: 'SOURCE_RESTRICTED', about: 'resource', message };
}

const ageLimit = restricted('TikTok shows this only to people with a confirmed age.');
const underReview = restricted('TikTok hides this while it is under review.');
const copyright = restricted('TikTok hides this for copyright reasons.');
const privateItem = restricted('This item is private.');
const privateAuthor = restricted('This account is private.');
const limitedAuthor = restricted('TikTok limits what it shows of this account.');
const otherCountries = restricted('TikTok does not show this in the country where this service runs.');
const missingVideo = missing('TikTok says that this video does not exist or was removed.');

/**
 * Maps the status codes in TikTok's data to errors. TikTok's pages send the code as `statusCode`, embed pages as
 * `errorCode` and comment lists as `status_code`.
 */
const refusals: ReadonlyMap<number, Refusal> = new Map([
  [10000, block],
  [10101, busy],
  [209002, busy],
  [10404, busy],
  [10111, busy],
  [10102, block],
  [10119, block],
  [10113, block],
  [10114, block],
  [10201, missing('TikTok says that this does not exist.')],
  [10202, missing('TikTok says that this account does not exist.')],
  [10221, missing('TikTok says that this account was removed.')],
  [10222, privateAuthor],
  [10223, limitedAuthor],
  [10225, limitedAuthor],
  [10203, missing('TikTok says that this sound does not exist.')],
  [10218, missing('TikTok says that this sound was removed.')],
  [10204, missingVideo],
  [10205, missing('TikTok says that this hashtag does not exist.')],
  [10208, missing('TikTok says that this effect does not exist.')],
  [10209, restricted('TikTok blocks this hashtag.')],
  [10211, restricted('TikTok blocks this hashtag as sensitive.')],
  [10212, restricted('TikTok has removed this hashtag.')],
  [10213, ageLimit],
  [10214, ageLimit],
  [10215, underReview],
  [10217, underReview],
  [10227, underReview],
  [10228, underReview],
  [10229, underReview],
  [10230, underReview],
  [10216, privateItem],
  [10219, copyright],
  [10220, copyright],
  [10231, otherCountries],
  [10235, restricted('TikTok does not show stories on its website.')],
  [100002, missing('TikTok says that this does not exist.')],
  [100004, { code: 'SOURCE_UNAVAILABLE', about: 'us' }],
]);

/**
 * Maps texts in the status message of a TikTok video to errors, the most certain cause first. The message is more
 * precise than the status code: since 2023, TikTok sends 10204 for a video that it hides for any reason. A message can
 * name several causes, such as `item_privacy_authorization&status_deleted`.
 */
const causes: readonly [pattern: RegExp, refusal: Refusal][] = [
  [/status_delete|vigo/, missingVideo],
  [/status_(?:self|friend)_see/, privateItem],
  [/author_secret/, privateAuthor],
  [/status_review/, underReview],
  [/status_audit|status_abnormal/, restricted('TikTok has hidden this after a review.')],
  [/content_classification/, ageLimit],
  [/cross_border_violation|geo_fencing|geo_filter/, otherCountries],
  [/author_status/, limitedAuthor],
];

/**
 * Throws the error for a status code in TikTok's data. `message` is the status message that TikTok sends beside the
 * code; a cause that it names is preferred to the code. Throws SOURCE_RESPONSE_CHANGED for an unknown code. 0 and a
 * missing code mean success.
 */
export function throwOnStatusCode(code: unknown, message?: unknown): void {
  if (code === undefined || code === null) return;
  const number = toCount(code);
  if (number === 0) return;
  const text = toText(message)?.slice(0, 80) ?? '';
  const reason = `platform status code ${String(code).slice(0, 20)} ${text}`.trimEnd();
  const cause = causes.find(([pattern]) => pattern.test(text))?.[1];
  const refusal = cause ?? (number === null ? undefined : refusals.get(number));
  if (refusal === undefined) throw responseChanged(reason);
  throw new SourceError(refusal.code, { ...refusal, reason });
}

const overloadMark = 'overload-protect triggered';

/**
 * Throws the error for the HTTP status of a TikTok answer. Status 400 does not throw, because TikTok's embed pages and
 * oEmbed API send the reason in the body.
 */
export function throwOnHttpError(answer: UpstreamAnswer, now: Date): void {
  const { status, headers, body } = answer;
  const wait = retryAfterSeconds(answer, now);
  if (status === 503 && body.includes(overloadMark)) throw waiting('SOURCE_CAPACITY', overloadMark, wait);
  if (status >= 300 && status < 400) throw shortvideoBlocked(`redirect to ${headers.location ?? 'nowhere'}`);
  throwOnHttpStatus(status, wait);
}

/**
 * Throws the errors of {@link throwOnHttpError} for an HTTP status that is only part of the data of a page, such as an
 * embed page. `wait` is the number of seconds to wait; null when it is unknown.
 */
export function throwOnHttpStatus(status: number, wait: number | null = null): void {
  const reason = `HTTP ${status}`;
  if (status === 200 || status === 400) return;
  if (status === 401 || status === 403 || status === 451) throw shortvideoBlocked(reason);
  if (status === 404 || status === 410) throw new SourceError('RESOURCE_NOT_FOUND', { reason });
  if (status === 429) throw waiting('SOURCE_CAPACITY', reason, wait);
  if (status >= 500) throw waiting('SOURCE_UNAVAILABLE', reason, wait);
  throw responseChanged(reason);
}

/**
 * Returns the error for a block of this server by TikTok. After this error, no other source of TikTok data is tried.
 */
export function shortvideoBlocked(reason: string): SourceError {
  return new SourceError('SOURCE_RESTRICTED', { about: 'block', reason });
}

function waiting(code: SourceErrorCode, reason: string, wait: number | null): SourceError {
  return new SourceError(code, { reason, ...(wait === null ? {} : { retry_after_seconds: wait }) });
}
