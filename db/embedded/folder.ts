import { chmod, lstat, mkdir, mkdtemp, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf } from '../start-error.ts';

const unfinishedPrefix = 'unfinished-';
/** A folder that is still unfinished after this time belongs to a process that was killed. */
const unfinishedLimitMs = 10 * 60_000;

/** Root's own place for what another account must reach; an ordinary user never needs it. */
export const defaultSystemFolder = '/var/lib/tidemark';

export async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Makes a folder with exactly this mode, whatever the umask; one that is there is left as it is. */
export async function makeFolder(path: string, mode: number): Promise<void> {
  if (await mkdir(path, { recursive: true, mode })) await chmod(path, mode);
}

/**
 * Builds a folder beside its place and renames it there, so that it is whole or absent whenever a process is killed.
 * When another process has put one there meanwhile, that one stays.
 */
export async function buildFolder(place: string, build: (unfinished: string) => Promise<void>): Promise<void> {
  const parent = dirname(place);
  await removeUnfinished(parent);
  const unfinished = await mkdtemp(join(parent, unfinishedPrefix));
  try {
    await build(unfinished);
    await rename(unfinished, place);
    await keepNames(parent);
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

// A renamed folder survives a power cut only once its parent is written down.
async function keepNames(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
