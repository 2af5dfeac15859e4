import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { useFakeApi } from '../fake-api-process.ts';
import { openFile } from './file.ts';
import { renderHtml, renderText } from './render.ts';
import { typedCell } from './typing.ts';

/** Opens a file with this code as its script, to test calls that the script of the add-on never makes. */
async function fileWith(code: string, origin = 'http://127.0.0.1:1') {
  const dist = await mkdtemp(join(tmpdir(), 'addon-'));
  await writeFile(join(dist, 'Code.js'), code);
  await writeFile(join(dist, 'appsscript.json'), JSON.stringify({ urlFetchWhitelist: [`${origin}/`] }));
  const file = await openFile(dist);
  onTestFinished(async () => {
    await file.close();
    await rm(dist, { recursive: true });
  });
  return file;
}

test('the harness parses typed cells as Sheets does, so long ids lose their digits', () => {
  const typed = ['0012', '1,234', '10%', 'true', '1/2', '2026-11-20', '7234567890123456789', "'0012", 'word', ''];
  expect(typed.map((input) => typedCell(input))).toEqual([
    { type: 'number', value: 12 },
    { type: 'number', value: 1234 },
    { type: 'number', value: 0.1 },
    { type: 'boolean', value: true },
    { type: 'date', value: '1/2' },
    { type: 'date', value: '2026-11-20' },
    { type: 'number', value: 7234567890123460000 },
    { type: 'text', value: '0012' },
    { type: 'text', value: 'word' },
    null,
  ]);
});

test('in a locale with decimal commas, a comma between arguments is a parse error, and a semicolon works', async () => {
  const file = await fileWith('function ADD(a, b) { return a + b; }');
  file.set({ locale: 'de_DE' });
  file.type('A1', '=ADD(1, 2)', '=ADD(1; 2)', '=ADD("a,b"; "c")');
  expect(file.values('A1:A3').flat()).toEqual(['#ERROR!', 3, 'a,bc']);
  expect(file.sheet().A1?.message).toBe('Formula parse error.');
});

test('a formula result spills with its types, frees cells when it shrinks, and overwrites nothing', async () => {
  const file = await fileWith('function GROW(n) { return Array.from({ length: n }, (_, i) => [i, "=" + i]); }');
  file.type('A1', 3);
  file.type('B1', '=GROW(A1)');
  expect(file.values('B1:C3')).toEqual([
    [0, '=0'],
    [1, '=1'],
    [2, '=2'],
  ]);
  file.type('A1', 1);
  expect(file.values('B1:C3')).toEqual([
    [0, '=0'],
    ['', ''],
    ['', ''],
  ]);
  file.type('B2', 'mine');
  file.type('A1', 2);
  expect(file.sheet().B1).toMatchObject({ type: 'error', value: '#REF!' });
  expect(file.values('B2')).toEqual([['mine']]);
});

test('a table with rows of different lengths, an object, an error and a missing function are shown as #ERROR!', async () => {
  const file = await fileWith(`function RAGGED() { return [[1], [1, 2]]; }
    function ODD() { return [[{}]]; }
    function BAD() { throw new Error('said why'); }
    function hidden_() { return 1; }`);
  file.type('A1', '=RAGGED()', '=ODD()', '=BAD()', '=hidden_()', '=NONE()');
  expect(file.values('A1:A5').flat()).toEqual(Array(5).fill('#ERROR!'));
  expect(file.sheet().A3?.message).toBe('said why');
});

test('each execution of the script has a new global scope, and its changes to the file are kept', async () => {
  const file = await fileWith(`var count = 0;
    function keep(v) { PropertiesService.getUserProperties().setProperty('a', String(++count) + v); }
    function READ() { return PropertiesService.getUserProperties().getProperty('a'); }`);
  file.call('keep', 'FULL', ['x']);
  file.call('keep', 'FULL', ['y']);
  expect(file.cell('READ', [])).toBe('1y');
});

test.each([
  ['a method that is not modelled', 'return SpreadsheetApp.openById("x")', 'does not model SpreadsheetApp.openById'],
  ['a global that Apps Script lacks', 'return new URL("https://a.example").host', 'URL is not defined'],
  [
    'writing in a formula',
    'SpreadsheetApp.getActiveSpreadsheet().getCurrentCell().setValue(1)',
    'do not have permission',
  ],
  [
    'properties written in a formula',
    'PropertiesService.getUserProperties().setProperty("a", "b")',
    'do not have permission',
  ],
  [
    'a host that is not allowed',
    'UrlFetchApp.fetchAll([{ url: "http://127.0.0.2:1/" }])',
    'whitelisted in the script manifest',
  ],
  ['a URL that is too long', 'UrlFetchApp.fetchAll([{ url: "http://127.0.0.1:1/" + "x".repeat(2100) }])', 'URL Length'],
  ['a refused connection, although muted', 'UrlFetchApp.fetchAll([{ url: "http://127.0.0.1:1/" }])', 'unavailable'],
  ['thirty seconds of waiting', 'Utilities.sleep(30001)', 'maximum execution time'],
  ['a number that is none', 'return [[0 / 0]]', 'returned NaN'],
])('a formula fails on %s', async (_, body, fault) => {
  const file = await fileWith(`function TRY() { ${body}; }`);
  expect(() => file.cell('TRY', [])).toThrow(fault);
});

test('a date that is passed to the script is a Date of the script', async () => {
  const file = await fileWith('function KIND(d) { return d instanceof Date && d.getTime(); }');
  expect(file.cell('KIND', [new Date(5)])).toBe(5);
});

test('the harness renders the cells of a sheet as text and as a page', () => {
  const grid = { A1: typedCell("'name"), B1: typedCell(1200), B2: typedCell('TRUE'), A2: typedCell("'<b>=1") };
  const cells = Object.fromEntries(Object.entries(grid).flatMap(([a1, cell]) => (cell === null ? [] : [[a1, cell]])));
  expect(renderText(cells)).toBe('name  | 1200\n<b>=1 | TRUE');
  expect(renderHtml(cells)).toContain('<td class="text">&lt;b>=1</td><td class="boolean">TRUE</td>');
});

test('an answer that takes longer in real time than the script waits arrives, because requests have their time limit in virtual time', async () => {
  const { origin } = await useFakeApi();
  // Over a new connection, an answer takes longer than a millisecond.
  const request = `{ url: "${origin}/fake-api", timeoutSeconds: 0.001 }`;
  const file = await fileWith(
    `function STATUS() { return UrlFetchApp.fetchAll([${request}])[0].getResponseCode(); }`,
    origin,
  );
  expect(file.cell('STATUS', [])).toBe(200);
});
