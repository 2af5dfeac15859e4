import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { claspPath, pushObstacle } from '../../../scripts/addon/clasp.ts';

let paths: Parameters<typeof pushObstacle>[0];

beforeEach(async () => {
  const addon = await mkdtemp(join(tmpdir(), 'push-'));
  onTestFinished(() => rm(addon, { recursive: true }));
  paths = { addon, login: join(addon, 'home/.clasprc.json') };
});

async function keep(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

const install = () => keep(claspPath(paths.addon), '');
const name = (project: unknown) => keep(join(paths.addon, '.clasp.json'), JSON.stringify(project));

test('each obstacle to pushing the add-on with clasp gives a message that says what to do', async () => {
  expect(pushObstacle(paths)).toContain('npm install');
  await install();
  expect(pushObstacle(paths)).toContain('.clasp.json');
  await name({ scriptId: 'invented', rootDir: 'dist' });
  expect(pushObstacle(paths)).toContain('npm run login');
  await keep(paths.login, '{}');
  expect(pushObstacle(paths)).toBe(null);
});

test.each([
  ['no script', { rootDir: 'dist' }, 'script project'],
  ['an empty script', { scriptId: ' ', rootDir: 'dist' }, 'script project'],
  ['no folder', { scriptId: 'invented' }, '"rootDir": "dist"'],
  ['the sources', { scriptId: 'invented', rootDir: '.' }, '"rootDir": "dist"'],
])('the add-on is not pushed when .clasp.json names %s', async (_, project, words) => {
  await install();
  await keep(paths.login, '{}');
  await name(project);
  expect(pushObstacle(paths)).toContain(words);
});

test('the add-on is not pushed when .clasp.json is not valid JSON', async () => {
  await install();
  await keep(paths.login, '{}');
  await keep(join(paths.addon, '.clasp.json'), '{');
  expect(pushObstacle(paths)).toContain('script project');
});
