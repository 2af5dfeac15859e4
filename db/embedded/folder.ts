import { chmod, lstat, mkdir, mkdtemp, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf } from '../start-error.ts';

const unfinishedPrefix = 'unfinished-';
/** A folder that is still unfinished after this time belongs to a process that was killed. */
const unfinishedLimitMs = 10 * 60_000;

/** Where root stores files that another account must read; an ordinary user never needs it. */
export const defaultSystemFolder = '/var/lib/tidemark';

export async function pathExists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Creates a folder with exactly this mode, regardless of the umask; does not change an existing one. */
export async function makeFolder(path: string, mode: number): Promise<void> {
  if (await mkdir(path, { recursive: true, mode })) await chmod(path, mode);
}

/**
 * Builds a folder under a temporary name and renames it to `target`, so that a killed process never leaves it incomplete.
 * When another process has created `target` meanwhile, that one stays.
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

// A rename survives a power cut only after the parent folder was written to disk.
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
