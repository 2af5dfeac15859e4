import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createWorkspace } from '../../db/accounts/workspaces.ts';
import { createQuotaLedger } from '../../db/requests/quota.ts';
import { inTransaction } from '../../db/transaction.ts';
import { readCall } from '../../scripts/operator/command.ts';
import { collectCommand } from '../../scripts/operator/sources/collect.ts';
import { quota } from '../../scripts/operator/sources/quota.ts';
import { readConfig } from '../../server/config.ts';
import { ask, codeOf } from '../harness/answers.ts';
import { killServices, startService } from '../harness/service-process.ts';
import { openFolder } from '../setup/processes.ts';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.ts';

let db: TestDatabase;
let folder: string;
let env: Record<string, string>;

beforeAll(async () => {
  db = await createTestDatabase();
  folder = await openFolder();
  const manifest = join(folder, 'manifest.json');
  await writeFile(manifest, JSON.stringify({ exchanges: [exceeded, video] }));
  env = { UPSTREAM_REPLAY: manifest, YOUTUBE_API_KEY: 'invented', YOUTUBE_DAILY_UNITS: '2', KEYLESS_SOURCES: 'off' };
});
beforeEach(() => db.sql.unsafe('truncate quota_usage'));
afterAll(async () => {
  await killServices();
  await db.close();
  await rm(folder, { recursive: true });
});

/**
 * A recorded exchange that answers any address. The exchanges below find every video except one, whose answer says that
 * the quota is exceeded.
 */
const anywhere = { method: 'GET', match: 'prefix', url: 'https://' };
const video = {
  ...anywhere,
  status: 200,
  text: JSON.stringify({
    kind: 'youtube#videoListResponse',
    items: [{ id: 'invented001', snippet: { title: 'One' } }],
  }),
};
const exceeded = {
  ...anywhere,
  query: { id: 'exceeded001' },
  status: 403,
  text: JSON.stringify({ error: { errors: [{ reason: 'quotaExceeded' }] } }),
};

interface Shown {
  source: string;
  day: string;
  resets_at: string;
  buckets: { bucket: string; budget: number; used: number; left: number; said_spent: boolean; methods: object }[];
}

/** Runs an operator command in this process at the time `at`. */
async function operator(line: string, changes: Record<string, string> = {}, at = '2026-11-20T10:00:00.000Z') {
  const call = readCall([collectCommand, quota], line.split(' '));
  const now = () => new Date(at);
  const result = await call.command.run({ ...call, db, config: readConfig({ ...env, ...changes }), now });
  return { ...result, json: JSON.parse(JSON.stringify(result.json)) };
}
const shown = async (...setting: [Record<string, string>?, string?]): Promise<Shown> =>
  (await operator('quota', ...setting)).json;

describe('operator quota', () => {
  test('operator quota shows the budget, the use by bucket and method, the units left, and the reset in Pacific time', async () => {
    const ledger = createQuotaLedger(db.sql);
    const day = { source: 'youtube-data-api', bucket: 'general', day: '2026-11-20', budget: 500 };
    for (const method of ['videos.list', 'channels.list', 'videos.list'])
      await ledger.spend({ ...day, method, units: 1 });
    await ledger.exhaust({ ...day, bucket: 'search', budget: 100 });
    const live = { UPSTREAM_REPLAY: '', YOUTUBE_DAILY_UNITS: '500' };
    expect(await shown(live)).toEqual({
      source: 'youtube-data-api',
      day: '2026-11-20',
      resets_at: '2026-11-21T08:00:00.000Z',
      buckets: [
        {
          bucket: 'general',
          budget: 500,
          used: 3,
          left: 497,
          said_spent: false,
          methods: { 'videos.list': 2, 'channels.list': 1 },
        },
        { bucket: 'search', budget: 100, used: 0, left: 0, said_spent: true, methods: {} },
      ],
    });
    const { text } = await operator('quota', live);
    expect(text).toMatch(/resets_at +2026-11-21T08:00:00\.000Z/);
    expect(text).toMatch(/general +500 +3 +497/);
    expect(text).toMatch(/videos\.list +general +2/);
  });

  test('operator quota counts recorded answers separately, and a recorded refusal does not exhaust the quota', async () => {
    expect((await operator('collect longvideoVideo id=exceeded001')).json).toMatchObject({
      error: { code: 'SOURCE_CAPACITY' },
    });
    expect(await shown()).toMatchObject({
      source: 'youtube-data-api (replay)',
      buckets: [{ bucket: 'general', used: 1, left: 1, said_spent: false }, { used: 0 }],
    });
    expect(await shown({ UPSTREAM_REPLAY: '' })).toMatchObject({ buckets: [{ used: 0 }, { used: 0 }] });
  });

  test('the command line and the server share the quota, even after a restart, and stop calls before the source does', async () => {
    const { live_key } = await inTransaction(db.sql, (tx) => createWorkspace(tx, { name: 'quota', credits: 100 }));
    const path = '/v1/longvideo/video?id=invented001';
    for (const status of [200, 200, 429]) {
      const server = await startService({ ...env, DATABASE_URL: db.database_url });
      const answer = await ask(server.base_url, path, live_key);
      expect([answer.status, answer.credits_charged]).toEqual(status === 200 ? [200, 1] : [429, 0]);
      if (status === 429) expect(codeOf(answer)).toBe('SOURCE_CAPACITY');
      await server.kill();
    }
    const today = new Date().toISOString();
    expect(await operator('collect longvideoVideo id=invented001', {}, today)).toMatchObject({
      json: { error: { code: 'SOURCE_CAPACITY' } },
      exit_code: 1,
    });
    const used = { used: 2, left: 0, methods: { 'videos.list': 2 } };
    expect(await shown({}, today)).toMatchObject({ buckets: [used, { used: 0 }] });
  });
});
