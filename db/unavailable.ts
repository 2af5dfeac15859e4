import { codeOf } from './start-error.ts';

/** Codes of the driver and the system: the connection could not be opened or broke. */
const connectionCodes: ReadonlySet<string> = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'STATEMENT_DEADLINE',
]);

/**
 * SQLSTATE codes and classes of a server that cannot answer or write now: connection exceptions, no memory, space or free
 * connection, shutdown, time-out, and read-only (a standby, or a server that protects its disk).
 */
const serverCodes = /^(?:08|53|58|57P0[1-5]$|57014$|25006$|55P03$)/;

/** Returns true when the error says that the database cannot be used now, so that the same statement can succeed later. */
export function isUnavailable(error: unknown): boolean {
  for (let current = error, depth = 0; current instanceof Error && depth < 5; current = current.cause, depth += 1) {
    const code = 'code' in current ? current.code : null;
    if (typeof code === 'string' && (connectionCodes.has(code) || serverCodes.test(code))) return true;
  }
  return false;
}

/** Returns true when the statement waited too long for a row that another transaction has locked. Nothing was written. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === '55P03';
}

/** Returns true when the database was silent until the deadline of the statement. */
export function isDeadline(error: unknown): boolean {
  return codeOf(error) === 'STATEMENT_DEADLINE';
}

/** Returns true when it is unknown whether the statement was committed: the connection broke or the server stopped meanwhile. */
export function isAmbiguous(error: unknown): boolean {
  const code = codeOf(error);
  return code !== null && (connectionCodes.has(code) || /^(?:08|57P0[1-3]$)/.test(code));
}
