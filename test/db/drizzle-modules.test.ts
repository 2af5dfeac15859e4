import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** Returns the memory (MB) of a new process that runs the code `before` and then imports drizzle-orm. */
async function memoryAfterImport(before: string): Promise<number> {
  const script = `${before} await import('drizzle-orm/pg-core'); console.log(process.memoryUsage().rss >> 20);`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script], { cwd: root });
  return Number(stdout.trim());
}

test('importing drizzle-orm through the import hook takes less than half of the memory, and its modules work', async () => {
  const [plain, quick] = await Promise.all([
    memoryAfterImport(''),
    memoryAfterImport(
      "const { quickenDrizzle } = await import('./db/drizzle-modules.ts'); quickenDrizzle(); quickenDrizzle();",
    ),
  ]);
  expect(quick).toBeLessThan(plain / 2);
}, 60_000);
