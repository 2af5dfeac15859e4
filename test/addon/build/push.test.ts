import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { claspPath, type PushPlaces, pushObstacle } from '../../../scripts/push-addon.ts';

let places: PushPlaces;

beforeEach(async () => {
  const addon = await mkdtemp(join(tmpdir(), 'push-'));
  onTestFinished(() => rm(addon, { recursive: true }));
  places = { addon, login: join(addon, 'home/.clasprc.json') };
});

async function keep(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

const install = () => keep(claspPath(places.addon), '');
const name = (project: unknown) => keep(join(places.addon, '.clasp.json'), JSON.stringify(project));

test('before a push each thing that is missing is said, with what to do', async () => {
  expect(pushObstacle(places)).toContain('npm install');
  await install();
  expect(pushObstacle(places)).toContain('.clasp.json');
  await name({ scriptId: 'invented', rootDir: 'dist' });
  expect(pushObstacle(places)).toContain('npm run login');
  await keep(places.login, '{}');
  expect(pushObstacle(places)).toBe(null);
});

test.each([
  ['no script', { rootDir: 'dist' }, 'script project'],
  ['an empty script', { scriptId: ' ', rootDir: 'dist' }, 'script project'],
  ['no folder', { scriptId: 'invented' }, '"rootDir": "dist"'],
  ['the sources', { scriptId: 'invented', rootDir: '.' }, '"rootDir": "dist"'],
])('a .clasp.json with %s is not pushed to', async (_, project, words) => {
  await install();
  await keep(places.login, '{}');
  await name(project);
  expect(pushObstacle(places)).toContain(words);
});

test('a .clasp.json that is no JSON is not pushed to', async () => {
  await install();
  await keep(places.login, '{}');
  await keep(join(places.addon, '.clasp.json'), '{');
  expect(pushObstacle(places)).toContain('script project');
});
