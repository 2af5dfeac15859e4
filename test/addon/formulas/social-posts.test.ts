import { expect, test } from 'vitest';
import { goodKey, setKey, setUpAddon } from '../spreadsheet-setup.ts';

const setup = setUpAddon();
const ada = 'https://photo.example/ada';
const ben = 'https://clips.example/@ben';
const unknownUrl = 'https://photo.example/unknown';

/** Invented posts that the fake API returns, by profile URL. */
const posts = {
  [ada]: Array.from({ length: 25 }, (_, index) => ({
    id: `7234567890123456${String(index).padStart(3, '0')}`,
    published_at: `2026-11-${String(19 - (index % 19)).padStart(2, '0')}T23:30:00.000Z`,
    caption: `Loom ${index}`,
    likes: index,
    views: null,
    media_type: 'image',
  })),
  [ben]: [{ id: '6800000000000000001', caption: 'Clip', likes: 0, views: 5_400_000, counts_quality: 'views rounded' }],
  'https://photo.example/new': [],
};
const post = {
  'https://photo.example/p/1': {
    id: '7234567890123456789',
    likes: 12,
    views: null,
    published_at: '2026-11-19T23:30:00.000Z',
  },
  'https://photo.example/p/2': { id: '7234567890123456790', likes: 0, views: 3 },
};

async function openFile() {
  await setup.api.begin({ keys: [goodKey], posts, post });
  const file = await setup.open();
  setKey(file);
  return file;
}

async function requestsTo(path: string) {
  return (await setup.api.log()).requests.filter((request) => request.path === path);
}

test('SOCIAL_POSTS lists the posts of a profile with ids and dates as text, unknown values empty, and zero as 0', async () => {
  const file = await openFile();
  file.type('A2', ada);
  file.type('B2', '=SOCIAL_POSTS(A2, 2, "id,published_at,likes,views")');
  expect(file.values('B2:F4')).toEqual([
    ['OK', '7234567890123456000', '2026-11-19T23:30:00.000Z', 0, ''],
    ['OK', '7234567890123456001', '2026-11-18T23:30:00.000Z', 1, ''],
    ['', '', '', '', ''],
  ]);
  expect(file.types('B2:F2')).toEqual([['text', 'text', 'text', 'number', 'blank']]);
});

test('SOCIAL_POSTS of a range sends one request for each profile and stacks the rows in order, a bad one with its code', async () => {
  const file = await openFile();
  file.type('A2', ada, '', unknownUrl, ben, ` ${ada} `);
  file.type('B2', '=SOCIAL_POSTS(A2:A6, 2, "url,caption,likes,message")');
  expect(file.values('B2:F6')).toEqual([
    ['OK', ada, 'Loom 0', 0, ''],
    ['OK', ada, 'Loom 1', 1, ''],
    ['RESOURCE_NOT_FOUND', unknownUrl, '', '', 'There is no such account.'],
    ['OK', ben, 'Clip', 0, ''],
    ['', '', '', '', ''],
  ]);
  const asked = await requestsTo('/v1/workflows/posts');
  expect(asked.map(({ parameters }) => parameters.url?.join()).toSorted()).toEqual([ada, ben, unknownUrl].toSorted());
  expect(asked[0]?.parameters).toMatchObject({ limit: ['2'], cache_max_age: ['1d'], fresh: [] });
});

test('SOCIAL_POSTS without a limit and fields shows the usual fields, and the server decides the number of posts', async () => {
  const file = await openFile();
  const rows = file.cell('SOCIAL_POSTS', [ben]);
  expect(rows).toEqual([['OK', ben, '', '', 'Clip', 5_400_000, 0, '', '', '']]);
  const [asked] = await requestsTo('/v1/workflows/posts');
  expect(asked?.parameters.limit).toEqual([]);
});

test('SOCIAL_POSTS gives NO_DATA for a profile without posts, and sends no request for blank cells', async () => {
  const file = await openFile();
  expect(file.cell('SOCIAL_POSTS', ['https://photo.example/new', '', 'likes'])).toEqual([['NO_DATA', '']]);
  const before = (await setup.api.log()).requests.length;
  expect(file.cell('SOCIAL_POSTS', [[[''], ['']], '', 'likes'])).toEqual([['', '']]);
  expect((await setup.api.log()).requests).toHaveLength(before);
});

test('SOCIAL_POST keeps rows beside their URLs and sends up to 50 URLs in one request', async () => {
  const file = await openFile();
  file.type('A2', 'https://photo.example/p/1', '', unknownUrl, 'https://photo.example/p/2');
  file.type('B2', '=SOCIAL_POST(A2:A5, "id,likes,views,published_at")');
  expect(file.values('B2:F5')).toEqual([
    ['OK', '7234567890123456789', 12, '', '2026-11-19T23:30:00.000Z'],
    ['', '', '', '', ''],
    ['RESOURCE_NOT_FOUND', '', '', '', ''],
    ['OK', '7234567890123456790', 0, 3, ''],
  ]);
  expect(await requestsTo('/v1/workflows/post')).toHaveLength(1);
});

test('recalculating SOCIAL_POST costs 0 credits, and the refresh cell gets new data once', async () => {
  const file = await openFile();
  file.select('H1');
  file.answer({ button: 'OK' });
  file.call('refresh_');
  file.type('A2', ada, 'https://photo.example/p/1');
  file.type('B2', '=SOCIAL_POSTS(A2, 1, "likes", SOCIAL_REFRESH)');
  file.type('B3', '=SOCIAL_POST(A3, "likes", SOCIAL_REFRESH)');
  expect((await setup.api.log()).credits_charged).toBe(2);
  file.pass(60_000);
  file.call('refresh_');
  expect((await setup.api.log()).credits_charged).toBe(4);
  file.pass(180_000);
  file.reopen();
  expect((await setup.api.log()).credits_charged).toBe(4);
});

test('SOCIAL_POSTS keeps its lists for six hours: reopening the file sends no request and costs nothing', async () => {
  const file = await openFile();
  file.type('A2', ada, ben);
  file.type('B2', '=SOCIAL_POSTS(A2:A3, 2, "caption,cached,credits_charged")');
  const first = file.values('C2:C4');
  expect(first).toEqual([['Loom 0'], ['Loom 1'], ['Clip']]);
  const before = (await setup.api.log()).requests.length;
  file.pass(5 * 3_600_000);
  file.reopen();
  expect((await setup.api.log()).requests).toHaveLength(before);
  expect(file.values('B2:E4')).toEqual(first.map(([caption]) => ['OK', caption, true, 0]));
  file.type('B6', '=SOCIAL_POSTS(A2, 1, "caption")');
  expect((await setup.api.log()).requests).toHaveLength(before + 1);
});

test('while the server limits requests, SOCIAL_POSTS shows the last posts and says that they are older', async () => {
  const file = await openFile();
  file.type('A2', ada);
  file.type('B2', '=SOCIAL_POSTS(A2, 2, "caption,message", SOCIAL_REFRESH)');
  file.select('H1');
  file.answer({ button: 'OK' });
  file.call('refresh_');
  expect(file.values('B2:C3')).toEqual([
    ['OK', 'Loom 0'],
    ['OK', 'Loom 1'],
  ]);
  await setup.api.begin({ keys: [goodKey], posts, refusals: { [ada]: 1_000 } });
  file.pass(60_000);
  file.call('refresh_');
  expect(file.values('B2:C3')).toEqual([
    ['OK (older)', 'Loom 0'],
    ['OK (older)', 'Loom 1'],
  ]);
  expect(file.values('D2')[0]?.[0]).toContain('Too many requests');
});

test.each([
  ['SOCIAL_POSTS', 'A2:A20', []],
  ['SOCIAL_POSTS', 'limit must be a whole number from 1 to 20', [ada, 0]],
  ['SOCIAL_POSTS', 'limit must be', [ada, 21]],
  ['SOCIAL_POSTS', 'limit must be', [ada, 1.5]],
  ['SOCIAL_POSTS', 'limit must be', [ada, true]],
  ['SOCIAL_POSTS', 'limit must be', [ada, 'all']],
  ['SOCIAL_POSTS', 'Did you mean "likes"?', [ada, '', 'likez']],
  ['SOCIAL_POSTS', 'There is no field "folowers"', [ada, '', 'folowers']],
  ['SOCIAL_POSTS', 'Did you mean', [ada, '', '', '8d']],
  [
    'SOCIAL_POSTS',
    'at most 40 profiles, and this range has 41',
    [Array.from({ length: 41 }, (_, index) => [`@p${index}`])],
  ],
  ['SOCIAL_POST', 'A2:A50', []],
  ['SOCIAL_POST', 'more than one column', [[[ada, ben]]]],
  ['SOCIAL_POST', 'Did you mean "caption"?', [ada, 'capton']],
  ['SOCIAL_POST', 'There is no max_age "now". Use one of 1d, 3d, 7d, 14d, 30d.', [ada, '', 'now']],
  ['SOCIAL_POST', 'There is no max_age "1 day". Did you mean "1d"?', [ada, '', '1 day']],
])('the formula %s is an error before any request: %s', async (name, sentence, args) => {
  const file = await openFile();
  const before = (await setup.api.log()).requests.length;
  expect(() => file.cell(name, args)).toThrow(sentence);
  expect((await setup.api.log()).requests).toHaveLength(before);
});
