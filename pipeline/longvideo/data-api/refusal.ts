import { type Blame, credentialsRefused, SourceError, type SourceErrorCode } from '../../errors.ts';
import type { UpstreamAnswer } from '../../network/fetcher.ts';
import { dig, parseJson, toList, toText } from '../../parse/values.ts';
import { commentsOff } from '../refusal-texts.ts';

/** The error in a failed answer of the YouTube Data API, and how to react to it. */
interface Refusal {
  error: SourceError;
  /** True when an immediate retry of the failed request may succeed. */
  retry: boolean;
  /** True when the daily quota of the called API method is used up. The quota resets at midnight Pacific time. */
  bucket_spent: boolean;
}

type Verdict = { code: SourceErrorCode; about?: Blame; message?: string; retry?: true; bucket_spent?: true };

const operatorFault: Verdict = { code: 'SOURCE_NOT_CONFIGURED', about: 'operator', message: credentialsRefused };
const spent: Verdict = { code: 'SOURCE_CAPACITY', bucket_spent: true };
const throttled: Verdict = { code: 'SOURCE_CAPACITY' };
const transient: Verdict = { code: 'SOURCE_UNAVAILABLE', retry: true };
const restricted: Verdict = { code: 'SOURCE_RESTRICTED', about: 'resource' };
const missing: Verdict = { code: 'RESOURCE_NOT_FOUND' };
const invalid: Verdict = { code: 'INVALID_INPUT' };
const unknown: Verdict = { code: 'SOURCE_RESPONSE_CHANGED' };

function rows(verdict: Verdict, reasons: string): [string, Verdict][] {
  return reasons.split(' ').map((reason) => [reason, verdict]);
}

/**
 * Error reasons of the YouTube Data API that concern the operator's API key or Google project. These reasons are
 * checked first, because the API also sends a general reason with them.
 */
const operatorReasons = new Set(
  (
    'API_KEY_INVALID API_KEY_SERVICE_BLOCKED API_KEY_HTTP_REFERRER_BLOCKED API_KEY_IP_ADDRESS_BLOCKED ' +
    'API_KEY_ANDROID_APP_BLOCKED API_KEY_IOS_APP_BLOCKED SERVICE_DISABLED BILLING_DISABLED CONSUMER_INVALID ' +
    'CONSUMER_SUSPENDED keyInvalid keyExpired accessNotConfigured ipRefererBlocked dailyLimitExceededUnreg'
  ).split(' '),
);

const verdicts: ReadonlyMap<string, Verdict> = new Map([
  ...rows(spent, 'quotaExceeded dailyLimitExceeded'),
  ...rows({ ...throttled, retry: true }, 'rateLimitExceeded userRateLimitExceeded'),
  // After `processingFailure`, the request is retried once. If the retry fails too, the requested resource is usually
  // the cause, so no other data source is tried.
  ...rows({ ...transient, about: 'resource' }, 'processingFailure'),
  ...rows(transient, 'backendError internalError'),
  ...rows(invalid, 'invalidPageToken operationNotSupported'),
  ...rows({ ...restricted, message: commentsOff }, 'commentsDisabled'),
  ...rows(
    restricted,
    'forbidden channelForbidden playlistForbidden playlistItemsNotAccessible ' +
      'watchLaterNotAccessible watchHistoryNotAccessible PERMISSION_DENIED',
  ),
  ...rows(missing, 'channelClosed channelSuspended videoNotFound channelNotFound playlistNotFound'),
  ...rows(missing, 'commentThreadNotFound commentNotFound parentCommentNotFound'),
]);

/**
 * Maps error reasons of the YouTube Data API that report an invalid parameter to the name of that parameter. The name
 * is used when the answer does not include it. An empty name means that the parameter is unknown.
 */
const blamedParameter: ReadonlyMap<string, string> = new Map([
  ['invalidRegionCode', 'regionCode'],
  ['unsupportedRegionCode', 'regionCode'],
  ['invalidRelevanceLanguage', 'relevanceLanguage'],
  ['invalidLanguage', 'hl'],
  ['invalidSearchFilter', ''],
  ['invalidChannelId', 'channelId'],
  ['invalidFilters', ''],
  ['incompatibleParameters', ''],
  ['missingRequiredParameter', ''],
  ['unexpectedParameter', ''],
]);

/**
 * Returns the error in a YouTube Data API answer whose status is not 200. The error depends on the error reasons in the
 * answer. Only for status 429, "per day" in the message means that the daily quota is used up. `customerParameters` are
 * the names of the parameters whose value comes from the customer. An invalid value of any other parameter is an error
 * on our side.
 */
export function dataApiRefusal(answer: UpstreamAnswer, customerParameters: readonly string[]): Refusal {
  const error = errorOf(answer);
  const reasons = reasonsOf(error);
  const verdict = verdictOf(answer.status, error, reasons, customerParameters);
  return {
    error: new SourceError(verdict.code, {
      ...(verdict.about === undefined ? {} : { about: verdict.about }),
      ...(verdict.message === undefined ? {} : { message: verdict.message }),
      reason: `Data API ${answer.status} ${reasons.join(' ')}`.trim(),
    }),
    retry: verdict.retry === true,
    bucket_spent: verdict.bucket_spent === true,
  };
}

/**
 * Returns the `error` object of a YouTube Data API answer; undefined when the answer is not JSON, such as the HTML page
 * of a gateway.
 */
function errorOf(answer: UpstreamAnswer): unknown {
  try {
    return dig(parseJson(answer.body), 'error');
  } catch (error) {
    if (error instanceof SourceError) return undefined;
    throw error;
  }
}

function reasonsOf(error: unknown): string[] {
  const listed = [...(toList(dig(error, 'details')) ?? []), ...(toList(dig(error, 'errors')) ?? [])];
  const reasons = listed.map((entry) => toText(dig(entry, 'reason')));
  return [...reasons, toText(dig(error, 'status'))].filter((reason) => reason !== null);
}

function verdictOf(status: number, error: unknown, reasons: string[], customerParameters: readonly string[]): Verdict {
  if (status === 401 || reasons.some((reason) => operatorReasons.has(reason))) return operatorFault;
  if (status === 429) return /per day/i.test(toText(dig(error, 'message')) ?? '') ? spent : throttled;
  if (status >= 500) return transient;
  const blamed = reasons.find((reason) => blamedParameter.has(reason));
  if (blamed !== undefined) {
    const named = toText(dig(error, 'errors', 0, 'location')) ?? blamedParameter.get(blamed);
    return customerParameters.some((parameter) => parameter === named) ? invalid : { code: 'SOURCE_UNAVAILABLE' };
  }
  const known = reasons.find((reason) => verdicts.has(reason));
  return (known === undefined ? undefined : verdicts.get(known)) ?? unknown;
}
