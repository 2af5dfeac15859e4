import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorkspace } from '../../db/accounts/workspaces.ts';
import { inTransaction } from '../../db/transaction.ts';
import { writeInventedManifest } from '../harness/invented-manifest.ts';
import { operator, type Printed } from '../harness/operator.ts';
import { type Ended, operatorProcess, runProgram } from '../harness/service-process.ts';
import { openFolder, until } from '../setup/processes.ts';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.ts';

let db: TestDatabase;
let folder: string;

beforeAll(async () => {
  [db, folder] = await Promise.all([createTestDatabase(), openFolder()]);
});

afterAll(async () => {
  await db.close();
  await rm(folder, { recursive: true });
});

const call = (words: string[]) => operator(words, { DATABASE_URL: db.database_url });

/** Expects the same as for a wrong command: the problem and the usage on stderr, exit code 2 and no stack trace. */
function expectWrongUse({ code, stdout, stderr }: Printed | Ended, usage: RegExp): void {
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(usage);
  expect(stderr).not.toMatch(/^\s+at /m);
}

describe('a wrong operator command', () => {
  const id = '11111111-1111-4111-8111-111111111111';

  test.each([
    ['workspace create', []],
    ['workspace create', ['--name']],
    ['workspace create', ['--name', 'X', '--tier', 'gold']],
    ['workspace create', ['--name', 'X', '--credits', 'many']],
    ['workspace create', ['--name', 'X', '--credits', '-1']],
    ['workspace create', ['X', '--name', 'X']],
    ['workspace list', ['extra']],
    ['workspace show', []],
    ['workspace show', ['not-an-id']],
    ['workspace create', ['--name', 'X', '--email', 'nobody']],
    ['workspace tier', [id]],
    ['workspace tier', [id, 'gold']],
    ['workspace tier', ['not-an-id', 'pro']],
    ['keys create', [id]],
    ['keys create', [id, '--kind', 'sheet']],
    ['keys create', [id, '--kind', 'live', '--cap', '-1']],
    ['keys create', [id, '--kind', 'live', '--expires', '2020-01-01']],
    ['keys create', [id, '--kind', 'live', '--expires', 'soon']],
    ['keys create', [id, '--kind', 'live', '--expires', '2999-02-30']],
    ['keys create', [id, '--kind', 'live', '--expires', '1/2/2999']],
    ['keys create', [id, '--kind', 'live', '--scopes', 'data,root']],
    ['keys create', [id, '--kind', 'live', '--scopes', '']],
    ['keys create', [id, '--kind', 'live', '--networks', '10.0.0.0/33']],
    ['keys create', [id, '--kind', 'live', '--networks', '']],
    ['keys list', ['--all']],
    ['keys revoke', ["'; drop table api_keys"]],
    ['credits grant', [id, '5']],
    ['credits grant', [id, '0', '--reason', 'none']],
    ['credits grant', [id, '1.5', '--reason', 'half']],
    ['ledger check', ['--fix', 'true']],
    ['ledger show', []],
    ['ledger show', ['not-an-id']],
    ['ledger show', [id, '--limit', '0']],
    ['ledger show', [id, '--limit', '1001']],
    ['ledger show', [id, '--since', 'yesterday']],
    ['ledger show', [id, '--since', '2026-02-30']],
    ['ledger show', [id, '--before', '-1']],
    ['collect', []],
    ['collect', ['photoProfile', 'handle']],
    ['collect', ['photoProfile']],
    ['cleanup', ['everything']],
  ])('`%s` with %j prints its usage and exits with 2', async (name, words) => {
    expectWrongUse(
      await call([...name.split(' '), ...words]),
      new RegExp(`^Usage: npm run --silent operator -- ${name} `, 'm'),
    );
  });

  test.each([
    ['no command', [], /^npm run --silent operator -- COMMAND/],
    ['an unknown command', ['workspace', 'creat'], /did you mean workspace create\?/],
    ['an unknown workspace', ['workspace', 'show', id], /^There is no workspace 1{8}/],
    ['an unknown workspace to set a tier of', ['workspace', 'tier', id, 'pro'], /^There is no workspace 1{8}/],
    [
      'an unknown workspace to grant to',
      ['credits', 'grant', id, '5', '--reason', 'gift'],
      /^There is no workspace 1{8}/,
    ],
    ['the ledger of an unknown workspace', ['ledger', 'show', id], /^There is no workspace 1{8}/],
    ['the keys of an unknown workspace', ['keys', 'list', id], /^There is no workspace 1{8}/],
    ['the data links of an unknown workspace', ['link', 'list', id], /^There is no workspace 1{8}/],
    ['the sheet imports of an unknown workspace', ['import', 'list', id], /^There is no workspace 1{8}/],
    ['a key for an unknown workspace', ['keys', 'create', id, '--kind', 'live'], /^There is no workspace 1{8}/],
    ['a negative number', ['workspace', 'create', '--name', 'X', '--credits', '-1'], /^--credits must not be negative/],
    ['a missing parameter of a collector', ['collect', 'photoProfile'], /^handle=… is missing\.$/m],
    [
      'an unknown parameter of a collector',
      ['collect', 'photoProfile', 'handle=x', 'color=red'],
      /^photoProfile has no parameter color\.$/m,
    ],
    ['an unknown collector', ['collect', 'photoProfil', 'handle=x'], /did you mean photoProfile\?/],
  ])('an operator call with %s says what to write and exits with 2', async (_, words, sentence) => {
    expectWrongUse(await call(words), sentence);
  });
});

describe('the operator program', () => {
  const program = (...words: string[]) => operatorProcess(words, { DATABASE_URL: db.database_url });

  test('the operator program with --help shows every command and exits with 0', async () => {
    const { code, stdout: help, stderr } = await program('--help');
    expect([code, stderr]).toEqual([0, '']);
    const calls = [
      'workspace create',
      'workspace list',
      'workspace show',
      'workspace tier',
      'keys create',
      'keys list',
      'keys revoke',
      'credits grant',
      'ledger check',
      'collect',
      'cleanup',
    ];
    expect(calls.filter((name) => !new RegExp(`^${name}\\b`, 'm').test(help))).toEqual([]);
    expect(help).toContain('\nledger check\n    compares every balance');
  });

  test('the operator program says in a sentence that the database went away, or that a request was not recorded', async () => {
    const upstreamReplay = await writeInventedManifest(folder);
    const asked = await operatorProcess(['collect', 'shortvideoHashtag', 'tag=tides'], {
      DATABASE_URL: db.database_url,
      UPSTREAM_REPLAY: upstreamReplay,
    });
    expectWrongUse(asked, /^UPSTREAM_REPLAY replaces the network, and no recorded answer matches GET /);
    const running = runProgram(['scripts/operator.ts', 'ledger', 'check'], { DATABASE_URL: db.database_url });
    // Locks a table, so that the command waits until the test closes its connection.
    await inTransaction(db.sql, async (tx) => {
      await tx`lock table ledger_entries in access exclusive mode`;
      await until(async () => {
        const closed = await db.sql`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and application_name = 'tidemark-operator' and wait_event_type = 'Lock'`;
        return closed.length > 0;
      });
    });
    expectWrongUse(await running.ended, /^The database stopped answering: .*Run the command again/);
  });

  test('the operator program prints a result to stdout and exits with 0', async () => {
    const { code, stdout, stderr } = await program('workspace', 'list', '--json');
    expect([code, JSON.parse(stdout), stderr]).toEqual([0, [], '']);
  });

  test('the operator program exits with 1 when a command finds a fault', async () => {
    const { workspace_id } = await inTransaction(db.sql, (tx) => createWorkspace(tx, { name: 'tampered', credits: 5 }));
    await db.sql`update credit_balances set balance = balance + 1 where workspace_id = ${workspace_id}`;
    const { code, stdout, stderr } = await program('ledger', 'check');
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout).toContain(workspace_id);
  });

  test('the operator program prints a problem to stderr and exits with 2', async () => {
    expectWrongUse(await program('workspace', 'creat'), /did you mean workspace create\?/);
  });
});
