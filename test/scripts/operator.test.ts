import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorkspace } from '../../db/accounts/workspaces.ts';
import { addImport } from '../../db/deliveries/sheet-imports.ts';
import { newId } from '../../db/ids.ts';
import { createReplays } from '../../db/requests/replays.ts';
import { storeBufferedPage } from '../../db/requests/responses.ts';
import { inTransaction } from '../../db/transaction.ts';
import { readImportSettings } from '../../pipeline/sheets/import-settings.ts';
import { newImport } from '../../server/dashboard/sheets/import-form.ts';
import { ask, codeOf, pressLink } from '../harness/answers.ts';
import { processesOf, tidyUp } from '../harness/data-folder.ts';
import { writeInventedManifest } from '../harness/invented-manifest.ts';
import { operator } from '../harness/operator.ts';
import { operatorProcess, type ServiceProcess, startService } from '../harness/service-process.ts';
import { openFolder, postmasterPid, until } from '../setup/processes.ts';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.ts';

let folder: string;
let db: TestDatabase;
let env: Record<string, string>;
let server: ServiceProcess;

beforeAll(async () => {
  folder = await openFolder();
  db = await createTestDatabase();
  env = { DATABASE_URL: db.database_url, UPSTREAM_REPLAY: await writeInventedManifest(folder) };
  server = await startService(env);
});

afterAll(async () => {
  await db.close();
  await tidyUp(folder, join(folder, 'data'));
});

interface Keys {
  workspace_id: string;
  live_key: string;
  test_key: string;
}

const call = (...words: string[]) => operator(words, env);

/** Runs an operator command with --json and returns its parsed output. */
async function json<T>(...words: string[]): Promise<T> {
  const { stdout, stderr, code } = await call(...words, '--json');
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as T;
}

/** Runs an operator command and returns its output as text. */
async function text(...words: string[]): Promise<string> {
  const { stdout, stderr, code } = await call(...words);
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
}

const workspaceOf = (credits: number): Promise<Keys> =>
  inTransaction(db.sql, (tx) => createWorkspace(tx, { name: 'operated', credits }));
const profile = (handle: string) => `/v1/photo/profile?handle=${handle}`;
const workflow = (handle: string) => `/v1/workflows/profile?platform=photo&url=${handle}`;
const balance = '/v1/credit/balance';

async function creditsOf(key: string): Promise<number> {
  const { text } = await ask(server.base_url, balance, key);
  return (JSON.parse(text) as { data: { credits_remaining: number } }).data.credits_remaining;
}

describe('operator link', () => {
  test('operator link create prints an address that the running server answers, list counts its reads, and revoke stops it immediately', async () => {
    const { workspace_id } = await workspaceOf(5);
    const made = await json<Record<string, string>>(
      'link',
      'create',
      workspace_id,
      '--shows',
      'list',
      '--name',
      'Weekly',
    );
    const { pathname } = new URL(made.csv ?? '');
    const read = async () => (await fetch(`${server.base_url}${pathname}`)).status;
    expect(made.formula).toBe(`=IMPORTDATA("${made.csv}")`);
    expect(await read()).toBe(200);
    expect(await json('link', 'list', workspace_id)).toMatchObject([
      { link_id: made.link_id, label: 'Weekly', reads: 1 },
    ]);
    expect(await text('link', 'list', workspace_id)).not.toContain(pathname.slice(7, 50));
    expect(await text('link', 'revoke', made.link_id ?? '')).toContain('no longer works');
    expect(await read()).toBe(410);
    expect((await call('link', 'revoke', made.link_id ?? '')).code).toBe(2);
    const audit = await db.sql`
      select actor, action from audit_entries where workspace_id = ${workspace_id} order by entry_id`;
    expect(audit).toMatchObject([
      { actor: 'operator', action: 'created a data link' },
      { actor: 'operator', action: 'revoked a data link' },
    ]);
  });

  test('operator link create refuses profiles with a refresh but without a cap, and says what to add', async () => {
    const { workspace_id } = await workspaceOf(5);
    const refused = await call(
      ...['link', 'create', workspace_id, '--shows', 'profiles', '--name', 'N', '--refresh', '1d'],
      ...['--urls', 'https://www.instagram.com/someone/'],
    );
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('needs a monthly cap');
  });
});

describe('operator import', () => {
  test('operator import lists, pauses, resumes and starts imports of a workspace, and writes these actions into the audit log', async () => {
    const { workspace_id } = await workspaceOf(5);
    const input = { ...newImport, label: 'Rivals', spreadsheet: 'a'.repeat(44), schedule: 'manual' };
    const importId = await addImport(db.sql, workspace_id, readImportSettings(input, new Date()), new Date());
    const change = (word: string) => call('import', word, workspace_id, importId ?? '');
    expect(await json('import', 'list', workspace_id)).toMatchObject([{ label: 'Rivals', last_run_at: null }]);
    expect((await change('pause')).stdout).toContain('paused.');
    expect((await change('run')).stderr).toContain('The import is paused');
    for (const word of ['resume', 'run']) expect((await change(word)).code).toBe(0);
    const [listed] = await json<{ last_run_at: string | null }[]>('import', 'list', workspace_id);
    expect(listed?.last_run_at).not.toBeNull();
    expect((await call('import', 'pause', newId(), importId ?? '')).stderr).toContain('There is no import');
    const audit = await db.sql`
      select action, subject from audit_entries where workspace_id = ${workspace_id} order by entry_id`;
    expect(audit.map(({ action, subject }) => `${action}: ${subject}`)).toEqual([
      ...['paused a sheet import: Rivals', 'resumed a sheet import: Rivals', 'started a sheet import: Rivals'],
    ]);
  });
});

describe('operator workspace', () => {
  test('operator workspace create gives 100 starter credits and two keys that work immediately on the running server', async () => {
    const made = await json<Keys>('workspace', 'create', '--name', 'One');
    expect(Object.keys(made)).toEqual(['workspace_id', 'live_key', 'test_key']);
    const live = await ask(server.base_url, profile('made.one'), made.live_key);
    expect([live.status, live.headers.get('x-data-mode'), live.credits_charged]).toEqual([200, 'live', 1]);
    const sample = await ask(server.base_url, profile('made.one'), made.test_key);
    expect([sample.status, sample.headers.get('x-data-mode'), sample.credits_charged]).toEqual([200, 'sandbox', 0]);
    expect(await creditsOf(made.live_key)).toBe(99);
  });

  test('operator workspace create with --email adds a user of the workspace, whose printed sign-in link works once', async () => {
    const made = await json<Keys & { email: string; sign_in_link: string }>(
      ...['workspace', 'create', '--name', 'Signed in', '--email', 'New.Person@Tidemark.example', '--tier', 'pro'],
    );
    expect(made.email).toBe('new.person@tidemark.example');
    const { pathname, search } = new URL(made.sign_in_link);
    const link = `${server.base_url}${pathname}${search}`;
    const press = () => pressLink(link);
    expect((await fetch(link)).status).toBe(200);
    const entered = await press();
    expect([entered.status, entered.headers.get('location')]).toEqual([303, '/dashboard']);
    const cookie = entered.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const page = await (await fetch(`${server.base_url}/dashboard`, { headers: { cookie } })).text();
    expect(page).toContain('Signed in');
    expect((await press()).status).toBe(400);
    expect(await db.sql`select from members where workspace_id = ${made.workspace_id}`).toHaveLength(1);
    expect(await json('sign-in-link', 'new.person@tidemark.example')).toMatchObject({ email: made.email });
  });

  test('operator workspace create refuses an email address that is in use or invalid, and creates nothing', async () => {
    const create = (email: string) => call('workspace', 'create', '--name', 'Twice', '--email', email);
    expect((await create('twice@tidemark.example')).code).toBe(0);
    const again = await create('TWICE@tidemark.example');
    expect([again.code, again.stdout]).toEqual([2, '']);
    expect(again.stderr).toContain('twice@tidemark.example already has an account');
    expect((await create('nobody')).stderr).toContain('--email must be an email address');
    expect(await db.sql`select from workspaces where name = 'Twice'`).toHaveLength(1);
  });

  test('operator workspace tier raises or lowers the tier immediately on the running server and does not change the credits', async () => {
    const { workspace_id, live_key } = await workspaceOf(5);
    const tierOf = async () => {
      const { data } = JSON.parse((await ask(server.base_url, balance, live_key)).text);
      return [data.workspace.tier ?? data.tier, data.credits_remaining];
    };
    for (const tier of ['ultra', 'air', 'pro_max']) {
      expect(await json('workspace', 'tier', workspace_id, tier)).toEqual({ workspace_id, tier });
      expect(await tierOf()).toEqual([tier, 5]);
    }
    await json('credits', 'grant', workspace_id, '1000', '--reason', 'gift');
    expect(await tierOf()).toEqual(['pro_max', 1005]);
    expect(await db.sql`select from ledger_entries where workspace_id = ${workspace_id}`).toHaveLength(2);
  });

  test('a workspace name with control characters cannot add a row to a table or control the terminal', async () => {
    const name = 'Ann\r\n\u001b[31mfake row\u0007';
    const { workspace_id } = await inTransaction(db.sql, (tx) => createWorkspace(tx, { name, credits: 0 }));
    for (const shown of [await text('workspace', 'list'), await text('workspace', 'show', workspace_id)]) {
      expect(shown).toContain('Ann\ufffd\ufffd\ufffd[31mfake row\ufffd');
      expect(shown).not.toMatch(/[^\P{Cc}\n]/u);
    }
  });

  test('operator workspace list and show print balance, tier and usage, and no keys', async () => {
    const printed = await text(
      'workspace',
      'create',
      '--name',
      'Two',
      '--email',
      'two@tidemark.example',
      '--tier',
      'pro',
      '--credits',
      '7',
    );
    const [liveKey = ''] = /tide_live_\w+/.exec(printed) ?? [];
    const [workspaceId = ''] = /[0-9a-f-]{36}/.exec(printed) ?? [];
    await ask(server.base_url, profile('shown.two'), liveKey);
    await ask(server.base_url, profile('a b'), liveKey);
    await until(async () => (await db.sql`select from usage where workspace_id = ${workspaceId}`).count === 2);

    const workspace = {
      workspace_id: workspaceId,
      name: 'Two',
      email: 'two@tidemark.example',
      tier: 'pro',
      balance: 6,
    };
    const usage = [
      { route: '/v1/photo/profile', outcome: 'INVALID_INPUT', requests: 1, credits: 0 },
      { route: '/v1/photo/profile', outcome: 'OK', requests: 1, credits: 1 },
    ];
    const [listed, shown, list, show] = await Promise.all([
      json<object[]>('workspace', 'list'),
      json('workspace', 'show', workspaceId),
      text('workspace', 'list'),
      text('workspace', 'show', workspaceId),
    ]);
    expect(listed).toContainEqual({
      ...workspace,
      created_at: expect.any(String),
      requests_30_days: 2,
      credits_30_days: 1,
    });
    expect(shown).toEqual({ ...workspace, created_at: expect.any(String), usage });
    expect(list).toMatch(/^workspace_id +name +email +tier +created_at +balance +requests_30_days +credits_30_days\n/);
    expect(list).toMatch(new RegExp(`^${workspaceId} +Two +two@tidemark.example +pro +\\S+ +6 +2 +1$`, 'm'));
    expect(show).toMatch(/^balance +6$/m);
    expect(show).toMatch(/^\/v1\/photo\/profile +OK +1 +1$/m);
    expect(list + show + JSON.stringify([listed, shown])).not.toContain('tide_');
  });
});

describe('operator keys', () => {
  test('a key that operator keys revokes stops working immediately on the running server, and other keys keep working', async () => {
    const { workspace_id, live_key } = await workspaceOf(10);
    const made = await json<{ key_id: string; key: string }>(
      'keys',
      'create',
      workspace_id,
      '--kind',
      'live',
      '--name',
      'Second',
    );
    expect((await ask(server.base_url, profile('before.revoke'), made.key)).status).toBe(200);
    const listed = await json<object[]>('keys', 'list', workspace_id);
    expect(listed).toHaveLength(3);
    expect(listed.at(-1)).toMatchObject({
      key_id: made.key_id,
      kind: 'live',
      name: 'Second',
      last_four: made.key.slice(-4),
      revoked_at: null,
    });
    expect(JSON.stringify(listed)).not.toContain('tide_');

    expect(await json('keys', 'revoke', made.key_id)).toEqual({ key_id: made.key_id, revoked: true });
    const after = await Promise.all([made.key, live_key].map((key) => ask(server.base_url, balance, key)));
    expect(after.map(({ status }) => status)).toEqual([401, 200]);
    expect(after.slice(0, 1).map(codeOf)).toEqual(['INVALID_API_KEY']);
    const table = await text('keys', 'list', workspace_id);
    expect(table).toMatch(new RegExp(`^${made.key_id} +live +Second +\\S{4} .*Z`, 'm'));
    expect(await call('keys', 'revoke', made.key_id)).toMatchObject({
      code: 2,
      stderr: `No active key has the ID ${made.key_id}. To see the keys of a workspace: npm run operator -- keys list WORKSPACE_ID\n`,
    });
  });

  test('a sheet key can call only the workflow routes and the balance, up to its monthly cap', async () => {
    const { workspace_id } = await workspaceOf(10);
    const { key } = await json<{ key: string }>('keys', 'create', workspace_id, '--kind', 'sheet', '--cap', '1');
    const paths = [
      profile('in.a.sheet'),
      '/v1/shortvideo/profile?handle=in.a.sheet',
      balance,
      workflow('in.a.sheet'),
      workflow('over.the.cap'),
    ];
    const answers = [];
    for (const path of paths) answers.push(await ask(server.base_url, path, key));
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 200, 200, 200]);
    expect(answers.slice(0, 2).map(codeOf)).toEqual(['SHEET_KEY_RESTRICTED', 'SHEET_KEY_RESTRICTED']);
    expect(answers.map(({ credits_charged }) => credits_charged)).toEqual([0, 0, 0, 1, 0]);
    expect(answers[4]?.text).toContain('INSUFFICIENT_CREDITS');
    expect(await creditsOf(key)).toBe(9);
  });

  test('a key that operator keys creates can be limited to routes and networks', async () => {
    const { workspace_id } = await workspaceOf(10);
    const made = async (...limits: string[]) =>
      json<{ key: string }>('keys', 'create', workspace_id, '--kind', 'live', ...limits);
    const here = await made('--scopes', 'mcp,workflows', '--networks', '127.0.0.1,::1');
    const elsewhere = await made('--networks', '203.0.113.0/24');
    const answers = [
      await ask(server.base_url, balance, here.key),
      await ask(server.base_url, profile('limited.key'), here.key),
      await ask(server.base_url, balance, elsewhere.key),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 403, 403]);
    expect(answers.slice(1).map(codeOf)).toEqual(['KEY_NOT_ALLOWED', 'ADDRESS_NOT_ALLOWED']);
    expect((await json<object[]>('keys', 'list', workspace_id)).slice(-2)).toMatchObject([
      { scopes: ['workflows', 'mcp'], networks: ['127.0.0.1', '::1'] },
      { scopes: null, networks: ['203.0.113.0/24'] },
    ]);
  });

  test('operator keys creates a test key that gets samples, and a key that expires at the end of its date, as in the dashboard', async () => {
    const { workspace_id } = await workspaceOf(10);
    const words = ['keys', 'create', workspace_id, '--kind', 'test', '--expires', '2999-01-31'];
    const { key, key_id } = await json<{ key: string; key_id: string }>(...words);
    expect((await ask(server.base_url, profile('some.one'), key)).headers.get('x-data-mode')).toBe('sandbox');
    expect(await json('keys', 'list', workspace_id)).toContainEqual(
      expect.objectContaining({ key_id, expires_at: '2999-01-31T23:59:59.000Z' }),
    );
    await db.sql`update api_keys set expires_at = now() where key_id = ${key_id}`;
    expect((await ask(server.base_url, profile('some.one'), key)).status).toBe(401);
  });
});

describe('credits grant', () => {
  test('operator credits grant adds a ledger entry `adjustment`, positive or negative, and refuses a balance below zero', async () => {
    const { workspace_id, live_key } = await workspaceOf(10);
    expect(await json('credits', 'grant', workspace_id, '5', '--reason', 'pack by invoice')).toEqual({
      workspace_id,
      credits: 5,
      credits_remaining: 15,
    });
    expect(await text('credits', 'grant', workspace_id, '-12', '--reason', 'taken back')).toMatch(
      /^credits_remaining +3$/m,
    );
    expect(await call('credits', 'grant', workspace_id, '-4', '--reason', 'too much')).toMatchObject({
      code: 2,
      stderr: 'Nothing was changed, because the balance cannot fall below 0: take at most 3 credits.\n',
    });
    const rows = await db.sql`
      select kind, credits, balance_after, reason from ledger_entries where workspace_id = ${workspace_id} order by entry_no`;
    expect(rows).toEqual([
      { kind: 'starter', credits: 10, balance_after: 10, reason: 'starter credits' },
      { kind: 'adjustment', credits: 5, balance_after: 15, reason: 'pack by invoice' },
      { kind: 'adjustment', credits: -12, balance_after: 3, reason: 'taken back' },
    ]);
    expect(await creditsOf(live_key)).toBe(3);
  });
});

describe('ledger show', () => {
  test('operator ledger show prints the newest entries first with the balance after each, in pages and since a day', async () => {
    const { workspace_id, live_key } = await workspaceOf(10);
    await json('credits', 'grant', workspace_id, '5', '--reason', 'pack by invoice');
    const { text: answer } = await ask(server.base_url, profile('shown.in.ledger'), live_key);
    const { request_id } = (JSON.parse(answer) as { meta: { request_id: string } }).meta;
    const charge = { entry_no: 3, kind: 'charge', credits: -1, balance_after: 14, request_id };
    const grant = { entry_no: 2, kind: 'adjustment', credits: 5, balance_after: 15, reason: 'pack by invoice' };
    const starter = { entry_no: 1, kind: 'starter', credits: 10, balance_after: 10 };
    const workspace = { workspace_id, name: 'operated', balance: 14 };
    expect(await json('ledger', 'show', workspace_id)).toMatchObject({
      ...workspace,
      entries: [charge, grant, starter],
      next_before: null,
    });
    expect(await json('ledger', 'show', workspace_id, '--limit', '2')).toMatchObject({
      entries: [charge, grant],
      next_before: 2,
    });
    expect(await json('ledger', 'show', workspace_id, '--limit', '2', '--before', '2')).toMatchObject({
      entries: [starter],
      next_before: null,
    });
    const printed = await text('ledger', 'show', workspace_id, '--limit', '2');
    expect(printed).toMatch(/^entry +created_at +kind +credits +balance_after +route +request_id +reason$/m);
    expect(printed).toMatch(new RegExp(`^3 .* charge +-1 +14 .*${request_id}`, 'm'));
    expect(printed).toMatch(/\n\nOlder entries: add --before 2\n$/);
    await db.sql`update ledger_entries set created_at = '2026-01-31T23:59:59Z' where workspace_id = ${workspace_id} and entry_no = 1`;
    expect(await json('ledger', 'show', workspace_id, '--since', '2026-02-01')).toMatchObject({
      entries: [charge, grant],
      next_before: null,
    });
    expect(await text('ledger', 'show', workspace_id, '--since', '2999-01-01')).toMatch(/\n\nnone\n$/);
  });
});

describe('ledger check', () => {
  interface Proof {
    workspaces: number;
    entries: number;
    mismatches: number;
    details: { workspace_id: string }[];
  }

  test('operator ledger check compares every balance with the sum of its entries', async () => {
    await workspaceOf(5);
    const [counted] = await db.sql`
      select (select count(*) from workspaces) as workspaces, (select count(*) from ledger_entries) as entries`;
    expect(await json('ledger', 'check')).toEqual({ ...counted, mismatches: 0, details: [] });
    expect(await text('ledger', 'check')).toMatch(/^workspaces +\d+\nentries +\d+\nmismatches +0\n$/);
  });

  test.each([
    ['a balance that was raised', 'update credit_balances set balance = balance + 1'],
    ['an entry that was changed', 'update ledger_entries set credits = credits + 1 where entry_no = 2 and'],
    [
      'an entry that was changed with its balance after it',
      'update ledger_entries set credits = 4, balance_after = 9 where entry_no = 2 and',
    ],
    [
      'entries whose credits were exchanged',
      'update ledger_entries set credits = case entry_no when 1 then 3 else 5 end where entry_no in (1, 2) and',
    ],
    ['a first entry that was removed', 'delete from ledger_entries where entry_no = 1 and'],
    ['a last entry that was removed', 'delete from ledger_entries where entry_no = 3 and'],
    ['an entry that was moved', 'update ledger_entries set entry_no = 9 where entry_no = 3 and'],
  ])('operator ledger check exits with 1 for %s, and names the workspace', async (_, tampering) => {
    const { workspace_id, live_key } = await workspaceOf(5);
    await json('credits', 'grant', workspace_id, '3', '--reason', 'more');
    expect((await ask(server.base_url, profile('tampered.with'), live_key)).credits_charged).toBe(1);
    const statement = tampering.endsWith('and') ? tampering : `${tampering} where`;
    await db.sql.unsafe(`${statement} workspace_id = '${workspace_id}'`);
    const checked = await call('ledger', 'check', '--json');
    const { mismatches, details } = JSON.parse(checked.stdout) as Proof;
    expect([checked.code, mismatches > 0, checked.stderr]).toEqual([1, true, '']);
    expect(new Set(details.map((detail) => detail.workspace_id))).toEqual(new Set([workspace_id]));
    const table = await call('ledger', 'check');
    expect([table.code, table.stdout.includes(workspace_id)]).toEqual([1, true]);
    await db.sql`delete from ledger_entries where workspace_id = ${workspace_id}`;
    await db.sql`delete from workspaces where workspace_id = ${workspace_id}`;
  });
});

test('operator collect shows the record and its source, and charges nothing', async () => {
  const entries = () => db.sql`select from ledger_entries`.then(({ count }) => count);
  const before = await entries();
  expect(await json('collect', 'photoProfile', 'handle=collected.one')).toMatchObject({
    source: 'instagram-web',
    record: { followers: 4321, following: 0 },
  });
  expect(await text('collect', 'photoProfile', 'handle=collected.one')).toMatch(/"followers": 4321/);
  expect(await entries()).toBe(before);
});

test('operator cleanup deletes expired data and nothing else', async () => {
  const { workspace_id } = await workspaceOf(0);
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1000);
  const answer = { body: '{}', meta: '{}', retrieved_at: ago(0) };
  const replay = { answer, fingerprint: '11111111-1111-4111-8111-111111111111' };
  for (const [name, seconds] of [
    ['old', 86_500],
    ['young', 86_000],
  ] as const) {
    const replays = createReplays(db.sql, () => ago(seconds));
    await replays.store({ workspace_id, mode: 'live', idempotency_key: name }, replay);
  }
  await storeBufferedPage(db.sql, '22222222-2222-4222-8222-222222222222', '{}', ago(700));
  await storeBufferedPage(db.sql, '33333333-3333-4333-8333-333333333333', '{}', ago(500));
  expect(await json('cleanup')).toMatchObject({ responses: 0, replays: 1, pages: 1 });
  expect(await text('cleanup')).toMatch(/^replays +0$/m);
  expect(await db.sql`select idempotency_key from replays where workspace_id = ${workspace_id}`).toEqual([
    { idempotency_key: 'young' },
  ]);
});

test('without a running server, an operator command starts the database of DATA_DIR and stops it at the end', async () => {
  env = { DATA_DIR: join(folder, 'data') };
  const created = await operatorProcess(['workspace', 'create', '--name', 'Alone', '--credits', '3', '--json'], env);
  const { workspace_id } = JSON.parse(created.stdout) as Keys;
  expect(await json('workspace', 'list')).toMatchObject([{ workspace_id, balance: 3 }]);
  expect(await json('ledger', 'check')).toMatchObject({ workspaces: 1, entries: 1, mismatches: 0 });
  expect([await postmasterPid(join(folder, 'data')), await processesOf(join(folder, 'data'))]).toEqual([null, []]);
});
