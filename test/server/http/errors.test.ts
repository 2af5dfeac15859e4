import { expect, test } from 'vitest';
import { SourceError } from '../../../pipeline/errors.ts';
import { asRequestError } from '../../../server/http/errors.ts';

test('an error whose source asks to wait for years states a wait of one day and is not retryable', () => {
  const error = asRequestError(new SourceError('SOURCE_CAPACITY', { retry_after_seconds: 999_999_999 }));
  expect([error.retry_after_seconds, error.retryable]).toEqual([86_400, false]);
});

test('an error whose source asks to wait for one hour states this wait and is retryable', () => {
  const error = asRequestError(new SourceError('SOURCE_CAPACITY', { retry_after_seconds: 3_600 }));
  expect([error.retry_after_seconds, error.retryable]).toEqual([3_600, true]);
});
