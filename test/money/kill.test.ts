import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Sql } from 'postgres';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createWorkspace } from '../../db/accounts/workspaces.ts';
import { inTransaction } from '../../db/transaction.ts';
import { copyDataFolder, tidyUp, withDatabase } from '../harness/data-folder.ts';
import { writeInventedManifest } from '../harness/invented-manifest.ts';
import { isCharged, isUnconfirmed, type Sent, startLoad } from '../harness/load.ts';
import { operator } from '../harness/operator.ts';
import { printFigure, scaled } from '../harness/proof.ts';
import { type ServiceProcess, startService } from '../harness/service-process.ts';
import { openFolder, postmasterPid, readyPostmasterPid, until } from '../setup/processes.ts';

type Victim = 'server' | 'database' | 'both';

/**
 * Number of kills in a quarter of the test. One quarter kills the database, one the database and the server, and two
 * kill the server. PROOF_KILLS sets the number of all kills in the long form.
 */
const quarter = scaled(5, Math.ceil(Number(process.env.PROOF_KILLS ?? 500) / 4));
const victims: readonly Victim[] = [
  ...Array<Victim>(2 * quarter).fill('server'),
  ...Array<Victim>(quarter).fill('database'),
  ...Array<Victim>(quarter).fill('both'),
];
const workspaces = scaled(100, 2_000);
const callers = 12;
/** Maximum number of charged answers in a round before the kill. */
const maxCharged = scaled(120, 4_000);
const maxDelayMs = 40;
/**
 * Time limit of a round in milliseconds. Thousands of charged answers take long on a machine that also does other work.
 */
const roundLimitMs = scaled(20_000, 180_000);
/**
 * Number of rounds between two comparisons of the whole ledger. The more entries the ledger has, the longer a
 * comparison takes.
 */
const checkEvery = scaled(1, 25);

let folder: string;
let env: { DATA_DIR: string; UPSTREAM_REPLAY: string };

beforeEach(async () => {
  folder = await openFolder();
  await copyDataFolder(join(folder, 'data'));
  env = { DATA_DIR: join(folder, 'data'), UPSTREAM_REPLAY: await writeInventedManifest(folder) };
});

afterEach(async () => {
  await tidyUp(folder, env.DATA_DIR);
});

/** Returns a generator of random numbers from 0 to below 1. The same seed gives the same numbers (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const makeWorkspaces = (): Promise<string[]> =>
  withDatabase(env.DATA_DIR, (sql) =>
    inTransaction(sql, async (tx) => {
      const keys: string[] = [];
      for (let index = 0; index < workspaces; index += 1) {
        keys.push((await createWorkspace(tx, { name: `workspace ${index}`, credits: 100_000 })).live_key);
      }
      return keys;
    }),
  );

/** Kills the server, the database or both. Returns the process id that PostgreSQL's postmaster had before the kill. */
async function kill(victim: Victim, server: ServiceProcess): Promise<number> {
  const pid = await postmasterPid(env.DATA_DIR);
  if (pid === null) throw new Error('The main process of PostgreSQL (postmaster) is not running.');
  if (victim !== 'server') process.kill(pid, 'SIGKILL');
  if (victim !== 'database') await server.kill();
  return pid;
}

/**
 * Returns the request ids of all charges. Runs one statement per workspace, because a single statement over a million
 * rows would exceed the time limit.
 */
async function chargedRequests(sql: Sql): Promise<string[]> {
  const known = await sql<{ workspace_id: string }[]>`select workspace_id from workspaces`;
  const ids: string[] = [];
  for (const { workspace_id } of known) {
    const rows = await sql<{ request_id: string }[]>`
      select request_id from ledger_entries where workspace_id = ${workspace_id} and kind = 'charge'`;
    for (const { request_id } of rows) ids.push(request_id);
  }
  return ids;
}

/**
 * The ids of the requests that may have a ledger entry. All other requests must have no entry. Stores only ids, because
 * a million whole answers do not fit into memory.
 */
class Requests {
  readonly charged: string[] = [];
  /** The ids of requests that got CHARGE_UNCONFIRMED or a broken connection. */
  readonly unanswered = new Set<string>();
  total = 0;

  add(sent: readonly Sent[]): void {
    this.total += sent.length;
    for (const one of sent) {
      if (isCharged(one)) this.charged.push(one.request_id);
      else if (one.answer === null || isUnconfirmed(one.answer)) this.unanswered.add(one.request_id);
    }
  }
}

/**
 * Expects one ledger entry for each charged answer. All other entries must belong to requests without a known result.
 */
async function expectLedgerMatches({ charged, unanswered }: Requests): Promise<void> {
  const checked = await operator(['ledger', 'check', '--json'], env);
  expect([JSON.parse(checked.stdout), checked.code]).toMatchObject([{ mismatches: 0, details: [] }, 0]);
  // Uses a function that leaves the database running, because the server is using the database.
  const entries = (await withDatabase(env.DATA_DIR, chargedRequests)).sort();
  expect(new Set(entries).size).toBe(entries.length);
  expect(entries.filter((id) => !unanswered.has(id))).toEqual(charged.toSorted());
}

test('kill -9 of server and database at random moments under load loses no ledger entry and no credit', {
  // Never retried, because a single discrepancy in the ledger is a bug.
  timeout: scaled(180_000, 7_200_000),
  retry: 0,
}, async () => {
  const seed = Number(process.env.KILL_SEED ?? Date.now() % 1_000_000);
  console.log(`KILL_SEED=${seed}`);
  const random = randomFrom(seed);
  const order = victims.map((victim) => ({ victim, at: random() })).sort((a, b) => a.at - b.at);
  let server = await startService(env);
  const keys = await makeWorkspaces();
  const requests = new Requests();
  const chargedPerRound: number[] = [];

  for (const [round, { victim }] of order.entries()) {
    const load = startLoad({ base_url: server.base_url, keys, callers, name: `round_${round}` });
    const lastCharge = 1 + Math.floor(random() * maxCharged);
    const delayMs = random() * maxDelayMs;
    await until(async () => load.charged() >= lastCharge, roundLimitMs);
    // Kills at a random moment, which can be anywhere in a request, even between two statements.
    await pause(delayMs);
    const pid = await kill(victim, server);
    // The server must survive the kill of PostgreSQL, restart PostgreSQL, and then charge requests again.
    if (victim === 'database') {
      await until(async () => ![null, pid].includes(await readyPostmasterPid(env.DATA_DIR)), roundLimitMs);
      const chargedBefore = load.charged();
      await until(async () => load.charged() > chargedBefore, roundLimitMs);
    }
    await load.stop();
    if (victim !== 'database') server = await startService(env);
    chargedPerRound.push(load.charged());
    requests.add(load.sent);
    if ((round + 1) % checkEvery === 0) {
      await expectLedgerMatches(requests);
      console.log(`${round + 1} of ${order.length} kills: no discrepancy`);
    }
  }
  await expectLedgerMatches(requests);
  expect(Math.min(...chargedPerRound)).toBeGreaterThan(0);
  expect(await server.stop()).toMatchObject({ code: 0 });
  expect(await postmasterPid(env.DATA_DIR)).toBe(null);
  printFigure('kills', order.length);
  printFigure('requests', requests.total);
  printFigure('charges', requests.charged.length);
});
