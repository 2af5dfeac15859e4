import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey } from '../../db/accounts/keys.ts';
import { addDataLink } from '../../db/deliveries/data-links.ts';
import { checkLedger } from '../../db/money/ledger.ts';
import { errorTable } from '../../pipeline/errors.ts';
import { formulaStubs, readFormulas } from '../../scripts/addon-formulas.ts';
import { readCall } from '../../scripts/operator/command.ts';
import { collectCommand } from '../../scripts/operator/sources/collect.ts';
import { trackingAdd, trackingList } from '../../scripts/operator/tracking.ts';
import { readConfig } from '../../server/config.ts';
import { renderMarkdown } from '../../server/docs/markdown.ts';
import { scenarioOf } from '../../server/sandbox/scenarios.ts';
import { type Expression, readFormula } from '../addon/harness/formula-syntax.ts';
import { freezeWeek, keepCampaign } from '../dashboard/campaigns/campaign-workspace.ts';
import { createDashboardSetup, type DashboardSetup } from '../dashboard/dashboard-server.ts';
import { type Block, blocks } from './blocks.ts';
import { type Exchange, startRecordingProxy } from './recording-proxy.ts';
import { createFakePrograms, createSampleFolder, withClient } from './sample-programs.ts';

const execute = promisify(execFile);
const blocksIn = (...languages: string[]) => blocks.filter(({ lang }) => languages.includes(lang));
const named = (some: readonly Block[]) => some.map((block) => [block.name, block] as const);

/** Code blocks that this test runs. Blocks that start a service run in quickstart.test.ts. */
const runnable = blocksIn('sh', 'ts', 'python').filter(({ code }) => !code.includes('npm start'));

let setup: DashboardSetup;
let proxy: Awaited<ReturnType<typeof startRecordingProxy>>;
let folder = '';
let codeFolder = '';
let callsFile = '';
let env: Record<string, string> = {};
let python: string | null = 'python3';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docs-samples-'));
  callsFile = join(folder, 'operator-calls');
  [setup, proxy, codeFolder] = await Promise.all([
    createDashboardSetup(),
    startRecordingProxy(),
    createSampleFolder(folder),
  ]);
  proxy.setTarget(setup.base_url);
  const member = await setup.member({ tier: 'ultra', credits: 1_000 });
  const { campaign_id, item_ids } = await keepCampaign(setup, member);
  await freezeWeek(setup, member, campaign_id);
  const keyOf = async (kind: 'live' | 'test') =>
    (await createKey(setup.db.sql, member.workspace_id, { kind, name: 'docs' })).key;
  await execute('python3', ['--version']).catch(() => {
    python = null;
  });
  env = {
    PATH: `${await createFakePrograms(folder, callsFile)}:${process.env.PATH}`,
    HOME: folder,
    KEY: await keyOf('test'),
    TIDEMARK_KEY: await keyOf('test'),
    LIVE_KEY: await keyOf('live'),
    WORKSPACE: member.workspace_id,
    CAMPAIGN: campaign_id,
    ITEM: item_ids[0] ?? '',
    LINK: await dataLink(member.workspace_id),
    WEBHOOK_SECRET: 'whsec_aW52ZW50ZWQgc2VjcmV0IG9mIGEgdGVzdA==',
  };
});
afterAll(async () => {
  await setup.close();
  await proxy.close();
  await rm(folder, { recursive: true });
});

/** Creates a data link to all tracked items. Returns its address without the file extension. */
async function dataLink(workspaceId: string): Promise<string> {
  const link = { label: 'docs', content: { kind: 'list', list_id: null }, refresh: null, expires_at: null } as const;
  const { token } = await addDataLink(setup.db.sql, workspaceId, link, setup.clock.now);
  return `${proxy.base_url}/links/${token}`;
}

const filled = (code: string) =>
  code
    .replaceAll('{base_url}', proxy.base_url)
    .replaceAll('tide_test_…', env.KEY ?? '')
    .replaceAll('tide_live_…', env.LIVE_KEY ?? '');

/** Returns true when the libraries that the code imports are installed for Python. */
function hasModules(code: string): Promise<boolean> {
  const imports = code.split('\n').filter((line) => /^(?:import|from) /.test(line));
  return execute('python3', ['-c', imports.join('\n')]).then(
    () => true,
    () => false,
  );
}

/** Runs a code block as a reader of the document would. Throws with the block's output when it fails. */
async function run({ lang, code }: Block): Promise<{ stdout: string; exchanges: Exchange[] }> {
  // Moves the clock forward, so that each block starts in a new rate-limit minute.
  setup.clock.now = new Date(setup.clock.now.getTime() + 61_000);
  proxy.exchanges.length = 0;
  const options = { env, cwd: lang === 'sh' ? resolve('.') : codeFolder };
  if (lang === 'sh') {
    await writeFile(callsFile, '');
    const { stdout } = await execute('bash', ['--norc', '-eu', '-o', 'pipefail', '-c', filled(code)], options);
    return { stdout, exchanges: [...proxy.exchanges] };
  }
  const file = join(codeFolder, lang === 'ts' ? 'sample.ts' : 'sample.py');
  await writeFile(file, filled(lang === 'ts' ? withClient(code) : code));
  const { stdout } = await execute(lang === 'ts' ? process.execPath : 'python3', [file], options);
  return { stdout, exchanges: [...proxy.exchanges] };
}

/** Runs, in this process, the operator commands that a sample called. Throws on an invalid call. */
async function runOperatorCalls(): Promise<void> {
  const config = readConfig({ KEYLESS_SOURCES: 'off' });
  for (const line of (await readFile(callsFile, 'utf8')).split('\n').filter(Boolean)) {
    const words: string[] = JSON.parse(line);
    const call = readCall([trackingAdd, trackingList, collectCommand], words);
    const { exit_code = 0 } = await call.command.run({ ...call, db: setup.db, config, now: () => setup.clock.now });
    // All sources are off, so a valid collect command exits with 1.
    expect(exit_code, line).toBe(call.command === collectCommand ? 1 : 0);
  }
}

/** Returns the documented status for the reserved sample identifier in the request; 200 when the request has none. */
function expectedStatus({ url }: Exchange): number {
  if (url.pathname.startsWith('/v1/workflows/')) return 200;
  const values = [...url.searchParams.values()].map((value) => URL.parse(value)?.pathname.split('/')[1] ?? value);
  const effect = scenarioOf(values)?.effect;
  return effect?.kind === 'error' ? errorTable[effect.code].status : 200;
}

function expectAnswered(exchange: Exchange): void {
  const { url, status, headers, body } = exchange;
  expect([url.href, status]).toEqual([url.href, expectedStatus(exchange)]);
  if (url.pathname.startsWith('/links/')) expect(body).toMatch(/^Name,Platform,.*\r\n.|^\[\{"name":/);
  else if (headers.get('content-type')?.startsWith('text/csv')) expect(body).toMatch(/^[\w,%]+\r\n./);
  else if (status !== 200)
    expect(JSON.parse(body).error).toMatchObject({ status, code: expect.stringMatching(/^[A-Z_]+$/) });
  else if (url.pathname === '/mcp') expect(body).toContain('"serverInfo"');
  else if (url.searchParams.get('format') === 'compact')
    expect(Object.keys(JSON.parse(body))).toEqual(['user', 'stats']);
  else expect(JSON.parse(body)).toMatchObject({ data: {}, meta: {} });
}

/** Checks that the samples get the answers that the documents describe. The keys are the names of the code blocks. */
const expectations: Record<string, (exchanges: Exchange[], stdout: string) => void> = {
  'credits #2': ([fresh, kept]) => {
    expect(fresh?.headers.get('x-credits-charged')).toBe('1');
    expect([kept?.headers.get('x-cache'), kept?.headers.get('x-credits-charged')]).toEqual(['HIT', '0']);
  },
  'credits #3': ([estimate]) => {
    expect(JSON.parse(estimate?.body ?? '').data).toMatchObject({ cost: 2, cached: false });
  },
  'credits #5': ([first, second]) => {
    expect(first?.headers.get('x-credits-charged')).toBe('1');
    expect([second?.headers.get('x-idempotent-replay'), second?.headers.get('x-credits-charged')]).toEqual([
      'true',
      '0',
    ]);
  },
  'limits #1': (_, stdout) => expect(stdout).toMatch(/ratelimit-policy: "default";q=60;w=60/),
  'clients #2': (exchanges, stdout) => {
    expect(exchanges).toHaveLength(2);
    expect(stdout.trim().split('\n')).toHaveLength(24);
  },
  'clients #3': (_, stdout) => expect(stdout).toContain("'status': 'OK', 'followers': 12408"),
};

test('every code block of the documents has a known language', () => {
  // The page has no name for an unknown language, so it shows the language's short form.
  const unknown = blocks.filter(({ lang }) =>
    renderMarkdown(`\`\`\`${lang}\n\`\`\``).html.includes(`<figcaption>${lang}<`),
  );
  expect(unknown.map(({ name, lang }) => `${name}: ${lang}`)).toEqual([]);
  expect(runnable.length).toBeGreaterThan(15);
});

test('every expectation about a sample belongs to a code block that runs', () => {
  const names = runnable.map(({ name }) => name);
  expect(Object.keys(expectations).filter((name) => !names.includes(name))).toEqual([]);
});

describe('a code block of the documents', () => {
  test.each(named(runnable))(
    'the code block %s runs as printed and gets the documented answer',
    async (name, block) => {
      if (block.lang === 'python' && (python === null || !(await hasModules(block.code)))) return;
      const { stdout, exchanges } = await run(block);
      if (block.code.includes('{base_url}')) expect(exchanges.length).toBeGreaterThan(0);
      for (const exchange of exchanges) expectAnswered(exchange);
      if (block.lang === 'sh') await runOperatorCalls();
      if (block.next?.lang === 'csv') expect(stdout.trim().replaceAll('\r', '')).toBe(block.next.code.trim());
      expectations[name]?.(exchanges, stdout);
    },
  );

  test('the code blocks of the documents leave no wrong balance', async () => {
    expect((await checkLedger(setup.db.sql)).mismatches).toEqual([]);
  });

  test('no TypeScript code block of the documents has a type error', async () => {
    const modules = blocksIn('ts').map(
      ({ code }, index) => [`module-${index}.ts`, `${filled(withClient(code))}\nexport {};\n`] as const,
    );
    for (const [name, text] of modules) await writeFile(join(codeFolder, name), text);
    const options = [
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--allowImportingTsExtensions',
      '--target',
      'es2024',
      '--module',
      'nodenext',
    ];
    const types = ['--types', 'node', '--typeRoots', resolve('node_modules/@types')];
    const files = modules.map(([name]) => name);
    await execute(resolve('node_modules/.bin/tsc'), [...options, ...types, ...files], { cwd: codeFolder }).catch(
      ({ stdout }) => expect.fail(stdout),
    );
  });
});

describe('a code block of the documents that does not run', () => {
  test.each(named(blocksIn('json')))('the code block %s is JSON', (_, { code }) => {
    expect(typeof JSON.parse(code)).toBe('object');
  });

  test.each(named(blocksIn('http')))('the code block %s is a request with headers and a JSON body', (_, { code }) => {
    const [head = '', body = ''] = code.split('\n\n');
    const [request, ...headers] = head.split('\n');
    expect(request).toMatch(/^(?:GET|POST) \/\S*$/);
    for (const line of headers) expect(line).toMatch(/^[a-z-]+: \S/);
    expect(typeof JSON.parse(body)).toBe('object');
  });

  test.each(named(blocksIn('csv')))('the code block %s is the output of the runnable block before it', (_, block) => {
    expect(runnable.some(({ next }) => next === block)).toBe(true);
  });

  test.each(named(blocksIn('sheet')))(
    'the code block %s calls functions of the add-on with a valid number of arguments',
    async (_, { code }) => {
      const source = formulaStubs(readFormulas());
      for (const line of code.split('\n').filter(Boolean)) {
        const calls = callsIn(readFormula(line));
        expect(calls.length, line).toBeGreaterThan(0);
        for (const { name, count } of calls) {
          const parameters = new RegExp(`^function ${name}\\(([^)]*)\\)`, 'm').exec(source)?.[1];
          expect(parameters, `${name} is not a function of the add-on`).toBeDefined();
          expect(count).toBeLessThanOrEqual((parameters ?? '').split(',').length);
        }
      }
    },
  );
});

function callsIn(tree: Expression): { name: string; count: number }[] {
  if (tree.kind === 'joined') return tree.parts.flatMap(callsIn);
  if (tree.kind !== 'call') return [];
  return [{ name: tree.name, count: tree.args.length }, ...tree.args.flatMap(callsIn)];
}
