import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
/** The layers of the server. A layer may import only itself and the layers that precede it in this list. */
export const layers = ['db', 'pipeline', 'server'] as const;

/**
 * Returns the paths of all files below a folder, relative to the repository. Leaves out installed packages and built
 * files.
 */
export function listFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((file) => !/(?:^|\/)(?:node_modules|dist)\//.test(file));
}

/**
 * Returns the content of all files below the folders, by path. Without a pattern for the name, reads only TypeScript
 * files.
 */
export function readFiles(folders: readonly string[], name = /\.ts$/): Map<string, string> {
  const files = folders.flatMap(listFiles).filter((file) => name.test(file));
  return new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
}

/** The code of the server, the scripts and the add-on, by path. */
export const sources = readFiles([...layers, 'scripts', 'addon']);
/** The code of the tests and benchmarks, by path. */
export const testsAndBenchmarks = readFiles(['test', 'bench']);

/** The paths that each file imports, by the path of the file. */
export const imports = new Map(
  [...sources, ...testsAndBenchmarks].map(([file, text]) => [file, readImports(file, text)]),
);

export function importsOf(file: string): string[] {
  return imports.get(file) ?? [];
}

function readImports(file: string, text: string): string[] {
  return [...text.matchAll(/(?:from|import|import\()\s*'(\.[^']+)'/g)].map((match) =>
    relative(root, resolve(root, file, '..', match[1] as string)),
  );
}
