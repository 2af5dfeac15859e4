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
import { standInPrograms } from './sample-programs.ts';

const execute = promisify(execFile);
/** What the quickstart promises from the start to a filled row, packages and load of the machine left aside. */
const aMinuteMs = 60_000;

const starting = blocks.filter(({ lang, code }) => lang === 'sh' && code.includes('npm start'));
const quickstart = blocks.filter(({ name, lang }) => name.startsWith('quickstart ') && lang === 'sh');
let folder = '';
let env: Record<string, string> = {};

beforeAll(async () => {
  folder = await openFolder();
  env = {
    PATH: `${await standInPrograms(folder, join(folder, 'operator-calls'))}:${process.env.PATH}`,
    PORT: '0',
    UPSTREAM_REPLAY: await writeInventedManifest(folder),
    REPOSITORY: 'https://repository.example/tidemark',
  };
});
afterAll(async () => {
  for (const place of places) await tidyUp(place, join(place, 'data'));
  await tidyUp(folder, join(folder, 'data'));
});

const places: string[] = [];

/** Runs the block in an empty folder until the service that it starts says where it runs. */
async function start({ code }: Block, name: string) {
  const place = join(folder, name);
  await mkdir(place);
  places.push(place);
  const where = code.includes('git clone') ? place : process.cwd();
  const started = run('bash', ['--norc', '-eu', '-c', `cd "${where}"\n${code}`], {
    ...env,
    DATA_DIR: join(place, 'data'),
  });
  let over = false;
  const ended = started.ended.finally(() => {
    over = true;
  });
  const address = () => /Tidemark is running at (http:\S+)/.exec(started.output())?.[1];
  await until(async () => over || address() !== undefined);
  return {
    printed: started.output(),
    base_url: address() ?? expect.fail(`it did not start: ${started.output()}`),
    /** The block is a group of processes: bash, npm, the service. */
    async stop() {
      if (started.child.pid !== undefined) process.kill(-started.child.pid, 'SIGTERM');
      await ended;
    },
  };
}

test('the README and the quickstart start the service, and say what it prints', async () => {
  expect(starting.map(({ name }) => name.replace(/ #.*/, ''))).toEqual(['README.md', 'quickstart']);
  const [readme] = starting;
  const service = await start(readme as Block, 'readme');
  const said = quickstart[0]?.next;
  expect(said?.lang).toBe('text');
  for (const line of said?.code.split('\n') ?? []) {
    const label = line.split(/ {2,}/)[0] ?? '';
    expect(service.printed).toMatch(new RegExp(`^ +${label} {2,}`, 'm'));
  }
  await service.stop();
}, 60_000);

test('the quickstart leads from a clone to a filled row, of a sample and of live data, in under a minute', async () => {
  const began = performance.now();
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
  expect(performance.now() - began).toBeLessThan(aMinuteMs);
  expect(rows).toEqual([
    'https://www.instagram.com/tidemark.sample/,OK,tidemark.sample,12408,false',
    expect.stringMatching(/^https:\/\/www\.instagram\.com\/nasa\/,OK,.*,4321,false,1$/),
  ]);
  await service.stop();
}, 90_000);
