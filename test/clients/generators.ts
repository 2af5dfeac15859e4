import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A separate package, because the generators need TypeScript 5 and the repository uses TypeScript 7. */
const folder = join(import.meta.dirname, 'generators');
const programs = join(folder, 'node_modules', '.bin');
const stamp = join(folder, 'node_modules', '.installed-lock');

/** Installs the generators unless this version is installed; throws when the installation fails. */
export async function installGenerators(): Promise<void> {
  const lock = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder });
  writeFileSync(stamp, lock);
}

/** Runs a program of the package; throws with its output when it fails. */
export async function runGenerator([program = '', ...args]: readonly string[]): Promise<void> {
  await run(join(programs, program), args, { cwd: folder }).catch((error: { stdout?: string; stderr?: string }) => {
    throw new Error(`${program} failed:\n${error.stdout ?? ''}${error.stderr ?? String(error)}`);
  });
}
