import { expect, test } from 'vitest';
import { appendPosition } from '../../../pipeline/sheets/append-position.ts';
import type { Writing } from '../../../pipeline/sheets/import-writing.ts';

const rowsOfRequest = 4;
const typed = 'typed by the user';
const runs = 20_000;

/** Returns a generator of whole numbers below `max`. Every test run gets the same numbers. */
function numbersFrom(seed: number): (max: number) => number {
  let state = seed;
  return (max) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % max;
  };
}

type Next = (max: number) => number;
/** Ways in which a user changes the table. Rows that the user does not delete keep their links. */
const changes: ((links: string[], next: Next) => string[])[] = [
  (links, next) => links.toSpliced(next(links.length + 1), 1 + next(3)),
  (links, next) => links.toSpliced(next(links.length + 1), 0, ...Array(1 + next(3)).fill(typed)),
  (links) => links.toReversed(),
  (links) => links.toSorted(),
  (links, next) => links.slice(0, Math.max(0, links.length - next(6))),
  (links, next) => links.slice(next(6)),
  (links) => [...links, typed],
];

/**
 * Appends the links `keys` to an empty table while a user changes the table. Google refuses some of the requests, and
 * carries out others without sending an answer. Returns the table, the links that the user deleted, and whether the run
 * was completed. Throws when the run overwrites another row.
 */
function appendWithTrouble(keys: string[], next: Next) {
  let links: string[] = [];
  let [first, written] = [1, 0];
  const deleted = new Set<string>();
  for (let attempt = 0; attempt < 12; attempt += 1) {
    const writing = {
      ...{ table: { keys }, state: { written }, limits: { rows: rowsOfRequest } },
      target: { target_sheet: 'Sheet1', target_cell: 'A1' },
    } as unknown as Writing;
    try {
      ({ first, start: written } = appendPosition(writing, links, first));
    } catch {
      return { links, deleted, isComplete: false };
    }
    if (written === 0) deleted.clear();
    for (let left = next(3); written < keys.length; left -= 1) {
      const request = keys.slice(written, written + rowsOfRequest);
      const isRefused = left <= 0 && next(2) === 0;
      const at = first + written - 1;
      if (!isRefused) {
        const over = links.slice(at, at + request.length);
        if (over.some((link) => !keys.includes(link)) || at > links.length) throw new Error(`wrote over ${over}`);
        links = links.toSpliced(at, request.length, ...request);
      }
      if (left <= 0) break;
      written += request.length;
    }
    if (written === keys.length) return { links, deleted, isComplete: true };
    for (let count = next(3); count > 0; count -= 1) {
      const changed = changes[next(changes.length)]?.(links, next) ?? links;
      for (const link of links) if (!changed.includes(link)) deleted.add(link);
      links = changed;
    }
  }
  return { links, deleted, isComplete: false };
}

test('an append whose requests fail while a user changes the table writes each row exactly once and never over another', () => {
  let completed = 0;
  for (let seed = 0; seed < runs; seed += 1) {
    const next = numbersFrom(seed);
    const keys = Array.from({ length: 1 + next(14) }, (_, n) => `link${String.fromCharCode(97 + n)}`);
    const { links, deleted, isComplete } = appendWithTrouble(keys, next);
    const own = links.filter((link) => link !== typed);
    expect(new Set(own).size, `seed ${seed}: ${links}`).toBe(own.length);
    if (!isComplete) continue;
    completed += 1;
    expect(
      keys.filter((key) => !own.includes(key) && !deleted.has(key)),
      `seed ${seed}: ${links}`,
    ).toEqual([]);
  }
  expect(completed).toBeGreaterThan(runs / 2);
});
