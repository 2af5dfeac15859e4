import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { profileColumns } from '../../addon/formulas/fields.ts';
import { ask } from '../harness/answers.ts';
import { type ServiceProcess, startService } from '../harness/service-process.ts';
import { describeRecorded, recordedFolder, recordedManifest } from '../recorded.ts';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.ts';
import { writeAddon } from './built-addon.ts';
import { openFile, type SpreadsheetFile } from './harness/file.ts';
import { setKey } from './spreadsheet-setup.ts';

const starterCredits = 100;
const requestsPerMinute = 60;

/**
 * The first column of the sheet: three platforms, an unknown account, a blank cell, a login wall and text that is no
 * link.
 */
const profiles = [
  'https://www.instagram.com/megadeth/',
  'https://www.tiktok.com/@alcaldiasa',
  'https://www.youtube.com/@gronkh',
  'https://www.instagram.com/replay.nobody/',
  '',
  'https://www.tiktok.com/@replay.challenge',
  'not a profile',
];

describeRecorded('the add-on in a spreadsheet, over the real server and recorded answers', () => {
  let database: TestDatabase;
  let service: ServiceProcess;
  let liveKey: string;
  let testKey: string;
  let dist: string;
  let file: SpreadsheetFile;

  // All tests share one server and one workspace, but each test has its own spreadsheet. The last test uses up the rate
  // limit and stops the server.
  beforeAll(async () => {
    dist = await mkdtemp(join(tmpdir(), 'addon-'));
    database = await createTestDatabase();
    await startServer();
    liveKey = keyLike(/tide_live_\w+/);
    testKey = keyLike(/tide_test_\w+/);
    const { data } = JSON.parse((await ask(service.base_url, '/v1/credit/balance', liveKey)).text);
    expect(data.credits_remaining).toBe(starterCredits);
  });
  beforeEach(async () => {
    // The last test stops the server. When that test is repeated, the server must start again.
    if (service.child.signalCode !== null || service.child.exitCode !== null) await startServer();
    file = await openFile(dist);
    onTestFinished(() => file.close());
  });
  afterAll(async () => {
    await service?.kill();
    await database?.close();
    await rm(dist, { recursive: true });
  });

  async function startServer(): Promise<void> {
    service = await startService({ DATABASE_URL: database.database_url, UPSTREAM_REPLAY: recordedManifest });
    await writeAddon(service.base_url, dist);
  }

  /** Returns a key of the first workspace. The server printed the keys at its first start. */
  function keyLike(form: RegExp): string {
    const key = form.exec(service.output())?.[0];
    if (key === undefined) throw new Error(`The server printed no key: ${service.output()}`);
    return key;
  }

  /** Returns the credit balance that the add-on's menu shows. */
  function balance(): number {
    file.answer({ button: 'OK' });
    file.call('showBalance_');
    return Number(/(\d+) credits are left/.exec(file.world().ui.shown.at(-1) ?? '')?.[1]);
  }

  test('SOCIAL_PROFILE fills typed cells for profiles of three platforms, shows an error code in a bad row, and recalculates for free', async () => {
    setKey(file, 'YES', liveKey);
    const credits = balance();
    file.type('A2', ...profiles);
    file.type(
      'B2',
      '=SOCIAL_PROFILE(A2:A8, "platform,account_id,followers,posts,verified,followers_quality,credits_charged")',
    );
    const codes = ['OK', 'OK', 'OK', 'RESOURCE_NOT_FOUND', '', 'SOURCE_RESTRICTED', 'INVALID_INPUT'];
    expect(file.values('B2:B8').flat()).toEqual(codes);
    expect(file.values('C2:C4').flat()).toEqual(['photo', 'shortvideo', 'longvideo']);
    expect(file.types('D2:F4')).toEqual(Array(3).fill(['text', 'number', 'number']));
    expect(file.types('G2:G3').flat()).toEqual(['boolean', 'boolean']);
    expect(file.types('D5:G8').flat()).toEqual(Array(16).fill('blank'));
    expect(file.values('E2:F3')).toEqual(await recordedNumbers());
    expect(file.values('D4')).toEqual([['UCYJ61XIK64sp6ZFFS8sctxw']]);
    expect(file.values('H2:H4').flat()).toEqual(['exact', 'exact', 'rounded']);
    expect(file.values('I2:I8').flat()).toEqual([1, 1, 1, 0, '', 0, 0]);
    expect(balance()).toBe(credits - 3);

    const before = file.values('B2:H8');
    file.reopen();
    expect(file.values('B2:H8')).toEqual(before);
    expect(file.values('I2:I8').flat()).toEqual([0, 0, 0, 0, '', 0, 0]);
    expect(balance()).toBe(credits - 3);
  });

  test('Refresh gets new data for a formula once, and reopening the file later costs nothing', async () => {
    setKey(file, 'YES', liveKey);
    const credits = balance();
    file.select('H1');
    file.answer({ button: 'OK' });
    file.call('refresh_');
    file.type('A2', profiles[0] ?? '');
    file.type('B2', '=SOCIAL_PROFILE(A2, "followers", SOCIAL_REFRESH)');
    file.pass(60_000);
    file.call('refresh_');
    expect(balance()).toBe(credits - 2);
    file.pass(180_000);
    file.reopen();
    expect(file.values('B2')).toEqual([['OK']]);
    expect(balance()).toBe(credits - 2);
  });

  test('a development key fills the sheet with free samples', async () => {
    setKey(file, 'NO', testKey);
    expect(file.cell('SOCIAL_PROFILE', [profiles[0], 'credits_charged,followers'])).toEqual([
      ['OK', 0, expect.any(Number)],
    ]);
  });

  test('a formula with a development key says that this key does not follow short links', async () => {
    setKey(file, 'NO', testKey);
    expect(file.cell('SOCIAL_PROFILE', ['https://vm.tiktok.com/ZMinvented/', 'message'])).toEqual([
      ['INVALID_INPUT', expect.stringMatching(/^Development keys do not follow short links\. .* use the full link/)],
    ]);
  });

  test('the fields that the add-on knows are the columns that the server returns', async () => {
    const response = await fetch(`${service.base_url}/v1/workflows/profile?url=x`, {
      headers: { 'x-api-key': liveKey },
    });
    const { data } = (await response.json()) as { data: { columns: string[] } };
    expect(data.columns).toEqual([...profileColumns.known]);
  });

  test('an unknown key, the rate limit and a stopped server are shown as codes in the rows, never as an error', async () => {
    const stranger = `${liveKey.slice(0, -1)}${liveKey.endsWith('0') ? '1' : '0'}`;
    file.answer({ button: 'OK', text: stranger }, { button: 'OK' });
    file.call('setKey_');
    expect(file.world().ui.shown.at(-1)).toContain('The key was not saved');
    setKey(file, 'YES', liveKey);
    const status = (url: string | undefined): string =>
      String((file.cell('SOCIAL_PROFILE', [url, 'followers']) as string[][])[0]?.[0]);
    const unknown = (index: number) => `https://www.instagram.com/paper.kite.${index}/`;
    expect(status(profiles[0])).toBe('OK');
    const seen = new Set(Array.from({ length: 2 * requestsPerMinute }, (_, index) => status(unknown(index))));
    expect(seen).toContain('RATE_LIMITED');
    expect([...seen].every((code) => /^[A-Z]+(?:_[A-Z]+)*$/.test(code))).toBe(true);
    await service.kill();
    expect([status(unknown(-1)), status(profiles[0])]).toEqual(['SERVER_UNREACHABLE', 'OK']);
  });
});

/** Returns the followers and posts in the recordings, which this function reads without the server's parsers. */
async function recordedNumbers(): Promise<number[][]> {
  const photo = await readFile(join(recordedFolder, 'photo/web-profile-info.megadeth.json'), 'utf8');
  const { user } = JSON.parse(photo).data;
  const page = await readFile(join(recordedFolder, 'shortvideo/universal-data.profile.alcaldiasa.html'), 'utf8');
  const exact = (name: string) => Number(new RegExp(`"${name}":"(\\d+)"`).exec(page)?.[1]);
  return [
    [user.edge_followed_by.count, user.edge_owner_to_timeline_media.count],
    [exact('followerCount'), exact('videoCount')],
  ];
}
