import { execFile, execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Change } from './changes.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
/** Folder with build results of earlier copies, which a copy can reuse. */
const stored = join(root, 'node_modules/.cache/recipes');
const compiledFolder = 'node_modules/.cache/compiled';
/** File in which `npm run check` keeps the incremental state of the type checker. */
const typesFile = 'node_modules/.cache/types.tsbuildinfo';
const commandTimeoutMs = 240_000;

/** A copy of the repository in which tests can try changes. */
export interface TreeCopy {
  apply(change: Change): void;
  /** Runs a program in the copy. Returns its output, followed by the exit code when the program fails. */
  run(program: string, ...words: string[]): Promise<string>;
  read(file: string): string;
  /**
   * Returns the files that have changed since the last call. The first call returns the files changed since the copy
   * was made.
   */
  changedFiles(): string[];
  remove(): void;
}

/**
 * A test file that is left out of the copy. The test compares the types of the client, which the copy cannot generate
 * because that needs packages from npm.
 */
const omitted = 'test/clients/typescript-types.ts';

/** Copies the files that Git tracks or would add. Packages are linked, not copied. */
export function copyTree(): TreeCopy {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-recipes-'));
  const git = (...words: string[]) => execFileSync('git', words, { cwd: folder, encoding: 'utf8' });
  copyFiles(folder);
  linkPackages(folder);
  takeStored(folder);
  git('init', '--quiet');
  git('add', '--all');
  return {
    apply({ edits }) {
      for (const edit of edits) applyEdit(folder, edit);
    },
    run: (program, ...words) => runIn(folder, program, words),
    read: (file) => readFileSync(join(folder, file), 'utf8'),
    changedFiles() {
      const changed = git('diff', '--name-only').split('\n');
      const added = git('ls-files', '--others', '--exclude-standard').split('\n');
      git('add', '--all');
      return [...changed, ...added].filter(Boolean).toSorted();
    },
    remove() {
      try {
        storeTypes(folder);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  };
}

function copyFiles(folder: string): void {
  const words = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', words, { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean);
  for (const file of files.filter((name) => name !== omitted && existsSync(join(root, name))))
    cpSync(join(root, file), join(folder, file));
}

/**
 * Links each package instead of the whole folder `node_modules`, so that the copied tree has its own folder
 * `node_modules/.cache`.
 */
function linkPackages(folder: string): void {
  const packages = join(root, 'node_modules');
  mkdirSync(join(folder, 'node_modules/.cache'), { recursive: true });
  for (const name of readdirSync(packages).filter((entry) => entry === '.bin' || !entry.startsWith('.'))) {
    symlinkSync(join(packages, name), join(folder, 'node_modules', name));
  }
}

/**
 * Gives the copy the results that earlier copies stored: the compiled modules, and the incremental state of the type
 * checker. The type checker then checks only files that have changed, or that use a changed file.
 */
function takeStored(folder: string): void {
  mkdirSync(join(stored, 'compiled'), { recursive: true });
  symlinkSync(join(stored, 'compiled'), join(folder, compiledFolder));
  if (existsSync(join(stored, 'types'))) cpSync(join(stored, 'types'), join(folder, typesFile));
}

/**
 * Stores the type checker's incremental state for the next copy. Writes it under another name and renames the file,
 * because two runs can store it at the same time.
 */
function storeTypes(folder: string): void {
  if (!existsSync(join(folder, typesFile))) return;
  const written = join(stored, `types-${process.pid}`);
  cpSync(join(folder, typesFile), written);
  renameSync(written, join(stored, 'types'));
}

function applyEdit(folder: string, edit: Change['edits'][number]): void {
  const path = join(folder, edit.file);
  if ('text' in edit) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, edit.text, { flag: 'wx' });
    return;
  }
  const text = readFileSync(path, 'utf8');
  const at = text.lastIndexOf(edit.find);
  if (at === -1) throw new Error(`${edit.file} has no "${edit.find}": change test/recipes/changes.ts`);
  writeFileSync(path, text.slice(0, at) + edit.put + text.slice(at + edit.find.length));
}

async function runIn(folder: string, program: string, words: readonly string[]): Promise<string> {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(?:VITEST|NODE_ENV$|TEST$|FORCE_COLOR$)/.test(name),
  );
  const env = {
    ...Object.fromEntries(inherited),
    NO_COLOR: '1',
    // Finds a compiled module by its relative path, because each copy is in a different folder.
    NODE_COMPILE_CACHE: join(folder, compiledFolder),
    NODE_COMPILE_CACHE_PORTABLE: '1',
    PATH: `${join(folder, 'node_modules/.bin')}:${process.env.PATH}`,
  };
  try {
    const { stdout, stderr } = await run(program, words, { cwd: folder, env, timeout: commandTimeoutMs });
    return stdout + stderr;
  } catch (error) {
    const { stdout, stderr, code } = error as { stdout: string; stderr: string; code: unknown };
    return `${stdout}${stderr}\n${[program, ...words].join(' ')} failed (${code})`;
  }
}
