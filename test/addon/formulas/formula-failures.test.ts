import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import * as offers from '../../../addon/formulas/all.ts';
import { writeAddon } from '../built-addon.ts';
import type { RawAnswer } from '../fake-api-process.ts';
import { openFile, type SpreadsheetFile } from '../harness/file.ts';
import { goodKey, setKey, setUpAddon } from '../spreadsheet-setup.ts';

const setup = setUpAddon();
const profile = 'https://photo.example/ada';
const campaignId = '0193481a-0000-7000-8000-000000000001';
const html = '<!doctype html><title>Not here</title>';

/** Every formula that returns a table, with the indexes of its number columns. */
const tables: [name: string, args: unknown[], numeric: number[]][] = [
  ['SOCIAL_PROFILE', [profile, 'username,followers,posts'], [2, 3]],
  ['SOCIAL_POSTS', [profile, 3, 'caption,likes,views'], [2, 3]],
  ['SOCIAL_POST', [profile, 'caption,likes,views'], [2, 3]],
  ['SOCIAL_TRACKED', ['item-1', 'followers'], [4]],
  ['SOCIAL_REPORT', [campaignId, 'totals'], [2, 3, 4, 5, 6, 7]],
  ['SOCIAL_REPORT', [campaignId, 'items'], []],
  ['SOCIAL_REPORT', [campaignId, 'series'], [5, 6, 7]],
  ['SOCIAL_REPORT', [campaignId, 'coverage'], [10, 12, 13, 14, 15]],
  ['SOCIAL_REPORT', ['A name', 'notes'], []],
];

/** Formulas whose last row contains the error message. */
const messageFormulas: [name: string, args: unknown[]][] = [
  ['SOCIAL_PROFILE', [profile, 'message']],
  ['SOCIAL_POSTS', [profile, 1, 'message']],
  ['SOCIAL_TRACKED', ['item-1', 'followers']],
  ['SOCIAL_REPORT', [campaignId, 'totals']],
];

/** Expects this error code in the last row of every table, and no values in its number columns. */
function expectEverywhere(file: SpreadsheetFile, code: string): void {
  for (const [name, args, numeric] of tables) {
    const row = (file.cell(name, args) as unknown[][]).at(-1) ?? [];
    expect([name, row[0], ...numeric.map((column) => row[column])]).toEqual([name, code, ...numeric.map(() => '')]);
  }
  expect(() => file.cell('SOCIAL_CREDITS', [])).toThrow(new RegExp(`^[A-Z].*\\. \\(${code}\\)$`));
}

async function answering(answer: RawAnswer): Promise<SpreadsheetFile> {
  const file = await setup.open();
  setKey(file);
  await setup.api.begin({ keys: [goodKey], answers: Array(tables.length + 1).fill(answer) });
  return file;
}

test.each<[string, RawAnswer]>([
  ['SERVER_ANSWER_UNREADABLE', { status: 200, body: html }],
  ['SERVER_ANSWER_UNREADABLE', { status: 200, body: '{"data":{}}' }],
  ['SERVER_ANSWER_UNREADABLE', { status: 200, body: '{"data":{"columns":["status"],"rows":[null],"items":{}}}' }],
  ['LOGIN_PAGE', { status: 302, headers: { location: '/v1/credit/balance' }, body: '' }],
  ['SERVER_UNAVAILABLE', { status: 502, body: html }],
  ['INSUFFICIENT_CREDITS', { status: 402, body: '{"error":{"code":"INSUFFICIENT_CREDITS","message":"Too low."}}' }],
  ['PAID_ACCESS_REQUIRED', { status: 402, body: '{"error":{"code":"PAID_ACCESS_REQUIRED","message":"Buy a pack."}}' }],
  ['RATE_LIMITED', { status: 429, headers: { 'retry-after': '60' }, body: html }],
])('an answer that is %s is that code in every formula: %j', async (code, answer) => {
  expectEverywhere(await answering(answer), code);
});

test.each([
  [401, 'INVALID_API_KEY', 'Send the whole key in x-api-key.', 'Copy the whole key again.'],
  [429, 'RATE_LIMITED', 'Send fewer requests.', 'Wait one minute'],
  [402, 'INSUFFICIENT_CREDITS', 'This request costs 1 credit.', 'This request costs 1 credit.'],
  [400, 'SOMETHING_NEW', 'A sentence of the server.', 'A sentence of the server.'],
])(
  'the message of a row that failed with %i %s is the sentence that the sidebar and SOCIAL_CREDITS show',
  async (status, code, message, sentence) => {
    const body = JSON.stringify({ error: { code, message } });
    const file = await answering({ status, headers: { 'retry-after': '60' }, body });
    for (const [name, args] of messageFormulas) expect([name, textIn(file.cell(name, args))]).toEqual([name, sentence]);
    expect(() => file.cell('SOCIAL_CREDITS', [])).toThrow(sentence);

    function textIn(rows: unknown): string {
      const text = String((rows as unknown[][]).at(-1)?.find((cell) => String(cell).includes(sentence)));
      return text.includes(sentence) ? sentence : text;
    }
  },
);

test('without a key, the message of a row says to connect one in the sidebar', async () => {
  const file = await setup.open();
  for (const [name, args] of messageFormulas) {
    expect((file.cell(name, args) as unknown[][]).at(-1)).toContainEqual(expect.stringContaining('Open the sidebar'));
  }
});

test('a formula stops waiting for a slow answer before its time limit', async () => {
  const file = await answering({ status: 200, headers: { 'x-harness-took-ms': '27000' }, body: '{}' });
  const beganMs = file.world().now_ms;
  expectEverywhere(file, 'SERVER_TIMEOUT');
  expect(file.world().now_ms - beganMs).toBeLessThanOrEqual((tables.length + 1) * 30_000);
});

test('SOCIAL_REPORT finds a campaign by name and loads its report within the time limit of one formula', async () => {
  const file = await setup.open();
  setKey(file);
  const campaigns = JSON.stringify({ data: { items: [{ id: campaignId, name: 'Slow' }] } });
  const slow = (body: string): RawAnswer => ({ status: 200, headers: { 'x-harness-took-ms': '16000' }, body });
  await setup.api.begin({ keys: [goodKey], answers: [slow(campaigns), slow('{}')] });
  expect(file.cell('SOCIAL_REPORT', ['Slow'])).toMatchObject({ 1: { 0: 'SERVER_TIMEOUT' } });
});

test('a key that was revoked after it was saved is INVALID_API_KEY in every formula', async () => {
  const file = await setup.open();
  setKey(file);
  await setup.api.begin({});
  expectEverywhere(file, 'INVALID_API_KEY');
});

test('without a key every formula gives API_KEY_NOT_SET and sends no request', async () => {
  expectEverywhere(await setup.open(), 'API_KEY_NOT_SET');
  expect((await setup.api.log()).requests).toEqual([]);
});

test('a server that is down is SERVER_UNREACHABLE in every formula', async () => {
  const outDir = await mkdtemp(join(tmpdir(), 'addon-'));
  await writeAddon('http://127.0.0.1:1', outDir);
  const file = await openFile(outDir);
  onTestFinished(async () => {
    await file.close();
    await rm(outDir, { recursive: true });
  });
  file.world().properties.document.api_key = goodKey;
  expectEverywhere(file, 'SERVER_UNREACHABLE');
});

test("in another user's file, formulas never use an editor's own key, and all use the owner's file key", async () => {
  const file = await setup.open({ owner: 'ada@example.com', user: 'ben@example.com' });
  setKey(file, 'NO');
  expectEverywhere(file, 'API_KEY_NOT_SET');
  file.become('ada@example.com');
  setKey(file, 'YES');
  file.become('ben@example.com');
  expect(file.cell('SOCIAL_CREDITS', [])).toBe(9_000);
  expect(file.cell('SOCIAL_POST', [profile, 'likes'])).toEqual([['RESOURCE_NOT_FOUND', '']]);
});

test('no formula returns, shows or logs the key', async () => {
  const file = await setup.open();
  setKey(file, 'YES');
  const formulas = file.callable.filter((name) => name.startsWith('SOCIAL_'));
  expect(formulas).toEqual(Object.keys(offers));
  const said = formulas.flatMap((name) =>
    [[], ['api_key'], ['item-1', 'views'], [campaignId]].map((args) => {
      try {
        return file.cell(name, args);
      } catch (error) {
        return String(error);
      }
    }),
  );
  expect(JSON.stringify([said, file.world().log, file.sheet()])).not.toContain(goodKey);
});
