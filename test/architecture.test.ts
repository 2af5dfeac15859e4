import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const rooms = ['db', 'pipeline', 'server'] as const;
const maxLines = 300;

function filesOf(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.parentPath.includes('node_modules'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

const sources = new Map(
  [...rooms, 'scripts', 'addon']
    .flatMap(filesOf)
    .map((file) => [file, readFileSync(join(root, file), 'utf8')] as const),
);

const imports = new Map([...sources].map(([file, text]) => [file, readImports(file, text)]));

function importsOf(file: string): string[] {
  return imports.get(file) ?? [];
}

function readImports(file: string, text: string): string[] {
  return [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map((match) =>
    relative(root, resolve(root, file, '..', match[1] as string)),
  );
}

/** Returns each group of files that import each other in a circle, type imports included. */
function importCycles(files: readonly string[]): string[] {
  const reach = new Map(files.map((file) => [file, reachableFrom(file)]));
  const inCycle = files.filter((file) => reach.get(file)?.has(file)).toSorted();
  const groups = inCycle.map((file) =>
    inCycle.filter((other) => reach.get(file)?.has(other) && reach.get(other)?.has(file)).join(' <-> '),
  );
  return [...new Set(groups)];
}

function reachableFrom(file: string): Set<string> {
  const found = new Set<string>();
  const waiting = [...importsOf(file)];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    waiting.push(...importsOf(next));
  }
  return found;
}

describe('the architecture', () => {
  test('no files import each other in a circle, not even for types', () => {
    expect(importCycles([...sources.keys()])).toEqual([]);
  });

  test('headers of a download are made in server/http/attachment.ts only', () => {
    const inServer = [...sources].filter(([file]) => file.startsWith('server/'));
    const makers = inServer.filter(([, text]) => text.includes('content-disposition')).map(([file]) => file);
    expect(makers).toEqual(['server/http/attachment.ts']);
  });

  test('imports go one way: server -> pipeline -> db', () => {
    const up = [...sources.keys()].flatMap((file) => {
      const room = rooms.findIndex((name) => file.startsWith(`${name}/`));
      if (room === -1) return [];
      const above = importsOf(file).filter((target) => rooms.findIndex((name) => target.startsWith(`${name}/`)) > room);
      return above.map((target) => `${file} -> ${target}`);
    });
    expect(up).toEqual([]);
  });

  test('SQL stands in db/ alone', () => {
    const statement = /(?:await|return|=>|=)\s+\w*(?:sql|hot|tx)(?:<[^`]*>)?`|\.unsafe\(/;
    const outside = [...sources].filter(([file, text]) => !file.startsWith('db/') && statement.test(text));
    expect(outside.map(([file]) => file)).toEqual([]);
  });

  test('the network is reached through the fetcher, and for webhooks through the outbound door, alone', () => {
    const doors = ['pipeline/network/fetcher.ts', 'pipeline/network/outbound.ts'];
    const door = /from 'undici'|import \{[^}]*\b(?:request|get|Agent)\b[^}]*\} from 'node:https?'|(?<![.\w])fetch\(/m;
    const outside = [...sources].filter(([file, text]) => !doors.includes(file) && door.test(text));
    expect(outside.map(([file]) => file)).toEqual([]);
  });

  test('a file has one subject: at most 300 lines, and no drawer for odds and ends', () => {
    const long = [...sources].filter(([, text]) => text.split('\n').length > maxLines).map(([file]) => file);
    const drawers = [...sources.keys()].filter((file) =>
      /\/(?:utils?|helpers?|common|types|misc|index)\.ts$/.test(file),
    );
    expect({ long, drawers }).toEqual({ long: [], drawers: [] });
  });
});
