import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createWorkspace } from '../../db/accounts/workspaces.ts';
import { withBackupLock } from '../../db/embedded/backup.ts';
import { inTransaction } from '../../db/transaction.ts';
import { copyDataFolder, tidyUp, withDatabase } from '../harness/data-folder.ts';
import { writeInventedManifest } from '../harness/invented-manifest.ts';
import { isCharged, startLoad } from '../harness/load.ts';
import { operator } from '../harness/operator.ts';
import { operatorProcess, startService } from '../harness/service-process.ts';
import { attachProcess, isRunningIn, openFolder, postmasterPid, until } from '../setup/processes.ts';

let folder: string;
let env: { DATA_DIR: string; UPSTREAM_REPLAY: string };
const at = (name: string) => join(folder, name);

beforeEach(async () => {
  folder = await openFolder();
  await copyDataFolder(at('data'));
  env = { DATA_DIR: at('data'), UPSTREAM_REPLAY: await writeInventedManifest(folder) };
});
afterEach(async () => {
  await tidyUp(folder, env.DATA_DIR);
});

const chargesIn = (dataDir: string) =>
  withDatabase(dataDir, async (sql) => {
    const rows = await sql<{ request_id: string }[]>`select request_id from ledger_entries where kind = 'charge'`;
    return new Set(rows.map(({ request_id }) => request_id));
  });

test('a backup under load, restored into an empty folder, has every charge that was answered before and a ledger without mismatches', async () => {
  const server = await startService(env);
  const keys = await withDatabase(env.DATA_DIR, (sql) =>
    inTransaction(sql, async (tx) => {
      const made = [];
      // Creates 200 workspaces, because each of them may send only 60 requests per minute.
      for (let n = 0; n < 200; n += 1)
        made.push((await createWorkspace(tx, { name: `w${n}`, credits: 1_000 })).live_key);
      return made;
    }),
  );
  const load = startLoad({ base_url: server.base_url, keys, callers: 6, name: 'backup' });
  await until(async () => load.charged() >= 50);
  const before = load.sent.filter(isCharged).map(({ request_id }) => request_id);
  const backup = await operator(['backup', at('copy'), '--json'], env);
  expect([backup.stderr, backup.code]).toEqual(['', 0]);
  expect(JSON.parse(backup.stdout)).toMatchObject({ ledger_mismatches: 0 });
  const charged = load.charged();
  await until(async () => load.charged() > charged + 20);
  await load.stop();
  const all = await chargesIn(env.DATA_DIR);
  await server.stop();

  const restored = { ...env, DATA_DIR: at('restored') };
  const restore = await operator(['restore', at('copy'), '--json'], restored);
  expect([restore.stderr, restore.code]).toEqual(['', 0]);
  const { ledger_entries, ledger_mismatches } = JSON.parse(restore.stdout);
  const again = await startService(restored);
  const kept = await chargesIn(restored.DATA_DIR);
  expect([ledger_mismatches, ledger_entries >= kept.size]).toEqual([0, true]);
  expect(before.filter((id) => !kept.has(id))).toEqual([]);
  expect(kept.size).toBeLessThan(all.size);
  expect((await fetch(`${again.base_url}/readyz`)).status).toBe(200);
  await again.stop();
}, 120_000);

test('a backup into a folder with files, a restore over a database and a restore from another folder are refused with a sentence', async () => {
  await operator(['workspace', 'list'], env);
  expect(await operator(['backup', at('data')], env)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is not empty'),
  });
  expect(await operator(['restore', at('nowhere')], env)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('There is no backup in'),
  });
  expect((await operator(['backup', at('copy')], env)).code).toBe(0);
  expect(await operator(['restore', at('copy')], env)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('set DATA_DIR to a new folder'),
  });
  const own = { ...env, DATABASE_URL: 'postgres://reader@127.0.0.1:1/none' };
  expect(await operator(['backup', at('other')], own)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('pg_basebackup'),
  });
  // Creates what a killed backup leaves behind: a folder with a different name, which does not count as a backup.
  await cp(at('copy'), at('killed.unfinished'), { recursive: true });
  expect((await operator(['backup', at('killed')], env)).code).toBe(0);
  expect(await readdir(folder)).not.toContain('killed.unfinished');
}, 120_000);

test('while one backup runs, a second one into the same folder is refused and touches nothing', async () => {
  const server = await startService(env);
  const second = await withDatabase(env.DATA_DIR, (sql) =>
    withBackupLock(sql, async () => {
      await mkdir(at('copy.unfinished'));
      return operator(['backup', at('copy')], env);
    }),
  );
  expect(second).toMatchObject({ code: 2, stderr: expect.stringContaining('Another backup of this database') });
  expect(await readdir(folder)).toContain('copy.unfinished');
  expect((await operator(['backup', at('copy')], env)).code).toBe(0);
  await server.stop();
}, 120_000);

test('a backup and a restore that the disk refuses say why in a sentence, and keep no unfinished copy', async () => {
  const refused = { code: 2, stderr: expect.stringMatching(/^The copy could not be written.*\(ENAMETOOLONG/) };
  // With the suffix `.unfinished`, the name exceeds the 255 bytes that a file system accepts.
  expect(await operator(['backup', at('n'.repeat(250))], env)).toMatchObject(refused);
  expect((await operator(['backup', at('copy')], env)).code).toBe(0);
  // The path is so long that the folder itself can be created, but not the backup's files in deeper folders.
  const longest = 4_060;
  const depth = Math.floor((longest - folder.length) / 200);
  const deep = join(folder, ...Array.from({ length: depth }, () => 'd'.repeat(199)));
  const target = join(deep, 'e'.repeat(longest - deep.length - 1));
  expect(await operator(['restore', at('copy')], { ...env, DATA_DIR: target })).toMatchObject(refused);
  expect(await readdir(target)).toEqual([]);
}, 120_000);

test('a command with a DATA_DIR without a database says that it creates one, and a backup refuses it', async () => {
  const wrong = { ...env, DATA_DIR: at('wrong') };
  expect(await operator(['backup', at('copy')], wrong)).toMatchObject({
    code: 2,
    stderr: `There is no database in ${at('wrong')}: set DATA_DIR to the folder of the server.\n`,
  });
  expect(await readdir(folder)).not.toContain('wrong');
  const listed = await operator(['workspace', 'list'], wrong);
  expect([listed.code, listed.stderr]).toEqual([0, expect.stringMatching(/^There was no database in .*\/wrong, so /)]);
  expect(await operator(['workspace', 'list'], wrong)).toMatchObject({ code: 0, stderr: '' });
}, 120_000);

test('a backup whose database is killed ends soon with a sentence, and the next one succeeds', async () => {
  const server = await startService(env);
  const backup = operatorProcess(['backup', at('copy')], env);
  await until(async () => (await readdir(folder)).includes('copy.unfinished'));
  process.kill((await postmasterPid(env.DATA_DIR)) ?? 0, 'SIGKILL');
  expect(await backup).toMatchObject({ code: 2, stderr: expect.stringContaining('The database stopped answering') });
  expect((await operator(['backup', at('copy')], env)).code).toBe(0);
  expect(await readdir(folder)).not.toContain('copy.unfinished');
  await server.stop();
}, 50_000);

test('a restore of a backup that a newer version made is refused before anything is in place, and the next restore succeeds', async () => {
  expect((await operator(['backup', at('copy')], env)).code).toBe(0);
  await cp(at('copy'), at('newer'), { recursive: true, preserveTimestamps: true });
  await promisify(execFile)('chown', ['-R', '--reference', at('copy/postgres'), at('newer/postgres')]);
  const newer = await attachProcess(at('newer'));
  expect(await newer.ask("insert into applied_migrations values ('9999_later.sql', '0') returning name")).toBeTruthy();
  expect(await newer.ask('stop')).toBe('stopped');

  const restored = { ...env, DATA_DIR: at('restored') };
  const refused = await operator(['restore', at('newer')], restored);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('9999_later.sql') });
  expect(await readdir(at('restored'))).toEqual([]);
  expect((await operator(['restore', at('copy')], restored)).code).toBe(0);
  expect(await readdir(at('restored'))).toEqual(['postgres']);
}, 120_000);

test.runIf(process.geteuid?.() === 0)(
  'root can restore a backup whose files belong to root because they were copied from another machine, but not into a private folder',
  async () => {
    expect((await operator(['backup', at('copy')], env)).code).toBe(0);
    await promisify(execFile)('chown', ['-R', '0:0', at('copy')]);
    expect(await operator(['restore', at('copy')], { ...env, DATA_DIR: at('restored') })).toMatchObject({
      code: 0,
      stderr: '',
    });
    const [before, after] = await Promise.all([stat(at('data/postgres')), stat(at('restored/postgres'))]);
    expect([after.uid, after.uid === 0]).toEqual([before.uid, false]);

    await mkdir(at('private'), { mode: 0o700 });
    expect(await operator(['restore', at('copy')], { ...env, DATA_DIR: at('private/data') })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`may not enter ${at('private')}: choose a DATA_DIR that everyone may enter`),
    });
    expect(await readdir(at('private/data'))).toEqual([]);
  },
  120_000,
);

test('a restore is refused while the PostgreSQL of a database that was moved away still runs, because it would write into the restored files', async () => {
  expect((await operator(['backup', at('copy')], env)).code).toBe(0);
  const killed = await attachProcess(env.DATA_DIR);
  const running = (await postmasterPid(env.DATA_DIR)) ?? 0;
  await killed.kill();
  await rename(at('data/postgres'), at('data/postgres-old'));
  expect(await operator(['restore', at('copy')], env)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`run kill -QUIT ${running}`),
  });
  expect(await readdir(at('data'))).not.toContain('postgres');
  process.kill(running, 'SIGQUIT');
  await until(async () => !(await isRunningIn(at('data'), running)));
  expect((await operator(['restore', at('copy')], env)).code).toBe(0);
}, 120_000);
