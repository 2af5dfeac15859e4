import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkLedger, readBalance } from '../../../db/money/ledger.ts';
import { describeRecorded, recordedFetcher } from '../../recorded.ts';
import { column, sumOfRows, workflowPath } from '../data/tables.ts';
import { createTestService, type TestKeys, type TestService } from '../test-service.ts';

describeRecorded('rows over recorded answers', () => {
  let service: TestService;
  let keys: TestKeys;

  beforeAll(async () => {
    service = await createTestService({ fetch: recordedFetcher() });
    keys = await service.workspace(1000);
  });
  afterAll(() => service.close());

  const balance = async () => Number(await readBalance(service.db.sql, keys.workspace_id));

  test.each([
    ['https://www.instagram.com/maynel_baby_shop/', 'photo', 2],
    ['https://www.youtube.com/channel/UCTwECeGqMZee77BjdoYtI2Q', 'longvideo', 3],
    ['https://www.youtube.com/@gronkh', 'longvideo', 4],
  ])('recorded posts of %s are rows of %s that cost %i in all', async (url, platform, cost) => {
    const before = await balance();
    const answer = await service.ask(workflowPath('posts', 'url', [url]), keys.live_key);
    expect(column(answer, 'status')).toEqual(['OK', 'OK', 'OK']);
    expect(column(answer, 'platform')).toEqual([platform, platform, platform]);
    for (const id of column(answer, 'id')) expect(id).toEqual(expect.any(String));
    for (const name of ['author', 'author_id', 'permalink', 'counts_quality']) {
      expect(column(answer, name)).toEqual(Array(3).fill(expect.any(String)));
    }
    expect([sumOfRows(answer), before - (await balance())]).toEqual([cost, cost]);
  });

  test('recorded posts of three platforms become rows, and a removed post its error code', async () => {
    const before = await balance();
    const urls = [
      'https://www.instagram.com/p/CAnqPB-Jzcj/',
      'https://www.instagram.com/reel/DTc0zASEdfy/',
      'https://www.tiktok.com/@someone/video/7608826249200356630',
      'https://youtu.be/rwcfPqbAx-0',
      'https://www.youtube.com/watch?v=rCAS2eD-mcw',
      'https://www.instagram.com/p/ReplayGone1/',
      'https://www.tiktok.com/@someone/video/7276437262283859205',
      'https://www.youtube.com/watch?v=replayBotWl',
    ];
    const answer = await service.ask(workflowPath('post', 'url', urls), keys.live_key);
    expect(column(answer, 'status')).toEqual([
      ...Array(5).fill('OK'),
      ...['RESOURCE_NOT_FOUND', 'RESOURCE_NOT_FOUND', 'SOURCE_RESTRICTED'],
    ]);
    expect(column(answer, 'platform')).toEqual([
      ...['photo', 'photo', 'shortvideo', 'longvideo', 'longvideo'],
      ...['photo', 'shortvideo', 'longvideo'],
    ]);
    expect(column(answer, 'published_at').slice(0, 5)).toEqual(Array(5).fill(expect.stringMatching(/Z$/)));
    expect([sumOfRows(answer), before - (await balance())]).toEqual([5, 5]);
  });

  test.each([
    ['https://www.instagram.com/replay.nobody/', 'RESOURCE_NOT_FOUND'],
    ['https://www.youtube.com/@replay-nobody', 'RESOURCE_NOT_FOUND'],
    ['https://www.youtube.com/channel/UC0000000000000000000000', 'RESOURCE_NOT_FOUND'],
  ])('recorded posts of %s are one row with %s, free', async (url, code) => {
    const before = await balance();
    const answer = await service.ask(workflowPath('posts', 'url', [url]), keys.live_key);
    expect([column(answer, 'status'), sumOfRows(answer), await balance()]).toEqual([[code], 0, before]);
  });

  test('after all recorded requests, the ledger matches every balance', async () => {
    expect((await checkLedger(service.db.sql)).mismatches).toEqual([]);
  });
});
