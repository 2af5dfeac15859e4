import { describe, expect, test } from 'vitest';
import { csvFileRecords } from '../../../server/dashboard/batches/csv-records.ts';
import { decodeUpload, readSubmittedRows, readSubmittedText } from '../../../server/dashboard/batches/lines.ts';
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

  test('a file with semicolons keeps decimal commas in its cells, and one with commas keeps semicolons', () => {
    const own = (text: string) => readSubmittedText(text, true).own;
    const budget = ['1.250,00', '2,5'];
    expect(own(`Name;Link;Fee;Rate\nAnn;${ann};${budget.join(';')}\n;;1,5;`)).toEqual({
      headings: ['Name', 'Link', 'Fee', 'Rate'],
      rows: [[], ['Ann', ann, ...budget], ['', '', '1,5']],
    });
    expect(own(`${ann};1,5\n${bob};2,5`)?.rows).toEqual([
      [ann, '1,5'],
      [bob, '2,5'],
    ]);
    expect(own(`${ann},a;b\n${bob},c;d`)?.rows).toEqual([
      [ann, 'a;b'],
      [bob, 'c;d'],
    ]);
    expect(own(`Name\tLink\nAnn, of; Bath\t${ann}`)?.rows[1]).toEqual(['Ann, of; Bath', ann]);
    expect(readSubmittedText('Name;Handle;Fee\nAnn;@ann;1,5', true).own?.rows[1]).toEqual(['Ann', '@ann', '1,5']);
  });

  test('an uploaded file in the encoding of Windows keeps its letters, and UTF-8 and UTF-16 are recognized', () => {
    expect(decodeUpload(Buffer.from('Größe;€', 'utf8'))).toBe('Größe;€');
    expect(decodeUpload(Uint8Array.of(0x47, 0x72, 0xf6, 0xdf, 0x65, 0x3b, 0x80))).toBe('Größe;€');
    expect(decodeUpload(Buffer.from('\ufeffGröße', 'utf16le'))).toBe('Größe');
    expect(decodeUpload(Buffer.from('\ufeffGröße', 'utf16le').swap16())).toBe('Größe');
    expect(decodeUpload(Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0, 0))).toBeNull();
  });

  test('a row whose cell in the column of links is empty shows another cell, which is not a handle', () => {
    const { lines: entries, without_link } = readSubmittedText(`Name;Link\nAnn;${ann}\nBob;\nTotal;`, true);
    expect(entries).toEqual(['', ann, 'Bob', 'Total']);
    expect([...without_link]).toEqual([2, 3]);
    expect(readSubmittedText('ann\nbob', true).without_link.size).toBe(0);
  });

  test.each([
    'Name;Instagram',
    'Account manager;TikTok handle',
    'Kunde;Benutzername',
    'Cliente;Perfil',
    'Client;Pseudo',
    '名前;アカウント',
  ])('handles without an @ are taken from the column whose heading says so: %s', (headings) => {
    expect(readSubmittedText(`${headings}\nAnn;ann.a\nBob;bob`, true).lines).toEqual(['', 'ann.a', 'bob']);
  });

  test.each(['＠', '@ ', '＠ '])('the handles of a file may begin with %o, even in its first line', (sign) => {
    const read = readSubmittedText(`Ann;${sign}ann\nBob;${sign}bob`, true);
    expect(read).toMatchObject({ lines: [`${sign}ann`, `${sign}bob`], heading: null });
  });

  test('a file may have a title and blank rows above its headings', () => {
    const read = readSubmittedText(`Autumn;;\n;;\nNo.;Profil;Fee\nAnn;${ann};5\nBob;n/a;`, true);
    expect(read.lines).toEqual(['', '', '', ann, 'n/a']);
    expect([read.heading, read.heading_line]).toEqual(['Profil', 3]);
    expect(read.own).toEqual({
      headings: ['No.', 'Profil', 'Fee'],
      rows: [[], [], [], ['Ann', ann, '5'], ['Bob', 'n/a']],
    });
    const handles = readSubmittedText('ann\nbob\nName;Handle\nx;@cy\n', true);
    expect([handles.lines[1], handles.heading_line]).toEqual(['bob', 1]);
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
    const rest = { heading_line: 0, without_link: new Set() };
    expect(readSubmittedText(`name,link\n,${ann}`, true)).toEqual({
      ...rest,
      lines: ['', ann],
      heading: 'link',
      heading_line: 1,
      own,
    });
    const pasted = { ...rest, lines: ['link', ann], heading: null, own: null };
    expect(readSubmittedText(`name,link\n,${ann}`, false)).toEqual(pasted);
    expect(readSubmittedText(`${ann}\n${bob}`, true)).toEqual({ ...rest, lines: [ann, bob], heading: null, own: null });
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
    ).toEqual({ lines: [ann, bob], heading: null, heading_line: 0, without_link: new Set(), own });
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

  test('the separator of a file with very many columns is guessed from a small part of its cells', () => {
    let tested = 0;
    csvFileRecords(`${'a,'.repeat(2_000)}\n`.repeat(100), () => {
      tested += 1;
      return false;
    });
    expect(tested).toBe(100 * 50);
  });
});
