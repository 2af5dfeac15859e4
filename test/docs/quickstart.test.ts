import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tidyUp } from '../harness/data-folder.ts';
import { writeInventedManifest } from '../harness/invented-manifest.ts';
import { run } from '../harness/service-process.ts';
import { openFolder, until } from '../setup/processes.ts';
import { type Block, blocks } from './blocks.ts';
import { createFakePrograms } from './sample-programs.ts';

const execute = promisify(execFile);
/** The time (without the installation) that the quickstart promises from the start of the service to a filled row. */
const maxQuickstartMs = 60_000;

const starting = blocks.filter(({ lang, code }) => lang === 'sh' && code.includes('npm start'));
const quickstart = blocks.filter(({ name, lang }) => name.startsWith('quickstart ') && lang === 'sh');
let folder = '';
let env: Record<string, string> = {};

beforeAll(async () => {
  folder = await openFolder();
  env = {
    PATH: `${await createFakePrograms(folder, join(folder, 'operator-calls'))}:${process.env.PATH}`,
    PORT: '0',
    UPSTREAM_REPLAY: await writeInventedManifest(folder),
    REPOSITORY: 'https://repository.example/tidemark',
  };
});
afterAll(async () => {
  for (const directory of directories) await tidyUp(directory, join(directory, 'data'));
  await tidyUp(folder, join(folder, 'data'));
});

const directories: string[] = [];

/** Runs a code block of a document in an empty folder until the service prints its address. */
async function start({ code }: Block, name: string) {
  const directory = join(folder, name);
  await mkdir(directory);
  directories.push(directory);
  const cwd = code.includes('git clone') ? directory : process.cwd();
  const started = run('bash', ['--norc', '-eu', '-c', `cd "${cwd}"\n${code}`], {
    ...env,
    DATA_DIR: join(directory, 'data'),
  });
  let hasEnded = false;
  const ended = started.ended.finally(() => {
    hasEnded = true;
  });
  const address = () => /Tidemark is running at (http:\S+)/.exec(started.output())?.[1];
  await until(async () => hasEnded || address() !== undefined);
  return {
    printed: started.output(),
    base_url: address() ?? expect.fail(`The service did not start: ${started.output()}`),
    /** Stops all processes that the code block started: bash, npm and the service. */
    async stop() {
      if (started.child.pid !== undefined) process.kill(-started.child.pid, 'SIGTERM');
      await ended;
    },
  };
}

test('the README and the quickstart start the service and show its output', async () => {
  expect(starting.map(({ name }) => name.replace(/ #.*/, ''))).toEqual(['README.md', 'quickstart']);
  const [readme] = starting;
  const service = await start(readme as Block, 'readme');
  const output = quickstart[0]?.next;
  expect(output?.lang).toBe('text');
  for (const line of output?.code.split('\n') ?? []) {
    const label = line.split(/ {2,}/)[0] ?? '';
    expect(service.printed).toMatch(new RegExp(`^ +${label} {2,}`, 'm'));
  }
  await service.stop();
}, 60_000);

test('the quickstart takes less than a minute from the start to rows of a sample and of live data', async () => {
  const startedAt = performance.now();
  const service = await start(quickstart[0] as Block, 'quickstart');
  const keyOf = (kind: string) => new RegExp(`tide_${kind}_\\w+`).exec(service.printed)?.[0] ?? expect.fail(kind);
  const rows: string[] = [];
  for (const { code } of quickstart.slice(1)) {
    const filled = code
      .replaceAll('{base_url}', service.base_url)
      .replaceAll('tide_test_…', keyOf('test'))
      .replaceAll('tide_live_…', keyOf('live'));
    const { stdout } = await execute('bash', ['--norc', '-eu', '-c', filled], { env });
    rows.push(stdout.trim().split('\r\n')[1] ?? '');
  }
  expect(performance.now() - startedAt).toBeLessThan(maxQuickstartMs);
  expect(rows).toEqual([
    'https://www.instagram.com/tidemark.sample/,OK,tidemark.sample,12408,false',
    expect.stringMatching(/^https:\/\/www\.instagram\.com\/nasa\/,OK,.*,4321,false,1$/),
  ]);
  await service.stop();
}, 90_000);
