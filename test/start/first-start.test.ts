import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ask, pressLink, statusCounts } from '../harness/answers.ts';
import { copyDataFolder, processesOf, tidyUp, withDatabase } from '../harness/data-folder.ts';
import { profileAddress, type SpecialAnswer, writeInventedManifest } from '../harness/invented-manifest.ts';
import { isCharged, startLoad } from '../harness/load.ts';
import { operator } from '../harness/operator.ts';
import { refusingDatabase } from '../harness/refusing-database.ts';
import {
  type Ended,
  failingStart,
  freePort,
  run,
  runProgram,
  type ServiceProcess,
  startService,
} from '../harness/service-process.ts';
import { inventedUpstream } from '../server/invented-upstream.ts';
import { openFolder, postmasterPid, until } from '../setup/processes.ts';

let folder: string;
let dataDir: string;

async function makeFolder(): Promise<void> {
  folder = await openFolder();
  dataDir = join(folder, 'data');
}

const keysIn = (text: string) => text.match(/tide_(?:live|test)_\w+/g) ?? [];
const keyOf = (kind: 'live' | 'test', text: string) =>
  keysIn(text).find((key) => key.startsWith(`tide_${kind}_`)) ?? '';

/** Expects a failed start of the server: one sentence on stderr, no other output, exit code 1. */
function expectRefused(ended: Ended, sentence: RegExp): void {
  expect(ended).toMatchObject({ code: 1, stdout: '' });
  const said = ended.stderr.trimEnd();
  expect(said).toMatch(sentence);
  expect(said).not.toContain('\n');
}

/** Returns a fake answer for handles that begin with `slow.`, delayed by one second. */
async function slowProfiles(): Promise<SpecialAnswer> {
  const url = `${profileAddress}slow.`;
  const { status, headers, body } = await inventedUpstream().fetch({ url }, new AbortController().signal);
  return { prefix: url, status, headers, text: body.toString(), delay_ms: 1_000 };
}

describe('three servers that are started at the same time on an empty data folder, and stopped one after the other', () => {
  let services: ServiceProcess[];
  /** The server that was started first: it created the operator's workspace and printed the keys of this workspace. */
  let first: ServiceProcess;
  let others: ServiceProcess[];

  async function startThree(): Promise<void> {
    await makeFolder();
    const manifest = await writeInventedManifest(folder, { delay_ms: 5, special: [await slowProfiles()] });
    const start = () => startService({ DATA_DIR: dataDir, UPSTREAM_REPLAY: manifest });
    services = await Promise.all([start(), start(), start()]);
    const printing = services.find((service) => keysIn(service.output()).length > 0);
    if (printing === undefined) throw new Error('No server printed keys.');
    first = printing;
    others = services.filter((service) => service !== first);
  }

  beforeAll(startThree);
  // A repeated test gets new servers, because the failed attempt can have stopped the first ones or used the sign-in
  // link.
  beforeEach(async ({ task }) => {
    if (!task.result?.retryCount) return;
    await tidyUp(folder, dataDir);
    await startThree();
  });
  afterAll(() => tidyUp(folder, dataDir));

  const keys = () => keysIn(services.map((service) => service.output()).join(''));
  const liveKey = () => keyOf('live', first.output());

  /** Creates a workspace with credits. Returns its live key. */
  async function workspaceKey(): Promise<string> {
    const words = ['workspace', 'create', '--name', 'load', '--credits', '5000', '--json'];
    const made = await operator(words, { DATA_DIR: dataDir });
    return (JSON.parse(made.stdout) as { live_key: string }).live_key;
  }

  test('the first start prints the docs, a sign-in link and both keys once, and a curl line that answers with sandbox data', async () => {
    const printed = first.output();
    expect(new Set(keys())).toEqual(new Set([keyOf('test', printed), keyOf('live', printed)]));
    expect(keys().filter((key) => key.startsWith('tide_live_'))).toHaveLength(1);

    const docs = /Docs\s+(http:\S+)/.exec(printed)?.[1] ?? '';
    expect((await fetch(docs)).status).toBe(200);
    const line = /^\s*(curl .*)$/m.exec(printed)?.[1] ?? '';
    const answer = await run('sh', ['-c', line.replace('curl ', 'curl --silent --include ')], {}).ended;
    expect(answer.code).toBe(0);
    expect(answer.stdout).toMatch(/^HTTP\/1.1 200/);
    expect(answer.stdout).toMatch(/^x-data-mode: sandbox\r$/m);
    expect(JSON.parse(answer.stdout.split('\r\n\r\n')[1] ?? '')).toMatchObject({
      data: { profile: { id: expect.any(String) } },
      meta: { sandbox: true, credits_charged: 0 },
    });

    const link = /Dashboard\s+(http:\S+)/.exec(printed)?.[1] ?? '';
    const entered = await pressLink(link);
    const cookie = entered.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const overview = await fetch(`${first.base_url}/dashboard`, { headers: { cookie } });
    expect(await overview.text()).toContain('First workspace');
    expect((await pressLink(link)).status).toBe(400);
  });

  test('several simultaneous first starts create one workspace of the operator on the highest tier, with credits as an ordinary ledger entry', async () => {
    const listed = await operator(['workspace', 'list', '--json'], { DATA_DIR: dataDir });
    expect(JSON.parse(listed.stdout)).toEqual([
      expect.objectContaining({ name: 'First workspace', tier: 'ultra', balance: 100 }),
    ]);
    const proved = await operator(['ledger', 'check', '--json'], { DATA_DIR: dataDir });
    expect(JSON.parse(proved.stdout)).toMatchObject({ workspaces: 1, entries: 1, mismatches: 0 });
  });

  test('servers on different ports use the same database', async () => {
    for (const { base_url } of services) {
      const answer = await ask(base_url, '/v1/credit/balance', liveKey());
      expect(JSON.parse(answer.text)).toMatchObject({ data: { credits_remaining: 100 } });
    }
  });

  test('a server whose port is in use says so in one sentence, and does not start the database', async () => {
    const { port } = new URL(first.base_url);
    const ended = await failingStart({ DATA_DIR: join(folder, 'other'), PORT: port });
    expectRefused(ended, new RegExp(`^Port ${port} on 127\\.0\\.0\\.1 is already in use.*set PORT`));
    expect(await processesOf(join(folder, 'other'))).toEqual([]);
  });

  test('SIGTERM finishes requests in progress, refuses new ones, and leaves the database to the other servers', async () => {
    const pid = await postmasterPid(dataDir);
    const key = await workspaceKey();
    const asking = Array.from({ length: 20 }, (_, index) =>
      ask(first.base_url, `/v1/photo/profile?handle=slow.${index}`, key).catch(() => null),
    );
    await withDatabase(dataDir, (sql) =>
      until(async () => (await sql`select from rate_windows where used = 20`).count === 1),
    );
    const stopped = first.stop();
    const refused = () =>
      ask(first.base_url, '/healthz', key).then(
        () => false,
        () => true,
      );
    await until(refused);
    const answers = (await Promise.all(asking)).filter((answer) => answer !== null);
    expect([statusCounts(answers), answers.map(({ credits_charged }) => credits_charged)]).toEqual([
      { 200: 20 },
      Array(20).fill(1),
    ]);
    expect(await stopped).toMatchObject({ code: 0, signal: null });
    for (const { base_url } of others) expect((await ask(base_url, '/v1/credit/balance', key)).status).toBe(200);
    expect(await postmasterPid(dataDir)).toBe(pid);
    const checked = await operator(['ledger', 'check', '--json'], { DATA_DIR: dataDir });
    expect(JSON.parse(checked.stdout)).toMatchObject({ entries: 22, mismatches: 0 });
  });

  test('the last server that stops, under load, stops the database and answers no request with an error, and a later start has every charged answer and prints no keys', async () => {
    const [second, last] = others as [ServiceProcess, ServiceProcess];
    for (const other of [first, second]) expect((await other.stop()).code).toBe(0);
    const load = startLoad({ base_url: last.base_url, keys: [await workspaceKey()], callers: 10, name: 'stop' });
    await until(async () => load.charged() >= 20);
    const key = await workspaceKey();
    const slow = Array.from({ length: 5 }, (_, index) =>
      ask(last.base_url, `/v1/photo/profile?handle=slow.late.${index}`, key),
    );
    await withDatabase(dataDir, (sql) =>
      until(async () => (await sql`select from rate_windows where used = 5`).count === 1),
    );
    expect(await last.stop()).toMatchObject({ code: 0, signal: null });
    await load.stop();
    expect(statusCounts(await Promise.all(slow))).toEqual({ 200: 5 });
    expect(load.sent.filter(({ answer }) => answer !== null && ![200, 429].includes(answer.status))).toEqual([]);
    expect([await postmasterPid(dataDir), await processesOf(dataDir)]).toEqual([null, []]);

    const later = await startService({ DATA_DIR: dataDir });
    expect(keysIn(later.output())).toEqual([]);
    expect(later.output()).toContain('npm run --silent operator -- workspace list');
    expect((await ask(later.base_url, '/v1/credit/balance', keyOf('test', first.output()))).status).toBe(200);
    const rows = await withDatabase(
      dataDir,
      (sql) => sql<{ request_id: string }[]>`select request_id from ledger_entries where kind = 'charge'`,
    );
    const entries = new Set(rows.map(({ request_id }) => request_id));
    expect(load.sent.filter(isCharged).filter(({ request_id }) => !entries.has(request_id))).toEqual([]);
    await later.stop();
  });
});

describe('a start of the server that fails', () => {
  beforeEach(makeFolder);
  afterEach(() => tidyUp(folder, dataDir));

  test('a server whose data folder is a file says so in one sentence', async () => {
    await writeFile(dataDir, 'a file');
    expectRefused(
      await failingStart({ DATA_DIR: dataDir }),
      /^The data folder \S+ is a file: choose another DATA_DIR\.$/,
    );
  });

  test('a server whose data folder has other files instead of a database says so in one sentence, and does not change these files', async () => {
    await mkdir(join(dataDir, 'postgres'), { recursive: true });
    await writeFile(join(dataDir, 'postgres', 'letters.txt'), 'dear');
    expectRefused(await failingStart({ DATA_DIR: dataDir }), /is not empty and has no Tidemark database/);
  });

  test.each([
    ['PORT', { PORT: '80a' }, /^PORT must be a number from 0 to 65535, not "80a"/],
    ['PORT', { PORT: '70000' }, /^PORT must be a number/],
    ['HOST', { HOST: '192.0.2.1' }, /^HOST 192\.0\.2\.1 is not an address of this machine/],
    ['HOST', { HOST: 'nowhere.invalid' }, /^HOST nowhere\.invalid is not an address of this machine/],
    ['BASE_URL', { BASE_URL: 'ftp://tidemark.example' }, /^BASE_URL must be an http or https address/],
    ['BASE_URL', { BASE_URL: 'tidemark' }, /^BASE_URL must be an http or https address/],
    [
      'KEYLESS_SOURCES',
      { KEYLESS_SOURCES: 'somewhere-web' },
      /^KEYLESS_SOURCES has unknown names: somewhere-web\. Use on, off/,
    ],
    ['UPSTREAM_REPLAY in production', { UPSTREAM_REPLAY: 'x', NODE_ENV: 'production' }, /^UPSTREAM_REPLAY .*NODE_ENV/],
    ['UPSTREAM_REPLAY', { UPSTREAM_REPLAY: '/nowhere/manifest.json' }, /^UPSTREAM_REPLAY .*\/nowhere\/manifest\.json/],
    ['UPSTREAM_REPLAY', { UPSTREAM_REPLAY: 'package.json' }, /^UPSTREAM_REPLAY .*package\.json/],
    [
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'x' },
      /^OTEL_EXPORTER_OTLP_ENDPOINT must be an http/,
    ],
    ['DATABASE_URL', { DATABASE_URL: 'mysql://x' }, /^DATABASE_URL is not a valid database address/],
  ] as [string, Record<string, string>, RegExp][])(
    'a start with a %s that cannot be used says so in one sentence',
    async (_, env, sentence) => {
      expectRefused(await failingStart({ DATA_DIR: dataDir, ...env }), sentence);
      expect(await processesOf(folder)).toEqual([]);
    },
  );

  test('a server without its Google key file says so in one sentence', async () => {
    const { code, stderr } = await failingStart({ DATA_DIR: dataDir, GOOGLE_SERVICE_ACCOUNT: '/nowhere/key.json' });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^GOOGLE_SERVICE_ACCOUNT: .* ENOENT[^\n]*\n$/)]);
  });

  test('a failed startup ends the process even while an early request is waiting', async () => {
    const database = await refusingDatabase();
    const port = String(await freePort());
    const failing = runProgram(['server/main.ts'], { DATABASE_URL: database.url, PORT: port });
    await database.connected;
    const early = connect(Number(port), '127.0.0.1', () => {
      early.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n\r\n');
    });
    expect(String(await once(early, 'data'))).toMatch(/^HTTP\/1\.1 100 Continue/);
    const sentAway = once(
      early.resume().on('error', () => undefined),
      'close',
    );
    database.refuse('closed today');
    expectRefused(await failing.ended, /^The database .* of DATABASE_URL cannot be opened: closed today\.$/);
    await sentAway;
    database.close();
  });
});

describe('stopping the server', () => {
  beforeEach(makeFolder);
  afterEach(() => tidyUp(folder, dataDir));

  test('a stop that is requested during the start comes right after the start', async () => {
    const starting = runProgram(['server/main.ts'], { DATA_DIR: dataDir, PORT: '0' });
    await until(async () => starting.output().includes('created a new database'));
    starting.child.kill('SIGTERM');
    expect(await starting.ended).toMatchObject({ code: 0, signal: null });
    expect(await processesOf(dataDir)).toEqual([]);
  });

  test('Ctrl-C in the terminal of npm start stops server and database', async () => {
    await copyDataFolder(dataDir);
    const started = run('npm', ['start'], { DATA_DIR: dataDir, PORT: '0' });
    await until(async () => started.output().includes('Tidemark is running at'));
    process.kill(-(started.child.pid ?? 0), 'SIGINT');
    await started.ended;
    expect(started.output()).toContain('"msg":"stopped"');
    expect(await processesOf(dataDir)).toEqual([]);
  });
});
