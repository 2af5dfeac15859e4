import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listJobs } from '../../pipeline/jobs/all.ts';
import { type RunningQueue, startQueue } from '../../pipeline/queue/queue.ts';
import { createTestDatabase, silentLog, type TestDatabase } from '../setup/test-database.ts';

let db: TestDatabase;
let queue: RunningQueue;

beforeAll(async () => {
  db = await createTestDatabase();
  queue = await startQueue({ sql: db.sql, jobs: listJobs(), log: silentLog, work: null });
});
afterAll(async () => {
  await queue.stop();
  await db.close();
});

test('every file in pipeline/jobs is in the list of jobs and has the name of its job', () => {
  const files = readdirSync(resolve('pipeline/jobs')).map((file) => file.replace(/\.ts$/, ''));
  const names = listJobs().map(({ name }) => name);
  expect(names.toSorted()).toEqual(files.filter((file) => file !== 'all').toSorted());
});

test('docs/operating.md lists every job', () => {
  const rows = readFileSync('docs/operating.md', 'utf8').split('\n| job | schedule (UTC) | does |\n|---|---|---|\n')[1];
  const listed = rows?.split('\n\n')[0]?.match(/(?<=^\| `)[\w-]+(?=` \|)/gm);
  expect(listed?.toSorted()).toEqual(
    listJobs()
      .map(({ name }) => name)
      .toSorted(),
  );
});

test('the queue refuses an item for a job that does not exist, and says where jobs are listed', async () => {
  const sent = queue.send('track-chek', [{ key: 'invented', data: {} }]);
  await expect(sent).rejects.toThrow(
    'There is no job "track-chek". Use the name of a job in pipeline/jobs/all.ts, or add it there.',
  );
});
