import { expect, test } from 'vitest';
import type { SpreadsheetFile } from '../../harness/file.ts';
import { goodKey, people, setKey, setUpAddon } from '../../spreadsheet-setup.ts';

const setup = setUpAddon();
const [ada = '', ben = ''] = Object.keys(people);
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

async function profileRequests() {
  return (await setup.api.log()).requests.filter(({ path }) => path.startsWith('/v1/workflows/'));
}

/** Types a formula into cells of column B one below the other, as dragging the formula down does. */
function drag(file: SpreadsheetFile, first: number, count: number, formulaOf: (row: number) => string): void {
  file.type(`B${first}`, ...Array.from({ length: count }, (_, index) => formulaOf(first + index)));
}

test('a formula also requests the rows of waiting formulas, but only with the same function, fields and max_age', async () => {
  const urls = Array.from({ length: 8 }, (_, index) => `https://photo.example/p${index}`);
  await setup.api.begin({ keys: [goodKey], people: Object.fromEntries(urls.map((url) => [url, { followers: 1 }])) });
  const file = await setup.open();
  setKey(file, 'YES');
  file.type('A1', ...urls);
  file.type('B1', '=SOCIAL_FOLLOWERS(A1)');
  drag(file, 2, 7, (row) => {
    if (row === 2) return '=SOCIAL_FOLLOWERS(A2, , "7d")';
    if (row === 3) return '=SOCIAL_PROFILE(A3, "posts")';
    if (row === 4) return '=IF(C4="yes", SOCIAL_FOLLOWERS(A4), "")';
    if (row === 8) return '';
    return `=SOCIAL_FOLLOWERS(A${row})`;
  });
  const requested = (await profileRequests()).map(({ parameters }) => parameters.url);
  expect(requested).toContainEqual([urls[4], urls[5], urls[6]]);
  expect(requested.filter((values) => values?.includes(urls[0] ?? ''))).toEqual([[urls[0]]]);
  expect(requested.flat()).not.toContain(urls[7]);
});

/** Drags a formula over ten rows with URLs. `#` in the formula is the row. Column E has "yes" in odd rows. */
async function dragCalculation(formula: string) {
  const urls = Array.from({ length: 10 }, (_, index) => `https://photo.example/p${index}`);
  const post = Object.fromEntries(urls.map((url, index) => [url, { likes: index, views: 10, comments: 1 }]));
  const known = Object.fromEntries(urls.map((url, index) => [url, { followers: index }]));
  await setup.api.begin({ keys: [goodKey], people: known, post });
  const file = await setup.open();
  setKey(file, 'YES');
  file.type('A1', ...urls);
  file.type('E1', ...urls.map((_, index) => (index % 2 === 0 ? 'yes' : '')));
  drag(file, 1, 10, (row) => formula.replaceAll('#', String(row)));
  const requests = await profileRequests();
  return {
    values: file.values('B1:B10').flat(),
    requests: requests.length,
    paid: (await setup.api.log()).credits_charged,
  };
}

test.each([
  ['=SOCIAL_LIKES(A#)/SOCIAL_VIEWS(A#)', 2],
  ['=SUM(SOCIAL_LIKES(A#), SOCIAL_COMMENTS(A#))', 2],
  ['=IFERROR(SOCIAL_LIKES(A#)/SUM(E#, 1), "?")', 1],
  ['=IF(A#="", "", SOCIAL_FOLLOWERS(A#))', 1],
  ['=IF(ISBLANK($A#); ""; SOCIAL_FOLLOWERS($A#; ""; "1d"))', 1],
  ['=IF(A#<>"", SUM(SOCIAL_FOLLOWERS(A#), E#), "")', 1],
])('formulas such as %s share their requests when they are dragged down', async (formula, expected) => {
  const { requests, values, paid } = await dragCalculation(formula);
  expect(values).not.toContain('#ERROR!');
  expect([requests, paid]).toEqual([expected, 10]);
});

test.each([
  ['=IF(E#="yes", SOCIAL_FOLLOWERS(A#), "")', 5],
  ['=IF(E#="", "", SOCIAL_FOLLOWERS(A#))', 5],
  ['=IFERROR(SUM(E#, 1), SOCIAL_FOLLOWERS(A#))', 0],
  ['=SOCIAL_FOLLOWERS(A#, "", E#)', 5],
])(
  'a formula such as %s does not request the rows of other formulas, which may not need them',
  async (formula, needed) => {
    const { requests, paid } = await dragCalculation(formula);
    expect([requests, paid]).toEqual([needed, needed]);
  },
);

test('a formula shows a stored row only when the row is not older than its max_age', async () => {
  const file = await setup.open();
  setKey(file, 'YES');
  const retrievedAt = new Date(file.world().now_ms - dayMs + hourMs).toISOString();
  await setup.api.begin({ keys: [goodKey], people: { [ada]: { followers: 5, retrieved_at: retrievedAt } } });
  file.type('A1', ada);
  file.type('B1', '=SOCIAL_FOLLOWERS(A1)', '=SOCIAL_FOLLOWERS(A1, , "7d")');
  const before = (await profileRequests()).length;
  file.pass(2 * hourMs);
  file.reopen();
  const later = (await profileRequests()).slice(before);
  expect(later.map(({ parameters }) => parameters.cache_max_age)).toEqual([['1d']]);
});

test('while the server limits requests, a formula shows its last value marked as older, or an error when it has none', async () => {
  const file = await setup.open();
  setKey(file, 'YES');
  file.type('A1', ada, ben);
  file.type('B1', '=SOCIAL_PROFILE(A1, "followers,message")');
  file.type('F1', '=SOCIAL_FOLLOWERS(A1)');
  await setup.api.begin({ keys: [goodKey], people, refusals: { [ada]: 1_000, [ben]: 1_000 } });
  file.pass(dayMs + hourMs);
  file.world().caches.document = Object.fromEntries(
    Object.entries(file.world().caches.document ?? {}).map(([name, entry]) => [
      name,
      { ...entry, until_ms: file.world().now_ms + hourMs },
    ]),
  );
  file.reopen();
  expect(file.values('B1:C1')).toEqual([['OK (older)', 1_200]]);
  expect(file.values('D1')[0]?.[0]).toContain('Too many requests');
  expect(file.values('F1')).toEqual([[1_200]]);
  file.type('B2', '=SOCIAL_PROFILE(A2, "followers")');
  expect(file.values('B2:C2')).toEqual([['RATE_LIMITED', '']]);
  file.type('F2', '=SOCIAL_FOLLOWERS(A2)');
  expect(file.sheet().F2).toMatchObject({ value: '#ERROR!', message: expect.stringContaining('(RATE_LIMITED)') });
});

test('a formula shows a stored row that is young enough, even after another formula failed to get newer data', async () => {
  const file = await setup.open();
  setKey(file, 'YES');
  file.type('A1', ada);
  file.type('B1', '=SOCIAL_FOLLOWERS(A1)');
  await setup.api.begin({ keys: [goodKey], people: {} });
  file.pass(minuteMs);
  file.type('B2', '=SOCIAL_FOLLOWERS(A1, , "fresh")');
  expect(file.sheet().B2).toMatchObject({ value: '#ERROR!' });
  file.pass(minuteMs);
  file.type('B3', '=SOCIAL_FOLLOWERS(A1)');
  expect(file.values('B3')).toEqual([[1_200]]);
  expect(await profileRequests()).toHaveLength(1);
});

test('after a refresh, a row is requested and charged once, even when the clock of the server is late', async () => {
  const file = await setup.open();
  setKey(file, 'YES');
  const late = new Date(file.world().now_ms - hourMs).toISOString();
  await setup.api.begin({ keys: [goodKey], people: { [ada]: { followers: 5, retrieved_at: late } } });
  file.type('A1', ada);
  const refreshed = new Date(file.world().now_ms - 10 * minuteMs).toISOString();
  file.type('B1', `=SOCIAL_FOLLOWERS(A1, , "fresh ${refreshed}")`);
  expect(file.values('B1')).toEqual([[5]]);
  expect((await setup.api.log()).credits_charged).toBe(1);
});

test('rows that were fetched with one API key are not shown with another key', async () => {
  const file = await setup.open();
  setKey(file, 'YES');
  file.type('A1', ada);
  file.type('B1', '=SOCIAL_FOLLOWERS(A1)');
  const other = 'tide_live_invented0000000Other';
  await setup.api.begin({ keys: [other], people: { [ada]: { followers: 77 } } });
  setKey(file, 'YES', other);
  file.reopen();
  expect(file.values('B1')).toEqual([[77]]);
});

test('after a scheduled refresh of a closed file, opening it shows newer data, which is charged once', async () => {
  const file = await setup.open();
  setKey(file, 'YES');
  file.select('H1');
  file.answer({ button: 'OK' });
  file.call('refresh_');
  const at = (timeMs: number) => new Date(timeMs).toISOString();
  await setup.api.begin({
    keys: [goodKey],
    people: { [ada]: { followers: 5, retrieved_at: at(file.world().now_ms) } },
  });
  file.type('A1', ada);
  file.type('B1', '=SOCIAL_PROFILE(A1, "followers", SOCIAL_REFRESH)');
  expect((await setup.api.log()).credits_charged).toBe(1);
  // A scheduled refresh writes the refresh cell while no one has the file open.
  const refreshedMs = file.world().now_ms + hourMs;
  file.pass(3 * hourMs);
  file.type('H1', `fresh ${at(refreshedMs)}`);
  expect((await setup.api.log()).credits_charged).toBe(2);
  expect((await profileRequests()).at(-1)?.parameters.fresh).toEqual(['true']);
  file.pass(minuteMs);
  file.reopen();
  expect((await setup.api.log()).credits_charged).toBe(2);
});
