import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { queueSchema } from '../../db/queue.ts';
import { type DatabaseProxy, databaseProxy } from '../harness/database-proxy.ts';
import { killServices, runProgram } from '../harness/service-process.ts';
import { until } from '../setup/processes.ts';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.ts';

let db: TestDatabase;
let proxy: DatabaseProxy;

beforeAll(async () => {
  db = await createTestDatabase();
  // Removes the job queues, which the template database already has, because the tests are about creating them.
  await db.sql`drop schema if exists ${db.sql(queueSchema)} cascade`;
  proxy = await databaseProxy(db.sql);
});
afterEach(killServices);
afterAll(async () => {
  await proxy.close();
  await db.close();
});

const everyTime = 1_000;

test.each([
  ['the server', 'migrations are read', 'server/main.ts', 'applied_migrations'],
  ['the server', 'the first workspace is created', 'server/main.ts', 'from workspaces'],
  ['the server', 'secrets are read', 'server/main.ts', 'insert into settings'],
  ['the pipeline', 'migrations are read', 'pipeline/main.ts', 'applied_migrations'],
  ['the pipeline', 'the job queue starts', 'pipeline/main.ts', 'pgboss'],
])(
  '%s ends with one sentence and exit code 1 when its database connection drops while %s',
  async (_, __, file, statement) => {
    proxy.dropStatement(statement, everyTime);
    const ended = await runProgram([file], { PORT: '0', DATABASE_URL: proxy.database_url }).ended;
    proxy.dropStatement(statement, 0);
    expect(ended.code).toBe(1);
    const sentences = ended.stderr.trim().split('\n');
    expect(sentences).toEqual([expect.stringMatching(/^The (?:database|job queue) .+\.$/)]);
  },
  60_000,
);

test('the server keeps running when its database connection drops while the job queue starts, and starts the queue later', async () => {
  proxy.dropStatement('pgboss', everyTime);
  const server = runProgram(['server/main.ts'], { PORT: '0', DATABASE_URL: proxy.database_url });
  await until(async () => server.output().includes('the background jobs could not start: trying again'));
  expect(await db.sql`select to_regclass('jobs.schedule') as found`).toEqual([{ found: null }]);
  proxy.dropStatement('pgboss', 0);
  await until(async () => (await db.sql`select to_regclass('jobs.schedule') as found`)[0]?.found !== null);
  server.child.kill('SIGTERM');
  expect(await server.ended).toMatchObject({ code: 0 });
}, 60_000);
