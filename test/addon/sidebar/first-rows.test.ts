import { expect, test } from 'vitest';
import type { SpreadsheetFile } from '../harness/file.ts';
import { goodKey, people, setUpAddon } from '../spreadsheet-setup.ts';

const setup = setUpAddon();
type FirstRowsRange = { sheet: string; a1: string; rows: number };
const area = { sheet: 'Sheet1', a1: 'A2:A3' };

async function fileWithKey(): Promise<SpreadsheetFile> {
  const file = await setup.open();
  file.run('sidebarConnect', ['file', goodKey]);
  file.type('A1', 'Profile', ...Object.keys(people));
  return file;
}

function insert(file: SpreadsheetFile): FirstRowsRange {
  return (file.run('sidebarFirstRows', [area]) as { range: FirstRowsRange }).range;
}

test('the first rows of a new user go beside the links when that space is free, with headings above them', async () => {
  const file = await fileWithKey();
  const range = insert(file);
  expect(range).toEqual({ sheet: 'Sheet1', a1: 'B2', rows: 2 });
  expect(file.run('sidebarFirstRowsResult', [range])).toEqual({ ok: true, state: 'ready', good: 2, failed: 0 });
  expect(file.values('B1:C2')).toEqual([
    ['Status', 'Username'],
    ['OK', 'ada'],
  ]);
});

test('the first rows of a new user go to the right of all content when the cells beside the links are used', async () => {
  const file = await fileWithKey();
  file.type('D1', 'My notes');
  file.type('Z9', 'mine');
  const range = insert(file);
  expect(range.a1).toBe('AA2');
  expect(file.run('sidebarFirstRowsResult', [range])).toMatchObject({ state: 'ready', good: 2 });
  expect(file.values('D1:D1')).toEqual([['My notes']]);
});

test('the sidebar counts a failed row among the first rows, and shows the others', async () => {
  const file = await fileWithKey();
  file.type('A3', 'https://photo.example/no.one');
  expect(file.run('sidebarFirstRowsResult', [insert(file)])).toMatchObject({ state: 'ready', good: 1, failed: 1 });
});

test('the first rows for formulas without a key are refused with a sentence before anything is written', async () => {
  const file = await setup.open();
  file.type('A2', ...Object.keys(people));
  expect(file.run('sidebarFirstRows', [area])).toMatchObject({
    ok: false,
    message: expect.stringContaining('may not use it yet'),
  });
  expect(Object.keys(file.sheet()).sort()).toEqual(['A2', 'A3']);
});

test('when the user removed the first formula in the meantime, the sidebar says so and changes no other cell', async () => {
  const file = await fileWithKey();
  const range = insert(file);
  file.type('B2', 'mine');
  expect(file.run('sidebarFirstRowsResult', [range])).toMatchObject({
    ok: false,
    message: expect.stringContaining('no longer'),
  });
  expect(file.run('sidebarFirstRowsResult', [{ sheet: 'Gone', a1: 'B2', rows: 2 }])).toMatchObject({ ok: false });
  expect(file.values('B1:B2')).toEqual([[''], ['mine']]);
});
