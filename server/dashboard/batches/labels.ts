import type { BatchStatus } from '../../../db/deliveries/batches.ts';
import type { SourceErrorCode } from '../../../pipeline/errors.ts';

/** The label and tone of each batch state. */
export const stateLabels: Record<BatchStatus, readonly [string, 'good' | 'bad' | 'warn' | 'plain']> = {
  queued: ['queued', 'plain'],
  running: ['running', 'plain'],
  paused: ['paused', 'warn'],
  finished: ['finished', 'good'],
  cancelled: ['cancelled', 'plain'],
};

const failureLabels: Record<SourceErrorCode | 'INTERNAL', string> = {
  INVALID_INPUT: 'not a profile address',
  RESOURCE_NOT_FOUND: 'not found',
  SOURCE_RESTRICTED: 'private or restricted',
  SOURCE_TIMEOUT: 'no answer in time',
  SOURCE_RESPONSE_CHANGED: 'answer could not be read',
  SOURCE_CAPACITY: 'platform limited our requests',
  SOURCE_UNAVAILABLE: 'platform not available',
  SOURCE_NOT_CONFIGURED: 'not set up on this server',
  INTERNAL: 'failed on our side',
};

/** Returns the label of a failed row. */
export const failureLabel = (status: string) =>
  Object.hasOwn(failureLabels, status) ? failureLabels[status as keyof typeof failureLabels] : status;
