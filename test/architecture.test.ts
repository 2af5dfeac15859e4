import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { imports, importsOf, layers, listFiles, sources } from './architecture/source-files.ts';

const maxLinesOfFile = 300;
const maxFilesOfFolder = 20;
const foldersWithLimit = [...layers, 'addon', 'bench', 'clients', 'docs', 'scripts', 'test'];
/**
 * Folders that may have any number of files. A tool writes and names the migrations, whose number grows with every
 * table change. Each file in `docs/` is a page whose address is its path. The decisions in `docs/adr/` are one numbered
 * list.
 */
const foldersWithoutLimit = /^(?:db\/migrations(?:\/.*)?|docs|docs\/adr)$/;

/** Returns every import cycle as `a <-> b`: each group of nodes that can all reach each other. */
function findCycles(nodes: readonly string[], targetsOf: (node: string) => Iterable<string>): string[] {
  const reach = new Map(nodes.map((node) => [node, findReachable(node, targetsOf)]));
  const inCycle = nodes.filter((node) => reach.get(node)?.has(node)).toSorted();
  const groups = inCycle.map((node) =>
    inCycle.filter((other) => reach.get(node)?.has(other) && reach.get(other)?.has(node)).join(' <-> '),
  );
  return [...new Set(groups)];
}

function findReachable(start: string, targetsOf: (node: string) => Iterable<string>): Set<string> {
  const found = new Set<string>();
  const waiting = [...targetsOf(start)];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    waiting.push(...targetsOf(next));
  }
  return found;
}

/**
 * Returns the import cycles between the folders directly inside `parent`. Ignores files directly in `parent`, which
 * import all folders.
 */
function findFolderCycles(parent: string): string[] {
  const folderOf = (file: string) => {
    const [name, ...rest] = file.startsWith(`${parent}/`) ? file.slice(parent.length + 1).split('/') : [];
    return rest.length > 0 ? `${parent}/${name}` : null;
  };
  const targets = new Map<string, Set<string>>();
  for (const file of sources.keys()) {
    const folder = folderOf(file);
    if (folder === null) continue;
    const others = importsOf(file).map(folderOf);
    const found = others.filter((other): other is string => other !== null && other !== folder);
    targets.set(folder, new Set([...(targets.get(folder) ?? []), ...found]));
  }
  return findCycles([...targets.keys()], (folder) => targets.get(folder) ?? []);
}

/** Returns the imports of files in the folders `from` that lead into one of the folders `to`. */
function findImports(from: readonly string[], to: readonly string[]): string[] {
  const isIn = (path: string, folders: readonly string[]) => folders.includes(path.split('/')[0] ?? '');
  return [...sources.keys()]
    .filter((file) => isIn(file, from))
    .flatMap((file) => importsOf(file).map((target) => [file, target] as const))
    .filter(([, target]) => isIn(target, to))
    .map(([file, target]) => `${file} -> ${target}`);
}

describe('the architecture of the code', () => {
  test('source files never import each other in a cycle, not even for types or in tests and benchmarks', () => {
    expect(findCycles([...imports.keys()], importsOf)).toEqual([]);
  });

  test('folders next to each other in db, pipeline, server and addon never import each other in a cycle', () => {
    const parents = new Set(
      [...sources.keys()]
        .map(dirname)
        .filter((folder) => [...layers, 'addon'].some((parent) => folder.startsWith(parent))),
    );
    expect([...parents].flatMap(findFolderCycles)).toEqual([]);
  });

  test('only server/http/attachment.ts sets the headers of a download', () => {
    const inServer = [...sources].filter(([file]) => file.startsWith('server/'));
    const setters = inServer.filter(([, text]) => text.includes('content-disposition')).map(([file]) => file);
    expect(setters).toEqual(['server/http/attachment.ts']);
  });

  test('imports between layers point one way: server -> pipeline -> db', () => {
    const layerOf = (path: string) => layers.findIndex((name) => path.startsWith(`${name}/`));
    const wrong = [...sources.keys()].flatMap((file) => {
      const layer = layerOf(file);
      if (layer === -1) return [];
      return importsOf(file)
        .filter((target) => layerOf(target) > layer)
        .map((target) => `${file} -> ${target}`);
    });
    expect(wrong).toEqual([]);
  });

  test('the add-on imports nothing of the server, because it knows only the HTTP API', () => {
    expect(findImports(['addon'], [...layers, 'scripts', 'test', 'bench'])).toEqual([]);
  });

  test('db, pipeline and server import nothing of the add-on, scripts, tests and benchmarks', () => {
    expect(findImports(layers, ['addon', 'scripts', 'test', 'bench'])).toEqual([]);
  });

  test('SQL statements are only in db/', () => {
    const statement = /(?:await|return|=>|=)\s+\w*(?:sql|pipelined|tx)(?:<[^`]*>)?`|\.unsafe\(/i;
    const outside = [...sources].filter(([file, text]) => !file.startsWith('db/') && statement.test(text));
    expect(outside.map(([file]) => file)).toEqual([]);
  });

  test('only the fetcher and the client for webhooks make network requests', () => {
    const clients = ['agent', 'fetcher', 'outbound'].map((name) => `pipeline/network/${name}.ts`);
    const call =
      /(?:from |import\()'undici'|import \{[^}]*\b(?:request|get|Agent)\b[^}]*\} from 'node:https?'|(?<![.\w])fetch\(/m;
    const outside = [...sources].filter(([file, text]) => !clients.includes(file) && call.test(text));
    expect(outside.map(([file]) => file)).toEqual([]);
  });

  test(`a source file has at most ${maxLinesOfFile} lines, and its name is specific`, () => {
    const long = [...sources].filter(([, text]) => text.split('\n').length > maxLinesOfFile).map(([file]) => file);
    const vague = [...sources.keys()].filter((file) => /\/(?:utils?|helpers?|common|types|misc|index)\.ts$/.test(file));
    expect({ long, vague }).toEqual({ long: [], vague: [] });
  });

  test(`a folder of code, tests, clients or docs holds at most ${maxFilesOfFolder} files directly`, () => {
    const folders = Map.groupBy(foldersWithLimit.flatMap(listFiles), dirname);
    const full = [...folders].filter(
      ([folder, files]) => files.length > maxFilesOfFolder && !foldersWithoutLimit.test(folder),
    );
    expect(full.map(([folder, files]) => `${folder}: ${files.length} files`)).toEqual([]);
  });
});
