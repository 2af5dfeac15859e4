import type { Sql } from 'postgres';
import { isDistributed } from './distribution/distributed.ts';
import { sqlStateOf } from './distribution/error-code.ts';
import { systemErrorCode } from './start-error.ts';

/**
 * Error codes of the database driver and the operating system that mean that a connection to the database could not be
 * opened or was lost.
 */
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
 * Names of system calls that open or use a connection. Errors of these calls have many codes, such as EAI_AGAIN or
 * EADDRNOTAVAIL.
 */
const connectionCalls: ReadonlySet<string> = new Set(['connect', 'getaddrinfo', 'read', 'write']);

/**
 * SQLSTATE codes that mean that the database server cannot answer or write now: connection errors, conflicts between
 * transactions, lack of memory, disk space or connections, shutdown, time-out, and read-only mode (a standby server, or
 * a server that protects its disk).
 */
const serverCodes = /^(?:08|40|53|58|57P0[1-5]$|57014$|25006$|55P03$)/;

/**
 * Returns true when an error means that the database cannot be used now. The same statement may succeed if retried
 * later.
 */
export function isUnavailable(error: unknown): boolean {
  for (let current = error, depth = 0; current instanceof Error && depth < 5; current = current.cause, depth += 1) {
    const code = 'code' in current ? current.code : null;
    // A missing file has the same code as a missing database socket, ENOENT. Only the system call shows which of the
    // two is missing.
    const call = 'syscall' in current && typeof current.syscall === 'string' ? current.syscall : null;
    if (call !== null && connectionCalls.has(call)) return true;
    if (call === null && typeof code === 'string' && (connectionCodes.has(code) || serverCodes.test(code))) return true;
  }
  return false;
}

/**
 * Returns true when a statement failed because it references a row that another transaction has just removed. The
 * statement wrote nothing. A repeated request finds that the row is missing.
 */
export function isRemovedMeanwhile(error: unknown): boolean {
  return sqlStateOf(error) === '23503';
}

/**
 * Returns true when a statement failed because it waited too long for a row that another transaction has locked. The
 * statement wrote nothing.
 */
export function isLockTimeout(error: unknown): boolean {
  return systemErrorCode(error) === '55P03';
}

/**
 * Returns true for the errors of {@link isLockTimeout} and, in a distributed database (Citus), for a statement
 * time-out. The lock time limit does not apply on other nodes, so waiting for a lock there ends only with the time
 * limit of the statement. The statement wrote nothing in this case either.
 */
export function isLockWait(sql: Sql, error: unknown): boolean {
  return isLockTimeout(error) || (isDistributed(sql) && systemErrorCode(error) === '57014');
}

/** Returns true when a statement failed because the database sent nothing within its time limit. */
export function isDeadline(error: unknown): boolean {
  return systemErrorCode(error) === 'STATEMENT_DEADLINE';
}

/**
 * Returns true when it is unknown whether the statement was committed, because the connection was lost or the server
 * stopped.
 */
export function isAmbiguous(error: unknown): boolean {
  const code = systemErrorCode(error);
  return code !== null && (connectionCodes.has(code) || /^(?:08|57P0[1-3]$)/.test(code));
}

/** Error codes that mean that the connection could not be opened, so the statement was never sent. */
const unsentCodes: ReadonlySet<string> = new Set(['CONNECT_TIMEOUT', 'ECONNREFUSED', 'ENOENT', 'ENOTFOUND', '57P03']);

/**
 * Returns true when the failed statement may have been committed. Returns false when it certainly wrote nothing,
 * because it was not sent or the database refused it.
 */
export function mayBeCommitted(error: unknown): boolean {
  return isAmbiguous(error) && !unsentCodes.has((error as { code: string }).code);
}
