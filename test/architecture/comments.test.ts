import { expect, test } from 'vitest';
import { passagesOf } from '../../scripts/english/scan.ts';
import { layers, readFiles, sources } from './source-files.ts';

const maxColumns = 120;
const helpOfFormula = /^ \* @customfunction$/m;
const generated = /^(?:addon\/built\/|clients\/typescript\/src\/schema\.ts$)/;
const folders = [...layers, 'scripts', 'addon', 'clients', 'deploy', 'test', 'bench'];
const files = [...readFiles(folders, /\.(?:ts|js|mjs)$/)].filter(([file]) => !generated.test(file));

/**
 * Returns the numbers of the lines whose comment is too long. Ignores the help of formulas, which Google Sheets shows.
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

test('the check for long comments finds comments in blocks, on lines and after code, and ignores strings and help of formulas', () => {
  const long = 'word '.repeat(25);
  const texts = ['/** Short. */', `/** ${long}*/`, '/**', ` * ${long}`, ' */', `const a = 1; // ${long}`];
  expect(findLongComments(texts.join('\n'))).toEqual([2, 4, 6]);
  expect(findLongComments(`const a = '// ${long}';\n/**\n * ${long}\n * @customfunction\n */`)).toEqual([]);
});

const maxLinesWithoutDocs = 3;
const exportedFunction = /^export (?:async )?function\*? (\w+)[\s\S]*?^\}$/gm;

/** Returns the names of the exported functions that have no docstring but are long enough to need one. */
function findUndocumented(text: string): string[] {
  return [...text.matchAll(exportedFunction)]
    .filter(([code]) => code.split('\n').length > maxLinesWithoutDocs)
    .filter(({ index }) => !text.slice(0, index).endsWith('*/\n'))
    .map(([, name = '']) => name);
}

test(`an exported function of more than ${maxLinesWithoutDocs} lines has a docstring`, () => {
  const undocumented = [...sources].flatMap(([file, text]) => findUndocumented(text).map((name) => `${file} ${name}`));
  expect(undocumented, 'Begin with a verb, and say shapes, units and errors.').toEqual([]);
});

test('the check of docstrings finds long exported functions without one, and ignores short and internal ones', () => {
  const long = (name: string) => `function ${name}(): number {\n  const b = 1;\n  return b;\n}\n`;
  const short = 'export function short() {\n  return 1;\n}\n';
  const text = `${long('internal')}\n/** Returns 1. */\nexport ${long('documented')}\n${short}\nexport async ${long('plain')}`;
  expect(findUndocumented(text)).toEqual(['plain']);
});
