import { credentialsRefused, SourceError, type SourceErrorCode } from '../errors.ts';
import type { UpstreamAnswer } from '../network/fetcher.ts';
import { retryAfterSeconds } from '../network/retry-after.ts';
import { dig, toFlag, toText } from '../parse/values.ts';

/** The kinds of errors that Meta's Graph API reports. */
type GraphMeaning =
  | 'not_found'
  | 'credentials'
  | 'invalid_parameter'
  | 'throttled'
  | 'transient'
  | 'blocked'
  | 'unknown';

export interface GraphRefusal {
  meaning: GraphMeaning;
  error: SourceError;
}

/**
 * Maps each kind of Graph API error to an error code of this service. After `not_found`, another data source is tried
 * (`about: 'us'`), because the API also sends this error for personal accounts, which another source can read.
 */
const codeOfMeaning = {
  not_found: 'RESOURCE_NOT_FOUND',
  credentials: 'SOURCE_NOT_CONFIGURED',
  invalid_parameter: 'SOURCE_RESPONSE_CHANGED',
  throttled: 'SOURCE_CAPACITY',
  transient: 'SOURCE_UNAVAILABLE',
  blocked: 'SOURCE_UNAVAILABLE',
  unknown: 'SOURCE_RESPONSE_CHANGED',
} as const satisfies Record<GraphMeaning, SourceErrorCode>;

const meaningOfCode: ReadonlyMap<number, GraphMeaning> = new Map<number, GraphMeaning>([
  [110, 'not_found'],
  ...[3, 10, 102, 190, 803, 2500].map((code) => [code, 'credentials'] as const),
  ...Array.from({ length: 100 }, (_, i) => [200 + i, 'credentials'] as const),
  ...[4, 17, 32, 613, 80002].map((code) => [code, 'throttled'] as const),
  ...[1, 2, -1, -2].map((code) => [code, 'transient'] as const),
  [368, 'blocked'],
]);

/**
 * Matches Graph API messages about credentials. The API uses error code 100 for invalid parameters, but also for a
 * missing permission, app secret proof or app token. Only the message shows which of these is meant.
 */
const credentialPattern = /missing permission|requires? .*permission|appsecret_proof|app secret|app (?:access )?token/i;

/**
 * Returns the error in a Graph API answer; null when the request succeeded. The error's `reason` (for the log) contains
 * the source, the API's codes and the trace ID, never the access token.
 */
export function graphRefusal(source: string, answer: UpstreamAnswer, body: unknown, now: Date): GraphRefusal | null {
  const error = dig(body, 'error');
  if (answer.status === 200 && error === undefined) return null;
  const meaning = meaningOf(error, answer.status);
  const seen = ['code', 'error_subcode', 'fbtrace_id'].map((key) => `${key} ${toText(dig(error, key)) ?? '-'}`);
  const wait = meaning === 'throttled' ? waitSeconds(answer, now) : null;
  return {
    meaning,
    error: new SourceError(codeOfMeaning[meaning], {
      about: meaning === 'credentials' ? 'operator' : 'us',
      reason: `${source}: HTTP ${answer.status}, ${seen.join(', ')}`,
      ...(meaning === 'credentials' ? { message: credentialsRefused } : {}),
      ...(wait === null ? {} : { retry_after_seconds: wait }),
    }),
  };
}

function meaningOf(error: unknown, status: number): GraphMeaning {
  const code = Number(dig(error, 'code') ?? Number.NaN);
  if (code === 100) return meaningOf100(error);
  const known = meaningOfCode.get(code);
  if (known) return known;
  if (status === 401) return 'credentials';
  if (status === 429) return 'throttled';
  return status >= 500 || toFlag(dig(error, 'is_transient')) === true ? 'transient' : 'unknown';
}

function meaningOf100(error: unknown): GraphMeaning {
  if (Number(dig(error, 'error_subcode')) === 33) return 'credentials';
  return credentialPattern.test(toText(dig(error, 'message')) ?? '') ? 'credentials' : 'invalid_parameter';
}

/**
 * Returns the seconds to wait before the next Graph API request: the header Retry-After, otherwise the longest
 * `estimated_time_to_regain_access` (minutes) in the API's usage header. Null when both are missing.
 */
function waitSeconds(answer: UpstreamAnswer, now: Date): number | null {
  const usage = answer.headers['x-business-use-case-usage'] ?? '';
  const minutes = Array.from(usage.matchAll(/"estimated_time_to_regain_access"\s*:\s*(\d+)/g), (m) => Number(m[1]));
  const maxMinutes = Math.max(...minutes);
  return retryAfterSeconds(answer, now) ?? (maxMinutes > 0 ? maxMinutes * 60 : null);
}
