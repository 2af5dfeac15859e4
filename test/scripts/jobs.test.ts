import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorkspace } from '../../db/accounts/workspaces.ts';
import { checkLedger, readBalance } from '../../db/money/ledger.ts';
import type { Tier } from '../../db/tier.ts';
import { inTransaction } from '../../db/transaction.ts';

import { listJobs } from '../../pipeline/jobs/all.ts';
import { type Command, readCall, UsageError } from '../../scripts/operator/command.ts';
import { jobsList, jobsRun } from '../../scripts/operator/jobs.ts';
import * as tracking from '../../scripts/operator/tracking.ts';
import { readConfig } from '../../server/config.ts';
import { profileAddress, writeInventedManifest } from '../harness/invented-manifest.ts';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.ts';

const commands: readonly Command[] = [jobsList, jobsRun, ...Object.values(tracking)];
const clock = { now: new Date('2026-11-20T10:00:00.000Z') };
const unknownId = '11111111-1111-4111-8111-111111111111';
const dayMs = 86_400_000;
let db: TestDatabase;
let folder: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  db = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'tidemark-jobs-'));
  const share = 'https://www.instagram.com/share/BAinvented/';
  const special = [
    { prefix: `${profileAddress}not.there`, status: 404, text: '{}' },
    { prefix: share, status: 302, headers: { location: 'https://www.instagram.com/paper.kite/' } },
    { prefix: 'https://vm.tiktok.com/', status: 404 },
  ];
  env = { UPSTREAM_REPLAY: await writeInventedManifest(folder, { special }) };
});
afterAll(async () => {
  expect((await checkLedger(db.sql)).mismatches).toEqual([]);
  await db.close();
  await rm(folder, { recursive: true });
});

/** Runs an operator command in this process. */
async function operator(...words: string[]) {
  const call = readCall(commands, words);
  const result = await call.command.run({ ...call, db, config: readConfig(env), now: () => clock.now });
  return { ...result, json: JSON.parse(JSON.stringify(result.json)) };
}

async function workspaceOf(tier: Tier, credits = 5): Promise<string> {
  return (await inTransaction(db.sql, (tx) => createWorkspace(tx, { name: 'tracked', tier, credits }))).workspace_id;
}

async function tracked(workspaceId: string, handle = 'paper.kite'): Promise<string> {
  return (await operator('tracking', 'add', workspaceId, `https://www.instagram.com/${handle}/`)).json.item_id;
}

const attempts = (itemId: string) => db.sql`select outcome, trigger from check_attempts where item_id = ${itemId}`;

describe('operator jobs', () => {
  test('operator jobs list shows every job without waiting work, even before the queue was created', async () => {
    const { json, text } = await operator('jobs', 'list');
    expect(json).toEqual(
      listJobs().map(({ name, schedule }) => ({
        ...{ job: name, schedule, lag_seconds: null, finished_at: null },
        ...{ queued: 0, active: 0, deferred: 0, failed: 0 },
      })),
    );
    expect(text).toMatch(/^job +schedule +queued +active +deferred +failed +finished_at +lag_seconds$/m);
  });

  test('operator jobs run of the sweep enqueues each due check once, and list shows the waiting checks and the lag', async () => {
    const workspaceId = await workspaceOf('pro');
    const itemId = await tracked(workspaceId);
    await db.sql`update tracked_items set last_attempt_at = ${new Date(clock.now.getTime() - 2 * dayMs)}`;
    await operator('jobs', 'run', 'track-sweep');
    expect((await operator('jobs', 'run', 'track-sweep')).json).toMatchObject({ job: 'track-sweep', log: [] });
    await db.sql`update jobs.job set start_after = start_after - interval '90 seconds' where name = 'track-check'`;
    const states = (await operator('jobs', 'list')).json as { job: string; queued: number; lag_seconds: number }[];
    const state = states.find(({ job }) => job === 'track-check');
    expect(state).toMatchObject({ queued: 1, active: 0, deferred: 0, failed: 0 });
    expect(state?.lag_seconds).toBeGreaterThanOrEqual(89);
    expect(await attempts(itemId)).toHaveLength(0);
  });

  test('operator jobs run of the cleanup prints what it deleted, and deletes only history older than the longest limit of any tier', async () => {
    const workspaceId = await workspaceOf('ultra');
    const itemId = await tracked(workspaceId);
    const ago = (days: number) => new Date(clock.now.getTime() - days * dayMs);
    for (const days of [364, 366]) {
      await db.sql`insert into observations ${db.sql({ workspace_id: workspaceId, item_id: itemId, observed_at: ago(days), source: 'invented' })}`;
      await db.sql`insert into check_attempts ${db.sql({ workspace_id: workspaceId, item_id: itemId, attempt_id: crypto.randomUUID(), attempted_at: ago(days), trigger: 'manual', outcome: 'OK', credits: 1 })}`;
    }
    const { json, text } = await operator('jobs', 'run', 'cleanup');
    expect(json.log).toMatchObject([{ observations: 1, attempts: 1, deliveries: 0, replays: 0 }]);
    expect(text).toMatch(/^attempts +1$/m);
    expect(await db.sql`select observed_at from observations where item_id = ${itemId}`).toEqual([
      { observed_at: ago(364) },
    ]);
  });

  test.each([
    ['that is unknown', 'no-such-job', /There is no job no-such-job: run one of track-sweep/],
    ['without a tick', 'track-check', /track-check only runs items that other jobs enqueue/],
  ])('operator jobs run of a job %s lists the jobs that can be run', async (_, name, message) => {
    await expect(operator('jobs', 'run', name)).rejects.toThrow(message);
  });
});

describe('operator tracking', () => {
  test('operator tracking add saves items up to the limit of the tier, and says that the tier Air has only manual checks', async () => {
    const workspaceId = await workspaceOf('air');
    const { json } = await operator('tracking', 'add', workspaceId, 'https://www.instagram.com/paper.kite/');
    expect(json).toMatchObject({ outcome: 'added', platform: 'photo', kind: 'profile', checks: 'manual only' });
    const again = await operator('tracking', 'add', workspaceId, 'https://instagram.com/paper.kite');
    expect(again.json).toMatchObject({ outcome: 'known', item_id: json.item_id });
    const more = operator('tracking', 'add', workspaceId, 'https://www.instagram.com/other.kite/');
    await expect(more).rejects.toThrow('The tier air can track at most 1 item: remove one first.');
    await expect(operator('tracking', 'add', workspaceId, 'https://example.com/')).rejects.toThrow(/use a link to one/);
    const paid = await operator('tracking', 'add', await workspaceOf('pro'), 'https://youtu.be/example0001');
    expect(paid.json).toMatchObject({ platform: 'longvideo', kind: 'video', checks: 'daily' });
  });

  test('operator tracking add follows a short link, and accepts a handle with --platform', async () => {
    const workspaceId = await workspaceOf('pro');
    const shared = await operator('tracking', 'add', workspaceId, 'https://www.instagram.com/share/BAinvented/');
    expect(shared.json).toMatchObject({ outcome: 'added', platform: 'photo', identifier: 'paper.kite' });
    const lost = operator('tracking', 'add', workspaceId, 'https://vm.tiktok.com/ZMinvented/');
    await expect(lost).rejects.toThrow('Open it in a browser and use the full link');
    const handle = await operator('tracking', 'add', workspaceId, '@Paper.Kite', '--platform', 'shortvideo');
    expect(handle.json).toMatchObject({ platform: 'shortvideo', kind: 'profile', identifier: 'paper.kite' });
    await expect(operator('tracking', 'add', workspaceId, '@paper.kite')).rejects.toThrow(
      'A handle can exist on every platform',
    );
    const unknown = operator('tracking', 'add', workspaceId, '@paper.kite', '--platform', 'other');
    await expect(unknown).rejects.toThrow('--platform must be one of photo, shortvideo, longvideo.');
  });

  test('operator tracking check makes a manual attempt for 1 credit and prints when the next attempt is possible', async () => {
    const workspaceId = await workspaceOf('air');
    const itemId = await tracked(workspaceId);
    const nextAttemptAt = new Date(clock.now.getTime() + dayMs).toISOString();
    const first = await operator('tracking', 'check', workspaceId, itemId);
    expect([first.json, first.exit_code]).toMatchObject([
      { attempted: true, outcome: 'OK', credits: 1, credits_remaining: 4, next_attempt_at: nextAttemptAt },
      0,
    ]);
    const second = await operator('tracking', 'check', workspaceId, itemId);
    expect([second.json, second.exit_code]).toMatchObject([
      { attempted: false, reason: 'too_early', next_attempt_at: nextAttemptAt },
      1,
    ]);
    expect(second.text).toContain(nextAttemptAt);
    expect([...(await attempts(itemId))]).toEqual([{ outcome: 'OK', trigger: 'manual' }]);
    const { json, text } = await operator('tracking', 'list', workspaceId);
    expect(json).toMatchObject([
      { item_id: itemId, status: 'active', next_attempt_at: nextAttemptAt, identifier: 'paper.kite' },
    ]);
    expect(text).toContain(itemId);
  });

  test('a failed operator tracking check is free, and the command exits with 1', async () => {
    const workspaceId = await workspaceOf('air');
    const itemId = await tracked(workspaceId, 'not.there');
    const { json, exit_code } = await operator('tracking', 'check', workspaceId, itemId);
    expect([json, exit_code]).toMatchObject([{ outcome: 'RESOURCE_NOT_FOUND', credits: 0, credits_remaining: 5 }, 1]);
  });

  test('a paused item is not checked until it is resumed, and a removed item loses its history', async () => {
    const workspaceId = await workspaceOf('air');
    const itemId = await tracked(workspaceId);
    await operator('tracking', 'pause', workspaceId, itemId);
    expect((await operator('tracking', 'check', workspaceId, itemId)).json).toMatchObject({ reason: 'paused' });
    await operator('tracking', 'resume', workspaceId, itemId);
    expect((await operator('tracking', 'check', workspaceId, itemId)).json).toMatchObject({ outcome: 'OK' });
    await operator('tracking', 'remove', workspaceId, itemId);
    expect((await operator('tracking', 'list', workspaceId)).json).toEqual([]);
    expect(await db.sql`select from observations where item_id = ${itemId}`).toHaveLength(0);
  });

  test('operator tracking settings change only the named values, and decide whether an item is checked', async () => {
    const workspaceId = await workspaceOf('pro');
    const [one, other] = [await tracked(workspaceId), await tracked(workspaceId, 'other.kite')];
    const set = async (...words: string[]) => (await operator('tracking', 'settings', workspaceId, ...words)).json;
    const defaults = { paused: false, monthly_cap: null, cap_used: 0, low_balance_alert: null };
    expect(await set()).toEqual(defaults);
    expect(await set('--cap', '1', '--low-balance', '3')).toEqual({
      ...defaults,
      monthly_cap: 1,
      low_balance_alert: 3,
    });
    expect(await set('--paused', 'true')).toEqual({ ...defaults, paused: true, monthly_cap: 1, low_balance_alert: 3 });
    const check = async (itemId: string) => (await operator('tracking', 'check', workspaceId, itemId)).json;
    expect(await check(one)).toMatchObject({ reason: 'workspace_paused' });
    expect(await set('--paused', 'false', '--low-balance', 'none')).toEqual({ ...defaults, monthly_cap: 1 });
    expect(await check(one)).toMatchObject({ outcome: 'OK' });
    expect(await check(other)).toMatchObject({ reason: 'cap_reached' });
    expect(await set('--cap', 'none')).toEqual({ ...defaults, cap_used: 1 });
    expect(await check(other)).toMatchObject({ outcome: 'OK' });
    expect(await readBalance(db.sql, workspaceId)).toBe(3);
  });

  test('the cap that operator tracking shows counts the current month (UTC) only', async () => {
    const workspaceId = await workspaceOf('pro');
    await operator('tracking', 'check', workspaceId, await tracked(workspaceId));
    const used = async () => (await operator('tracking', 'settings', workspaceId)).json.cap_used;
    expect(await used()).toBe(1);
    const then = clock.now;
    clock.now = new Date('2026-12-01T00:00:00.000Z');
    expect(await used()).toBe(0);
    clock.now = then;
  });

  test.each([
    ['--cap', '-1'],
    ['--cap', '1.5'],
    ['--cap', '1000000001'],
    ['--cap', 'much'],
    ['--low-balance', '-1'],
    ['--paused', 'yes'],
  ])('operator tracking settings %s %s is refused and changes nothing', async (name, value) => {
    const workspaceId = await workspaceOf('air');
    await expect(operator('tracking', 'settings', workspaceId, name, value)).rejects.toThrow(UsageError);
    expect(await db.sql`select from work_settings where workspace_id = ${workspaceId}`).toHaveLength(0);
  });

  test.each(['check', 'pause', 'resume', 'remove'])(
    'operator tracking %s does not find an item of another workspace',
    async (word) => {
      const [mine, other] = [await workspaceOf('air'), await workspaceOf('air')];
      const itemId = await tracked(mine);
      await expect(operator('tracking', word, other, itemId)).rejects.toThrow(`tracks no item ${itemId}`);
      await expect(operator('tracking', word, unknownId, itemId)).rejects.toThrow(/There is no workspace 1{8}/);
      expect((await operator('tracking', 'list', mine)).json).toMatchObject([{ item_id: itemId, status: 'active' }]);
    },
  );
});
