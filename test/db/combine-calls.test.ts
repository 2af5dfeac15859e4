import { expect, test } from 'vitest';
import { combineCalls } from '../../db/combine-calls.ts';

test('database calls that are made while all slots are busy share one statement, and each gets its own result', async () => {
  const statements: number[][] = [];
  let release: () => void = () => {};
  const firstStatement = new Promise<void>((resolve) => {
    release = resolve;
  });
  const call = combineCalls(
    async (items: number[]) => {
      statements.push(items);
      if (statements.length === 1) await firstStatement;
      return items.map((item) => item * 10);
    },
    { slots: 1, max_calls: 100 },
  );
  const first = call(1);
  await expect.poll(() => statements.length).toBe(1);
  const others = [call(2), call(3), call(4)];
  release();
  expect(await Promise.all([first, ...others])).toEqual([10, 20, 30, 40]);
  expect(statements).toEqual([[1], [2, 3, 4]]);
});

test('one statement combines at most max_calls database calls, in order', async () => {
  const statements: number[][] = [];
  const call = combineCalls(
    async (items: number[]) => {
      statements.push(items);
      return items;
    },
    { slots: 1, max_calls: 2 },
  );
  await Promise.all([1, 2, 3, 4, 5].map(call));
  expect(statements).toEqual([[1, 2], [3, 4], [5]]);
});

test('a failing statement rejects only the database calls that it combined', async () => {
  const call = combineCalls(
    async (items: string[]) => {
      if (items.includes('bad')) throw new Error('no');
      return items;
    },
    { slots: 1, max_calls: 1 },
  );
  const answers = await Promise.allSettled([call('good'), call('bad'), call('fine')]);
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('after an error that one row can cause, each call of the statement runs alone, and only the faulty call fails', async () => {
  const statements: string[][] = [];
  const call = combineCalls(
    async (items: string[]) => {
      statements.push(items);
      if (items.includes('bad')) throw Object.assign(new Error('invalid byte sequence'), { code: '22021' });
      return items;
    },
    { slots: 1, max_calls: 10 },
  );
  const answers = await Promise.allSettled(['good', 'bad', 'fine'].map(call));
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(statements).toEqual([['good', 'bad', 'fine'], ['good'], ['bad'], ['fine']]);
});

test('after an error of the connection or the whole statement, none of its calls is repeated', async () => {
  let statements = 0;
  for (const code of ['57P01', '53100', 'CONNECTION_CLOSED', '40001', '55P03']) {
    const call = combineCalls(
      async (): Promise<string[]> => {
        statements++;
        throw Object.assign(new Error('away'), { code });
      },
      { slots: 1, max_calls: 10 },
    );
    const answers = await Promise.allSettled(['a', 'b'].map(call));
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  }
  expect(statements).toBe(5);
});

test('a statement that returns fewer results than it has calls rejects all of its calls', async () => {
  const call = combineCalls(async () => [], { slots: 1, max_calls: 10 });
  await expect(call('lost')).rejects.toThrow('returned 0 results for 1 calls');
});
