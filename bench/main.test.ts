import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { webProfileInfo } from './invented.ts';
import { startLoadGenerator } from './requests/load/load.ts';
import { checkRatios, compareWithAgreed } from './requests/ratios.ts';

const run = promisify(execFile);
const main = join(import.meta.dirname, 'main.ts');

/**
 * Words that each benchmark prints at its end. Two benchmarks are not in the list: `report` fills a table with millions
 * of rows, and `ratios` has its own test in this file.
 */
const expectedWords = {
  requests: ['cache hit', 'charged', 'refused over the rate limit', 'one connection', '128 connections'],
  peers: ['better-auth', 'rate-limiter-flexible', 'Express and pg', '128 connections'],
  processes: ['cache hit', 'charged', 'most that'],
  pgbench: ['charged requests', 'ratio'],
  pages: ['invented photoPosts', 'invented shortvideoProfile', 'photoUserPosts'],
  start: ['first', 'warm'],
  memory: ['speed, last third / first', 'memory, MB', 'idle after a warm start'],
  pipeline: ['tracking check in combined statements'],
  observations: ['bytes each', 'older months'],
  soak: ['balances that differ'],
  dashboard: ['after a check', '/dashboard/tracking?state=failing'],
};

/**
 * The folder of one invented recording. The benchmark of all real recordings takes fifteen seconds of CPU time.
 */
let recorded: string;
beforeAll(async () => {
  recorded = await mkdtemp(join(tmpdir(), 'tidemark-bench-recorded-'));
  const url = 'https://www.instagram.com/api/v1/users/web_profile_info/?username=paper.kite';
  const text = webProfileInfo(12).toString();
  const answer = { method: 'GET', url, match: 'exact', example: { url }, status: 200, text };
  await writeFile(join(recorded, 'manifest.json'), JSON.stringify({ exchanges: [answer] }));
});
afterAll(() => rm(recorded, { recursive: true }));

// Runs several benchmarks at once, because this test does not read their figures. The test of the ratios runs alone.
test.concurrent.each(Object.entries(expectedWords))(
  'the benchmark %s runs to its end',
  async (name, words) => {
    const options = ['--rounds', '1', '--seconds', '0.02', '--minutes', '0.1'];
    const { stdout } = await run(process.execPath, [main, name, ...options], {
      env: { ...process.env, RECORDED: recorded },
    });
    for (const word of words) expect(stdout).toContain(word);
  },
  300_000,
);

test('an unknown benchmark and an invalid number are refused with the usage', async () => {
  for (const words of [['nothing'], ['pages', '--rounds', 'many']]) {
    await expect(run(process.execPath, [main, ...words])).rejects.toMatchObject({
      code: 2,
      stderr: /usage: npm run bench/,
    });
  }
});

async function listening(answerMs: number) {
  const server = createServer((_, response) => setTimeout(() => response.end('late'), answerMs));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { origin, [Symbol.dispose]: close };
}

const plans = [{ headers: {}, paths: ['/'] }];

test('a measured interval without an answer is extended until the first answer', async () => {
  using server = await listening(700);
  using load = startLoadGenerator();
  const result = await load.run({ origin: server.origin, seconds: 0.1, plans }, 200);
  expect(result.statuses).toEqual({ 200: 1 });
  expect(result.p50_ms).toBeGreaterThan(600);
});

test('a server that never answers ends the benchmark with an error', async () => {
  using server = await listening(60_000);
  using load = startLoadGenerator();
  const measured = load.run({ origin: server.origin, seconds: 0.1, max_seconds: 0.3, plans }, 200);
  await expect(measured).rejects.toThrow(`Expected 200 from ${server.origin}`);
});

test('the service uses no more CPU time for each request, compared with minimal servers, than agreed', async () => {
  const checked = await checkRatios({ signal: new AbortController().signal });
  expect(checked.filter(({ failed }) => failed)).toEqual([]);
}, 1_200_000);

test('a ratio fails when it is too low in 14 of 15 rounds, not in 13', () => {
  const rounds = (low: number) => Array.from({ length: 15 }, (_, round) => (round < low ? 0.44 : 0.46));
  expect(compareWithAgreed('cached', 0.5, rounds(14)).failed).toBe(true);
  expect(compareWithAgreed('cached', 0.5, rounds(13)).failed).toBe(false);
});
