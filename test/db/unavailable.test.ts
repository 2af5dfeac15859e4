import { expect, test } from 'vitest';
import { isRemovedMeanwhile, isUnavailable, mayBeCommitted } from '../../db/unavailable.ts';

const failure = (code: string) => Object.assign(new Error(code), { code });

test.each(['CONNECTION_CLOSED', 'ECONNRESET', 'EPIPE', '57P01', '08006'])(
  'a database statement that failed with %s may have been committed',
  (code) => {
    expect(mayBeCommitted(failure(code))).toBe(true);
  },
);

test.each(['ECONNREFUSED', 'ENOENT', 'CONNECT_TIMEOUT', '57P03', '57014', '25006', '53100', '23505'])(
  'a database statement that failed with %s wrote nothing',
  (code) => {
    expect(mayBeCommitted(failure(code))).toBe(false);
  },
);

test.each(['ECONNREFUSED', '53300', '57P03', '40P01', '40001', '57014', '25006', 'STATEMENT_DEADLINE'])(
  'a database statement that failed with %s may succeed if retried',
  (code) => {
    expect(isUnavailable(failure(code))).toBe(true);
    expect(isUnavailable(new Error('The query failed.', { cause: failure(code) }))).toBe(true);
  },
);

test.each(['EAI_AGAIN', 'EADDRNOTAVAIL', 'EMFILE'])(
  'a database connection that fails with %s means that the database is unavailable',
  (code) => {
    expect(isUnavailable(Object.assign(failure(code), { syscall: 'connect' }))).toBe(true);
  },
);

test.each(['23505', '42P01', 'XX000', 'EMFILE', 'ENOENT'])(
  'database error %s is a fault of the statement or of this program',
  (code) => {
    expect(isUnavailable(Object.assign(failure(code), { syscall: 'open' }))).toBe(false);
  },
);

test('database error 23503 means that another transaction removed a row at the same moment, and 23505 does not', () => {
  expect(isRemovedMeanwhile(failure('23503'))).toBe(true);
  expect(isRemovedMeanwhile(failure('23505'))).toBe(false);
});
