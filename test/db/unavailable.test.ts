import { expect, test } from 'vitest';
import { mayBeCommitted } from '../../db/unavailable.ts';

const failure = (code: string) => Object.assign(new Error(code), { code });

test.each(['CONNECTION_CLOSED', 'ECONNRESET', 'EPIPE', '57P01', '08006'])(
  'a statement that failed with %s may be committed',
  (code) => {
    expect(mayBeCommitted(failure(code))).toBe(true);
  },
);

test.each(['ECONNREFUSED', 'ENOENT', 'CONNECT_TIMEOUT', '57P03', '57014', '25006', '53100', '23505'])(
  'a statement that failed with %s wrote nothing',
  (code) => {
    expect(mayBeCommitted(failure(code))).toBe(false);
  },
);
