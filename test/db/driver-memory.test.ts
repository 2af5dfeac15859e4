import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, expect, test } from 'vitest';
import { createTestDatabase } from '../setup/test-database.ts';

const { pipelined, close } = await createTestDatabase();
afterAll(close);

setFlagsFromString('--expose-gc');
const collectGarbage: NonNullable<typeof gc> = runInNewContext('gc');

const statements = 2_000;
const textBytes = 2_000;

const oldBytes = () =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')?.space_used_size ?? 0;

async function runStatements(): Promise<void> {
  for (let n = 0; n < statements; n += 1) await pipelined`select length(${'x'.repeat(textBytes) + n})`;
}

test('a finished statement does not stay in memory until the next full garbage collection', async () => {
  await runStatements();
  await collectGarbage();
  const before = oldBytes();
  await runStatements();
  // Two minor garbage collections move everything that is still in use to V8's old generation.
  for (let collection = 0; collection < 2; collection += 1) await collectGarbage({ type: 'minor' });
  expect(oldBytes() - before).toBeLessThan((statements * textBytes) / 4);
});
