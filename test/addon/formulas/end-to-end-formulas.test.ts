import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { postColumns, profileColumns } from '../../../addon/formulas/fields.ts';
import { listWorkspaces, setTier } from '../../../db/accounts/workspaces.ts';
import { type ServiceProcess, startService } from '../../harness/service-process.ts';
import { describeRecorded, recordedManifest } from '../../recorded.ts';
import { createTestDatabase, type TestDatabase } from '../../setup/test-database.ts';
import { writeAddon } from '../built-addon.ts';
import { openFile, type SpreadsheetFile } from '../harness/file.ts';

const starterCredits = 100;
const postsCost = 2;

describeRecorded('every formula over the real server and recorded answers', () => {
  let database: TestDatabase;
  let service: ServiceProcess;
  let dist: string;
  let file: SpreadsheetFile;

  beforeAll(async () => {
    dist = await mkdtemp(join(tmpdir(), 'addon-'));
    database = await createTestDatabase();
    service = await startService({ DATABASE_URL: database.database_url, UPSTREAM_REPLAY: recordedManifest });
    // Lowers the tier of the first workspace, which is the highest by default. These tests need a workspace that bought
    // no pack.
    for (const { workspace_id } of await listWorkspaces(database.sql)) await setTier(database.sql, workspace_id, 'air');
    await writeAddon(service.base_url, dist);
  });
  beforeEach(async () => {
    file = await openFile(dist);
    onTestFinished(() => file.close());
    useKey('live');
  });
  afterAll(async () => {
    await service.kill();
    await database.close();
    await rm(dist, { recursive: true });
  });

  /** Returns a key of the first workspace. The server printed the keys at its first start. */
  function keyOf(kind: 'live' | 'test'): string {
    const key = new RegExp(`tide_${kind}_\\w+`).exec(service.output())?.[0];
    if (key === undefined) throw new Error(`The server printed no key: ${service.output()}`);
    return key;
  }

  function useKey(kind: 'live' | 'test'): void {
    file.world().properties.document.api_key = keyOf(kind);
  }

  const table = (name: string, args: unknown[]) => file.cell(name, args) as unknown[][];

  test('SOCIAL_POSTS stacks the posts of three platforms with typed cells, and a second run costs 0 credits', () => {
    const photo = 'https://www.instagram.com/maynel_baby_shop/';
    const channel = 'https://www.youtube.com/channel/UCTwECeGqMZee77BjdoYtI2Q';
    const unknownUrl = 'https://www.instagram.com/replay.nobody/';
    const before = Number(file.cell('SOCIAL_CREDITS', []));
    expect(before).toBeLessThanOrEqual(starterCredits);
    file.type('A2', photo, unknownUrl, channel);
    file.type('B2', '=SOCIAL_POSTS(A2:A4, 2, "url,platform,id,published_at,views,likes,caption,credits_charged")');
    expect(file.values('B2:D6')).toEqual([
      ['OK', photo, 'photo'],
      ['OK', photo, 'photo'],
      ['RESOURCE_NOT_FOUND', unknownUrl, 'photo'],
      ['OK', channel, 'longvideo'],
      ['OK', channel, 'longvideo'],
    ]);
    const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
    expect(file.types('E2:E6').flat()).toEqual(['text', 'text', 'blank', 'text', 'text']);
    expect(file.values('F2:F3').flat()).toEqual(Array(2).fill(expect.stringMatching(moment)));
    expect(new Set(file.types('G2:H6').flat())).toEqual(new Set(['number', 'blank']));
    const charged = file.values('J2:J6').flat().map(Number);
    const cost = charged.reduce((sum, one) => sum + one, 0);
    expect(cost).toBeGreaterThanOrEqual(postsCost);
    expect(before - Number(file.cell('SOCIAL_CREDITS', []))).toBe(cost);
    file.reopen();
    expect(before - Number(file.cell('SOCIAL_CREDITS', []))).toBe(cost);
  });

  test('SOCIAL_POST keeps each post in its row, shows a code for a deleted post, and leaves an unknown value empty', () => {
    const urls = [
      'https://www.instagram.com/p/CAnqPB-Jzcj/',
      'https://www.instagram.com/p/ReplayGone1/',
      '',
      'https://www.tiktok.com/@someone/video/7608826249200356630',
      'https://youtu.be/rwcfPqbAx-0',
      'not a post',
    ];
    const rows = table('SOCIAL_POST', [urls.map((url) => [url]), 'platform,id,likes,message']);
    expect(rows.map(([status]) => status)).toEqual(['OK', 'RESOURCE_NOT_FOUND', '', 'OK', 'OK', 'INVALID_INPUT']);
    expect(rows.map(([, platform]) => platform)).toEqual(['photo', 'photo', '', 'shortvideo', 'longvideo', '']);
    for (const row of [0, 3, 4]) expect(rows[row]?.[2]).toEqual(expect.any(String));
    for (const row of [1, 2, 5]) expect(rows[row]?.[3]).toBe('');
    expect(rows[5]?.[4]).not.toBe('');
  });

  test('untracked items, a missing campaign and a free tier give their codes in formulas for 0 credits', () => {
    const before = file.cell('SOCIAL_CREDITS', []);
    const tracked = table('SOCIAL_TRACKED', ['https://www.instagram.com/megadeth/', 'followers', 30]);
    expect(tracked.map(([status]) => status)).toEqual(['status', 'RESOURCE_NOT_FOUND', 'NOTE']);
    expect(tracked.at(-1)?.at(-1)).toContain('7 days of history');
    expect(table('SOCIAL_REPORT', ['No such campaign'])[1]?.[0]).toBe('CAMPAIGN_NOT_FOUND');
    const id = '0193481a-0000-7000-8000-000000000000';
    expect(table('SOCIAL_REPORT', [id, 'items'])[1]?.slice(0, 2)).toEqual(['PAID_ACCESS_REQUIRED', expect.any(String)]);
    expect(file.cell('SOCIAL_CREDITS', [])).toBe(before);
  });

  test('a development key fills the formulas with free samples, and reports ask for a production key', () => {
    useKey('test');
    const posts = table('SOCIAL_POSTS', ['https://www.instagram.com/tidemark.sample/', 3, 'likes,credits_charged']);
    expect(posts.map(([status, , charged]) => [status, charged])).toEqual(Array(3).fill(['OK', 0]));
    const tracked = table('SOCIAL_TRACKED', ['https://www.instagram.com/tidemark.sample/', 'followers']);
    expect(tracked.length).toBeGreaterThan(2);
    expect(tracked[1]?.slice(2, 5)).toEqual(['followers', expect.stringMatching(/Z$/), expect.any(Number)]);
    expect(table('SOCIAL_REPORT', ['Any'])[1]?.[0]).toBe('PRODUCTION_KEY_REQUIRED');
  });

  test.each([
    ['profile', profileColumns.known],
    ['post', postColumns.known],
    ['posts', postColumns.known],
  ])('the fields that the add-on knows are the columns of the %s workflow', async (workflow, known) => {
    const response = await fetch(`${service.base_url}/v1/workflows/${workflow}?url=x`, {
      headers: { 'x-api-key': keyOf('live') },
    });
    const { data } = (await response.json()) as { data: { columns: string[] } };
    expect(data.columns).toEqual([...known]);
  });
});
