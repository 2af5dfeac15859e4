import { expect, test } from 'vitest';
import { passagesOf } from '../../scripts/english/scan.ts';
import { layers, readFiles } from './source-files.ts';

const maxColumns = 120;
const helpOfFormula = /^ \* @customfunction$/m;
const generated = /^(?:addon\/built\/|clients\/typescript\/src\/schema\.ts$)/;
const folders = [...layers, 'scripts', 'addon', 'clients', 'deploy', 'test', 'bench'];
const files = [...readFiles(folders, /\.(?:ts|js|mjs)$/)].filter(([file]) => !generated.test(file));

/**
 * Returns the numbers of the lines with a comment that are too long. Leaves out the help of formulas, because Google
 * Sheets shows it.
 */
function findLongComments(text: string): number[] {
  const lines = text.split('\n');
  if (!lines.some((line) => line.length > maxColumns)) return [];
  const comments = passagesOf(text).filter(({ kind, text }) => kind === 'comment' && !helpOfFormula.test(text));
  return comments
    .flatMap(({ line, text }) => text.split('\n').map((_, index) => line + index))
    .filter((line) => (lines[line - 1] ?? '').length > maxColumns);
}

test(`a line with a comment has at most ${maxColumns} columns`, () => {
  const long = files.flatMap(([file, text]) => findLongComments(text).map((line) => `${file}:${line}`));
  expect(long, 'Wrap the comment: a docstring of several lines is a block with " * " lines.').toEqual([]);
});

test('the check of long comments finds them in blocks, in lines and behind code, and ignores strings and help of formulas', () => {
  const long = 'word '.repeat(25);
  const texts = ['/** Short. */', `/** ${long}*/`, '/**', ` * ${long}`, ' */', `const a = 1; // ${long}`];
  expect(findLongComments(texts.join('\n'))).toEqual([2, 4, 6]);
  expect(findLongComments(`const a = '// ${long}';\n/**\n * ${long}\n * @customfunction\n */`)).toEqual([]);
});
