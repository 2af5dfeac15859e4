import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { copyDataFolder } from '../../harness/data-folder.ts';
import {
  type AttachedProcess,
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
});

afterEach(async () => {
  await killProcesses();
  await removeFolder(folder, dataDir);
});

const isRoot = process.geteuid?.() === 0;
const makeTable = 'create table kept (n int)';
const count = 'select count(*)::int from kept';

/** The folder that {@link madeData} copies; null until the first test needs it. */
let made: string | null = null;
afterAll(async () => {
  if (made !== null) await removeFolder(made, made);
});

/**
 * Creates a data folder with a stopped database that contains the table `kept`. Copies the folder that its first call
 * created.
 */
async function madeData(): Promise<void> {
  made ??= await makeData();
  await mkdir(dataDir, { mode: 0o711 });
  await promisify(execFile)('cp', ['-a', join(made, 'data/postgres'), dataDir]);
}

async function makeData(): Promise<string> {
  const own = await openFolder();
  await copyDataFolder(join(own, 'data'));
  const process = await attachProcess(join(own, 'data'));
  expect([process.greeting, await process.ask(makeTable), await process.ask('stop')]).toEqual([
    'attached',
    'done',
    'stopped',
  ]);
  return own;
}

async function killPostmaster(): Promise<void> {
  const pid = await postmasterPid(dataDir);
  if (pid === null) throw new Error('The main process of PostgreSQL (postmaster) is not running.');
  process.kill(pid, 'SIGKILL');
}

async function isServing(pid: number | null): Promise<boolean> {
  return pid !== null && (await isRunningIn(dataDir, pid));
}

test('processes that start at the same time in an empty folder all attach to one built-in PostgreSQL, which listens on no network and which other users cannot open', async () => {
  const users = await readFile('/etc/passwd', 'utf8');
  const processes = await Promise.all([1, 2, 3, 4].map(() => attachProcess(dataDir)));
  expect(processes.map((process) => process.greeting)).toEqual(Array(4).fill('attached'));
  const [first] = processes as [AttachedProcess];
  expect(await first.ask('show listen_addresses')).toBe('');
  expect(await first.ask('show server_encoding')).toBe('UTF8');
  const database = await stat(join(dataDir, 'postgres'));
  expect(database.mode & 0o777).toBe(0o700);
  expect(database.uid === 0).toBe(false);
  expect(await first.ask('show unix_socket_directories')).toBe(join(dataDir, 'postgres'));
  expect(await first.ask('show unix_socket_permissions')).toBe('0700');
  expect(await readFile('/etc/passwd', 'utf8')).toBe(users);

  await first.ask(makeTable);
  await Promise.all(processes.map((process) => process.ask('insert into kept values (1)')));
  expect(await processes[3]?.ask(count)).toBe('4');
});

test('with durability on, the built-in PostgreSQL protects its data against a power cut', async () => {
  const { startEmbedded } = await import('../../../db/embedded/embedded.ts');
  const { silentLog } = await import('../../setup/test-database.ts');
  await copyDataFolder(dataDir);
  const embedded = await startEmbedded({ data_dir: dataDir, log: silentLog, system_folder: join(folder, 'system') });
  const { default: postgres } = await import('postgres');
  const sql = postgres({ ...embedded.connection, max: 1 });
  const names = ['fsync', 'full_page_writes', 'synchronous_commit'];
  const rows = await sql`select setting from pg_settings where name in ${sql(names)}`;
  expect(rows.map((row) => row.setting)).toEqual(['on', 'on', 'on']);
  await sql.end();
  await embedded.stop();
  expect(await postmasterPid(dataDir)).toBe(null);
});

test('processes attach to the running built-in PostgreSQL and may stop in any order, and the last one shuts PostgreSQL down', async () => {
  await copyDataFolder(dataDir);
  const [first, second] = [await attachProcess(dataDir), await attachProcess(dataDir)];
  const pid = await postmasterPid(dataDir);
  await first.ask(makeTable);
  expect(await second.ask(count)).toBe('0');

  expect(await second.ask('stop')).toBe('stopped');
  expect(await first.ask('insert into kept values (1)')).toBe('done');
  expect(await postmasterPid(dataDir)).toBe(pid);

  const third = await attachProcess(dataDir);
  expect(await first.ask('stop')).toBe('stopped');
  expect([await third.ask(count), await postmasterPid(dataDir)]).toEqual(['1', pid]);
  expect(await third.ask('stop')).toBe('stopped');
  expect([await postmasterPid(dataDir), await isServing(pid)]).toEqual([null, false]);
});

test('processes that stop at the same moment leave no built-in PostgreSQL behind', async () => {
  await copyDataFolder(dataDir);
  for (let round = 0; round < 5; round += 1) {
    const processes = await Promise.all([1, 2, 3].map(() => attachProcess(dataDir)));
    const pid = await postmasterPid(dataDir);
    expect(await Promise.all(processes.map((process) => process.ask('stop')))).toEqual([
      'stopped',
      'stopped',
      'stopped',
    ]);
    expect(await isServing(pid)).toBe(false);
  }
});

test('a process that attaches to the built-in PostgreSQL while the last one stops gets a running server', async () => {
  await madeData();
  for (let round = 0; round < 8; round += 1) {
    const leaving = await attachProcess(dataDir);
    const coming = attachProcess(dataDir);
    await leaving.ask('insert into kept values (1)');
    const stopped = leaving.ask('stop');
    const arrived = await coming;
    expect([arrived.greeting, await arrived.ask(count)]).toEqual(['attached', String(round + 1)]);
    expect([await stopped, await arrived.ask(count)]).toEqual(['stopped', String(round + 1)]);
    await arrived.ask('stop');
  }
});

test('the next start attaches to a built-in PostgreSQL whose process was killed', async () => {
  await copyDataFolder(dataDir);
  const killed = await attachProcess(dataDir);
  await killed.ask(makeTable);
  await killed.ask('insert into kept values (1)');
  const pid = await postmasterPid(dataDir);
  await killed.kill();
  expect(await isServing(pid)).toBe(true);

  const next = await attachProcess(dataDir);
  expect([await next.ask(count), await postmasterPid(dataDir)]).toEqual(['1', pid]);
  await next.ask('stop');
  expect(await isServing(pid)).toBe(false);
});

test('Ctrl-C in the terminal of a process does not stop the built-in PostgreSQL', async () => {
  await copyDataFolder(dataDir);
  const attached = await attachProcess(dataDir);
  const pid = await postmasterPid(dataDir);
  const exit = once(attached.child, 'exit');
  process.kill(-(attached.child.pid ?? 0), 'SIGINT');
  await exit;
  const next = await attachProcess(dataDir);
  expect([await next.ask('select 1'), await postmasterPid(dataDir)]).toEqual(['1', pid]);
});

test('a killed built-in PostgreSQL is restarted for all attached processes, with every committed row', async () => {
  await copyDataFolder(dataDir);
  const processes = [await attachProcess(dataDir), await attachProcess(dataDir)];
  await processes[0]?.ask(makeTable);
  for (let round = 1; round <= 3; round += 1) {
    expect(await processes[0]?.ask('insert into kept values (1)')).toBe('done');
    const pid = await postmasterPid(dataDir);
    await killPostmaster();
    // Child processes of the killed server may still answer until the new server starts.
    await until(async () => (await postmasterPid(dataDir)) !== pid);
    for (const attached of processes) await until(async () => (await attached.ask(count)) === String(round));
  }
  for (const attached of processes) expect(await attached.ask('stop')).toBe('stopped');
  expect(await postmasterPid(dataDir)).toBe(null);
});

test('a process that stops leaves the built-in PostgreSQL running for a process that has not yet attached again after a kill', async () => {
  await madeData();
  for (let round = 0; round < 3; round += 1) {
    const slow = await attachProcess(dataDir);
    // The paused process notices only later that the server was killed, as on a busy machine.
    slow.child.kill('SIGSTOP');
    const killed = await postmasterPid(dataDir);
    await killPostmaster();
    await until(async () => !(await isServing(killed)));
    const quick = await attachProcess(dataDir);
    const pid = await postmasterPid(dataDir);
    expect(await quick.ask('stop')).toBe('stopped');
    expect([await postmasterPid(dataDir), await isServing(pid)]).toEqual([pid, true]);

    slow.child.kill('SIGCONT');
    await until(async () => (await slow.ask(count)) === '0');
    expect(await postmasterPid(dataDir)).toBe(pid);
    expect(await slow.ask('stop')).toBe('stopped');
    expect([await postmasterPid(dataDir), await isServing(pid)]).toEqual([null, false]);
  }
});

test('a process that stops just after its built-in PostgreSQL was killed leaves no server behind', async () => {
  await madeData();
  for (let round = 0; round < 5; round += 1) {
    const attached = await attachProcess(dataDir);
    await killPostmaster();
    // Uses a different delay in each round, so that the stop reaches the process before, while or after it notices the
    // killed server and restarts it. The process does not signal these moments.
    await pause(round * 20);
    expect(await attached.ask('stop')).toBe('stopped');
    expect(await isServing(await postmasterPid(dataDir))).toBe(false);
  }
});

test('after the process and its built-in PostgreSQL were killed, the next start has every committed row', async () => {
  await madeData();
  for (let round = 1; round <= 3; round += 1) {
    const killed = await attachProcess(dataDir);
    expect([killed.greeting, await killed.ask('insert into kept values (1)')]).toEqual(['attached', 'done']);
    await Promise.all([killPostmaster(), killed.kill()]);
  }
  expect(await (await attachProcess(dataDir)).ask(count)).toBe('3');
});

test('a left-over postmaster.pid of a dead process does not prevent the start of the built-in PostgreSQL', async () => {
  await madeData();
  const gone = spawn('true');
  await once(gone, 'exit');
  await leavePidFile(gone.pid);
  expect(await (await attachProcess(dataDir)).ask(count)).toBe('0');
});

test('a left-over postmaster.pid whose process id belongs to another program does not prevent the start', async () => {
  await madeData();
  const { uid, gid } = await stat(join(dataDir, 'postgres'));
  const other = spawn('sleep', ['60'], isRoot ? { uid, gid } : {});
  await leavePidFile(other.pid);
  const attached = await attachProcess(dataDir);
  expect([attached.greeting, await attached.ask(count), other.exitCode]).toEqual(['attached', '0', null]);
  other.kill();
});

test.runIf(process.platform === 'linux')(
  'a left-over postmaster.pid of a zombie process does not prevent the start',
  async () => {
    await madeData();
    // Creates a zombie: the shell replaces itself with a program that never waits for its child process.
    const { uid, gid } = await stat(join(dataDir, 'postgres'));
    const parent = spawn('sh', ['-c', 'sleep 0.1 & echo $!; exec sleep 60'], isRoot ? { uid, gid } : {});
    const [output] = await once(parent.stdout, 'data');
    const zombie = Number(String(output));
    await until(async () => (await readFile(`/proc/${zombie}/stat`, 'utf8')).includes(') Z '));
    await leavePidFile(zombie);
    const attached = await attachProcess(dataDir);
    expect([attached.greeting, await attached.ask(count)]).toEqual(['attached', '0']);
    parent.kill();
  },
);

async function leavePidFile(pid: number | undefined): Promise<void> {
  const database = join(dataDir, 'postgres');
  await writeFile(join(database, 'postmaster.pid'), `${pid}\n${database}\n1\n5432\n${database}\n\n0 0\nready\n`);
}
