import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Name of a file in `node_modules` that stores the hash of the lock file from which the packages were installed. */
const stampName = '.installed-lock';

/**
 * Runs `npm ci` in a package's folder, unless its lock file is already installed. Throws when the installation fails.
 * Several processes may call this at the same time: each installs into its own folder, and the first result is kept.
 */
export async function installPackage(folder: string): Promise<void> {
  const modules = join(folder, 'node_modules');
  const lock = createHash('sha256')
    .update(await readFile(join(folder, 'package-lock.json')))
    .digest('hex');
  const isInstalled = async () => (await readFile(join(modules, stampName), 'utf8').catch(() => '')) === lock;
  if (await isInstalled()) return;
  const apart = await mkdtemp(join(folder, '.install-'));
  try {
    for (const name of ['package.json', 'package-lock.json']) await copyFile(join(folder, name), join(apart, name));
    await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: apart });
    await writeFile(join(apart, 'node_modules', stampName), lock);
    if (await isInstalled()) return;
    await rm(modules, { recursive: true, force: true });
    await rename(join(apart, 'node_modules'), modules);
  } catch (error) {
    if (!(await isInstalled())) throw error;
  } finally {
    await rm(apart, { recursive: true, force: true });
  }
}
