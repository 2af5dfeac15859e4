import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorkspace } from '../../../db/accounts/workspaces.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { ask } from '../../harness/answers.ts';
import { type DatabaseProxy, databaseProxy } from '../../harness/database-proxy.ts';
import { type ListeningService, listeningService } from '../../harness/listening-service.ts';
import { isCitusRun } from '../../setup/citus.ts';
import { createTestDatabase, type TestDatabase } from '../../setup/test-database.ts';
import { inventedUpstream } from '../invented-upstream.ts';

/**
 * Number of requests of each kind. Only the request with the fewest statements counts, because usage counts and jobs
 * can add statements to a request.
 */
const repetitions = 5;

let db: TestDatabase;
let proxy: DatabaseProxy;
let service: ListeningService;
let key: string;

beforeAll(async () => {
  db = await createTestDatabase();
  proxy = await databaseProxy(db.sql);
  const { database_url } = proxy;
  service = await listeningService({ database_url, fetch: inventedUpstream().fetch, role: 'server' });
  key = (await inTransaction(db.sql, (tx) => createWorkspace(tx, { name: 'statements', credits: 100 }))).live_key;
});
afterAll(async () => {
  await service.close();
  await proxy.close();
  await db.close();
});

/** Sends these profile requests. Returns the number of SQL statements of the request that needed the fewest. */
function statementsOf(queries: string[]): Promise<number> {
  return statementsOfPaths(
    queries.map((query) => `/v1/photo/profile?${query}`),
    () => ({}),
  );
}

async function statementsOfPaths(paths: string[], headersOf: (index: number) => Record<string, string>) {
  const counts: number[] = [];
  for (const [index, path] of paths.entries()) {
    const before = proxy.replies();
    const { status } = await ask(service.base_url, path, key, headersOf(index));
    expect(status).toBe(200);
    counts.push(proxy.replies() - before);
  }
  return Math.min(...counts);
}

// On a Citus cluster, a charge consists of several small statements.
test.skipIf(isCitusRun)('a charged answer needs two SQL statements, and a cached answer one', async () => {
  const handles = Array.from({ length: repetitions }, (_, index) => `handle=statements.${index}`);
  const cached = handles.map((handle) => `${handle}&cache_max_age=30d`);
  const others = Array.from({ length: repetitions }, (_, index) => `handle=others.${index}&cache_max_age=30d`);
  // The first two requests open the connections and prepare the statements.
  await statementsOf(['handle=first.request', 'handle=second.request']);
  // One statement counts the request; the other charges the request and stores the answer.
  expect(await statementsOf(handles)).toBe(2);
  expect(await statementsOf(cached)).toBe(1);
  // This needs two more statements than without `cache_max_age`: one looks for a cached answer, and one counts the
  // request again, because the first count allowed for a free answer.
  expect(await statementsOf(others)).toBe(4);
});

test('the rows of a spreadsheet request with an Idempotency-Key share the statements that read and store their answers', async () => {
  const urls = Array.from({ length: 10 }, (_, index) => `url=https://www.instagram.com/rows.${index}/`);
  const paths = Array<string>(repetitions).fill(`/v1/workflows/profile?${urls.join('&')}`);
  const plain = await statementsOfPaths(paths, () => ({}));
  const keyed = await statementsOfPaths(paths, (index) => ({ 'idempotency-key': `rows-${index}` }));
  // One statement looks for the answers of all rows. Two statements store the answers, one of which counts their
  // characters. The rows may need two rounds of these three statements.
  expect(keyed - plain).toBeLessThanOrEqual(3 * 2);
});
