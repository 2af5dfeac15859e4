import { expect, test } from 'vitest';
import { SourceError } from '../../../pipeline/errors.ts';
import { asRequestError } from '../../../server/http/errors.ts';

test('a source that names a wait of years is answered with a wait of a day at most, which is not retryable', () => {
  const error = asRequestError(new SourceError('SOURCE_CAPACITY', { retry_after_seconds: 999_999_999 }));
  expect([error.retry_after_seconds, error.retryable]).toEqual([86_400, false]);
});

test('a source that names a wait of an hour is answered with that wait, which is retryable', () => {
  const error = asRequestError(new SourceError('SOURCE_CAPACITY', { retry_after_seconds: 3_600 }));
  expect([error.retry_after_seconds, error.retryable]).toEqual([3_600, true]);
});
