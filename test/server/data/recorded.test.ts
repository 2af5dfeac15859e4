import { afterAll, beforeAll, expect, test } from 'vitest';
import { readBalance } from '../../../db/money/ledger.ts';
import { describeRecorded, recordedFetcher, urlOfRecording } from '../../recorded.ts';
import { createTestService, type TestKeys, type TestService } from '../test-service.ts';

describeRecorded('over recorded answers, through the whole service', () => {
  let service: TestService;
  let keys: TestKeys;

  beforeAll(async () => {
    service = await createTestService({ fetch: recordedFetcher() });
    keys = await service.workspace(1000);
  });
  afterAll(() => service.close());

  test.each([
    ['/v1/photo/profile?handle=megadeth', 1],
    ['/v1/photo/profile?url=instagram.com/maynel_baby_shop', 1],
    ['/v1/photo/posts?handle=maynel_baby_shop&limit=12', 2],
    ['/v1/photo/post?id=CAnqPB-Jzcj', 1],
    ['/v1/photo/post?url=https://www.instagram.com/reel/DTc0zASEdfy/', 1],
    ['/v1/photo/post?id=DEWKjVHsYUb', 1],
    ['/v1/photo/post/children?id=CAnqPB-Jzcj', 1],
    ['/v1/shortvideo/profile?handle=tiktok', 1],
    ['/v1/shortvideo/profile?handle=huxleythepandapuppy', 1],
    ['/v1/shortvideo/profile?handle=alcaldiasa&format=compact', 1],
    ['/v1/shortvideo/video?id=7608826249200356630', 1],
    ['/v1/shortvideo/video?id=7603995605354040594', 1],
    ['/v1/shortvideo/video?id=6718335390845095173', 1],
    ['/v1/longvideo/video?id=rCAS2eD-mcw', 1],
    ['/v1/longvideo/video?url=https://youtu.be/rwcfPqbAx-0', 1],
    ['/v1/longvideo/channel?handle=gronkh', 1],
  ])('the recorded request %s is 200 and costs %i', async (path, cost) => {
    const before = await readBalance(service.db.sql, keys.workspace_id);
    const answer = await service.ask(path, keys.live_key);
    expect([answer.status, answer.headers.get('x-credits-charged')]).toEqual([200, String(cost)]);
    expect(await readBalance(service.db.sql, keys.workspace_id)).toBe(Number(before) - cost);
  });

  test.each([
    ['/v1/photo/profile?handle=replay.nobody', 404, 'RESOURCE_NOT_FOUND'],
    ['/v1/photo/post?id=ReplayGone1', 404, 'RESOURCE_NOT_FOUND'],
    ['/v1/shortvideo/profile?handle=replay.challenge', 403, 'SOURCE_RESTRICTED'],
    ['/v1/shortvideo/video?id=7276437262283859205', 404, 'RESOURCE_NOT_FOUND'],
    ['/v1/shortvideo/comments?id=7000000000000000001', 429, 'SOURCE_CAPACITY'],
    ['/v1/longvideo/video?id=errNotFound', 404, 'RESOURCE_NOT_FOUND'],
    ['/v1/longvideo/video?id=replayBotWl', 403, 'SOURCE_RESTRICTED'],
    ['/v1/longvideo/video?id=rplyConsent', 403, 'SOURCE_RESTRICTED'],
    ['/v1/longvideo/video?id=replaySorry', 429, 'SOURCE_CAPACITY'],
    ['/v1/longvideo/video?id=8VajtrESJzA', 404, 'RESOURCE_NOT_FOUND'],
    ['/v1/longvideo/channel?channel_id=UC0000000000000000000000', 404, 'RESOURCE_NOT_FOUND'],
    ['/v1/longvideo/channel?channel_id=UCerrBadRequest000000000', 404, 'RESOURCE_NOT_FOUND'],
    ['/v1/longvideo/channel?handle=@replay-nobody', 404, 'RESOURCE_NOT_FOUND'],
    ['/v1/shortvideo/playlist?id=7000000000000000001', 503, 'SOURCE_NOT_CONFIGURED'],
  ])('the recorded request %s is %i %s and costs nothing', async (path, status, code) => {
    const before = await readBalance(service.db.sql, keys.workspace_id);
    const answer = await service.ask(path, keys.live_key);
    expect([answer.status, answer.json.error.code]).toEqual([status, code]);
    expect(await readBalance(service.db.sql, keys.workspace_id)).toBe(before);
  });

  test('the recorded profile page without a profile is 403 SOURCE_RESTRICTED and costs nothing', async () => {
    const before = await readBalance(service.db.sql, keys.workspace_id);
    const url = encodeURIComponent(urlOfRecording('shortvideo/universal-data.no-detail.html').href);
    const answer = await service.ask(`/v1/shortvideo/profile?url=${url}`, keys.live_key);
    expect([answer.status, answer.json.error.code]).toEqual([403, 'SOURCE_RESTRICTED']);
    expect(await readBalance(service.db.sql, keys.workspace_id)).toBe(before);
  });

  test('the compact format of a recorded profile has exactly two keys, all six and four inside, and no envelope', async () => {
    const { json } = await service.ask(
      '/v1/shortvideo/profile?handle=tiktok&format=compact&cache_max_age=1d',
      keys.live_key,
    );
    const { user, stats, ...more } = json as unknown as { user: object; stats: object };
    expect(Object.keys(user)).toEqual(['id', 'uniqueId', 'nickname', 'verified', 'region', 'language']);
    expect(Object.keys(stats)).toEqual(['followerCount', 'followingCount', 'heartCount', 'videoCount']);
    expect(more).toEqual({});
  });

  test('recorded profiles of three platforms become rows, and a login wall becomes its error code', async () => {
    const urls = [
      'https://www.instagram.com/megadeth/',
      'https://www.tiktok.com/@alcaldiasa',
      'https://www.youtube.com/@gronkh',
      'https://www.tiktok.com/@replay.challenge',
    ];
    const query = new URLSearchParams(urls.map((url): [string, string] => ['url', url]));
    const { json } = await service.ask(
      `/v1/workflows/profile?${query}&fields=status,platform,followers`,
      keys.live_key,
    );
    expect(json.data.rows).toEqual([
      ['OK', 'photo', expect.any(Number)],
      ['OK', 'shortvideo', expect.any(Number)],
      ['OK', 'longvideo', expect.any(Number)],
      ['SOURCE_RESTRICTED', 'shortvideo', null],
    ]);
  });

  test('a request without a recording is a 500 that charges nothing', async () => {
    const { status, json } = await service.ask('/v1/photo/profile?handle=never.recorded', keys.live_key);
    expect([status, json.error.code]).toEqual([500, 'INTERNAL']);
    expect(JSON.stringify(json)).not.toContain('instagram.com');
  });
});
