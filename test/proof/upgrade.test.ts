import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sql } from 'postgres';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeKey } from '../../db/accounts/key-text.ts';
import { hashSecret } from '../../db/accounts/secrets.ts';
import { newId } from '../../db/ids.ts';
import { migrate } from '../../db/migrate.ts';
import { openDatabase } from '../../db/open.ts';
import { tidyUp, withDatabase } from '../harness/data-folder.ts';
import { writeInventedManifest } from '../harness/invented-manifest.ts';
import { isCharged, startLoad } from '../harness/load.ts';
import { operator } from '../harness/operator.ts';
import { printFigure, scaled } from '../harness/proof.ts';
import { startService } from '../harness/service-process.ts';
import { openFolder, until } from '../setup/processes.ts';
import { silentLog } from '../setup/test-database.ts';

const workspaces = scaled(50, 2_000);
const chargesBefore = 20;
const startCredits = 10_000;
const chargesAfter = scaled(200, 20_000);
const migrationsFolder = join(import.meta.dirname, '../../db/migrations');

let folder: string;
let env: { DATA_DIR: string; UPSTREAM_REPLAY: string };

beforeEach(async () => {
  folder = await openFolder();
  env = { DATA_DIR: join(folder, 'data'), UPSTREAM_REPLAY: await writeInventedManifest(folder) };
});
afterEach(() => tidyUp(folder, env.DATA_DIR));

/**
 * Creates a database with only the first migration, as the first release did, and fills it with data. Returns its API
 * keys.
 */
async function createOldestDatabase(): Promise<string[]> {
  const [first = ''] = (await readdir(migrationsFolder)).filter((name) => name.endsWith('.sql')).sort();
  const oldest = join(folder, 'migrations');
  await mkdir(oldest);
  await copyFile(join(migrationsFolder, first), join(oldest, first));
  const database = await openDatabase({ database_url: null, data_dir: env.DATA_DIR, role: 'operator' }, silentLog);
  try {
    expect(await migrate(database.sql, { folder: oldest })).toEqual([first]);
    return await fill(database.sql);
  } finally {
    await database.close();
  }
}

/** Inserts workspaces with a key, starter credits and charges, using SQL for the tables of the first release. */
async function fill(sql: Sql): Promise<string[]> {
  const keys = Array.from({ length: workspaces }, () => makeKey('live'));
  for (const key of keys) {
    const [workspaceId, keyId] = [newId(), newId()];
    const balance = startCredits - chargesBefore;
    await sql`insert into workspaces (workspace_id, name) values (${workspaceId}, 'old')`;
    await sql`insert into credit_balances values (${workspaceId}, ${balance}, ${chargesBefore + 1})`;
    await sql`insert into api_keys (workspace_id, key_id, hash, kind, name, last_four)
      values (${workspaceId}, ${keyId}, ${hashSecret(key)}, 'live', 'old', ${key.slice(-4)})`;
    await sql`insert into ledger_entries (workspace_id, entry_no, kind, credits, balance_after)
      values (${workspaceId}, 1, 'starter', ${startCredits}, ${startCredits})`;
    await sql`insert into ledger_entries (workspace_id, entry_no, kind, credits, balance_after, charge_id, request_id, key_id, route)
      select ${workspaceId}, n + 1, 'charge', -1, ${startCredits} - n, gen_random_uuid(), 'old_' || n, ${keyId}, '/v1/photo/profile'
      from generate_series(1, ${chargesBefore}) n`;
  }
  return keys;
}

test('the first start upgrades a database of the oldest migration: afterwards every key works under load, and no credit is lost or added', async () => {
  const keys = await createOldestDatabase();
  const server = await startService(env);
  const load = startLoad({ base_url: server.base_url, keys, callers: 12, name: 'upgrade' });
  await until(async () => load.charged() >= chargesAfter);
  await load.stop();

  const charged = load.sent.filter(isCharged).length;
  expect(load.sent.filter(({ answer }) => answer?.status !== 200)).toEqual([]);
  const [sums] = await withDatabase(
    env.DATA_DIR,
    (sql) => sql<{ balance: number; charges: number }[]>`
      select (select sum(balance) from credit_balances)::bigint as balance,
        (select count(*) from ledger_entries where kind = 'charge') as charges`,
  );
  expect(sums).toEqual({
    balance: workspaces * (startCredits - chargesBefore) - charged,
    charges: workspaces * chargesBefore + charged,
  });
  const checked = await operator(['ledger', 'check', '--json'], env);
  expect([JSON.parse(checked.stdout).mismatches, checked.code]).toEqual([0, 0]);
  expect(await server.stop()).toMatchObject({ code: 0 });
  printFigure('workspaces of the oldest release', workspaces);
  printFigure('charges after the upgrade', charged);
}, 600_000);
