import { readdir, realpath, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { copyRunningDatabase, copyStoppedDatabase, withBackupLock } from '../../db/embedded/backup.ts';
import { makeFolder } from '../../db/embedded/folder.ts';
import { findServerOf, movedFolderError } from '../../db/embedded/processes.ts';
import type { Log } from '../../db/log.ts';
import { migrate } from '../../db/migrate.ts';
import { checkLedger } from '../../db/money/ledger.ts';
import { openDatabase } from '../../db/open.ts';
import { StartError } from '../../db/start-error.ts';
import { type RowCounts, readRowCounts } from '../../db/workspace-data/counts.ts';
import { readConfig } from '../../server/config.ts';
import { lines, type OfflineCommand } from './command.ts';
import { isNewDatabase } from './new-database.ts';

const ownServer =
  'DATABASE_URL is set: back up and restore your PostgreSQL server with its own tools, such as pg_basebackup or pg_dump.';

export const backup: OfflineCommand = {
  name: 'backup',
  usage: 'FOLDER',
  does: 'copies the built-in database into a new folder while the server runs, and checks the copy',
  args: ['FOLDER'],
  options: [],
  async runOffline({ args, env, log }) {
    const config = readConfig(env);
    if (config.database_url !== null) throw new StartError(ownServer);
    if (await isNewDatabase(config))
      throw new StartError(
        `There is no database in ${resolve(config.data_dir)}: set DATA_DIR to the folder of the server.`,
      );
    const folder = resolve(args[0] ?? '');
    await requireFree(folder, 'choose a new folder for the backup');
    const unfinished = `${folder}.unfinished`;
    const db = await openDatabase({ ...config, role: 'operator' }, log);
    try {
      const checked = await withBackupLock(db.sql, async () => {
        await writeCopy(unfinished, async () => {
          await makeFolder(unfinished, 0o711);
          await copyRunningDatabase(db.sql, join(unfinished, 'postgres'));
        });
        const counts = await checkCopy(unfinished, log);
        await rename(unfinished, folder);
        return counts;
      });
      const result = { folder, ...checked };
      return { json: result, text: lines(result), exit_code: checked.ledger_mismatches === 0 ? 0 : 1 };
    } finally {
      await db.close();
    }
  },
};

export const restore: OfflineCommand = {
  name: 'restore',
  usage: 'FOLDER',
  does: 'fills an empty DATA_DIR from a backup, and checks it; stop all Tidemark processes first',
  args: ['FOLDER'],
  options: [],
  async runOffline({ args, env, log }) {
    const { database_url, data_dir } = readConfig(env);
    if (database_url !== null) throw new StartError(ownServer);
    const [source, target] = [join(resolve(args[0] ?? ''), 'postgres'), join(resolve(data_dir), 'postgres')];
    if (!(await namesIn(source)).includes('PG_VERSION')) {
      throw new StartError(
        `There is no backup in ${resolve(args[0] ?? '')}: give the folder that the command \`backup\` created.`,
      );
    }
    await requireFree(target, 'set DATA_DIR to a new folder, or move the old database away');
    const path = join(await realpath(data_dir).catch(() => resolve(data_dir)), 'postgres');
    const running = await findServerOf(path);
    if (running !== null) throw movedFolderError(path, running);
    const unfinished = `${target}.unfinished`;
    try {
      await writeCopy(unfinished, async () => {
        await makeFolder(resolve(data_dir), 0o711);
        await makeFolder(unfinished, 0o711);
        await copyStoppedDatabase(source, join(unfinished, 'postgres'));
      });
      // Checks the copy before it is in place, so that a refused backup changes nothing.
      const checked = await checkCopy(unfinished, log);
      await rename(join(unfinished, 'postgres'), target);
      const result = { folder: resolve(data_dir), ...checked };
      return { json: result, text: lines(result), exit_code: result.ledger_mismatches === 0 ? 0 : 1 };
    } finally {
      await rm(unfinished, { recursive: true, force: true }).catch(() => undefined);
    }
  },
};

/**
 * Deletes the incomplete copy of an interrupted command, then calls `write` to write a new copy. After a disk error,
 * deletes the incomplete copy, which may have filled the disk, and throws StartError.
 */
async function writeCopy(unfinished: string, write: () => Promise<void>): Promise<void> {
  try {
    await rm(unfinished, { recursive: true, force: true });
    await write();
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error && 'path' in error)) throw error;
    await rm(unfinished, { recursive: true, force: true }).catch(() => undefined);
    throw new StartError(
      `The copy could not be written, and nothing of it was kept (${error.message}): correct the cause, such as too little space or a missing permission, and run the command again.`,
      { cause: error },
    );
  }
}

/**
 * Starts PostgreSQL on a copy, which applies the changes made during the backup. Then checks the ledger of the copy and
 * counts its rows.
 */
async function checkCopy(dataDir: string, log: Log): Promise<RowCounts & { ledger_mismatches: number }> {
  const copy = await openDatabase({ database_url: null, data_dir: dataDir, role: 'operator' }, log);
  try {
    await migrate(copy.sql);
    const [counts, { mismatches }] = [await readRowCounts(copy.background), await checkLedger(copy.background)];
    return { ...counts, ledger_mismatches: mismatches.length };
  } finally {
    await copy.close();
  }
}

async function requireFree(folder: string, advice: string): Promise<void> {
  if ((await namesIn(folder)).length > 0) throw new StartError(`${folder} is not empty: ${advice}.`);
}

/** Returns the names in a folder; an empty list for a folder that does not exist. */
async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new StartError(`${folder} cannot be read (${error.code}): check the path and its permissions.`);
  });
}
