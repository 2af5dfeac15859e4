import { expect, test } from 'vitest';
import { waitForAll } from '../../../pipeline/queue/wait-for-all.ts';

test('the results of all tasks of a job are returned in the order of the tasks', async () => {
  const slow = Promise.withResolvers<string>();
  const all = waitForAll([slow.promise, Promise.resolve('fast')]);
  slow.resolve('slow');
  expect(await all).toEqual(['slow', 'fast']);
  expect(await waitForAll([])).toEqual([]);
});

test('when a task of a job fails, the other tasks end before the error is thrown', async () => {
  const slow = Promise.withResolvers<void>();
  const order: string[] = [];
  const late = slow.promise.then(() => order.push('the slow task ended'));
  const all = waitForAll([late, Promise.reject(new Error('first')), Promise.reject(new Error('second'))]);
  const failed = all.catch((error: Error) => order.push(`threw ${error.message}`));
  setImmediate(slow.resolve);
  await failed;
  expect(order).toEqual(['the slow task ended', 'threw first']);
});
