import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { copyDataFolder } from '../../harness/data-folder.ts';
import {
  attachProcess,
  isRunningIn,
  killProcesses,
  openFolder,
  postmasterPid,
  removeFolder,
  until,
} from '../../setup/processes.ts';

let folder: string;
let dataDir: string;

beforeEach(async () => {
  folder = await openFolder();
  dataDir = join(folder, 'data');
  await copyDataFolder(dataDir);
});
afterEach(async () => {
  await killProcesses();
  await removeFolder(folder, dataDir);
});

/** Attaches a process, kills it, so that PostgreSQL keeps running, and returns the process id of PostgreSQL. */
async function leaveRunning(): Promise<number> {
  const killed = await attachProcess(dataDir);
  const running = (await postmasterPid(dataDir)) ?? 0;
  await killed.kill();
  await rename(join(dataDir, 'postgres'), join(dataDir, 'postgres-old'));
  return running;
}

const refusal = (running: number) =>
  new RegExp(
    `^refused: PostgreSQL \\(process ${running}\\) still runs on .*/data/postgres.*run kill -QUIT ${running},`,
  );

async function quit(running: number): Promise<void> {
  process.kill(running, 'SIGQUIT');
  await until(async () => !(await isRunningIn(dataDir, running)));
}

test('no new database is created in the place of one that was moved away while its PostgreSQL still runs', async () => {
  const running = await leaveRunning();
  expect((await attachProcess(dataDir)).greeting).toMatch(refusal(running));
  expect(await readdir(dataDir)).not.toContain('postgres');
  await quit(running);
  expect((await attachProcess(dataDir)).greeting).toBe('attached');
});

const canNest = spawnSync('unshare', ['--pid', '--fork', 'true']).status === 0;

test.runIf(canNest)(
  'a PostgreSQL in a container whose database folder has the same path prevents no start, because it has other files',
  async () => {
    const link = join(dataDir, 'postgres');
    await rename(link, join(folder, 'other'));
    const program = 'console.log(process.pid); setInterval(() => undefined, 1_000)';
    const command = 'exec "$NODE" -e "$PROGRAM" -- -D "$LINK" -c';
    const container = spawn('unshare', ['--pid', '--fork', '--kill-child', 'sh', '-c', command], {
      env: { ...process.env, NODE: process.execPath, PROGRAM: program, LINK: link },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      expect(String((await once(container.stdout, 'data'))[0]).trim()).toBe('1');
      expect((await attachProcess(dataDir)).greeting).toBe('attached');
    } finally {
      container.kill('SIGKILL');
    }
  },
);

test('a copy that was put in the place of a moved database is not started before the PostgreSQL of the moved one has ended', async () => {
  await promisify(execFile)('cp', ['-a', join(dataDir, 'postgres'), join(folder, 'copy')]);
  const running = await leaveRunning();
  await rename(join(folder, 'copy'), join(dataDir, 'postgres'));
  expect((await attachProcess(dataDir)).greeting).toMatch(refusal(running));
  await quit(running);
  const attached = await attachProcess(dataDir);
  expect([attached.greeting, await attached.ask('stop')]).toEqual(['attached', 'stopped']);

  await rename(join(dataDir, 'postgres'), join(folder, 'copy'));
  await rename(join(dataDir, 'postgres-old'), join(dataDir, 'postgres'));
  expect((await attachProcess(dataDir)).greeting).toBe('attached');
});
