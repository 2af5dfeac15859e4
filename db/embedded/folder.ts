import { chmod, lstat, mkdir, mkdtemp, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf } from '../start-error.ts';

const unfinishedPrefix = 'unfinished-';
/** An unfinished folder that is older than this can be deleted, because the process that created it must have been killed. */
const unfinishedLimitMs = 10 * 60_000;

/** Folder for files that the user who runs PostgreSQL must read. Used only when Tidemark runs as root. */
export const defaultSystemFolder = '/var/lib/tidemark';

export async function pathExists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Creates a folder with exactly these permissions, whatever the umask is. Does not change an existing folder. */
export async function makeFolder(path: string, mode: number): Promise<void> {
  if (await mkdir(path, { recursive: true, mode })) await chmod(path, mode);
}

/**
 * Creates a folder under a temporary name and renames it to `target`, so that a killed process never leaves an
 * incomplete `target`. If another process creates `target` first, that folder is used.
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
    if (codeOf(error) !== 'ENOTEMPTY' && codeOf(error) !== 'EEXIST') throw error;
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

// Writes the parent folder to disk. Without this, a power failure could undo the rename.
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
