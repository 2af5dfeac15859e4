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

/**
 * Runs this code in a separate process, in which the code can write lines with `log`. Returns the messages in the log
 * file.
 */
async function written(code: string): Promise<string[]> {
  const file = join(folder, 'log');
  const start = `import { openSync } from 'node:fs'; import { createRequestLog } from ${JSON.stringify(log)};
    const log = createRequestLog(openSync(${JSON.stringify(file)}, 'a'));`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', start + code]);
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line).msg);
}

test('the lines of a request log are written in order, even over several turns of the event loop', async () => {
  expect(await written("log.info('1'); log.info('2'); setImmediate(() => log.info('3'));")).toEqual(['1', '2', '3']);
});

test('the last lines of a request log are written when the process exits', async () => {
  expect(await written("log.info('1'); log.info('2'); process.exit();")).toEqual(['1', '2']);
});
