import { expect, test } from 'vitest';
import { createCounterWriter } from '../../../db/requests/counter-writer.ts';

interface Count {
  route: string;
  requests: number;
}

function setUp(maxCounters: number) {
  const broken = new Set<string>();
  const written: Count[] = [];
  const errors: unknown[] = [];
  const writer = createCounterWriter<Count>({
    name: 'test',
    flush_every_ms: 3_600_000,
    max_counters: maxCounters,
    idOf: ({ route }) => route,
    merge(counter, more) {
      counter.requests += more.requests;
    },
    statements: (counters) =>
      counters.map((counter) => ({
        counters: [counter],
        async run() {
          if (broken.has(counter.route)) throw new Error('no connection');
          written.push(counter);
        },
      })),
    on_error: (error) => errors.push(error),
  });
  return { writer, broken, written, errors };
}

test('counters of a failed statement are kept and added to newer counts, and the other statements are not repeated', async () => {
  const { writer, broken, written, errors } = setUp(10);
  broken.add('/b');
  writer.add([
    { route: '/a', requests: 1 },
    { route: '/b', requests: 2 },
  ]);
  await writer.flush();
  expect(written).toEqual([{ route: '/a', requests: 1 }]);
  expect(errors).toEqual([new Error('no connection')]);
  broken.clear();
  writer.add([{ route: '/b', requests: 3 }]);
  await writer.close();
  expect(written.slice(1)).toEqual([{ route: '/b', requests: 5 }]);
  expect(errors).toHaveLength(1);
});

test('full counters drop the counts that need another counter with one error, and have space again after a write', async () => {
  const { writer, written, errors } = setUp(1);
  writer.add(['/a', '/b', '/a', '/c'].map((route) => ({ route, requests: 1 })));
  expect(errors.map(String)).toEqual([expect.stringContaining('The test counters are full')]);
  await writer.flush();
  writer.add([{ route: '/b', requests: 1 }]);
  await writer.close();
  expect(written).toEqual([
    { route: '/a', requests: 2 },
    { route: '/b', requests: 1 },
  ]);
  expect(errors).toHaveLength(1);
});
