import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packRequests } from '../../../addon/formulas/pack-requests.ts';
import { anyText } from '../../harness/text.ts';
import { goodKey, setKey, setUpAddon } from '../spreadsheet-setup.ts';

const setup = setUpAddon();

const fiftyUrls = { name: 'url', per_request_max: 50 };

test('requests of formulas contain every value once and in order, in URLs of at most 2,082 characters with at most the allowed number of values', () => {
  const head = 'https://social.example/v1/workflows/profile?fields=status';
  const value = anyText(900);
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.oneof(value, fc.webUrl()), { maxLength: 120 }),
      fc.integer({ min: 1, max: 50 }),
      (values, maxPerRequest) => {
        const { requests, unsent } = packRequests(head, { name: 'item', per_request_max: maxPerRequest }, values);
        for (const request of requests) {
          expect(request.url.length).toBeLessThanOrEqual(2_082);
          expect(request.values.length).toBeLessThanOrEqual(maxPerRequest);
          const sent = new URL(request.url).searchParams.getAll('item');
          expect(sent).toEqual(request.values.map((value) => value.toWellFormed()));
        }
        const sent = requests.flatMap((request) => request.values);
        expect(sent).toEqual(values.filter((value) => !unsent.includes(value)));
        for (const value of unsent) expect(encodeURIComponent(value.toWellFormed()).length).toBeGreaterThan(2_000);
      },
    ),
  );
});

test('a request of a formula has at most 50 handles, and fewer URLs when these are long', () => {
  const handles = Array.from({ length: 120 }, (_, index) => `@h${index}`);
  const head = 'https://social.example/?a=b';
  const sizes = packRequests(head, fiftyUrls, handles).requests.map(({ values }) => values.length);
  expect(sizes).toEqual([50, 50, 20]);
  const urls = handles.map((handle) => `https://www.photo.example/some.longer.name.${handle}/`);
  const [first] = packRequests(head, fiftyUrls, urls).requests;
  expect(first?.values.length).toBeLessThan(40);
});

test('fifty profile URLs are sent in parallel requests below the URL limit of Google, and fill their own rows', async () => {
  const urls = Array.from({ length: 50 }, (_, index) => `https://www.photo.example/some.longer.name.${index}/`);
  const numbered = Object.fromEntries(urls.map((url, index) => [url, { followers: index }]));
  await setup.api.begin({ keys: [goodKey], people: numbered });
  const file = await setup.open();
  setKey(file);
  file.type('A1', ...urls);
  file.type('B1', '=SOCIAL_PROFILE(A1:A50, "followers")');
  expect(file.values('C1:C50').flat()).toEqual(urls.map((_, index) => index));
  const { requests } = await setup.api.log();
  const profileRequests = requests.filter(({ path }) => path === '/v1/workflows/profile');
  expect(profileRequests).toHaveLength(2);
  expect(Math.max(...profileRequests.map(({ url_characters }) => url_characters))).toBeLessThanOrEqual(2_082);
});

test('a thousand profiles are sent six requests at a time, and profiles without time left get NOT_IN_TIME', async () => {
  const urls = Array.from({ length: 1_000 }, (_, index) => `https://www.photo.example/some.longer.name.${index}/`);
  const numbered = Object.fromEntries(urls.map((url, index) => [url, { followers: index }]));
  const file = await setup.open();
  setKey(file);
  const slow = { status: 502, headers: { 'x-harness-took-ms': '8000' }, body: '' };
  await setup.api.begin({ keys: [goodKey], people: numbered, answers: Array(18).fill(slow) });
  const beganMs = file.world().now_ms;
  const rows = file.cell('SOCIAL_PROFILE', [urls.map((url) => [url]), 'followers']) as unknown[][];
  const codes = rows.map(([status]) => String(status));
  expect([...new Set(codes)]).toEqual(['SERVER_UNAVAILABLE', 'NOT_IN_TIME']);
  expect(codes.toSorted().reverse()).toEqual(codes);
  expect(file.world().now_ms - beganMs).toBeLessThanOrEqual(26_000);
  const sent = (await setup.api.log()).requests;
  expect(sent).toHaveLength(18);
  expect(codes.lastIndexOf('SERVER_UNAVAILABLE') + 1).toBe(sent.flatMap(({ parameters }) => parameters.url).length);
  expect(file.cell('SOCIAL_PROFILE', [urls.map((url) => [url]), 'followers'])).toEqual(
    urls.map((_, index) => ['OK', index]),
  );
});

test('formulas request only the needed columns, the status and the age of the data, and send the key only in the header', async () => {
  const file = await setup.open();
  setKey(file);
  file.cell('SOCIAL_PROFILE', ['https://photo.example/ada', 'posts,followers', '30d']);
  const sent = (await setup.api.log()).requests.at(-1);
  expect(sent?.parameters).toMatchObject({
    url: ['https://photo.example/ada'],
    fields: ['status,posts,followers,retrieved_at,cached'],
    cache_max_age: ['30d'],
    fresh: [],
  });
  expect(sent?.key).toBe(goodKey);
  expect(JSON.stringify(sent?.parameters)).not.toContain(goodKey);
});

test('a cell that is too long for a request or has half a character gets a code, and no other row fails', async () => {
  const file = await setup.open();
  setKey(file);
  const column = [['https://photo.example/ada'], ['x'.repeat(3_000)], ['https://photo.example/\uD83D']];
  expect(file.cell('SOCIAL_PROFILE', [column, 'followers'])).toEqual([
    ['OK', 1_200],
    ['INVALID_INPUT', ''],
    ['RESOURCE_NOT_FOUND', ''],
  ]);
});

test.each(['\u200b@nasa', '@\u200enasa', '@na\ufeffsa\u2060', '\u200d@nasa'])(
  'the handle %j with invisible characters is sent with its platform',
  async (handle) => {
    const file = await setup.open();
    setKey(file);
    file.cell('SOCIAL_PROFILE', [handle, 'followers', '', 'instagram']);
    file.cell('SOCIAL_POSTS', [handle, 1, 'caption', '', 'instagram']);
    const sent = (await setup.api.log()).requests.slice(-2).map(({ parameters }) => parameters);
    expect(sent).toMatchObject(Array(2).fill({ url: [handle], platform: ['photo'] }));
  },
);

test.each([
  ['SOCIAL_PROFILE', '=SOCIAL_PROFILE("@nasa"; "followers,posts"; "1d"; "instagram")'],
  ['SOCIAL_POSTS', '=SOCIAL_POSTS("@nasa"; 3; "caption,likes"; "1d"; "instagram")'],
  ['SOCIAL_FOLLOWERS', '=SOCIAL_FOLLOWERS("@nasa"; "instagram")'],
])('%s without the platform of a handle sends no request and shows the finished formula', async (name, finished) => {
  const file = await setup.open();
  setKey(file);
  const before = (await setup.api.log()).requests.length;
  const args = { SOCIAL_PROFILE: ['@nasa', 'message'], SOCIAL_POSTS: ['@nasa', 1, 'message'] }[name] ?? ['@nasa'];
  const message = () => JSON.stringify(file.cell(name, args)).replaceAll('\\"', '"');
  if (name === 'SOCIAL_FOLLOWERS') expect(message).toThrow(`for example ${finished}, or use the link`);
  else expect(message()).toContain(`for example ${finished}, or use the link`);
  expect((await setup.api.log()).requests).toHaveLength(before);
  file.type('A1', finished);
  expect((await setup.api.log()).requests.at(-1)?.parameters).toMatchObject({ url: ['@nasa'], platform: ['photo'] });
});
