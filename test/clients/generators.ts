import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installPackage } from '../setup/installed-package.ts';

const run = promisify(execFile);

/** Folder of a package with the client generators, which need TypeScript 5. The repository uses TypeScript 7. */
const folder = join(import.meta.dirname, 'generators');
const programs = join(folder, 'node_modules', '.bin');

/**
 * Installs the client generators unless the required version is already installed. Throws when the installation fails.
 */
export function installGenerators(): Promise<void> {
  return installPackage(folder);
}

/**
 * Runs a program of the package with the client generators. Throws with the program's output when the program fails.
 */
export async function runGenerator([program = '', ...args]: readonly string[]): Promise<void> {
  await run(join(programs, program), args, { cwd: folder }).catch((error: { stdout?: string; stderr?: string }) => {
    throw new Error(`${program} failed:\n${error.stdout ?? ''}${error.stderr ?? String(error)}`);
  });
}
