import { chmod, lstat, mkdir, mkdtemp, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { minuteMs } from '../durations.ts';
import { systemErrorCode } from '../start-error.ts';

const unfinishedPrefix = 'unfinished-';
/**
 * Age in milliseconds from which an unfinished temporary folder can be deleted, because the process that created it
 * must have been killed.
 */
const unfinishedLimitMs = 10 * minuteMs;

/**
 * The folder for files that must be readable for the user who runs PostgreSQL. Used only when Tidemark runs as root.
 */
export const defaultSystemFolder = '/var/lib/tidemark';

/**
 * Returns true when the path exists, even if it is a symbolic link to a missing target. After an error, such as a
 * missing permission, returns false.
 */
export async function pathExists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Creates a folder with exactly these permissions, independent of the umask. Does not change an existing folder. */
export async function makeFolder(path: string, mode: number): Promise<void> {
  if (await makePath(path, mode)) await chmod(path, mode);
}

/**
 * Creates a folder and its missing parent folders. Returns false when the folder exists. Does not use the option
 * `recursive` of `mkdir`, which would report a read-only disk as a missing folder (ENOENT).
 */
async function makePath(path: string, mode: number): Promise<boolean> {
  try {
    await mkdir(path, { mode });
    return true;
  } catch (error) {
    if (await isFolder(path)) return false;
    if (systemErrorCode(error) !== 'ENOENT') throw error;
  }
  await makePath(dirname(path), mode);
  try {
    await mkdir(path, { mode });
    return true;
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

const isFolder = (path: string) =>
  stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );

/**
 * Calls `build` to fill a folder with a temporary name and then renames the folder to `target`, so that a killed
 * process never leaves an incomplete `target`. If another process creates `target` first, keeps that folder.
 */
export async function buildFolder(target: string, build: (unfinished: string) => Promise<void>): Promise<void> {
  const parent = dirname(target);
  await removeUnfinished(parent);
  const unfinished = await mkdtemp(join(parent, unfinishedPrefix));
  try {
    await build(unfinished);
    await rename(unfinished, target);
    await syncFolder(parent);
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOTEMPTY' && systemErrorCode(error) !== 'EEXIST') throw error;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function removeUnfinished(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(unfinishedPrefix)) continue;
    const folder = join(parent, name);
    const stats = await lstat(folder).catch(() => null);
    if (stats && Date.now() - stats.mtimeMs > unfinishedLimitMs) await rm(folder, { recursive: true, force: true });
  }
}

// Writes the list of files in a folder to disk. Without this, a power failure could undo the renaming of a file in the
// folder.
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
