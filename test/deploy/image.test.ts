import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { validate } from 'dockerfile-utils';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort, killServices, run } from '../harness/service-process.ts';
import { openFolder, removeFolder, until } from '../setup/processes.ts';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.ts';

const root = join(import.meta.dirname, '../..');
const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
const instructions = dockerfile
  .replaceAll('\\\n', '')
  .split('\n')
  .filter((line) => /^[A-Z]/.test(line))
  .map((line) => line.split(/\s+/));
const stage = instructions.slice(instructions.findLastIndex(([name]) => name === 'FROM'));
const commandIn = (text: string) => JSON.parse(text.slice(text.indexOf('['))) as string[];
const lineOf = (name: string) => stage.find(([first]) => first === name)?.join(' ') ?? '';

/** The parts of the copied folders that .dockerignore leaves out: installed packages and the built add-on. */
const leftOut = /\/(?:node_modules|addon\/dist)$/;

let folder: string;
let db: TestDatabase;

beforeAll(async () => {
  folder = await openFolder();
  db = await createTestDatabase();
  for (const [name, ...words] of stage) {
    if (name !== 'COPY' || words[0]?.startsWith('--')) continue;
    const target = words.at(-1) ?? '';
    for (const source of words.slice(0, -1)) {
      const to = join(folder, 'image', target.endsWith('/') ? join(target, source) : target);
      await mkdir(dirname(to), { recursive: true });
      await cp(join(root, source), to, { recursive: true, filter: (path) => !leftOut.test(path) });
    }
  }
  await symlink(join(root, 'node_modules'), join(folder, 'image/node_modules'));
});
afterAll(async () => {
  await killServices();
  await db?.close();
  await removeFolder(folder, join(folder, 'data'));
});

test('the linter finds nothing in the Dockerfile, and the image runs as a user without rights', () => {
  expect(validate(dockerfile)).toEqual([]);
  expect(lineOf('USER')).toBe('USER node');
});

test('the container image has only files of the repository, without tests and build tools', async () => {
  const { stdout } = await promisify(execFile)('git', ['ls-files'], { cwd: root });
  const known = stdout.split('\n');
  const sources = stage.filter(([name, first]) => name === 'COPY' && !first?.startsWith('--'));
  for (const path of sources.flatMap(([, ...words]) => words.slice(0, -1)))
    expect(
      known.some((file) => file === path || file.startsWith(`${path}/`)),
      path,
    ).toBe(true);
  const ignored = (await readFile(join(root, '.dockerignore'), 'utf8')).split('\n');
  for (const path of sources.flatMap(([, ...words]) => words.slice(0, -1))) expect(ignored).toContain(`!${path}`);
  expect(ignored.filter(Boolean).slice(-2)).toEqual(['**/node_modules', 'addon/dist']);
});

test('the files of the container image start with its command, pass the health check and write nothing into their folder', async () => {
  const port = String(await freePort());
  await writeFile(join(folder, 'database_url'), `${db.database_url}\n`);
  await chmod(join(folder, 'image'), 0o555);
  const image = join(folder, 'image');
  const stored = { NODE_COMPILE_CACHE: join(folder, 'compiled') };
  const storing = /node (scripts\/\S+)/.exec(lineOf('RUN'))?.[1] ?? expect.fail();
  expect((await run(process.execPath, [storing], stored, image).ended).code).toBe(0);
  const env = {
    ...stored,
    NODE_DEBUG_NATIVE: 'COMPILE_CACHE',
    PORT: port,
    NODE_ENV: 'production',
    DATABASE_URL_FILE: join(folder, 'database_url'),
    PIPELINE: 'off',
  };
  const [program = '', ...words] = commandIn(lineOf('CMD'));
  expect(program).toBe('node');
  const server = run(process.execPath, words, env, image);
  const health = commandIn(lineOf('HEALTHCHECK').replace(/^.*CMD/, ''));
  const check = () => run(process.execPath, health.slice(1), { PORT: port }, image).ended;
  expect((await run(process.execPath, health.slice(1), { PORT: '1' }, image).ended).code).toBe(1);
  // Waits for the address first, because each check starts a process, and checks before the address is printed always
  // fail.
  await until(async () => /running at/.test(server.output()) || server.child.exitCode !== null, 60_000);
  await until(async () => (await check()).code === 0, 60_000);
  const base = `http://127.0.0.1:${port}`;
  for (const path of [
    '/readyz',
    '/',
    '/docs',
    '/docs/operating',
    '/addon',
    '/addon/Code.js',
    '/openapi.json',
    '/status',
  ])
    expect((await fetch(`${base}${path}`)).status, path).toBe(200);
  const compiled = server.output().match(/^.*\bno such file or directory\b.*$/gm) ?? [];
  expect(compiled.filter((line) => line.includes('[compile cache]'))).toEqual([]);
  server.child.kill('SIGTERM');
  expect((await server.ended).code).toBe(0);
}, 160_000);
