import type { Logger } from 'pino';
import { createRequestLog } from '../../pipeline/log.ts';
import type { RequestLog, WriteLog } from './handle-request.ts';

/** Codes of errors that this service itself causes, not the client or a platform. */
const failedCodes: ReadonlySet<string> = new Set(['INTERNAL', 'SERVICE_UNAVAILABLE', 'CHARGE_UNCONFIRMED']);

/**
 * Returns the function that writes a log line for each answered request. When this service caused the error, the line
 * also contains the error with its stack.
 */
export function createWriteLog(log: Pick<Logger, 'info' | 'error'> = createRequestLog()): WriteLog {
  return ({ error, ...fields }: RequestLog) => {
    if (failedCodes.has(fields.code ?? '')) log.error({ ...fields, err: error }, 'request');
    else log.info(error === undefined ? fields : { ...fields, ...reasonOf(error) }, 'request');
  };
}

/**
 * Returns the detail of a source error that only the operator may see. This detail is logged and never part of an
 * answer.
 */
function reasonOf(error: unknown): { reason?: string } {
  const reason = typeof error === 'object' && error !== null && 'reason' in error ? error.reason : null;
  return typeof reason === 'string' ? { reason } : {};
}
