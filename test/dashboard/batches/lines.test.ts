import { describe, expect, test } from 'vitest';
import { readSubmittedRows, readSubmittedText } from '../../../server/dashboard/batches/lines.ts';
import { cpuMs } from '../../harness/cpu-time.ts';

const ann = 'https://www.instagram.com/ann/';
const bob = 'https://www.tiktok.com/@bob';
const lines = (text: string) => readSubmittedText(text, false).lines;

describe('a pasted or uploaded list of profiles', () => {
  test('a list has one entry for each line, including blank lines, with any kind of line break', () => {
    expect(lines(`${ann}\r\n\r\n${bob}\nnobody\r${ann}\n`)).toEqual([ann, '', bob, 'nobody', ann]);
    expect(lines('')).toEqual([]);
  });

  test('a list takes the first profile link of each row, with commas, semicolons or tabs between cells', () => {
    expect(lines(`1,Ann,${ann}\n2;${bob};${ann}\n3\tnote\t${bob}\n;only a note`)).toEqual([
      ann,
      bob,
      bob,
      'only a note',
    ]);
  });

  test('a list reads quoted cells with separators, doubled quotes and line breaks as one row', () => {
    expect(lines(`"Ann ""A"", of;\r\nBath",${ann}\n"${bob}"`)).toEqual([ann, bob]);
  });

  test('a list reads a link that contains a comma as one whole link', () => {
    expect(lines(`${ann}?a=1,2`)).toEqual([`${ann}?a=1,2`]);
    expect(lines(`=HYPERLINK("${ann}", "Ann")`)).toEqual([`=HYPERLINK("${ann}", "Ann")`]);
    expect(lines(`${ann}?a=1,${bob}`)).toEqual([`${ann}?a=1`]);
    expect(lines(`${ann},`)).toEqual([ann]);
  });

  test('a list takes the link of a row, and not a link inside of a note', () => {
    const note = `Creator at another agency: ${bob}`;
    expect(lines(`Name;Note;Link\nAnn;${note};${ann}`)).toEqual(['Link', ann]);
    expect(readSubmittedRows([['Ann', note, ann]]).lines).toEqual([ann]);
  });

  test('a list with more than 20,000 cells with text is refused before its cells are searched for links', () => {
    const table = (rows: number) => 'a.b,'.repeat(50).concat('\n').repeat(rows);
    expect(readSubmittedText(table(400), true).lines).toHaveLength(400);
    expect(() => readSubmittedText(table(401), true)).toThrow('The list has 20050 cells with text');
    expect(() => readSubmittedText(table(401), false)).toThrow('at most 20000 are left.');
    expect(() => readSubmittedRows(Array.from({ length: 9_000 }, () => ['a', 'b', '', 'c']))).toThrow('27000 cells');
  });

  test.each(['.', 'a.', '/', '@', 'www.'])('a list with a long cell of %j is read in little CPU time', async (part) => {
    const cell = part.repeat(30_000);
    const spent = await cpuMs(() => expect(readSubmittedText(cell, true).lines).toHaveLength(1));
    expect(spent).toBeLessThan(500);
  });

  test('a text looks like a link when a name with a dot comes before a slash', () => {
    const chosen = (text: string) => readSubmittedText(`note,${text}\nwords,`, false).lines[0];
    for (const text of ['insta.gram/x', 'a.b.c/d', '.a.b/', 'x.y//', 'no link: a.b/']) expect(chosen(text)).toBe(text);
    for (const text of ['a/b', '.a/', 'a. b/', 'a.@b/', 'a.']) expect(chosen(text)).toBe('note');
  });

  test.each([
    ['a quote that is never closed', `"Ann,${ann}\n"${bob}"`],
    ['a quote inside a cell', `5" screen,${ann}\nnote,${bob}`],
    ['text after a closing quote', `"best" seller,${ann}\n"next" one,${bob}`],
  ])('a list keeps all lines despite %s', (_, text) => {
    expect(lines(text)).toEqual([ann, bob]);
  });

  test('a list leaves out its first line as a heading only when it has no address and headings are expected', () => {
    const own = { headings: ['name', 'link'], rows: [[], ['', ann]] };
    expect(readSubmittedText(`name,link\n,${ann}`, true)).toEqual({ lines: ['', ann], heading: 'link', own });
    expect(readSubmittedText(`name,link\n,${ann}`, false)).toEqual({ lines: ['link', ann], heading: null, own: null });
    expect(readSubmittedText(`${ann}\n${bob}`, true)).toEqual({ lines: [ann, bob], heading: null, own: null });
  });

  test('an error in a row without a profile link names the wrong cell, not the first cell of the row', () => {
    const table = `Name;Link;Fee\nAnn;${ann};5\nBob;instagram.com/p/;7\nCy;;9`;
    expect(readSubmittedText(table, true).lines).toEqual(['', ann, 'instagram.com/p/', 'Cy']);
    expect(readSubmittedText('Name,Handle\nAnn,@ann\nBob,@bob bob', true).lines).toEqual(['', '@ann', '@bob bob']);
    expect(readSubmittedText('Name,Handle\nAnn,ann.a\nBob,bob', true).lines).toEqual(['', 'ann.a', 'bob']);
  });

  test('invisible characters do not hide the column of handles, and the user’s own columns keep them', () => {
    const { lines: entries, own } = readSubmittedText(
      'Name,Where\n\u200bAnn,\u200b@ann\nBob,\ufeff@b\u2060ob\u200d',
      true,
    );
    expect(entries).toEqual(['', '@ann', '@bob']);
    expect(own?.rows[1]).toEqual(['\u200bAnn', '\u200b@ann']);
  });

  test('a list keeps all columns of a file, with letters for columns without a heading', () => {
    const own = {
      headings: ['Column A', 'Column B', 'Column C'],
      rows: [
        ['1', ann],
        ['2', bob, 'x'],
      ],
    };
    expect(
      readSubmittedRows([
        ['1', ann],
        ['2', bob, 'x', ''],
      ]),
    ).toEqual({ lines: [ann, bob], heading: null, own });
    expect(readSubmittedRows([['Name', '', 'Note'], [], ['', ann]]).own?.headings).toEqual([
      'Name',
      'Column B',
      'Note',
    ]);
  });

  test('a list with a row of a million empty cells is read in a fraction of the time limit', async () => {
    const spent = await cpuMs(() => expect(lines(','.repeat(1_000_000))).toEqual(['']));
    expect(spent).toBeLessThan(5_000);
  });
});
