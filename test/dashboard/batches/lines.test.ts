import { describe, expect, test } from 'vitest';
import { readList, readRows } from '../../../server/dashboard/batches/lines.ts';

const ann = 'https://www.instagram.com/ann/';
const bob = 'https://www.tiktok.com/@bob';
const lines = (text: string) => readList(text, false).lines;

describe('a pasted or uploaded list', () => {
  test('keeps one entry for each line, blank lines included, whatever ends the lines', () => {
    expect(lines(`${ann}\r\n\r\n${bob}\nnobody\r${ann}\n`)).toEqual([ann, '', bob, 'nobody', ann]);
    expect(lines('')).toEqual([]);
  });

  test('takes the first profile link of each row, separated by commas, semicolons or tabs', () => {
    expect(lines(`1,Ann,${ann}\n2;${bob};${ann}\n3\tnote\t${bob}\n;only a note`)).toEqual([
      ann,
      bob,
      bob,
      'only a note',
    ]);
  });

  test('reads quoted cells with separators, doubled quotes and line breaks as one row', () => {
    expect(lines(`"Ann ""A"", of;\r\nBath",${ann}\n"${bob}"`)).toEqual([ann, bob]);
  });

  test('takes a link that contains a comma whole', () => {
    expect(lines(`${ann}?a=1,2`)).toEqual([`${ann}?a=1,2`]);
  });

  test.each([
    ['a quote that is never closed', `"Ann,${ann}\n"${bob}"`],
    ['a quote inside a cell', `5" screen,${ann}\nnote,${bob}`],
    ['text after a closing quote', `"best" seller,${ann}\n"next" one,${bob}`],
  ])('loses no line to %s', (_, text) => {
    expect(lines(text)).toEqual([ann, bob]);
  });

  test('leaves the first line out as a heading only when it holds no address and headings are expected', () => {
    const own = { headings: ['name', 'link'], rows: [[], ['', ann]] };
    expect(readList(`name,link\n,${ann}`, true)).toEqual({ lines: ['', ann], heading: 'link', own });
    expect(readList(`name,link\n,${ann}`, false)).toEqual({ lines: ['link', ann], heading: null, own: null });
    expect(readList(`${ann}\n${bob}`, true)).toEqual({ lines: [ann, bob], heading: null, own: null });
  });

  test('names the wrong cell of a row that has no profile link, not the first cell of the row', () => {
    const table = `Name;Link;Fee\nAnn;${ann};5\nBob;instagram.com/p/;7\nCy;;9`;
    expect(readList(table, true).lines).toEqual(['', ann, 'instagram.com/p/', 'Cy']);
    expect(readList('Name,Handle\nAnn,@ann\nBob,@bob bob', true).lines).toEqual(['', '@ann', '@bob bob']);
    expect(readList('Name,Handle\nAnn,ann.a\nBob,bob', true).lines).toEqual(['', 'ann.a', 'bob']);
  });

  test('keeps all columns of a file, with letters for columns without a heading', () => {
    const own = {
      headings: ['Column A', 'Column B', 'Column C'],
      rows: [
        ['1', ann],
        ['2', bob, 'x'],
      ],
    };
    expect(
      readRows([
        ['1', ann],
        ['2', bob, 'x', ''],
      ]),
    ).toEqual({ lines: [ann, bob], heading: null, own });
    expect(readRows([['Name', '', 'Note'], [], ['', ann]]).own?.headings).toEqual(['Name', 'Column B', 'Note']);
  });

  test('reads a row of a million empty cells in a fraction of the time limit', () => {
    const started = performance.now();
    expect(lines(','.repeat(1_000_000))).toEqual(['']);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
