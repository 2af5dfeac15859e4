import { expect, test } from 'vitest';
import { joinCalls } from '../../db/batcher.ts';

test('calls made while the slots are busy leave together, each with its own result', async () => {
  const batches: number[][] = [];
  let release: () => void = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const call = joinCalls(
    async (items: number[]) => {
      batches.push(items);
      if (batches.length === 1) await gate;
      return items.map((item) => item * 10);
    },
    { slots: 1, max_calls: 100 },
  );
  const first = call(1);
  await expect.poll(() => batches.length).toBe(1);
  const others = [call(2), call(3), call(4)];
  release();
  expect(await Promise.all([first, ...others])).toEqual([10, 20, 30, 40]);
  expect(batches).toEqual([[1], [2, 3, 4]]);
});

test('a batch holds at most max_calls, in order', async () => {
  const batches: number[][] = [];
  const call = joinCalls(
    async (items: number[]) => {
      batches.push(items);
      return items;
    },
    { slots: 1, max_calls: 2 },
  );
  await Promise.all([1, 2, 3, 4, 5].map(call));
  expect(batches).toEqual([[1, 2], [3, 4], [5]]);
});

test('a failing statement fails the calls of its batch and no others', async () => {
  const call = joinCalls(
    async (items: string[]) => {
      if (items.includes('bad')) throw new Error('no');
      return items;
    },
    { slots: 1, max_calls: 1 },
  );
  const answers = await Promise.allSettled([call('good'), call('bad'), call('fine')]);
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('a statement that answers fewer calls than it was asked fails them all, loudly', async () => {
  const call = joinCalls(async () => [], { slots: 1, max_calls: 10 });
  await expect(call('lost')).rejects.toThrow('answered 0 of 1');
});
