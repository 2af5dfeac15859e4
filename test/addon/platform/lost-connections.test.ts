import { expect, test } from 'vitest';
import { fetchAnswers, type HttpAnswer, type HttpRequest, type Network } from '../../../addon/platform/client.ts';
import { googleTexts } from '../harness/inside/google-texts.ts';
import { cells, invented, must, openWithUrls, save, start, step } from '../imports/import-calls.ts';
import { goodKey, people, setKey, setUpAddon } from '../spreadsheet-setup.ts';

const setup = setUpAddon();
const [ada = '', ben = ''] = Object.keys(people);
const formulaLimitMs = 30_000;
const url = 'https://social.example/v1/credit/balance';
const requestScope = 'https://www.googleapis.com/auth/script.external_request';

type Breaks = 'before' | 'after' | 'never';

/** Opens a file with a key, and makes the connections of the next requests break. */
async function openWithBreaks(breaks: Breaks[], more: object = {}) {
  const file = await setup.open();
  setKey(file);
  await setup.api.begin({ keys: [goodKey], people, breaks, ...more });
  return file;
}

/**
 * Returns a network whose requests all fail with this error text. `tookMs`: the duration of each call; the last one
 * repeats. `sent`: the requests of each call.
 */
function failingNetwork(text: string, ...tookMs: number[]) {
  const clock = { now: 0 };
  const sent: HttpRequest[][] = [];
  const network: Network = {
    fetchAll: (requests) => {
      sent.push(requests);
      clock.now += Math.min(
        tookMs[sent.length - 1] ?? tookMs.at(-1) ?? 0,
        ...requests.map(({ timeout_ms }) => timeout_ms),
      );
      throw new Error(text);
    },
    sleep: (waitMs) => {
      clock.now += waitMs;
    },
    ...{ now: () => clock.now, random: () => 1, uuid: () => `id ${sent.length}`, log: () => undefined },
  };
  return { clock, sent, network };
}

test.each<[Breaks, string, number]>([
  ['before', '1d', 1],
  ['before', 'fresh', 1],
  ['after', '1d', 2],
  ['after', 'fresh', 2],
])(
  'a formula whose connection breaks once, %s the server answers, with max_age %s, shows its number and is charged once',
  async (breaks, maxAge, arrived) => {
    const file = await openWithBreaks([breaks]);
    expect(file.cell('SOCIAL_FOLLOWERS', [ada, '', maxAge])).toBe(1_200);
    const { requests, credits_charged } = await setup.api.log();
    expect(credits_charged).toBe(1);
    expect(requests).toHaveLength(arrived);
    expect(new Set(requests.map(({ idempotency_key }) => idempotency_key)).size).toBe(1);
  },
);

test('a formula whose connection breaks twice shows its number, and each request has its own Idempotency-Key', async () => {
  const file = await openWithBreaks(['after', 'before']);
  expect(file.cell('SOCIAL_PROFILE', [ada, 'followers', 'fresh'])).toEqual([['OK', 1_200]]);
  expect(file.cell('SOCIAL_PROFILE', [ben, 'followers', 'fresh'])).toEqual([['OK', 5_400_000]]);
  const { requests, credits_charged } = await setup.api.log();
  const keys = requests.map(({ idempotency_key }) => idempotency_key);
  expect(keys).toEqual([keys[0], keys[0], expect.stringMatching(/^[0-9a-f-]{36}$/)]);
  expect(keys[2]).not.toBe(keys[0]);
  expect(credits_charged).toBe(2);
});

test('when the connection of one of several parallel requests breaks, every row is shown and none is charged twice', async () => {
  const urls = Array.from({ length: 100 }, (_, index) => `https://www.photo.example/some.longer.name.${index}/`);
  const numbered = Object.fromEntries(urls.map((one, index) => [one, { followers: index }]));
  const file = await openWithBreaks(['never', 'after', 'never'], { people: numbered });
  const column = urls.map((one) => [one]);
  expect(file.cell('SOCIAL_PROFILE', [column, 'followers', 'fresh'])).toEqual(urls.map((_, index) => ['OK', index]));
  expect((await setup.api.log()).credits_charged).toBe(100);
});

test('the latest posts of a profile whose connection breaks after the answer are shown and charged once', async () => {
  const file = await openWithBreaks(['after'], { posts: { [ben]: [{ likes: 5 }, { likes: 6 }] } });
  expect(file.cell('SOCIAL_POSTS', [ben, 2, 'likes', 'fresh'])).toEqual([
    ['OK', 5],
    ['OK', 6],
  ]);
  expect((await setup.api.log()).credits_charged).toBe(1);
});

test('a free formula whose connection breaks once shows its value', async () => {
  const file = await openWithBreaks(['before']);
  expect(file.cell('SOCIAL_CREDITS', [])).toBe(9_000);
});

test('an import with fresh data whose connection breaks once writes its rows, charged once', async () => {
  const file = await openWithUrls(setup, ...Object.keys(invented(2)));
  await setup.api.begin({ keys: [goodKey], people: invented(2), breaks: ['after'] });
  const id = save(file, { source: cells('A2:A3'), fields: ['followers'], max_age: 'fresh' });
  start(file, id);
  expect(step(file, id)).toMatchObject({ stopped: null, run: { ok: 2, finished: true } });
  expect((await setup.api.log()).credits_charged).toBe(2);
});

test.each([
  ['is over the rate limit', { status: 429, headers: { 'retry-after': '60' }, body: '' }],
  ['has no time left', { status: 429, headers: { 'retry-after': '8', 'x-harness-took-ms': '15000' }, body: '' }],
])(
  'an import whose answer was lost, and whose repeated request %s, does not pay for its rows again',
  async (_, answer) => {
    const file = await openWithUrls(setup, ...Object.keys(invented(2)));
    await setup.api.begin({ keys: [goodKey], people: invented(2), breaks: ['after'], answers: [answer] });
    const id = save(file, { source: cells('A2:A3'), fields: ['followers'], max_age: 'fresh' });
    start(file, id);
    expect(step(file, id)).toMatchObject({ stopped: null, run: { done: 0, finished: false } });
    file.pass(61_000);
    expect(must(file, 'sidebarImportStep', id)).toMatchObject({ run: { ok: 2, finished: true } });
    expect((await setup.api.log()).credits_charged).toBe(2);
  },
);

test('a server that stays unreachable is tried three times, and the formula says SERVER_UNREACHABLE within thirty seconds', async () => {
  const file = await openWithBreaks(Array(9).fill('before'));
  const startedMs = file.world().now_ms;
  expect(file.cell('SOCIAL_PROFILE', [ada, 'followers'])).toEqual([['SERVER_UNREACHABLE', '']]);
  expect(file.world().now_ms - startedMs).toBeLessThan(formulaLimitMs);
  expect(file.world().log.filter((line) => line.includes('Address unavailable'))).toHaveLength(3);
  expect((await setup.api.log()).requests).toEqual([]);
});

test.each([
  [1_000, 3],
  [8_000, 3],
  [10_000, 2],
  [22_000, 1],
  [60_000, 1],
])('requests that fail after %i ms are sent %i times and end within the time of a formula', (tookMs, times) => {
  const { clock, sent, network } = failingNetwork(googleTexts.unavailable(url), tookMs);
  expect(fetchAnswers([url], goodKey, network)).toMatchObject([{ failure: { code: 'SERVER_UNREACHABLE' } }]);
  expect(sent).toHaveLength(times);
  expect(clock.now).toBeLessThan(formulaLimitMs - 3_000);
});

/**
 * Returns a network that answers each call with the next reply. A reply that is text is thrown. `tookMs`: duration of
 * each call.
 */
function scriptedNetwork(replies: (string | HttpAnswer)[], ...tookMs: number[]) {
  const clock = { now: 0 };
  const sent: string[][] = [];
  const network: Network = {
    fetchAll: (requests) => {
      sent.push(requests.map((one) => one.url));
      clock.now += tookMs.shift() ?? 0;
      const reply = replies.shift() ?? ok;
      if (typeof reply === 'string') throw new Error(reply);
      return requests.map(() => reply);
    },
    sleep: (waitMs) => {
      clock.now += waitMs;
    },
    ...{ now: () => clock.now, random: () => 1, uuid: () => 'id', log: () => undefined },
  };
  return { sent, network };
}

const ok: HttpAnswer = { status: 200, headers: {}, text: '{"data":1}' };
const busy: HttpAnswer = { status: 429, headers: { 'retry-after': '8' }, text: '' };
const unavailable = googleTexts.unavailable(url);

test('a request whose connection failed is repeated, even when another one must wait longer than the formula has time', () => {
  const { sent, network } = scriptedNetwork([unavailable, busy], 7_500, 7_500);
  const [first, second] = fetchAnswers([`${url}?a`, `${url}?b`], goodKey, network, { at_once: 1 });
  expect(sent).toEqual([[`${url}?a`], [`${url}?b`], [`${url}?a`]]);
  expect(first).toEqual({ ok: true, data: 1, warnings: [], credits: null });
  expect(second).toMatchObject({ ok: false, failure: { code: 'RATE_LIMITED' } });
});

test('a request that is not repeated because no time is left keeps the failure of its first attempt', () => {
  const { sent, network } = scriptedNetwork([unavailable, unavailable], 1_000, 1_000, 20_000);
  const answers = fetchAnswers([url, `${url}?b`], goodKey, network, { at_once: 1 });
  expect(sent).toHaveLength(3);
  const failure = { code: 'SERVER_UNREACHABLE', may_be_charged: true };
  expect(answers).toEqual([
    { ok: true, data: 1, warnings: [], credits: null },
    { ok: false, failure: expect.objectContaining(failure) },
  ]);
});

test('a server that stays unreachable gets the first requests of a formula three times, and all others only once', () => {
  const urls = Array.from({ length: 8 }, (_, index) => `${url}?${index}`);
  const { sent, network } = scriptedNetwork(Array(99).fill(unavailable));
  const answers = fetchAnswers(urls, goodKey, network, { at_once: 2 });
  const [wave = [], ...waves] = [0, 2, 4, 6].map((begin) => urls.slice(begin, begin + 2));
  expect(sent).toEqual([wave, ...waves, wave, wave]);
  const failure = { code: 'SERVER_UNREACHABLE', may_be_charged: true };
  expect(answers).toEqual(Array(8).fill({ ok: false, failure: expect.objectContaining(failure) }));
});

test('all requests of a formula are answered when the server is back before the second retry', () => {
  const urls = Array.from({ length: 4 }, (_, index) => `${url}?${index}`);
  const { sent, network } = scriptedNetwork([unavailable, unavailable, unavailable]);
  const answers = fetchAnswers(urls, goodKey, network, { at_once: 2 });
  expect(answers.map((answer) => answer.ok)).toEqual([true, true, true, true]);
  expect(sent).toHaveLength(5);
});

test.each([
  googleTexts.unavailable(url),
  googleTexts.dns(url),
  `Adresse nicht verfügbar: ${url}`,
  'Adresse non disponible : https://ssl.administration.example/quota',
  `DNS-Fehler: ${url}`,
  'Connection reset',
  "We're sorry, a server error occurred. Please wait a bit and try again.",
])('a request that fails with “%s” is repeated twice, with the same Idempotency-Key', (text) => {
  const { sent, network } = failingNetwork(`Exception: ${text}`);
  fetchAnswers([url, `${url}?b`], goodKey, network);
  expect(sent.map((requests) => requests.map((one) => one.url))).toEqual(Array(3).fill([url, `${url}?b`]));
  expect(new Set(sent.flat().map(({ headers }) => headers['idempotency-key']))).toEqual(new Set(['id 0']));
});

test.each([
  googleTexts.dailyFetches,
  googleTexts.fetchRate,
  googleTexts.bandwidth(url),
  googleTexts.simultaneous,
  googleTexts.executionTime,
  googleTexts.noPermission('UrlFetchApp.fetch', 'scope'),
  googleTexts.authorization,
  googleTexts.adminBlock(url),
  googleTexts.notInManifest(url),
  googleTexts.certificate(url),
  googleTexts.timeout(url),
  `Invalid argument: ${url}`,
  'Limit Exceeded: URLFetch URL Length.',
  'Dienst an einem Tag zu oft aufgerufen: urlfetch.',
  `Sie sind nicht berechtigt, UrlFetchApp.fetchAll aufzurufen. Erforderliche Berechtigungen: ${requestScope}`,
  `Vous n'êtes pas autorisé à appeler UrlFetchApp.fetchAll. Autorisations requises : ${requestScope}`,
  `SSL-Fehler ${url}`,
  `Erreur SSL ${url}`,
  `Bandbreitenkontingent überschritten: ${url}.`,
  `Quota de bande passante dépassé : ${url}.`,
  `UrlFetch-Aufrufe von ${url} wurden von Ihrem Administrator nicht zugelassen`,
  `Les appels UrlFetch vers ${url} ne sont pas autorisés par votre administrateur`,
  `Ungültiges Argument: ${url}`,
  `Argument non valide : ${url}`,
])('a request that fails with “%s” is not repeated', (text) => {
  const { sent, network } = failingNetwork(`Exception: ${text}`);
  fetchAnswers([url], goodKey, network);
  expect(sent).toHaveLength(1);
});

test('a formula whose Google account has used its requests of the day sends no further request', async () => {
  const file = await openWithBreaks([]);
  file.set({ url_fetches: 20_000 });
  expect(file.cell('SOCIAL_PROFILE', [ada, 'followers'])).toEqual([['GOOGLE_DAILY_QUOTA', '']]);
  expect(file.world().url_fetches).toBe(20_001);
});
