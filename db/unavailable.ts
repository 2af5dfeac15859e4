import { sqlStateOf } from './distribution/error-code.ts';
import { codeOf } from './start-error.ts';

/** Error codes of the driver and the operating system: a connection could not be opened, or it broke. */
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

/** Calls of the operating system that open or use a connection. Their errors have many codes, such as EAI_AGAIN or EADDRNOTAVAIL. */
const connectionCalls: ReadonlySet<unknown> = new Set(['connect', 'getaddrinfo', 'read', 'write']);

/**
 * SQLSTATE codes and classes of a server that cannot answer or write now: connection errors, conflicts between
 * transactions, no memory, disk space or free connection, shutdown, time-out, and read-only (a standby server, or a
 * server that protects its disk).
 */
const serverCodes = /^(?:08|40|53|58|57P0[1-5]$|57014$|25006$|55P03$)/;

/** Returns true when the error says that the database cannot be used now. The same statement can succeed later. */
export function isUnavailable(error: unknown): boolean {
  for (let current = error, depth = 0; current instanceof Error && depth < 5; current = current.cause, depth += 1) {
    const code = 'code' in current ? current.code : null;
    if (typeof code === 'string' && (connectionCodes.has(code) || serverCodes.test(code))) return true;
    if ('syscall' in current && connectionCalls.has(current.syscall)) return true;
  }
  return false;
}

/**
 * Returns true when the statement refers to a row that another transaction removed at the same moment. The statement wrote
 * nothing, and the same request finds the row missing when it is repeated.
 */
export function isRemovedMeanwhile(error: unknown): boolean {
  return sqlStateOf(error) === '23503';
}

/** Returns true when the statement waited too long for a row that another transaction has locked. The statement wrote nothing. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === '55P03';
}

/** Returns true when the database sent nothing within the time limit of the statement. */
export function isDeadline(error: unknown): boolean {
  return codeOf(error) === 'STATEMENT_DEADLINE';
}

/** Returns true when it is unknown whether the statement was committed, because the connection broke or the server stopped. */
export function isAmbiguous(error: unknown): boolean {
  const code = codeOf(error);
  return code !== null && (connectionCodes.has(code) || /^(?:08|57P0[1-3]$)/.test(code));
}

/** Codes of errors when a connection could not be opened, so that no statement was sent. */
const unsentCodes: ReadonlySet<string> = new Set(['CONNECT_TIMEOUT', 'ECONNREFUSED', 'ENOENT', 'ENOTFOUND', '57P03']);

/** Returns false when the statement certainly wrote nothing, because it was not sent or the database refused it. */
export function mayBeCommitted(error: unknown): boolean {
  return isAmbiguous(error) && !unsentCodes.has((error as { code: string }).code);
}
