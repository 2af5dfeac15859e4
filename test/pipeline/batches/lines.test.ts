import { expect, test, vi } from 'vitest';
import { bulkAnalysis } from '../../../db/deliveries/batches.ts';
import { hasTooManyLines, newRows, readLines } from '../../../pipeline/batches/lines.ts';
import { rowKinds } from '../../../pipeline/batches/row-requests.ts';

const plain = 'https://www.instagram.com/p/InventedA00/';
const named = 'https://www.instagram.com/invented/p/InventedA00/';
const other = 'https://www.instagram.com/other/p/InventedA00/';

/**
 * Returns, for each line, the number of the line whose result it uses: its own number, or that of an earlier equal
 * line.
 */
function fetchedLines(lines: readonly string[]): number[] {
  const numbered = lines.map((text, index) => ({ row_no: index + 1, text }));
  return newRows(numbered, { ...bulkAnalysis, kind: 'posts' }).map(
    ({ row_no, duplicate_of }) => duplicate_of ?? row_no,
  );
}

test.each([
  ['the first of equal lines', [plain, plain, plain], [1, 1, 1]],
  ['the first line that names the author', [plain, named, other, plain], [2, 2, 2, 2]],
  ['each post', [named, 'https://www.instagram.com/invented/p/InventedA01/', plain], [1, 2, 1]],
])('of several lines for the same post, a batch fetches one: %s', (_name, lines, fetched) => {
  expect(fetchedLines(lines)).toEqual(fetched);
});

test.each(['note', plain])('a list with far too many lines (%s) is refused without reading each line', (line) => {
  const parse = vi.spyOn(rowKinds[bulkAnalysis.kind], 'parse');
  const lines = Array<string>(206)
    .fill(line)
    .flatMap((text) => [text, '']);
  expect(hasTooManyLines(lines, 'air')).toBe(true);
  expect(readLines(lines, 'air')).toEqual({
    ok: false,
    message:
      'This list has 206 lines. The tier Air allows at most 5 profile links and 200 other lines per bulk analysis: start several analyses, each with a part of the list.',
  });
  expect(parse).not.toHaveBeenCalled();
  parse.mockRestore();
});
