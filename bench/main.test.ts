import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const main = join(import.meta.dirname, 'main.ts');

/** What each benchmark prints when it came to its end; `report` fills a table with millions of rows and is run by hand. */
const printed = {
  requests: ['cache hit', 'charged', 'refused on a spent window', 'one connection', '128 connections'],
  pgbench: ['charged requests', 'ratio'],
  pages: ['invented photoPosts', 'invented shortvideoProfile'],
  start: ['first ever', 'warm'],
  memory: ['speed, last third / first', 'memory, MB'],
  pipeline: ['tracking step by sets'],
};

test.each(Object.entries(printed))(
  'the benchmark %s runs to its end',
  async (name, words) => {
    const { stdout } = await run(process.execPath, [main, name, '--rounds', '1', '--seconds', '0.3']);
    for (const word of words) expect(stdout).toContain(word);
  },
  180_000,
);

test('a benchmark that there is not, and a number that is none, are refused by a sentence of use', async () => {
  for (const asked of [['nothing'], ['pages', '--rounds', 'many']]) {
    await expect(run(process.execPath, [main, ...asked])).rejects.toMatchObject({
      code: 2,
      stderr: /usage: npm run bench/,
    });
  }
});
