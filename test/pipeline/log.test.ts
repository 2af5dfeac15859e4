import { DrizzleQueryError } from 'drizzle-orm/errors';
import { describe, expect, test } from 'vitest';
import { createLog } from '../../pipeline/log.ts';

/** Returns the error as the log writes it, as JSON. */
function text(error: unknown): string {
  let line = '';
  createLog({ to: { write: (written) => (line = written) } }).error({ err: error }, 'failed');
  return JSON.stringify(JSON.parse(line).err);
}
const logged = (error: unknown) => JSON.parse(text(error));

describe('errors in the log', () => {
  test('the log describes a failed query without its statement and its parameters', () => {
    const cause = Object.assign(new Error('duplicate key value violates unique constraint "tokens_key"'), {
      code: '23505',
      constraint_name: 'tokens_key',
      detail: 'Key (token)=(secret-1) already exists.',
      parameters: ['secret-2'],
    });
    const error = new DrizzleQueryError('insert into tokens values ($1)', ['secret-3'], cause);
    expect(text(error)).not.toMatch(/secret|insert/);
    expect(logged(error)).toMatchObject({
      message: 'A query failed.',
      causes: [{ code: '23505', constraint: 'tokens_key', message: expect.stringContaining('unique constraint') }],
    });
  });

  test('the log leaves out a value that PostgreSQL could not read', () => {
    const error = Object.assign(new Error('invalid input syntax for type uuid: "secret ""1"""'), { code: '22P02' });
    expect(logged(error).message).toBe('invalid input syntax for type uuid: "…"');
  });

  test('the log keeps the frames of a stack, without the lines that repeat the message', () => {
    const error = new Error('one\nsecret line');
    error.message = 'one';
    expect(text(error)).not.toContain('secret');
    expect(logged(error).stack).toMatch(/^ {4}at /);
  });

  test('the log shows only the message and the inner errors of an object that is not an error', () => {
    const thrown = {
      message: 'no mail',
      token: 'secret-1',
      details: [new Error('refused'), 'secret-2', { a: 'secret-3' }],
    };
    expect(logged(thrown)).toMatchObject({ message: 'no mail', causes: [{ message: 'refused' }] });
    expect(text(thrown)).not.toContain('secret');
    expect(text('secret-1')).not.toContain('secret');
  });

  test('the log shows at most five levels of causes that contain each other', () => {
    const error = new Error('again');
    error.cause = error;
    expect(text(error).match(/again/g)).toHaveLength(6);
  });
});
