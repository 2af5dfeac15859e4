import { expect, test } from 'vitest';
import { people, setKey, setUpAddon } from '../spreadsheet-setup.ts';

const setup = setUpAddon();
const [ada = '', ben = ''] = Object.keys(people);

test('SOCIAL_PROFILE fills rows with the status and the requested fields, numbers as numbers and ids as text', async () => {
  const file = await setup.open();
  setKey(file);
  file.type('A2', ada, ben);
  file.type('B2', '=SOCIAL_PROFILE(A2:A3, "followers,verified,account_id")');
  expect(file.values('B2:E3')).toEqual([
    ['OK', 1_200, true, '72057594037927937'],
    ['OK', 5_400_000, false, '6800000000000000001'],
  ]);
  expect(file.types('B2:E3')).toEqual(Array(2).fill(['text', 'number', 'boolean', 'text']));
});

test('SOCIAL_PROFILE shows the code of a bad row in its status cell and fills the other rows', async () => {
  const file = await setup.open();
  setKey(file);
  file.type('A2', ada, 'https://photo.example/unknown', ben);
  file.type('B2', '=SOCIAL_PROFILE(A2:A4, "followers,message")');
  expect(file.values('B2:D4')).toEqual([
    ['OK', 1_200, ''],
    ['RESOURCE_NOT_FOUND', '', 'There is no such account.'],
    ['OK', 5_400_000, ''],
  ]);
});

test('SOCIAL_PROFILE leaves an unknown value empty and shows zero as 0', async () => {
  const file = await setup.open();
  setKey(file);
  file.type('A2', ada, ben);
  file.type('B2', '=SOCIAL_PROFILE(A2:A3, "following,posts,total_views")');
  expect(file.values('C2:E3')).toEqual([
    [0, 34, ''],
    ['', '', ''],
  ]);
  expect(file.types('C2:E3')).toEqual([
    ['number', 'number', 'blank'],
    ['blank', 'blank', 'blank'],
  ]);
});

test('SOCIAL_PROFILE keeps rows beside their URLs, leaves rows of blank cells blank, and requests a repeated URL once', async () => {
  const file = await setup.open();
  setKey(file);
  file.type('A2', ada, '', ` ${ada} `, '   ', ben);
  file.type('B2', '=SOCIAL_PROFILE(A2:A7, "username")');
  expect(file.values('B2:C7')).toEqual([
    ['OK', 'ada'],
    ['', ''],
    ['OK', 'ada'],
    ['', ''],
    ['OK', 'ben'],
    ['', ''],
  ]);
  const { requests } = await setup.api.log();
  expect(requests.flatMap(({ parameters }) => parameters.url)).toEqual([ada, ben]);
});

test('SOCIAL_PROFILE takes a single cell, and also a URL in the formula', async () => {
  const file = await setup.open();
  setKey(file);
  file.type('A2', ada);
  file.type('B2', '=SOCIAL_PROFILE(A2, "posts")');
  file.type('B3', `=SOCIAL_PROFILE("${ben}", "likes")`);
  expect(file.values('B2:C3')).toEqual([
    ['OK', 34],
    ['OK', 99_000_000],
  ]);
});

test('SOCIAL_PROFILE without fields shows the usual ones, and sends no request for blank cells', async () => {
  const file = await setup.open();
  setKey(file);
  file.type('A2', ada);
  file.type('B2', '=SOCIAL_PROFILE(A2)');
  expect(file.values('B2:J2')).toEqual([['OK', 'ada', 'Ada Invented', 1_200, 0, 34, '', '', true]]);
  const before = (await setup.api.log()).requests.length;
  expect(file.cell('SOCIAL_PROFILE', [[[''], ['']], ''])).toEqual(Array(2).fill(Array(9).fill('')));
  expect((await setup.api.log()).requests).toHaveLength(before);
});

test('the fields of SOCIAL_PROFILE may be a row of headings, where the status is first and no field is repeated', async () => {
  const file = await setup.open();
  setKey(file);
  const row = file.cell('SOCIAL_PROFILE', [ada, [['Status', 'Display name', ' FOLLOWERS', 'followers', '']]]);
  expect(row).toEqual([['OK', 'Ada Invented', 1_200]]);
});

test('every heading that an import writes is a field of SOCIAL_PROFILE, including Retrieved at (UTC)', async () => {
  const file = await setup.open();
  setKey(file);
  const headings = ['Followers', 'Followers: exact or rounded', 'Retrieved at (UTC)', 'Account created (UTC)'];
  const [row] = file.cell('SOCIAL_PROFILE', [ada, [headings]]) as string[][];
  expect([row?.length, row?.slice(0, 2)]).toEqual([5, ['OK', 1_200]]);
});

test('a misspelt field or max_age is an error that names the nearest known word, and sends no request', async () => {
  const file = await setup.open();
  setKey(file);
  const before = (await setup.api.log()).requests.length;
  file.type('A2', ada);
  file.type('B2', '=SOCIAL_PROFILE(A2, "folowers")');
  file.type('B3', '=SOCIAL_PROFILE(A2, "followers", "8d")');
  expect(file.sheet().B2).toMatchObject({ value: '#ERROR!', message: expect.stringContaining('"followers"?') });
  expect(file.sheet().B3).toMatchObject({ value: '#ERROR!', message: expect.stringMatching(/Did you mean "\d+d"\?/) });
  expect(() => file.cell('SOCIAL_PROFILE', [])).toThrow('A2:A50');
  expect(() => file.cell('SOCIAL_PROFILE', [[[ada, ben]]])).toThrow('one column');
  expect((await setup.api.log()).requests).toHaveLength(before);
});

test('SOCIAL_PROFILE with more profiles than the limit is an error before any request', async () => {
  const file = await setup.open();
  setKey(file);
  const before = (await setup.api.log()).requests.length;
  const column = Array.from({ length: 2_001 }, (_, index) => [`https://photo.example/p${index}`]);
  expect(() => file.cell('SOCIAL_PROFILE', [column, 'followers'])).toThrow(
    'at most 2,000 profiles, and this range has 2,001. Split the range, or make an import in the sidebar, which takes 10,000 links.',
  );
  expect((await setup.api.log()).requests).toHaveLength(before);
});

test('recalculating SOCIAL_PROFILE costs 0 credits and shows the same values', async () => {
  const file = await setup.open();
  setKey(file);
  file.type('A2', ada, ben);
  file.type('B2', '=SOCIAL_PROFILE(A2:A3, "followers,credits_charged")');
  expect(file.values('B2:D3')).toEqual([
    ['OK', 1_200, 1],
    ['OK', 5_400_000, 1],
  ]);
  file.reopen();
  expect(file.values('B2:D3')).toEqual([
    ['OK', 1_200, 0],
    ['OK', 5_400_000, 0],
  ]);
  const { credits_charged, requests } = await setup.api.log();
  expect(credits_charged).toBe(2);
  expect(requests.at(-1)?.parameters.cache_max_age).toEqual(['1d']);
});

test('the charged credits of a formula add up to what was paid when a link is in several rows', async () => {
  const file = await setup.open();
  setKey(file);
  file.type('A2', ada, ben, ada);
  file.type('B2', '=SOCIAL_PROFILE(A2:A4, "followers,cached,credits_charged")');
  expect(file.values('B2:E4')).toEqual([
    ['OK', 1_200, false, 1],
    ['OK', 5_400_000, false, 1],
    ['OK', 1_200, true, 0],
  ]);
  expect((await setup.api.log()).credits_charged).toBe(2);
});
