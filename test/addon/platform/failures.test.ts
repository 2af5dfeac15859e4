import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeAddon } from '../built-addon.ts';
import type { RawAnswer } from '../fake-api-process.ts';
import { openFile } from '../harness/file.ts';
import { goodKey, people, setKey, setUpAddon } from '../spreadsheet-setup.ts';

const setup = setUpAddon();
const [ada = '', ben = ''] = Object.keys(people);
const html = '<!doctype html><title>Not here</title>';

async function answersTo(...answers: RawAnswer[]) {
  const file = await setup.open();
  setKey(file);
  await setup.api.begin({ keys: [goodKey], people, answers });
  return { file, rows: file.cell('SOCIAL_PROFILE', [[[ada], [''], [ben]], 'followers,url']) };
}

function rowsWith(code: string) {
  return [
    [code, '', ada],
    ['', '', ''],
    [code, '', ben],
  ];
}

function tableOf(rowCount: number): string {
  const rows = Array.from({ length: rowCount }, (_, index) => ['OK', index, ada]);
  return JSON.stringify({ data: { columns: ['status', 'followers', 'url'], rows } });
}

const refusals: [string, RawAnswer][] = [
  ['INSUFFICIENT_CREDITS', { status: 402, body: '{"error":{"code":"INSUFFICIENT_CREDITS","message":"Too low."}}' }],
  ['SOURCE_CAPACITY', { status: 429, body: '{"error":{"code":"SOURCE_CAPACITY","message":"Later."}}' }],
  ['INTERNAL', { status: 500, body: '{"error":{"code":"INTERNAL","message":"Ours."}}' }],
  ['LOGIN_PAGE', { status: 401, body: html }],
  ['LOGIN_PAGE', { status: 403, body: html }],
  ['SERVER_ANSWER_UNREADABLE', { status: 402, body: html }],
  ['RATE_LIMITED', { status: 429, body: html }],
  ['SERVER_UNAVAILABLE', { status: 502, body: html }],
  ['SERVER_UNAVAILABLE', { status: 503, body: '{"error":{"code":"<b>not a code</b>"}}' }],
  ['SERVER_ANSWER_UNREADABLE', { status: 200, body: html }],
  ['SERVER_ANSWER_UNREADABLE', { status: 200, body: '{"data":{"columns":["status"],"rows":[]}}' }],
  ['SERVER_ANSWER_UNREADABLE', { status: 200, body: '{"data":{"columns":["status"],"rows":[["OK"],["OK"]]}}' }],
  ['SERVER_ANSWER_UNREADABLE', { status: 200, body: tableOf(1) }],
  ['SERVER_ANSWER_UNREADABLE', { status: 200, body: tableOf(3) }],
  ['SERVER_ANSWER_UNREADABLE', { status: 200, body: 'null' }],
  ['LOGIN_PAGE', { status: 302, headers: { location: '/v1/credit/balance' }, body: '' }],
];

for (const [code, answer] of refusals) {
  test(`a ${answer.status} for a whole request is ${code} in every row of a formula, never an error: ${answer.body.slice(0, 40)}`, async () => {
    const { rows } = await answersTo(answer);
    expect(rows).toEqual(rowsWith(code));
    expect((await setup.api.log()).requests).toHaveLength(1);
  });
}

test('without a key, every row of a formula is API_KEY_NOT_SET, and no request is sent', async () => {
  const file = await setup.open();
  expect(file.cell('SOCIAL_PROFILE', [[[ada], [''], [ben]], 'followers,url'])).toEqual(rowsWith('API_KEY_NOT_SET'));
  expect((await setup.api.log()).requests).toEqual([]);
});

test('a key that was revoked after it was saved is INVALID_API_KEY in every row of a formula', async () => {
  const file = await setup.open();
  setKey(file);
  await setup.api.begin({ people });
  expect(file.cell('SOCIAL_PROFILE', [ada])).toEqual([['INVALID_API_KEY', ...Array(8).fill('')]]);
});

test('an unreachable server is SERVER_UNREACHABLE in every row of a formula', async () => {
  const outDir = await mkdtemp(join(tmpdir(), 'addon-'));
  await writeAddon('http://127.0.0.1:1', outDir);
  const file = await openFile(outDir);
  file.answer({ button: 'OK', text: goodKey }, { button: 'YES' }, { button: 'OK' });
  file.call('setKey_');
  expect(file.cell('SOCIAL_PROFILE', [[[ada], [ben]], 'followers'])).toEqual([
    ['SERVER_UNREACHABLE', ''],
    ['SERVER_UNREACHABLE', ''],
  ]);
  expect(file.world().log.join()).toContain('The server could not be reached');
  await file.close();
  await rm(outDir, { recursive: true });
});

test('a formula stops waiting for a slow answer before its time limit', async () => {
  const { file, rows } = await answersTo({
    status: 200,
    headers: { 'x-harness-took-ms': '27000' },
    body: '{"data":{}}',
  });
  expect(rows).toEqual(rowsWith('SERVER_TIMEOUT'));
  expect(file.world().log.join()).toContain('Timeout');
});

const busy = (retryAfter: string, headerName = 'Retry-After'): RawAnswer => ({
  status: 429,
  headers: { [headerName]: retryAfter },
  body: '{"error":{"code":"RATE_LIMITED","message":"Wait."}}',
});

test('a formula retries a 429 with a short Retry-After after this wait, with jitter', async () => {
  const started = (await setup.open()).world().now_ms;
  const { file, rows } = await answersTo(busy('3'), busy('2', 'RETRY-AFTER'));
  expect(rows).toEqual([
    ['OK', 1_200, ada],
    ['', '', ''],
    ['OK', 5_400_000, ben],
  ]);
  const waitedMs = file.world().now_ms - started;
  expect(waitedMs).toBeGreaterThan(5_000);
  expect(waitedMs).toBeLessThanOrEqual(8_000);
  expect((await setup.api.log()).requests).toHaveLength(3);
});

test.each(['9', '60', 'Fri, 20 Nov 2026 10:00:05 GMT', '-1'])(
  'a formula does not wait to retry a 429 with a Retry-After of %s',
  async (wait) => {
    const { rows } = await answersTo(busy(wait));
    expect(rows).toEqual(rowsWith('RATE_LIMITED'));
    expect((await setup.api.log()).requests).toHaveLength(1);
  },
);

test('a formula never waits for longer than its thirty seconds', async () => {
  const started = (await setup.open()).world().now_ms;
  const { file, rows } = await answersTo(...Array.from({ length: 9 }, () => busy('8')));
  expect(rows).toEqual(rowsWith('RATE_LIMITED'));
  expect(file.world().now_ms - started).toBeLessThanOrEqual(26_000);
});

test('a formula retries only the refused request, and its rows keep their positions', async () => {
  const urls = Array.from({ length: 100 }, (_, index) => `https://www.photo.example/some.longer.name.${index}/`);
  const numbered = Object.fromEntries(urls.map((url, index) => [url, { followers: index }]));
  const file = await setup.open();
  setKey(file);
  await setup.api.begin({ keys: [goodKey], people: numbered, answers: [busy('1')] });
  const rows = file.cell('SOCIAL_PROFILE', [urls.map((url) => [url]), 'followers']);
  expect(rows).toEqual(urls.map((_, index) => ['OK', index]));
  const { requests, credits_charged } = await setup.api.log();
  expect(requests.length).toBeLessThan(7);
  expect(credits_charged).toBe(100);
});
