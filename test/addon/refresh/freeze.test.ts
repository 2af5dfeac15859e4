import { expect, test } from 'vitest';
import { emptiedCells } from '../../../addon/refresh/freeze-cells.ts';
import { callsSocial } from '../../../addon/refresh/sheet-formula-text.ts';
import type { SpreadsheetFile } from '../harness/file.ts';
import { goodKey, people, setKey, setUpAddon } from '../spreadsheet-setup.ts';

const setup = setUpAddon();
const [ada = '', ben = ''] = Object.keys(people);

async function openWithFormula(formula = '=SOCIAL_PROFILE(A2:A3, "account_id,followers,verified,posts")') {
  const file = await setup.open();
  setKey(file, 'YES');
  file.type('A1', 'profile', ada, ben);
  file.type('B2', formula);
  return file;
}

function freeze(file: SpreadsheetFile, scope: unknown = 'selection') {
  return file.run('sidebarFreeze', [scope]) as { ok: boolean; message: string };
}

function formulas(file: SpreadsheetFile, name?: string): string[] {
  return Object.entries(file.sheet(name)).flatMap(([a1, { formula }]) => (formula === undefined ? [] : [a1]));
}

test('freezing a formula leaves all its values with their types, and sends no request', async () => {
  const file = await openWithFormula();
  const values = file.values('A1:F4');
  const types = file.types('A1:F4');
  expect(types[1]).toEqual(['text', 'text', 'text', 'number', 'boolean', 'number']);
  const before = (await setup.api.log()).requests.length;
  file.select('B2');
  expect(freeze(file)).toEqual({
    ok: true,
    message: '1 formula was replaced with values, which do not change again.',
  });
  expect(file.values('A1:F4')).toEqual(values);
  expect(file.types('A1:F4')).toEqual(types);
  expect(formulas(file)).toEqual([]);
  expect(Object.values(file.sheet()).some(({ spilled_from }) => spilled_from !== undefined)).toBe(false);
  file.type('A2', ben);
  file.reopen();
  expect(file.values('B2:F3')).toEqual(values.slice(1, 3).map((row) => row.slice(1)));
  expect((await setup.api.log()).requests).toHaveLength(before);
});

test('freezing a formula keeps hostile text unchanged', async () => {
  const texts = ['=1+1', '+49', '-2+3', '@SUM(A1)', "'quoted", '0012', '1/2', 'TRUE', '7234567890123456789', '<b>'];
  const urls = texts.map((_, index) => `https://photo.example/h${index}`);
  const hostile = Object.fromEntries(urls.map((url, index) => [url, { bio: texts[index], username: texts[index] }]));
  await setup.api.begin({ keys: [goodKey], people: hostile });
  const file = await setup.open();
  setKey(file, 'YES');
  file.set({ locale: 'de_DE', time_zone: 'Asia/Tokyo' });
  file.type('A1', ...urls);
  file.type('B1', '=SOCIAL_PROFILE(A1:A10; "bio,username")');
  file.format('C1:C10', '@');
  expect(freeze(file, 'sheet').ok).toBe(true);
  expect(file.values('C1:D10')).toEqual(texts.map((text) => [text, text]));
  expect(new Set(file.types('B1:D10').flat())).toEqual(new Set(['text']));
  expect(formulas(file)).toEqual([]);
});

test('freezing keeps other formulas, including those that read frozen cells or fill cells next to them', async () => {
  const file = await openWithFormula('=SOCIAL_PROFILE(A2:A3, "followers,posts")');
  file.type('D1', '=SUM(C2:C3)');
  file.type('E1', '=SORT(C2:C3)');
  file.type('E4', '=SORT(C2:C3)');
  file.type('C5', '=SUM(C2:C3)');
  const before = file.values('A1:F6');
  expect(before[0]?.slice(3, 5)).toEqual([5_401_200, 1_200]);
  expect(freeze(file, 'sheet').ok).toBe(true);
  expect(file.values('A1:F6')).toEqual(before);
  expect(formulas(file).sort()).toEqual(['C5', 'D1', 'E1', 'E4']);
  expect(file.sheet().E2).toMatchObject({ spilled_from: 'E1' });
  file.type('C2', 7);
  expect(file.values('C5')).toEqual([[5_400_007]]);
});

test('freezing changes only the selection or only the active sheet', async () => {
  const file = await openWithFormula('=SOCIAL_PROFILE(A2:A3, "followers")');
  file.type('E2', '=SOCIAL_PROFILE(A2, "posts")');
  file.show('Other');
  file.type('A1', ada);
  file.type('B1', '=SOCIAL_PROFILE(A1, "posts")');
  file.show('Sheet1');
  file.select('A1:C3');
  expect(freeze(file).ok).toBe(true);
  expect(formulas(file)).toEqual(['E2']);
  expect(freeze(file, 'sheet').ok).toBe(true);
  expect(formulas(file)).toEqual([]);
  expect(formulas(file, 'Other')).toEqual(['B1']);
});

test('freezing many formulas in a column keeps a typed cell between them', async () => {
  const file = await setup.open();
  setKey(file, 'YES');
  file.type('A1', ada, ben, ada);
  file.type('B1', '=SOCIAL_PROFILE(A1, "followers")', 'mine', '=SOCIAL_PROFILE(A3, "followers")');
  expect(freeze(file, 'sheet').message).toContain('2 formulas were replaced with values');
  expect(file.values('B1:C3')).toEqual([
    ['OK', 1_200],
    ['mine', ''],
    ['OK', 1_200],
  ]);
});

const frozenOne = '1 formula was replaced with values, which do not change again.';

test('freezing keeps a formula that shows an error, and the message says so', async () => {
  const file = await openWithFormula('=SOCIAL_PROFILE(A2:A3, "folowers")');
  file.type('E2', '=SOCIAL_PROFILE(A2, "posts")');
  expect(freeze(file, 'sheet').message).toBe(
    `${frozenOne} 1 left as a formula: 1 with an error. Repair or refresh such cells, then freeze again.`,
  );
  expect(formulas(file)).toEqual(['B2']);
});

test.each([
  ['#WERT!', 'with an error'],
  ['#¡REF!', 'with an error'],
  ['#N/D', 'with an error'],
  ['#YOK', 'with an error'],
  ['Wird geladen...', 'still loading'],
  ['読み込んでいます…', 'still loading'],
])(
  'freezing keeps a formula that shows %s in a file of another language, and the message says so',
  async (text, why) => {
    const file = await openWithFormula('=SOCIAL_FOLLOWERS(A2)');
    file.type('B3', '=SOCIAL_FOLLOWERS(A3)');
    Object.assign(file.sheet().B2 ?? {}, { type: 'error', value: text });
    expect(freeze(file, 'sheet').message).toContain(`1 left as a formula: 1 ${why}.`);
    expect(formulas(file)).toEqual(['B2']);
    expect(file.values('B2')).toEqual([[text]]);
  },
);

test('freezing keeps a formula with rows that have no answer yet, and names their status', async () => {
  const file = await openWithFormula();
  file.type('A5', ada, 'https://photo.example/no-account');
  file.type('B5', '=SOCIAL_PROFILE(A5:A6, "followers")');
  Object.assign(file.sheet().B3 ?? {}, { value: 'RATE_LIMITED' });
  const before = file.values('B2:F6');
  const { message } = freeze(file, 'sheet');
  expect(message).toBe(
    `${frozenOne} 1 left as a formula: 1 with rows without an answer (RATE_LIMITED). Repair or refresh such cells, then freeze again.`,
  );
  expect(formulas(file)).toEqual(['B2']);
  expect(file.values('B2:F6')).toEqual(before);
  expect(file.values('B5:B6').flat()).toEqual(['OK', 'RESOURCE_NOT_FOUND']);
});

test('when every formula shows an error or has no answer, freezing says that it replaced nothing', async () => {
  const file = await openWithFormula('=SOCIAL_PROFILE(A2:A3, "folowers")');
  file.type('A6', ada, ben);
  file.type('B6', '=SOCIAL_FOLLOWERS(A6)', '=SOCIAL_FOLLOWERS(A7)');
  for (const a1 of ['B6', 'B7']) Object.assign(file.sheet()[a1] ?? {}, { type: 'error', value: 'Loading...' });
  expect(freeze(file, 'sheet').message).toBe(
    'No formula was replaced with values. 3 left as formulas: 1 with an error, 2 still loading. Repair or refresh such cells, then freeze again.',
  );
  expect(formulas(file).sort()).toEqual(['B2', 'B6', 'B7']);
});

test('freezing a formula keeps the typed statuses of another table below it out of its decision', async () => {
  const file = await openWithFormula('=SOCIAL_PROFILE(A2:A3, "followers")');
  file.type('B6', 'Status', 'RATE_LIMITED');
  expect(freeze(file, 'sheet').message).toBe(frozenOne);
});

test('freezing without formulas, or while another user writes, gives a message and changes nothing', async () => {
  const file = await openWithFormula();
  file.select('C3');
  expect(freeze(file)).toMatchObject({ ok: false, message: expect.stringContaining('Select the cell that holds') });
  expect(freeze(file, 'file')).toEqual({ ok: false, message: 'Choose the selection or the sheet.' });
  file.holdLock(60_000);
  expect(freeze(file, 'sheet')).toMatchObject({
    ok: false,
    message: expect.stringContaining('Another user or window is writing'),
  });
  expect(formulas(file)).toEqual(['B2']);
  expect(() => file.cell('sidebarFreeze', ['sheet'])).toThrow('getUi() from this context');
});

test('freezing keeps a date as the same date', async () => {
  const file = await openWithFormula('=SOCIAL_PROFILE(A2:A3, "followers")');
  file.set({ time_zone: 'America/New_York' });
  file.format('C2:C3', 'yyyy-mm-dd');
  const before = file.values('C2:C3');
  freeze(file, 'sheet');
  expect(file.values('C2:C3')).toEqual(before);
  expect(file.types('C2:C3')).toEqual([['date'], ['date']]);
});

test.each([
  ['=SOCIAL_PROFILE(A1)', true],
  ['=IFERROR(social_profile(A1);"")', true],
  ['=SUM(B1)*SOCIAL_CREDITS()', true],
  ['="SOCIAL_PROFILE(A1)"', false],
  ['=SUM(SOCIAL_REFRESH)', false],
  ['=MY_SOCIAL_PROFILE(A1)', false],
  ['="a ""quoted"" SOCIAL_POST("&A1', false],
  ['', false],
])('the cell %s calls a SOCIAL_ function: %s', (formula, expected) => {
  expect(callsSocial(formula)).toBe(expected);
});

test('a cell that freezing emptied belongs to a formula only when no other cell is between this cell and the formula', () => {
  const before = [
    ['f', 'v', 'mine', 'v'],
    ['v', '', 'v', 'v'],
  ];
  const after = [
    ['f', '', 'mine', ''],
    ['', '', '', ''],
  ];
  const formulas = [
    ['=SOCIAL_X()', '', '', '=O()'],
    ['', '', '', ''],
  ];
  expect(emptiedCells({ before, after, formulas, frozen: [{ row: 0, column: 0 }] })).toEqual({
    sure: [
      { row: 0, column: 1 },
      { row: 1, column: 0 },
    ],
    doubtful: [],
  });
});
