import type { Batch, BatchStatus } from '../../../db/deliveries/batches.ts';
import { type ErrorCode, errorTable } from '../../../pipeline/errors.ts';
import { dayText } from '../../design/dates.ts';

/** Label and color (tone) of each status of a batch. */
export const stateLabels: Record<BatchStatus, readonly [string, 'good' | 'bad' | 'warn' | 'plain']> = {
  queued: ['queued', 'plain'],
  running: ['running', 'plain'],
  paused: ['paused', 'warn'],
  finished: ['finished', 'good'],
  cancelled: ['cancelled', 'plain'],
};

/** Returns the name of a batch, or `Bulk analysis of 2026-11-20` for a batch without a name. */
export function batchName({ name, created_at }: Pick<Batch, 'name' | 'created_at'>): string {
  return name ?? `Bulk analysis of ${dayText(created_at)}`;
}

/** Returns true for a batch that has not ended. */
export function isLive({ status }: Pick<Batch, 'status'>): boolean {
  return status === 'queued' || status === 'running' || status === 'paused';
}

/** Returns the label for the status of a failed row of a batch. Returns the status itself when it has no label. */
export function failureLabel(status: string): string {
  const row = Object.hasOwn(errorTable, status) ? errorTable[status as ErrorCode] : null;
  return row?.batch_label ?? status;
}
