import { chown, copyFile, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Sql } from 'postgres';
import { StartError, systemErrorCode } from '../start-error.ts';
import { blockedFolder, chooseSystemUser, isRoot, type SystemUser } from './account.ts';

const slot = 'tidemark_backup';
/**
 * Folders of a PostgreSQL database that a backup creates empty, because PostgreSQL writes their files again at startup.
 * The exception is `pg_wal`, whose files are copied last.
 */
const emptyFolders = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
]);
const leftOut = /^(?:postmaster\.(?:pid|opts)|pgsql_tmp.*|unfinished-.*|\.s\.PGSQL\..*|backup_label|tablespace_map)$/;
/**
 * Time limit of ten minutes for starting a backup, because the start waits for a checkpoint. The usual limit of the
 * driver is much shorter.
 */
const patience: object = { deadline: 600_000 };

const backupLock = 7_428_304;

/**
 * Calls `work` while no other backup of this database is running. Throws StartError when another backup is running,
 * because that backup could delete the unfinished copy of this one. The lock ends when the caller closes the database.
 */
export async function withBackupLock<T>(sql: Sql, work: () => Promise<T>): Promise<T> {
  const session = await sql.reserve();
  const ask = session as unknown as Sql;
  try {
    const [{ alone = false } = {}] = await ask<
      { alone: boolean }[]
    >`select pg_try_advisory_lock(${backupLock}) as alone`;
    if (!alone) throw new StartError('Another backup of this database is running: wait until it has ended.');
    return await work();
  } finally {
    session.release();
  }
}

/**
 * Copies the folder of the running built-in database to a new folder `target`. A replication slot makes PostgreSQL keep
 * the write-ahead log (WAL) during the copy, and this log is copied last. PostgreSQL applies the log when it first
 * starts on the copy, which then has the data of the end of the backup. See
 * https://www.postgresql.org/docs/18/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP.
 */
export async function copyRunningDatabase(sql: Sql, target: string): Promise<void> {
  const session = await sql.reserve();
  const ask = session as unknown as Sql;
  try {
    await ask`set statement_timeout = '10min'`;
    await ask`select pg_create_physical_replication_slot(${slot}, true, true)`;
    const [{ folder = '' } = {}] = await ask<{ folder: string }[]>`select current_setting('data_directory') as folder`;
    await waited(ask`select pg_backup_start('tidemark', true)`);
    const owner = await stat(folder);
    await copyFolder(folder, target, '', owner);
    const [label] = await waited(ask<{ labelfile: string }[]>`select labelfile from pg_backup_stop(false)`);
    await copyFolder(join(folder, 'pg_wal'), join(target, 'pg_wal'), 'pg_wal', owner);
    await writeFile(join(target, 'backup_label'), label?.labelfile ?? '', { mode: 0o600 });
    await own(join(target, 'backup_label'), owner);
    await ask`select pg_drop_replication_slot(${slot})`;
    await ask`reset statement_timeout`;
  } finally {
    // After an error, the replication slot ends with the session. Dropping the slot would wait half a minute for a
    // stopped database.
    session.release();
  }
}

/**
 * Copies the folder of a stopped built-in database. When its files belong to root, for example after a copy from
 * another machine, gives the copy to the user who runs PostgreSQL for root. Throws StartError when this user may not
 * enter the folder of the copy.
 */
export async function copyStoppedDatabase(source: string, target: string): Promise<void> {
  const owner = await stat(source);
  const account = owner.uid === 0 ? await chooseSystemUser(null) : owner;
  const blocked = isRoot() ? await blockedFolder(dirname(target), account) : null;
  if (blocked !== null)
    throw new StartError(
      `PostgreSQL runs as user ${account.uid}, who may not enter ${blocked}: choose a DATA_DIR that everyone may enter, such as /var/lib/tidemark/data, or run chmod o+x ${blocked}.`,
    );
  await copyFolder(source, target, 'all', account);
}

function waited<T>(query: T): T {
  return Object.assign(query as object, patience) as T;
}

/**
 * Copies a folder with its files. `inside` is the top-level folder of the database folder that is being copied, and ''
 * for the database folder itself. The value `all` copies everything, including the files that `leftOut` matches.
 */
async function copyFolder(source: string, target: string, inside: string, owner: SystemUser): Promise<void> {
  await mkdir(target, { recursive: true, mode: 0o700 });
  await own(target, owner);
  for (const entry of await readdir(source, { withFileTypes: true })) {
    const [from, to] = [join(source, entry.name), join(target, entry.name)];
    if (inside !== 'all' && leftOut.test(entry.name)) continue;
    if (entry.isDirectory()) {
      if (inside === '' && emptyFolders.has(entry.name)) await makeEmpty(from, to, owner);
      else await copyFolder(from, to, inside === '' ? entry.name : inside, owner);
    } else if (entry.isFile()) await copyOne(from, to, owner);
  }
}

/** Creates an empty copy of a folder: its subfolders, but no files. */
async function makeEmpty(source: string, target: string, owner: SystemUser): Promise<void> {
  await mkdir(target, { recursive: true, mode: 0o700 });
  await own(target, owner);
  for (const entry of await readdir(source, { withFileTypes: true }))
    if (entry.isDirectory() && !entry.name.startsWith('tidemark'))
      await makeEmpty(join(source, entry.name), join(target, entry.name), owner);
}

async function copyOne(from: string, to: string, owner: SystemUser): Promise<void> {
  try {
    await copyFile(from, to);
    await own(to, owner);
  } catch (error) {
    // Ignores a missing file, because the running database can delete files, for example those of a dropped table. The
    // write-ahead log (WAL) contains the deletion.
    if (systemErrorCode(error) !== 'ENOENT') throw error;
  }
}

async function own(path: string, { uid, gid }: SystemUser): Promise<void> {
  if (isRoot()) await chown(path, uid, gid);
}
