import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createWorkspace } from '../../db/accounts/workspaces.ts';
import { inTransaction } from '../../db/transaction.ts';
import { copyDataFolder, tidyUp, withDatabase } from '../harness/data-folder.ts';
import { writeInventedManifest } from '../harness/invented-manifest.ts';
import { freePort, type Running, runProgram } from '../harness/service-process.ts';
import { openFolder, until } from '../setup/processes.ts';

let folder: string;
let env: Record<string, string>;
let base: string;

beforeEach(async () => {
  folder = await openFolder();
  const port = await freePort();
  base = `http://127.0.0.1:${port}`;
  env = {
    DATA_DIR: join(folder, 'data'),
    PORT: String(port),
    STOP_DELAY_SECONDS: '0',
    UPSTREAM_REPLAY: await writeInventedManifest(folder),
  };
});
afterEach(() => tidyUp(folder, env.DATA_DIR as string));

/** Returns the ids of the server and pipeline processes that this process has started. */
async function childrenOf(parent: number): Promise<{ servers: number[]; pipelines: number[] }> {
  const found = { servers: [] as number[], pipelines: [] as number[] };
  for (const name of (await readdir('/proc')).filter((one) => /^\d+$/.test(one))) {
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    const [state, ppid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (Number(ppid) !== parent || state === 'Z') continue;
    const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '');
    if (command.includes('server/main.ts')) found.servers.push(Number(name));
    if (command.includes('pipeline/main.ts')) found.pipelines.push(Number(name));
  }
  return found;
}

/** Returns the first of several consecutive ports that no program uses now. */
async function freePorts(count: number): Promise<number> {
  const first = await freePort();
  const others = Array.from({ length: count - 1 }, (_, index) => first + 1 + index);
  const answers = await Promise.all(others.map((port) => fetch(`http://127.0.0.1:${port}`).catch(codeOfRefusal)));
  const areFree = answers.every((answer) => answer === 'ECONNREFUSED') && first + count < 65_536;
  return areFree ? first : freePorts(count);
}
const codeOfRefusal = (error: { cause?: { code?: string } }) => error.cause?.code;

const metricsAt = (port: number) =>
  fetch(`http://127.0.0.1:${port}/metrics`, { headers: { authorization: 'Bearer invented' } }).catch(() => null);

/** Returns the sum of the values of all lines of a text with metrics that begin with these characters. */
function sumOf(metrics: string, start: string): number {
  const lines = metrics.split('\n').filter((line) => line.startsWith(start));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

const up = (...words: string[]): Running => runProgram(['server/up.ts', ...words], env);
const isReady = async () => (await fetch(`${base}/readyz`).catch(() => null))?.status === 200;
const isGone = async (pid: number) =>
  /^\d+ \(.*\) Z/.test(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '1 (gone) Z'));

describe('npm run up', () => {
  beforeEach(() => copyDataFolder(env.DATA_DIR as string));

  test('two servers share a port and one rate limit, a killed process is restarted, and SIGTERM stops all processes', async () => {
    const started = up('--servers', '2', '--pipelines', '1');
    const children = () => childrenOf(started.child.pid as number);
    await until(isReady, 60_000);
    await until(
      async () => (await children()).servers.length === 2 && (await children()).pipelines.length === 1,
      30_000,
    );
    const key = await withDatabase(env.DATA_DIR as string, (sql) =>
      inTransaction(sql, async (tx) => (await createWorkspace(tx, { name: 'shared', credits: 1_000 })).live_key),
    );
    const answers = await Promise.all(
      Array.from({ length: 90 }, async (_, index) => {
        const answer = await fetch(`${base}/v1/photo/profile?handle=shared_${index}`, {
          headers: { 'x-api-key': key, connection: 'close' },
        });
        return answer.status;
      }),
    );
    expect(answers.filter((status) => status === 200)).toHaveLength(60);
    expect(answers.filter((status) => status === 429)).toHaveLength(30);

    const [victim = 0] = (await children()).servers;
    // A stopped server cannot answer. Of four connections, the stopped server gets one, and the others are answered.
    process.kill(victim, 'SIGSTOP');
    const ends: string[] = [];
    const asked = Array.from({ length: 4 }, async () => {
      const answer = await fetch(`${base}/healthz`, { headers: { connection: 'close' } }).catch(() => null);
      ends.push(answer === null ? 'lost' : String(answer.status));
    });
    await until(async () => ends.length === 3);
    process.kill(victim, 'SIGKILL');
    await Promise.all(asked);
    expect(ends).toEqual(['200', '200', '200', 'lost']);
    await until(async () => started.output().includes('ended (SIGKILL): starting it again'));
    await until(async () => (await children()).servers.length === 2, 30_000);

    const all = await children();
    started.child.kill('SIGTERM');
    expect((await started.ended).code).toBe(0);
    for (const pid of [...all.servers, ...all.pipelines]) expect(await isGone(pid)).toBe(true);
  }, 120_000);

  test('with METRICS_PORT, each server and pipeline serves its own metrics on a port of its own', async () => {
    const first = await freePorts(3);
    Object.assign(env, { METRICS_PORT: String(first), METRICS_TOKEN: 'invented' });
    const started = up('--servers', '2', '--pipelines', '1');
    const ports = [first, first + 1, first + 2];
    const isServed = async (port: number) => (await metricsAt(port))?.status === 200;
    await until(async () => (await Promise.all(ports.map(isServed))).every(Boolean), 60_000);
    await until(isReady);
    for (let n = 0; n < 8; n += 1)
      expect((await fetch(`${base}/v1/status`, { headers: { connection: 'close' } })).status).toBe(200);

    const texts = await Promise.all(ports.map(async (port) => (await metricsAt(port))?.text() ?? ''));
    const requests = texts.map((text) => sumOf(text, 'tidemark_requests_total{route="/v1/status"'));
    expect(requests).toEqual([expect.any(Number), expect.any(Number), 0]);
    expect(requests.every((count, index) => index === 2 || count > 0)).toBe(true);
    expect(requests.reduce((sum, count) => sum + count)).toBe(8);
    const starts = texts.map((text) => sumOf(text, 'tidemark_process_start_time_seconds'));
    expect(new Set(starts).size).toBe(3);
    expect(texts.map((text) => sumOf(text, 'tidemark_database_up'))).toEqual([1, 1, 1]);
    expect((await fetch(`http://127.0.0.1:${first}/metrics`)).status).toBe(401);
    expect((await fetch(`http://127.0.0.1:${first}/v1/status`)).status).toBe(404);

    const [victim = 0] = (await childrenOf(started.child.pid as number)).servers;
    process.kill(victim, 'SIGKILL');
    await until(async () => started.output().includes('ended (SIGKILL): starting it again'));
    await until(async () => (await Promise.all(ports.map(isServed))).every(Boolean), 60_000);
    started.child.kill('SIGTERM');
    expect((await started.ended).code).toBe(0);
  }, 120_000);

  test('when the first process is killed, the servers and pipelines that this process started end too', async () => {
    const started = up('--servers', '1', '--pipelines', '1');
    await until(isReady, 60_000);
    await until(async () => started.output().includes('pipeline started'), 30_000);
    const { servers, pipelines } = await childrenOf(started.child.pid as number);
    started.child.kill('SIGKILL');
    await until(async () => (await Promise.all([...servers, ...pipelines].map(isGone))).every(Boolean), 40_000);
  }, 120_000);
});

test.each([
  [['--servers', 'many'], {}, 'Usage: npm run up'],
  [['--server', '2'], {}, 'Usage: npm run up'],
  [[], { PORT: '0' }, 'PORT must not be 0'],
  [[], { METRICS_PORT: 'x', METRICS_TOKEN: 'invented' }, 'METRICS_PORT must be a number from 1 to 65535'],
  [[], { METRICS_PORT: '9464' }, 'METRICS_PORT needs METRICS_TOKEN'],
  [[], { METRICS_PORT: '8999', METRICS_TOKEN: 'invented', PORT: '8999' }, 'METRICS_PORT and PORT are equal'],
  [[], { METRICS_PORT: '8997', METRICS_TOKEN: 'invented', PORT: '8999' }, 'leaves no port for each process'],
  [[], { METRICS_PORT: '65534', METRICS_TOKEN: 'invented' }, 'leaves no port for each process'],
  [[], { PIPELINE: 'x', SMTP_URL: 'x' }, 'PIPELINE must be embedded or off'],
  [[], { DATABASE_URL: 'postgres://reader@127.0.0.1:1/none' }, 'database'],
])(
  '%j with %j ends with code 1 and a sentence',
  async (words, settings, sentence) => {
    const ended = await runProgram(['server/up.ts', ...words], { ...env, ...settings }).ended;
    expect([ended.code, ended.stderr]).toEqual([1, expect.stringContaining(sentence)]);
  },
  60_000,
);
