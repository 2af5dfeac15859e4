import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { createInFlight } from '../../../server/data/in-flight.ts';

test('a value is found until it is removed, and a newer value with its key stays', () => {
  const inFlight = createInFlight<number>();
  const removeFirst = inFlight.add('a', 1);
  expect(inFlight.get('a')).toBe(1);
  const removeSecond = inFlight.add('a', 2);
  removeFirst();
  expect(inFlight.get('a')).toBe(2);
  removeSecond();
  expect(inFlight.get('a')).toBeUndefined();
  expect(inFlight.get('b')).toBeUndefined();
});

setFlagsFromString('--expose-gc');
const collectGarbage: NonNullable<typeof gc> = runInNewContext('gc');

const values = 4_000;
const valueNumbers = 500;
const atOnce = 32;

const oldBytes = () =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')?.space_used_size ?? 0;

test('a removed value does not stay in memory until the next full garbage collection', async () => {
  const inFlight = createInFlight<number[]>();
  const removals: (() => void)[] = [];
  const addAndRemove = async () => {
    for (let n = 0; n < values; n += 1) {
      removals.push(inFlight.add(`key ${n}`, Array<number>(valueNumbers).fill(n + 0.5)));
      if (removals.length > atOnce) removals.shift()?.();
      if (n % 100 === 0) await collectGarbage({ type: 'minor' });
    }
  };
  await addAndRemove();
  await collectGarbage();
  const before = oldBytes();
  await addAndRemove();
  for (let collection = 0; collection < 2; collection += 1) await collectGarbage({ type: 'minor' });
  expect(oldBytes() - before).toBeLessThan((values * valueNumbers * 8) / 10);
});
