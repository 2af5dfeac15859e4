import { SourceError, type SourceErrorCode } from '../errors.ts';
import type { UpstreamAnswer } from '../network/fetcher.ts';
import { retryAfterSeconds } from '../network/retry-after.ts';
import { toCount } from '../parse/values.ts';

interface Refusal {
  code: SourceErrorCode;
  about: 'resource' | 'us' | 'wall';
  message?: string;
}

const wall: Refusal = { code: 'SOURCE_RESTRICTED', about: 'wall' };
const busy: Refusal = { code: 'SOURCE_CAPACITY', about: 'us' };

function missing(message: string): Refusal {
  return { code: 'RESOURCE_NOT_FOUND', about: 'resource', message };
}

function closed(message: string): Refusal {
  return { code: 'SOURCE_RESTRICTED', about: 'resource', message };
}

const ageLimit = closed('The source shows this only to visitors of a proven age.');
const underReview = closed('The source holds this back for review.');
const copyright = closed('The source holds this back for copyright.');

/** The platform's own status codes, as pages (`statusCode`), embeds (`errorCode`) and lists (`status_code`) carry them. */
const refusals: ReadonlyMap<number, Refusal> = new Map([
  [10000, wall],
  [10101, busy],
  [209002, busy],
  [10404, busy],
  [10102, wall],
  [10119, wall],
  [10113, wall],
  [10114, wall],
  [10202, missing('The source says that this account does not exist.')],
  [10221, missing('The source says that this account was removed.')],
  [10222, closed('This account is private.')],
  [10223, closed('The source limits what it shows of this account.')],
  [10203, missing('The source says that this sound does not exist.')],
  [10218, missing('The source says that this sound was withdrawn.')],
  [10204, missing('The source says that this video does not exist or was removed.')],
  [10205, missing('The source says that this hashtag does not exist.')],
  [10208, missing('The source says that this effect does not exist.')],
  [10209, closed('The source blocks this hashtag.')],
  [10211, closed('The source blocks this hashtag as sensitive.')],
  [10212, closed('The source has withdrawn this hashtag.')],
  [10213, ageLimit],
  [10214, ageLimit],
  [10215, underReview],
  [10217, underReview],
  [10227, underReview],
  [10228, underReview],
  [10229, underReview],
  [10230, underReview],
  [10216, closed('This item is private.')],
  [10219, copyright],
  [10220, copyright],
  [10231, closed('The source does not show this in the country where this service runs.')],
]);

/** Throws what a status code of the platform means. 0 and an absent code pass; an unknown one is SOURCE_RESPONSE_CHANGED. */
export function passStatusCode(code: unknown): void {
  if (code === undefined || code === null) return;
  const number = toCount(code);
  if (number === 0) return;
  const reason = `platform status code ${String(code).slice(0, 20)}`;
  const refusal = number === null ? undefined : refusals.get(number);
  if (refusal === undefined) throw new SourceError('SOURCE_RESPONSE_CHANGED', { reason });
  throw new SourceError(refusal.code, { ...refusal, reason });
}

const overloadMark = 'overload-protect triggered';

/** Throws what the HTTP status means, except where the body decides: 200, and 400, with which embeds and oEmbed tell their errors. */
export function passHttpAnswer(answer: UpstreamAnswer, now: Date): void {
  const { status, headers, body } = answer;
  const wait = retryAfterSeconds(answer, now);
  if (status === 503 && body.includes(overloadMark)) throw waiting('SOURCE_CAPACITY', overloadMark, wait);
  if (status >= 300 && status < 400) throw walled(`redirect to ${headers.location ?? 'nowhere'}`);
  passHttpStatus(status, wait);
}

/** Like {@link passHttpAnswer} for a bare status, as embeds also carry one inside their state; `wait` in seconds when one is named. */
export function passHttpStatus(status: number, wait: number | null = null): void {
  const reason = `HTTP ${status}`;
  if (status === 200 || status === 400) return;
  if (status === 401 || status === 403 || status === 451) throw walled(reason);
  if (status === 404 || status === 410) throw new SourceError('RESOURCE_NOT_FOUND', { reason });
  if (status === 429) throw waiting('SOURCE_CAPACITY', reason, wait);
  if (status >= 500) throw waiting('SOURCE_UNAVAILABLE', reason, wait);
  throw new SourceError('SOURCE_RESPONSE_CHANGED', { reason });
}

/** The platform turns us away as a visitor: its other doors are not tried. */
export function walled(reason: string): SourceError {
  return new SourceError('SOURCE_RESTRICTED', { about: 'wall', reason });
}

function waiting(code: SourceErrorCode, reason: string, wait: number | null): SourceError {
  return new SourceError(code, { reason, ...(wait === null ? {} : { retry_after_seconds: wait }) });
}
