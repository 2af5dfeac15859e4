import {
  credentialsRefused,
  privateAccountOptions,
  SourceError,
  type SourceErrorCode,
  type SourceErrorOptions,
} from '../errors.ts';
import type { UpstreamAnswer } from '../network/fetcher.ts';
import { retryAfterSeconds } from '../network/retry-after.ts';
import { dig, toCount, toList, toText } from '../parse/values.ts';

/**
 * Maps the last part of the `type` URL in an X API error to an error code of this service. For a suspended account, the
 * API sends `resource-not-found` too.
 */
const codeOfProblem: ReadonlyMap<string, SourceErrorCode> = new Map<string, SourceErrorCode>([
  ['resource-not-found', 'RESOURCE_NOT_FOUND'],
  ['not-authorized-for-resource', 'SOURCE_RESTRICTED'],
  ['client-forbidden', 'SOURCE_NOT_CONFIGURED'],
  ['unsupported-authentication', 'SOURCE_NOT_CONFIGURED'],
  ['usage-capped', 'SOURCE_UNAVAILABLE'],
]);

/** Names of X API request parameters whose value comes from the customer. */
const customerParameters: ReadonlySet<string> = new Set(['id', 'username', 'pagination_token']);

/**
 * Returns the error in an X API answer, or null. An answer with status 200 is an error when it has `errors` and no
 * `data`.
 */
export function xRefusal(answer: UpstreamAnswer, body: unknown, now: Date): SourceError | null {
  const errors = toList(dig(body, 'errors')) ?? [];
  const hasData = (dig(body, 'data') ?? null) !== null;
  if (answer.status === 200 && (hasData || errors.length === 0)) return null;
  const problem = problemOf(body) ?? problemOf(errors[0]) ?? '-';
  const code = codeOf(answer.status, problem, errors);
  const wait = code === 'SOURCE_CAPACITY' ? waitSeconds(answer, now) : null;
  return new SourceError(code, {
    reason: `x-api: HTTP ${answer.status}, ${problem}`,
    ...optionsOf(code),
    ...(wait === null ? {} : { retry_after_seconds: wait }),
  });
}

function problemOf(value: unknown): string | null {
  return toText(dig(value, 'type'))?.split('/').at(-1) ?? null;
}

function codeOf(status: number, problem: string, errors: readonly unknown[]): SourceErrorCode {
  const known = codeOfProblem.get(problem);
  if (known !== undefined) return known;
  if (problem === 'invalid-request') return blamesCustomer(errors) ? 'INVALID_INPUT' : 'SOURCE_RESPONSE_CHANGED';
  if (status === 401) return 'SOURCE_NOT_CONFIGURED';
  if (status === 402 || status === 429) return 'SOURCE_CAPACITY';
  return status >= 500 ? 'SOURCE_UNAVAILABLE' : 'SOURCE_RESPONSE_CHANGED';
}

function blamesCustomer(errors: readonly unknown[]): boolean {
  const blamed = errors.flatMap((error) => Object.keys(Object(dig(error, 'parameters'))));
  return blamed.some((parameter) => customerParameters.has(parameter));
}

function optionsOf(code: SourceErrorCode): SourceErrorOptions {
  if (code === 'SOURCE_RESTRICTED') return privateAccountOptions;
  if (code === 'INVALID_INPUT')
    return { message: 'X does not accept one of the values in this request: check the parameters.' };
  if (code !== 'SOURCE_NOT_CONFIGURED') return {};
  return { about: 'operator', message: credentialsRefused };
}

/**
 * Returns the seconds to wait before the next X API request: until the rate limit resets, or else the value of the
 * header Retry-After.
 */
function waitSeconds(answer: UpstreamAnswer, now: Date): number | null {
  const resetSeconds = toCount(answer.headers['x-rate-limit-reset']);
  if (resetSeconds === null) return retryAfterSeconds(answer, now);
  return Math.max(1, Math.ceil(resetSeconds - now.getTime() / 1000));
}
