import type { BatchStatus } from '../../db/batches.ts';
import type { SourceErrorCode } from '../../pipeline/errors.ts';

/** The states of a batch as a tag says them. */
export const stateWords: Record<BatchStatus, readonly [string, 'good' | 'bad' | 'warn' | 'plain']> = {
  queued: ['waits for its turn', 'plain'],
  running: ['running', 'plain'],
  paused: ['paused', 'warn'],
  finished: ['finished', 'good'],
  cancelled: ['cancelled', 'plain'],
};

/** What a row that was not read came to, in words. */
const failureWords: Record<SourceErrorCode | 'INTERNAL', string> = {
  INVALID_INPUT: 'no profile address',
  RESOURCE_NOT_FOUND: 'not found',
  SOURCE_RESTRICTED: 'private or restricted',
  SOURCE_TIMEOUT: 'no answer in time',
  SOURCE_RESPONSE_CHANGED: 'answer not understood',
  SOURCE_CAPACITY: 'source too busy',
  SOURCE_UNAVAILABLE: 'source not available',
  SOURCE_NOT_CONFIGURED: 'source not set up',
  INTERNAL: 'error of ours',
};

/** What came of a row that was not read, in words. */
export const wordOf = (status: string) =>
  Object.hasOwn(failureWords, status) ? failureWords[status as keyof typeof failureWords] : status;
