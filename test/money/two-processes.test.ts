import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorkspace } from '../../db/accounts/workspaces.ts';
import { checkLedger, readBalance } from '../../db/money/ledger.ts';
import { inTransaction } from '../../db/transaction.ts';
import { ask, codeOf, type Received, statusCounts } from '../harness/answers.ts';
import { writeInventedManifest } from '../harness/invented-manifest.ts';
import { killServices, type ServiceProcess, startService } from '../harness/service-process.ts';
import { openFolder, removeFolder } from '../setup/processes.ts';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.ts';

/** The default limit of a server: requests for new data per minute and workspace. */
const requestsPerMinute = 60;
const firstRequests = 10;

let folder: string;
let db: TestDatabase;
/** Two server programs, each in its own operating system process, on one database. */
let servers: ServiceProcess[];

beforeAll(async () => {
  folder = await openFolder();
  db = await createTestDatabase();
  const manifest = await writeInventedManifest(folder);
  const env = { DATABASE_URL: db.database_url, UPSTREAM_REPLAY: manifest, PIPELINE: 'off' };
  servers = await Promise.all([startService(env), startService(env)]);
}, 120_000);
afterAll(async () => {
  await killServices();
  await db.close();
  await removeFolder(folder, folder);
});

/**
 * Requests profiles of new handles, alternately from both servers. Waits for the answers to the first ten requests
 * before sending all others at once. Otherwise, one server's first statement could use up the limit before the other
 * server answers any request.
 */
async function askBoth(requests: number, name: string, key: string): Promise<Received[]> {
  const send = (index: number) =>
    ask(servers[index % 2]?.base_url ?? '', `/v1/photo/profile?handle=${name}_${index}`, key, {
      'x-request-id': `${name}_${index}_${index % 2}`,
    });
  const indexes = Array.from({ length: requests }, (_, index) => index);
  const first = await Promise.all(indexes.slice(0, firstRequests).map(send));
  return [...first, ...(await Promise.all(indexes.slice(firstRequests).map(send)))];
}

/** Expects exactly one ledger entry of one credit for each charged answer, and a balance that is their exact sum. */
async function expectExact(workspaceId: string, answers: readonly Received[], granted: number): Promise<void> {
  const entries = await db.sql<{ request_id: string; credits: number; balance_after: number }[]>`
    select request_id, credits, balance_after from ledger_entries
    where workspace_id = ${workspaceId} and kind = 'charge' order by entry_no`;
  const charged = answers.filter(({ credits_charged }) => credits_charged > 0);
  const ids = (rows: readonly { request_id: string }[]) => rows.map(({ request_id }) => request_id).sort();
  expect(ids(entries)).toEqual(ids(charged));
  expect(charged.every(({ credits_charged }) => credits_charged === 1)).toBe(true);
  expect(entries.map(({ credits }) => credits)).toEqual(charged.map(() => -1));
  expect(entries.map(({ balance_after }) => balance_after)).toEqual(charged.map((_, index) => granted - 1 - index));
  expect(await readBalance(db.sql, workspaceId)).toBe(granted - charged.length);
  expect((await checkLedger(db.sql)).mismatches).toEqual([]);
}

/** Expects that each of the two processes answered some of the requests with status 200. */
function expectBothAnswered(answers: readonly Received[]): void {
  const served = answers.filter(({ status }) => status === 200);
  expect(new Set(served.map(({ request_id }) => request_id.at(-1)))).toEqual(new Set(['0', '1']));
}

const workspaceOf = (credits: number) =>
  inTransaction(db.sql, (tx) => createWorkspace(tx, { name: 'processes', credits }));

test('two server processes on one database answer exactly the limit of 60 requests of a minute, refuse the others, and charge only those', async () => {
  expect(new Set([process.pid, ...servers.map(({ child }) => child.pid)]).size).toBe(3);
  const { workspace_id, live_key } = await workspaceOf(1_000);
  const started = Date.now();
  const answers = await askBoth(200, 'limit', live_key);
  // The servers use the real clock. A rate-limit window begins with the first request and lasts one minute.
  expect(Date.now() - started).toBeLessThan(60_000);
  expect(statusCounts(answers)).toEqual({ 200: requestsPerMinute, 429: 200 - requestsPerMinute });
  const refused = answers.filter(({ status }) => status === 429);
  expect(new Set(refused.map(codeOf))).toEqual(new Set(['RATE_LIMITED']));
  expectBothAnswered(answers);
  await expectExact(workspace_id, answers, 1_000);
}, 120_000);

test('two server processes on one database spend exactly the credits of a workspace, and balance and ledger agree', async () => {
  const granted = 25;
  const { workspace_id, live_key } = await workspaceOf(granted);
  const answers = await askBoth(requestsPerMinute, 'credits', live_key);
  expect(statusCounts(answers)).toEqual({ 200: granted, 402: requestsPerMinute - granted });
  const refused = answers.filter(({ status }) => status === 402);
  expect(new Set(refused.map(codeOf))).toEqual(new Set(['INSUFFICIENT_CREDITS']));
  expectBothAnswered(answers);
  await expectExact(workspace_id, answers, granted);
}, 120_000);
