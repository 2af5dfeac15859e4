import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';

const log = resolve(import.meta.dirname, '../../pipeline/log.ts');
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tidemark-log-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs this code in a separate process, where it can write lines with `log`. Returns the content of the log file. */
async function written(code: string): Promise<string> {
  const file = join(folder, 'log');
  const start = `import { openSync } from 'node:fs'; import { joinedLines } from ${JSON.stringify(log)};
    const log = joinedLines(openSync(${JSON.stringify(file)}, 'a'));`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', start + code]);
  return readFile(file, 'utf8');
}

test('the lines of a request log are written in order, also over several turns of the event loop', async () => {
  expect(await written("log.write('1\\n'); log.write('2\\n'); setImmediate(() => log.write('3\\n'));")).toBe(
    '1\n2\n3\n',
  );
});

test('the last lines of a request log are written when the process exits', async () => {
  expect(await written("log.write('1\\n'); log.write('2\\n'); process.exit();")).toBe('1\n2\n');
});
