import { dirname, posix } from 'node:path';
import { expect, test } from 'vitest';
import { sources, testsAndBenchmarks } from './source-files.ts';

/** Exports that are used without an import by name, each with the reason. `pattern` matches `<file> <name>`. */
const importedByTools: readonly { pattern: RegExp; reason: string }[] = [
  { pattern: /^db\/schema\/.* [a-z]\w*$/, reason: 'drizzle-kit reads all exported tables of the schema' },
  { pattern: /^addon\/formulas\/social-.* SOCIAL_/, reason: 'the built script imports each formula' },
  { pattern: /^addon\/platform\/platform\.ts server$/, reason: 'the built script passes it to each formula' },
  { pattern: /^scripts\/tables\/tracked-metrics\.ts trackedMetrics$/, reason: 'part of a file that the script writes' },
];

/**
 * Exports that only tests and benchmarks import, each with the reason. Do not add more: test through the function or
 * route that the product uses, or move a function that only tests need into the tests.
 */
const onlyForTests: Readonly<Record<string, string>> = {
  'scripts/english/words.ts bannedWords': 'every row of the table is checked',
  'server/dashboard/settings/export.ts documentOf': 'a response reads ahead, so it hides how many rows are in memory',
  'server/docs/pictures.ts pictureScale': 'the program that takes the pictures must use the scale of the pages',
};

const importWithNames = /\b(?:import|export)\s+([\w\s,*{}]+?)\s+from\s+'(\.[^']+)'/g;

/**
 * Returns all imported names as `<file> <name>`. The name is `*` for an import of the whole file, which may use any
 * export.
 */
function importedNamesOf(files: ReadonlyMap<string, string>): Set<string> {
  const imported = new Set<string>();
  for (const [file, text] of files) {
    const add = (path: string, name: string) => imported.add(`${posix.join(dirname(file), path)} ${name}`);
    for (const [, names = '', path = ''] of text.matchAll(importWithNames)) {
      for (const name of namesIn(names)) add(path, name);
    }
    for (const [, path = ''] of text.matchAll(/\bimport\(\s*'(\.[^']+)'/g)) add(path, '*');
  }
  return imported;
}

/** Returns the names in an import clause: `*` for a namespace import, `default` for a default import. */
function namesIn(clause: string): string[] {
  const words = clause.replace(/^type /, '').trim();
  if (words.startsWith('*')) return ['*'];
  const named = namesInBraces(words).map(([name]) => name);
  return words.startsWith('{') ? named : ['default', ...named];
}

/** Returns each name in a list such as `{ a, type B as C }`, with the name that follows `as`. */
function namesInBraces(text: string): [string, string][] {
  const list = /\{([^}]*)\}/.exec(text)?.[1]?.split(',') ?? [];
  const names = list.map((one) => one.trim().replace(/^type /, '')).filter(Boolean);
  return names.map((one) => one.split(' as ')).map(([name = '', given = name]) => [name, given]);
}

function exportsOf(text: string): string[] {
  const declared = /^export (?:declare |abstract |async )*(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm;
  const listed = /^export (?:type )?\{[^}]*\}/gm;
  return [
    ...[...text.matchAll(declared)].map(([, name = '']) => name),
    ...[...text.matchAll(listed)].flatMap(([list]) => namesInBraces(list).map(([, given]) => given)),
  ];
}

/** Returns the exports that no product file imports. */
function findUnusedExports(): string[] {
  const imported = importedNamesOf(sources);
  return [...sources].flatMap(([file, text]) => {
    if (imported.has(`${file} *`)) return [];
    return exportsOf(text)
      .map((name) => `${file} ${name}`)
      .filter((name) => !imported.has(name));
  });
}

test('every export of db, pipeline, server, addon and scripts is imported by another of these files, not only by tests', () => {
  const unused = findUnusedExports().filter(
    (name) => !(name in onlyForTests) && !importedByTools.some(({ pattern }) => pattern.test(name)),
  );
  expect(unused, 'Remove the word "export", or the code when nothing else uses it.').toEqual([]);
});

test('every name in the lists of exports that only tests or tools import is still needed', () => {
  const unused = findUnusedExports();
  const imported = importedNamesOf(testsAndBenchmarks);
  const unneeded = Object.keys(onlyForTests).filter((name) => !unused.includes(name) || !imported.has(name));
  expect(unneeded, 'Remove these names from the list.').toEqual([]);
  expect(importedByTools.filter(({ pattern }) => !unused.some((name) => pattern.test(name)))).toEqual([]);
});
